/** Stores cards and makes sales, authorizations and captures for tests that need them. */
import type { ReplyBody, Shop } from './transports.ts';
import { cardBody, paymentBody, type PaymentParts } from './samples.ts';

export const hourMs = 3_600_000;
export const dayMs = 24 * hourMs;

export type PaymentReply = ReplyBody<'payment.get', 200>;
type Related = PaymentReply['transactions'][number]['related_resources'][number];

/** Stores a card; returns its id. */
export async function storeCard(
  shop: Shop,
  change: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  const card = await shop.ask('card.create', 201, { body: cardBody(change) });
  return card.id;
}

/** Pays with a vaulted card, a new one unless `cardId` names it. */
export async function pay(shop: Shop, parts: Partial<PaymentParts> = {}): Promise<PaymentReply> {
  const cardId = parts.cardId ?? (await storeCard(shop));
  return shop.ask('payment.create', 201, { body: paymentBody({ ...parts, cardId }) });
}

/** Makes a sale and returns it. */
export async function sell(shop: Shop, parts: Partial<PaymentParts> = {}) {
  return saleOf(await pay(shop, parts));
}

/** Makes an authorization and returns it. */
export async function authorize(shop: Shop, parts: Partial<PaymentParts> = {}) {
  return authorizationOf(await pay(shop, { ...parts, intent: 'authorize' }));
}

/** Captures a part of an authorization in dollars and returns the capture. */
export async function capture(
  shop: Shop,
  authorizationId: string,
  total: string,
  change: Readonly<Record<string, unknown>> = {},
) {
  return shop.ask('auth.capture', 200, {
    params: { authorization_id: authorizationId },
    body: { amount: { total, currency: 'USD' }, ...change },
  });
}

/** The related resources of a payment, in order. */
export function relatedOf(payment: PaymentReply): readonly Related[] {
  return payment.transactions.flatMap((transaction) => transaction.related_resources);
}

export function saleOf(payment: PaymentReply) {
  for (const one of relatedOf(payment)) if ('sale' in one) return one.sale;
  throw new Error(`The payment ${payment.id} has no sale.`);
}

export function authorizationOf(payment: PaymentReply) {
  for (const one of relatedOf(payment)) if ('authorization' in one) return one.authorization;
  throw new Error(`The payment ${payment.id} has no authorization.`);
}

/** The balance of the merchant, in minor units. */
export function merchantBalanceMinor(shop: Shop, currency: 'USD' | 'EUR' | 'JPY' = 'USD'): number {
  return shop.merchant.ledger().balances[currency]?.merchant ?? 0;
}
