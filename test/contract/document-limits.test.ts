/** What the OpenAPI document says of a field's form is what the service refuses by. */
import { expect, it } from 'vitest';
import { documentsOf } from '../support/repository/documents.ts';
import { onEveryTransport } from '../support/transports.ts';
import { inOrder } from '../support/in-order.ts';
import { cardBody, rawPaymentBody } from '../support/samples.ts';
import { at } from '../behaviour/forcing/tolerant-client.ts';

const { schemas } = (await documentsOf()).service.document.components;

/** A field: its schema, a value at its limit, and one past it. */
type Row = readonly [schema: string, field: string, within: string | number, past: string | number];

const long = (length: number) => 'x'.repeat(length);

const ofCards: readonly Row[] = [
  ['CardInput', 'expire_month', '09', '13'],
  ['CardInput', 'expire_month', 12, 13],
  ['CardInput', 'expire_year', 9999, 10_000],
  ['CardInput', 'cvv2', '000', '12'],
  ['CardInput', 'cvv2', 100, 10_000],
  ['CardInput', 'external_customer_id', long(256), long(257)],
  ['CardInput', 'payer_id', long(256), long(257)],
  ['CardInput', 'merchant_id', long(256), long(257)],
  ['CardInput', 'external_card_id', long(256), long(257)],
];

const ofPayments: readonly Row[] = [
  ['TransactionInput', 'invoice_number', long(127), long(128)],
  ['DetailedAmountInput', 'total', '9999999.99', '10000000'],
  ['DetailedAmountInput', 'total', '7', '7.0'],
  ['DetailedAmountInput', 'currency', 'EUR', 'eur'],
];

/** Whether a value fits what the document states of a field: the words of JSON Schema that it uses for them. */
function isStated([schema, field]: Row, value: string | number): boolean {
  const stated = at(schemas, schema, 'properties', field);
  const [pattern, maxLength, minimum, maximum] = [
    at(stated, 'pattern'),
    at(stated, 'maxLength'),
    at(stated, 'minimum'),
    at(stated, 'maximum'),
  ];
  return typeof value === 'string'
    ? (typeof pattern !== 'string' || new RegExp(pattern, 'u').test(value)) &&
        value.length <= Number(maxLength ?? value.length)
    : value >= Number(minimum ?? value) && value <= Number(maximum ?? value);
}

onEveryTransport('the limits in the document', (transport) => {
  it.each(ofCards)('are those of the vault: %s.%s', async (...row) => {
    const [, field, within, past] = row;
    expect([isStated(row, within), isStated(row, past)]).toEqual([true, false]);
    const shop = transport.shop();
    await shop.ask('card.create', 201, { body: cardBody({ [field]: within }) });
    await shop.ask('card.create', 400, { body: cardBody({ [field]: past }) });
  });

  it.each(ofPayments)('are those of payments: %s.%s', async (...row) => {
    const [schema, field, within, past] = row;
    expect([isStated(row, within), isStated(row, past)]).toEqual([true, false]);
    const shop = transport.shop();
    const paying = (value: string | number) =>
      rawPaymentBody(
        {},
        schema === 'TransactionInput'
          ? { transaction: { [field]: value } }
          : { [field]: String(value) },
      );
    await shop.ask('payment.create', 201, { body: paying(within) });
    await shop.ask('payment.create', 400, { body: paying(past) });
  });

  it('are those of lists, as numbers', async () => {
    const shop = transport.shop();
    await inOrder(
      [
        ['card.list', '/v1/vault/credit-cards', 'page'],
        ['payment.list', '/v1/payments/payment', 'start_index'],
      ] as const,
      async ([operation, path, name]) => {
        const { document } = (await documentsOf()).service;
        const stated = document.paths[path]?.['get']?.parameters.find((one) => one.name === name);
        expect(stated?.schema).toEqual({ type: 'integer', minimum: 0, maximum: 999_999_999 });
        await shop.ask(operation, 200, { path: `${path}?${name}=999999999` });
        await shop.ask(operation, 400, { path: `${path}?${name}=1000000000` });
      },
    );
  });
});
