/** Areas of the real service that this sandbox does not serve. Requests to them are answered by name. */

/** One area. */
export interface UnservedArea {
  /** A noun phrase, for "This sandbox does not serve …". */
  readonly area: string;
  /** The paths of the area. Each includes the paths below it. The longest path that matches a request decides. */
  readonly paths: readonly string[];
  /** What to do instead. */
  readonly instead: string;
  /** It is planned. */
  readonly later?: true;
}

const payWithCard = 'Pay with a stored card: POST /v1/payments/payment';
const chargeAgain = 'Charge a stored card each time: POST /v1/payments/payment';
const noSubstitute = 'Replace this call in your tests';

/** A new area is one row. The row is its answer and its line in docs/reference/not-served.md. */
export const unservedAreas: readonly UnservedArea[] = [
  {
    area: 'billing plans',
    paths: ['/v1/payments/billing-plans', '/v1/billing/plans'],
    instead: chargeAgain,
  },
  {
    area: 'billing agreements',
    paths: ['/v1/payments/billing-agreements', '/v1/billing-agreements'],
    instead: chargeAgain,
  },
  { area: 'subscriptions', paths: ['/v1/billing'], instead: chargeAgain },
  {
    area: 'catalog products',
    paths: ['/v1/catalogs'],
    instead: noSubstitute,
  },
  {
    area: 'payouts',
    paths: [
      '/v1/payments/payouts',
      '/v1/payments/payouts-item',
      '/v1/payments/referenced-payouts',
      '/v1/payments/referenced-payouts-items',
    ],
    instead: noSubstitute,
  },
  {
    area: 'order payments',
    paths: ['/v1/payments/orders', '/v1/payments/order'],
    instead: 'Pay with intent sale or authorize: POST /v1/payments/payment',
  },
  {
    area: 'checkout orders',
    paths: ['/v1/checkout', '/v2/checkout'],
    instead: payWithCard,
  },
  {
    area: 'payments of version 2',
    paths: ['/v2/payments'],
    instead: 'Use the sales, authorizations, captures and refunds under /v1/payments',
  },
  {
    area: 'web experience profiles',
    paths: ['/v1/payment-experience'],
    instead: 'Leave experience_profile_id out: card payments ignore it',
  },
  {
    area: 'invoices',
    paths: ['/v1/invoicing', '/v2/invoicing'],
    instead: noSubstitute,
  },
  {
    area: 'webhooks',
    later: true,
    paths: ['/v1/notifications'],
    instead: 'Read the record to learn its state',
  },
  {
    area: 'user identity',
    paths: ['/v1/identity', '/v1/endsession', '/signin/authorize', '/webapps/auth'],
    instead: 'Only client credentials give a token: POST /v1/oauth2/token',
  },
  {
    area: 'the revocation of tokens',
    paths: ['/v1/oauth2/token/terminate', '/v1/oauth2/token/revoke'],
    instead: 'Force the outcome token-revoked',
  },
  {
    area: 'bank accounts in the vault',
    paths: ['/v1/vault/bank-accounts', '/v1/vault/bank-account'],
    instead: 'Store a card: POST /v1/vault/credit-cards',
  },
  {
    area: 'payment tokens in the vault',
    paths: ['/v1/vault/payment-tokens', '/v2/vault', '/v3/vault'],
    instead: 'Store a card: POST /v1/vault/credit-cards',
  },
  {
    area: 'reports',
    paths: ['/v1/reporting', '/v1/activities'],
    instead: 'List the payments: GET /v1/payments/payment',
  },
  {
    area: 'disputes',
    paths: ['/v1/customer/disputes'],
    instead: 'Force the outcome chargeback-opened-won-lost, and read the sale',
  },
  {
    area: 'partner referrals and merchant accounts',
    paths: ['/v1/customer', '/v2/customer', '/v3/customer'],
    instead: 'Each client id is a merchant of its own: any id works',
  },
  {
    area: 'risk contexts',
    paths: ['/v1/risk'],
    instead: noSubstitute,
  },
  {
    area: 'shipment tracking',
    paths: ['/v1/shipping'],
    instead: noSubstitute,
  },
  {
    area: 'consumer credit',
    paths: ['/v1/credit'],
    instead: payWithCard,
  },
  {
    area: 'the classic NVP and SOAP APIs',
    paths: ['/nvp', '/2.0', '/AdaptivePayments', '/AdaptiveAccounts', '/Permissions'],
    instead: payWithCard,
  },
  {
    area: 'wallet pages',
    paths: ['/cgi-bin/webscr', '/checkoutnow'],
    instead: payWithCard,
  },
  {
    area: 'versions of the API other than 1',
    paths: ['/v2', '/v3'],
    instead: 'Send the request to the same resource under /v1',
  },
];
