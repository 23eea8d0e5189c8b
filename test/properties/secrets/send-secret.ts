/** Sends a text in a place and returns everything that comes back. */
import { PaymentOut } from '../../../src/contract/service/payments.ts';
import { CardOut } from '../../../src/contract/service/vault.ts';
import { cardBody, paymentBody, rawPaymentBody } from '../../support/samples.ts';
import type { Place, SentRequest } from './secret-places.ts';

const cards = '/v1/vault/credit-cards';
const payments = '/v1/payments/payment';

/** Creates what the place needs, sends the request, and returns the complete response as text. */
export async function sendSecret(
  fetch: typeof globalThis.fetch,
  base: string,
  merchant: string,
  { request }: Place,
  text: string,
): Promise<string> {
  const ask = ({ path, headers = {}, ...init }: SentRequest): Promise<Response> =>
    fetch(base + path, {
      ...init,
      headers: {
        Authorization: `Bearer sandbox.${merchant}`,
        'Content-Type': 'application/json',
        ...headers,
      },
    });
  const make = async (path: string, body: unknown): Promise<unknown> =>
    (await ask({ method: 'POST', path, body: JSON.stringify(body) })).json();
  const card = CardOut.parse(await make(cards, cardBody()));
  const payment = PaymentOut.parse(await make(payments, paymentBody({ cardId: card.id })));
  const held = PaymentOut.parse(await make(payments, rawPaymentBody({}, { intent: 'authorize' })));
  const response = await ask(
    request(text, {
      card_id: card.id,
      payment_id: payment.id,
      sale_id: relatedId(payment),
      authorization_id: relatedId(held),
    }),
  );
  const lines = [...response.headers].map((pair) => pair.join(': '));
  return [response.status, ...lines, '', await response.text()].join('\n');
}

function relatedId(payment: ReturnType<typeof PaymentOut.parse>): string {
  const [related] = payment.transactions[0]?.related_resources ?? [];
  if (related === undefined) return '';
  return 'sale' in related
    ? related.sale.id
    : 'authorization' in related
      ? related.authorization.id
      : '';
}
