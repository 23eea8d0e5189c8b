/** Places in a request where a card number could appear, by mistake or on purpose. */
import { cardBody, paymentBody, rawPaymentBody } from '../../support/samples.ts';

export interface Ids {
  readonly card_id: string;
  readonly payment_id: string;
  readonly sale_id: string;
  readonly authorization_id: string;
}

export interface SentRequest {
  readonly method: string;
  readonly path: string;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Place {
  readonly name: string;
  /** A request with this text in the place. */
  readonly request: (text: string, ids: Ids) => SentRequest;
}

const cards = '/v1/vault/credit-cards';
const payments = '/v1/payments/payment';

type Change = (text: string) => Readonly<Record<string, unknown>>;

function place(name: string, request: Place['request']): Place {
  return { name, request };
}

function post(path: string, body: unknown): SentRequest {
  return { method: 'POST', path, body: JSON.stringify(body) };
}

const storing = (name: string, change: Change) =>
  place(`card ${name}`, (text) => post(cards, cardBody(change(text))));
const inAddress = (key: string) =>
  storing(`billing_address.${key}`, (text) => ({
    billing_address: {
      line1: '1 Mock Way',
      city: 'Sampleton',
      state: 'OH',
      country_code: 'US',
      [key]: text,
    },
  }));
const payingRaw = (name: string, change: Change) =>
  place(`raw card ${name}`, (text) => post(payments, rawPaymentBody(change(text))));
const inPayment = (name: string, change: Change) =>
  place(`payment ${name}`, (text, { card_id: cardId }) =>
    post(payments, { ...paymentBody({ cardId }), ...change(text) }),
  );
const inTransaction = (name: string, transaction: Change) =>
  place(`transaction ${name}`, (text, { card_id: cardId }) =>
    post(payments, paymentBody({ cardId, transaction: transaction(text) })),
  );
const inToken = (key: string) =>
  place(`card token ${key}`, (text, { card_id: cardId }) => {
    const token = { credit_card_id: cardId, [key]: text };
    return post(payments, {
      ...paymentBody({ cardId }),
      payer: { payment_method: 'credit_card', funding_instruments: [{ credit_card_token: token }] },
    });
  });
const inItem = (key: string) =>
  inTransaction(`item ${key}`, (text) => ({
    item_list: { items: [{ quantity: '1', price: '30.11', currency: 'USD', [key]: text }] },
  }));
const inShipping = (key: string) =>
  inTransaction(`shipping_address ${key}`, (text) => ({
    item_list: { shipping_address: { line1: '1 Mock Way', country_code: 'US', [key]: text } },
  }));
const refunding = (key: string) =>
  place(`refund ${key}`, (text, ids) =>
    post(`/v1/payments/sale/${ids.sale_id}/refund`, { [key]: text }),
  );
const capturing = (key: string) =>
  place(`capture ${key}`, (text, ids) =>
    post(`/v1/payments/authorization/${ids.authorization_id}/capture`, {
      amount: { total: '1.00', currency: 'USD' },
      [key]: text,
    }),
  );
const patching = (name: string, operation: Change) =>
  place(`card patch ${name}`, (text, ids) => ({
    method: 'PATCH',
    path: `${cards}/${ids.card_id}`,
    body: JSON.stringify([operation(text)]),
  }));
const patchingPayment = (name: string, operation: Change) =>
  place(`payment patch ${name}`, (text, ids) => ({
    method: 'PATCH',
    path: `${payments}/${ids.payment_id}`,
    body: JSON.stringify([operation(text)]),
  }));
const getting = (name: string, path: (text: string) => string) =>
  place(name, (text) => ({ method: 'GET', path: path(text) }));
const withHeader = (name: string, value: (text: string) => string = (text) => text) =>
  place(`header ${name}`, (text) => ({
    ...post(cards, cardBody()),
    headers: { [name]: value(text) },
  }));
const asBody = (name: string, body: (text: string) => string) =>
  place(`body ${name}`, (text) => ({ method: 'POST', path: cards, body: body(text) }));
const tokenCall = (
  name: string,
  body: string | undefined,
  authorization: (text: string) => string,
) =>
  place(`token call ${name}`, (text) => ({
    method: 'POST',
    path: '/v1/oauth2/token',
    body: (body ?? 'grant_type=client_credentials').replace('{}', text),
    headers: {
      'Content-Type': 'application/x-www-form-urlencoded',
      Authorization: authorization(text),
    },
  }));

/** Texts that the contract echoes in responses, and with them a card number. */
export const echoedPlaces: readonly Place[] = [
  ...[
    'first_name',
    'last_name',
    'external_customer_id',
    'payer_id',
    'merchant_id',
    'external_card_id',
  ].map((key) => storing(key, (text) => ({ [key]: text }))),
  ...['line1', 'line2', 'city', 'state', 'postal_code', 'phone'].map(inAddress),
  ...['first_name', 'last_name'].map((key) => payingRaw(key, (text) => ({ [key]: text }))),
  ...['description', 'reference_id', 'note_to_payee', 'custom', 'invoice_number'].map((key) =>
    inTransaction(key, (text) => ({ [key]: text })),
  ),
  ...['name', 'sku', 'description'].map(inItem),
  ...['recipient_name', 'line1', 'line2', 'city', 'state', 'postal_code', 'phone'].map(inShipping),
  ...['external_customer_id', 'payer_id'].map(inToken),
  ...['description', 'reason', 'invoice_number'].map(refunding),
  capturing('invoice_number'),
  patching('value of /first_name', (value) => ({ op: 'add', path: '/first_name', value })),
  patchingPayment('value of custom', (value) => ({
    op: 'add',
    path: '/transactions/0/custom',
    value,
  })),
  // The links of a page repeat its query.
  ...['merchant_id', 'external_card_id', 'external_customer_id'].map((key) =>
    getting(`list filter ${key}`, (text) => `${cards}?${key}=${text}`),
  ),
  // A client id is public: tokens and exchanges contain it.
  tokenCall('client id', undefined, (text) => `Basic ${btoa(`${text}:secret`)}`),
];

/** All other places. */
export const hiddenPlaces: readonly Place[] = [
  storing('number', (number) => ({ number })),
  storing('number of another brand', (number) => ({ number, type: 'amex' })),
  storing('number with spaces', (text) => ({ number: text.replaceAll(/(....)/g, '$1 ') })),
  storing('number with dashes', (text) => ({ number: text.replaceAll(/(....)/g, '$1-') })),
  storing('number as a JSON number', (text) => ({ number: Number(text) })),
  storing('number in a list', (text) => ({ number: [text] })),
  storing('number in an object', (text) => ({ number: { [text]: text } })),
  storing('number, expired', (number) => ({ number, expire_year: 2001 })),
  ...[
    'type',
    'expire_month',
    'expire_year',
    'cvv2',
    'billing_address',
    'id',
    'state',
    'valid_until',
  ].map((key) => storing(key, (text) => ({ [key]: text }))),
  ...['create_time', 'links', 'start_month', 'issue_number', 'no_such_key'].map((key) =>
    storing(key, (text) => ({ [key]: text })),
  ),
  storing('cvv2 as a JSON number', (text) => ({ cvv2: Number(text) })),
  storing('key', (text) => ({ [text]: text })),
  storing('key and bad field', (text) => ({ [text]: { [text]: text }, type: text })),
  inAddress('country_code'),
  inAddress('no_such_key'),
  storing('billing_address key', (text) => ({ billing_address: { [text]: text } })),
  ...['number', 'cvv2', 'type', 'expire_year', 'external_customer_id', 'no_such_key'].map((key) =>
    payingRaw(key, (text) => ({ [key]: text })),
  ),
  payingRaw('key', (text) => ({ [text]: true })),
  ...[
    'intent',
    'payer',
    'transactions',
    'note_to_payer',
    'experience_profile_id',
    'no_such_key',
  ].map((key) => inPayment(key, (text) => ({ [key]: text }))),
  inPayment('key', (text) => ({ [text]: text })),
  inPayment('payment_method', (text) => ({ payer: { payment_method: text } })),
  inPayment('redirect_urls', (text) => ({ redirect_urls: { return_url: `https://${text}.test` } })),
  ...['credit_card_id', 'last4', 'type', 'no_such_key'].map(inToken),
  ...['amount', 'soft_descriptor', 'payee', 'item_list', 'no_such_key'].map((key) =>
    inTransaction(key, (text) => ({ [key]: text })),
  ),
  inTransaction('key', (text) => ({ [text]: text })),
  ...['total', 'currency', 'details', 'no_such_key'].map((key) =>
    inTransaction(`amount.${key}`, (text) => ({
      amount: { total: '1.00', currency: 'USD', [key]: text },
    })),
  ),
  ...['subtotal', 'tax', 'no_such_key'].map((key) =>
    inTransaction(`amount.details.${key}`, (text) => ({
      amount: { total: '1.00', currency: 'USD', details: { [key]: text } },
    })),
  ),
  ...['quantity', 'price', 'currency', 'tax', 'no_such_key'].map(inItem),
  ...['country_code', 'no_such_key'].map(inShipping),
  ...['amount', 'id', 'no_such_key'].map(refunding),
  ...['amount', 'is_final_capture', 'note_to_payer', 'no_such_key'].map(capturing),
  patching('path', (text) => ({ op: 'replace', path: `/${text}`, value: 'x' })),
  patching('test of a path that is none', (text) => ({ op: 'test', path: text, value: 'x' })),
  patching('from that is none', (text) => ({ op: 'copy', path: '/first_name', from: text })),
  patching('deep path', (text) => ({ op: 'add', path: `/billing_address/${text}`, value: 'x' })),
  patching('op', (text) => ({ op: text, path: '/first_name', value: 'x' })),
  patching('from', (text) => ({ op: 'move', path: '/first_name', from: `/${text}` })),
  patching('key', (text) => ({ op: 'add', path: '/first_name', value: 'x', [text]: text })),
  patching('number', (value) => ({ op: 'replace', path: '/number', value })),
  patching('test of the number', (value) => ({ op: 'test', path: '/number', value })),
  patching('test of a name', (value) => ({ op: 'test', path: '/first_name', value })),
  patching('expire_year', (value) => ({ op: 'replace', path: '/expire_year', value })),
  patching('address', (text) => ({
    op: 'replace',
    path: '/billing_address',
    value: { [text]: text },
  })),
  patchingPayment('path', (text) => ({ op: 'add', path: `/transactions/0/${text}`, value: 'x' })),
  patchingPayment('op', (text) => ({ op: text, path: '/transactions/0/custom', value: 'x' })),
  patchingPayment('amount', (value) => ({ op: 'add', path: '/transactions/0/amount', value })),
  patchingPayment('address', (text) => ({
    op: 'add',
    path: '/transactions/0/item_list/shipping_address',
    value: { [text]: text },
  })),
  ...[`${cards}/`, `${payments}/`, '/v1/payments/sale/', '/v1/payments/refund/', '/v1/', '/'].map(
    (path) => getting(`path ${path}`, (text) => path + text),
  ),
  getting('path in front', (text) => `/${text}/v1/vault/credit-cards`),
  getting(
    'path, escaped',
    (text) => `${cards}/%${text.charCodeAt(0).toString(16)}${text.slice(1)}`,
  ),
  place('path of a wrong method', (text) => ({ method: 'PUT', path: `${cards}/${text}` })),
  place('path of a delete', (text) => ({ method: 'DELETE', path: `${cards}/${text}` })),
  place('path of a refund', (text) => post(`/v1/payments/sale/${text}/refund`, {})),
  ...[
    'page',
    'page_size',
    'sort_by',
    'sort_order',
    'start_time',
    'end_time',
    'total_required',
    'after',
    'no_such',
  ].map((key) => getting(`card list ${key}`, (text) => `${cards}?${key}=${text}`)),
  ...['count', 'start_id', 'start_index', 'start_time', 'sort_by', 'no_such'].map((key) =>
    getting(`payment list ${key}`, (text) => `${payments}?${key}=${text}`),
  ),
  getting('query key', (text) => `${cards}?${text}=${text}&${text}`),
  ...[
    'PayPal-Request-Id',
    'Content-Type',
    'Accept',
    'User-Agent',
    'Cookie',
    'X-Anything',
    'Referer',
  ].map((name) => withHeader(name)),
  withHeader('PayPal-Mock-Response', (text) => JSON.stringify({ mock_application_codes: text })),
  // Too long. A number between further digits is not searched for, so they stand apart.
  withHeader('PayPal-Request-Id', (text) => `${text}.`.repeat(9)),
  withHeader('Authorization'),
  withHeader('Authorization', (text) => `Bearer ${text}`),
  withHeader('Authorization', (text) => `Bearer A21.${text}`),
  withHeader('Authorization', (text) => `Basic ${text}`),
  asBody('of digits alone', (text) => text),
  asBody('of a string', (text) => JSON.stringify(text)),
  asBody('cut short', (text) => `{"number":"${text}`),
  asBody('with a stray comma', (text) => `{"number":"${text}",}`),
  asBody('with single quotes', (text) => `{'number':'${text}'}`),
  asBody('as a form', (text) => `number=${text}`),
  asBody('as a list', (text) => `["${text}"]`),
  asBody('with a doubled key', (text) => `{"number":"${text}","number":"${text}"}`),
  asBody('too deep', (text) => `${'['.repeat(50)}"${text}"${']'.repeat(50)}`),
  tokenCall('secret', undefined, (text) => `Basic ${btoa(`merchant:${text}`)}`),
  tokenCall('scheme', undefined, (text) => text),
  tokenCall('credentials that are none', undefined, (text) => `Basic ${btoa(`${text} ${text}`)}`),
  tokenCall('grant', 'grant_type={}', () => `Basic ${btoa('merchant:secret')}`),
  tokenCall(
    'refresh token',
    'grant_type=refresh_token&refresh_token={}',
    () => `Basic ${btoa('merchant:')}`,
  ),
  tokenCall(
    'field',
    'grant_type=client_credentials&{}={}',
    () => `Basic ${btoa('merchant:secret')}`,
  ),
];
