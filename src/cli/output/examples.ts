/** The first requests to try, as commands to copy. */
import { exampleMerchant } from '../../contract/constants.ts';
import type { About } from '../../sandbox/answers.ts';

export interface Example {
  readonly title: string;
  readonly path: string;
  /** JSON in lines that fit a terminal. A request with a body is a POST, others are GETs. */
  readonly body?: readonly string[];
}

const listCards: Example = { title: 'List the cards in the vault', path: '/v1/vault/credit-cards' };

/** Use ids of the default fixtures. */
const onDefaultFixtures: readonly Example[] = [
  listCards,
  {
    title: 'Pay with one of them',
    path: '/v1/payments/payment',
    body: [
      '{"intent":"sale","payer":{"payment_method":"credit_card",',
      '"funding_instruments":[{"credit_card_token":',
      '{"credit_card_id":"CARD-VISA0000000000001EXAMPLE"}}]},',
      '"transactions":[{"amount":{"total":"7.50","currency":"USD"}}]}',
    ],
  },
  {
    title: 'Refund a sale',
    path: '/v1/payments/sale/SALE0000000000001/refund',
    body: ['{}'],
  },
];

/** Work with any fixtures. */
const onAnyFixtures: readonly Example[] = [
  listCards,
  {
    title: 'Store a card',
    path: '/v1/vault/credit-cards',
    body: [
      '{"type":"visa","number":"4111111111111111",',
      '"expire_month":12,"expire_year":2099,',
      '"first_name":"Ada","last_name":"Tester"}',
    ],
  },
  { title: 'List the payments', path: '/v1/payments/payment' },
];

/** The examples that work with these fixtures. */
export function examplesFor(fixtures: string): readonly Example[] {
  return fixtures === 'default' ? onDefaultFixtures : onAnyFixtures;
}

/** Writes an example as a command for a POSIX shell. */
export function asCurl({ path, body }: Example, url: string, auth: About['auth']): string {
  const token =
    auth === 'open'
      ? `'Authorization: Bearer sandbox.${exampleMerchant}'`
      : '"Authorization: Bearer $TOKEN"';
  const json =
    body === undefined
      ? []
      : [`-H 'Content-Type: application/json'`, `-d '${body.join('\n    ')}'`];
  return [`curl ${url}${path}`, `-H ${token}`, ...json].join(' \\\n  ');
}
