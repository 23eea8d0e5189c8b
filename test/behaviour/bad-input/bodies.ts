/** A full and valid body for every operation that takes one, and ways to bend it. */
import type { OperationName } from '../../../src/contract/service/operation-name.ts';
import type { Request, Shop } from '../../support/transports.ts';
import { cardBody, paymentBody, rawPaymentBody } from '../../support/samples.ts';

export interface Sample {
  readonly name: OperationName;
  /** The body, for a merchant that has the records it names. */
  readonly prepare: (shop: Shop) => Promise<Required<Pick<Request, 'params' | 'body'>>>;
}

const everyNote = {
  description: 'An order',
  reference_id: 'ref-1',
  note_to_payee: 'Thank you',
  custom: 'custom-1',
  invoice_number: 'INV-1',
  soft_descriptor: 'SHOP',
  item_list: {
    items: [
      {
        quantity: '2',
        price: '5.00',
        currency: 'USD',
        name: 'Pen',
        sku: 'p-1',
        description: 'Blue',
        tax: '0.10',
      },
    ],
    shipping_address: {
      recipient_name: 'Ada Tester',
      line1: '1 Mock Way',
      line2: 'Flat 2',
      city: 'Sampleton',
      state: 'OH',
      postal_code: '43001',
      country_code: 'US',
      phone: '+1 555 0100',
    },
  },
  amount: {
    total: '11.20',
    currency: 'USD',
    details: { subtotal: '10.00', shipping: '1.00', tax: '0.20' },
  },
};

async function storedCard(shop: Shop): Promise<string> {
  return (await shop.ask('card.create', 201, { body: cardBody() })).id;
}

async function paid(shop: Shop, intent: string): Promise<{ paymentId: string; id: string }> {
  const body = paymentBody({ cardId: await storedCard(shop), intent });
  const payment = await shop.ask('payment.create', 201, { body });
  const [related] = payment.transactions[0]?.related_resources ?? [];
  const record = Object.values(related ?? {})[0];
  return { paymentId: payment.id, id: record?.id ?? '' };
}

export const samples: Readonly<Record<string, Sample>> = {
  'store a card': {
    name: 'card.create',
    prepare: async () => ({
      params: {},
      body: cardBody({
        billing_address: {
          line1: '1 Mock Way',
          line2: 'Flat 2',
          city: 'Sampleton',
          state: 'OH',
          postal_code: '43001',
          country_code: 'US',
          phone: '1',
        },
        external_customer_id: 'customer-1',
        payer_id: 'payer-1',
        merchant_id: 'north',
        external_card_id: 'gold',
        id: 'ignored',
      }),
    }),
  },
  'patch a card': {
    name: 'card.update',
    prepare: async (shop) => ({
      params: { card_id: await storedCard(shop) },
      body: [
        { op: 'replace', path: '/first_name', value: 'Grace' },
        { op: 'add', path: '/billing_address/line2', value: 'Flat 2' },
        { op: 'replace', path: '/expire_year', value: 2030 },
        { op: 'copy', from: '/first_name', path: '/last_name' },
      ],
    }),
  },
  'pay with a vaulted card': {
    name: 'payment.create',
    prepare: async (shop) => ({
      params: {},
      body: paymentBody({
        cardId: await storedCard(shop),
        transaction: everyNote,
        externalCustomerId: 'a',
      }),
    }),
  },
  'pay with a raw card': {
    name: 'payment.create',
    prepare: async () => ({ params: {}, body: rawPaymentBody() }),
  },
  'patch a payment': {
    name: 'payment.update',
    prepare: async (shop) => ({
      params: { payment_id: (await paid(shop, 'sale')).paymentId },
      body: [
        { op: 'replace', path: '/transactions/0/custom', value: 'later' },
        {
          op: 'add',
          path: '/transactions/0/item_list/shipping_address',
          value: { recipient_name: 'Ada', line1: '1 Mock Way', country_code: 'US' },
        },
      ],
    }),
  },
  'refund a sale': {
    name: 'sale.refund',
    prepare: async (shop) => ({
      params: { sale_id: (await paid(shop, 'sale')).id },
      body: {
        amount: { total: '0.01', currency: 'USD' },
        description: 'Sorry',
        reason: 'late',
        invoice_number: 'R-1',
      },
    }),
  },
  'capture an authorization': {
    name: 'auth.capture',
    prepare: async (shop) => ({
      params: { authorization_id: (await paid(shop, 'authorize')).id },
      body: {
        amount: { total: '0.01', currency: 'USD' },
        is_final_capture: false,
        invoice_number: 'C-1',
      },
    }),
  },
};

export type JsonPath = readonly (string | number)[];

/** Every place in a value, itself included. */
export function placesIn(value: unknown, path: JsonPath = []): JsonPath[] {
  if (typeof value !== 'object' || value === null) return [path];
  const entries: [string | number, unknown][] = Array.isArray(value)
    ? value.map((member, at) => [at, member])
    : Object.entries(value);
  return [path, ...entries.flatMap(([key, member]) => placesIn(member, [...path, key]))];
}

/** A copy with another value in one place. */
export function withPlace(value: unknown, path: JsonPath, put: unknown): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return put;
  if (Array.isArray(value)) {
    return value.map((member: unknown, at) => (at === key ? withPlace(member, rest, put) : member));
  }
  return { ...Object(value), [key]: withPlace(Reflect.get(Object(value), key), rest, put) };
}

export function valueAt(value: unknown, path: JsonPath): unknown {
  return path.reduce<unknown>((at, key) => Reflect.get(Object(at), key), value);
}

export function jsonType(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}
