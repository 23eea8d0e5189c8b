/** What a merchant's code has when a buyer presses "pay": the service, the credentials and the order. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { z } from 'zod';
import type { ClientClock } from '../reference/surroundings.ts';
import { paymentBody } from '../../../support/samples.ts';

export interface Checkout {
  /** Base address of the service, without a trailing slash. */
  readonly url: string;
  readonly clientId: string;
  readonly secret: string;
  readonly cardId: string;
  readonly order: string;
  /** For clients whose clock can be replaced. */
  readonly clock: ClientClock;
}

export const tokenPath = '/v1/oauth2/token';
export const paymentPath = '/v1/payments/payment';
export const tokenForm = 'grant_type=client_credentials';
export const formType = 'application/x-www-form-urlencoded';

export function basic({ clientId, secret }: Pick<Checkout, 'clientId' | 'secret'>): string {
  return `Basic ${Buffer.from(`${clientId}:${secret}`).toString('base64')}`;
}

/**
 * The payment as the seed document shows it, with the order number in `custom`.
 *
 * An invoice number would prevent a second payment, so only a set-up that says so sends one.
 */
export function orderBody({ cardId, order }: Checkout): Record<string, unknown> {
  return paymentBody({ cardId, transaction: { custom: order } });
}

export function invoicedBody({ cardId, order }: Checkout): Record<string, unknown> {
  return paymentBody({ cardId, transaction: { invoice_number: order } });
}

const Token = z.object({ access_token: z.string() });

/** The Authorization header for the token in an answer. */
export function bearer(answer: unknown): { readonly Authorization: string } {
  return { Authorization: `Bearer ${Token.parse(answer).access_token}` };
}

/**
 * Lets a connection return to its pool between two calls, as it does in a real shop.
 *
 * A few rounds of the event loop are enough and take no time.
 */
export async function letEventLoopRun(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await nextTurn();
}
