/** Dialects: the same responses written in another form, with the same meaning. */
import { expect, it } from 'vitest';
import { onEveryTransport, type Shop } from '../../../support/transports.ts';
import { saleOf, storeCard } from '../../../support/purchases.ts';
import { paymentBody } from '../../../support/samples.ts';
import { at, see } from '../tolerant-client.ts';
import type { OutcomeId } from '../../../../src/outcomes/outcome-id.ts';

/** What a tolerant client reads: it ignores unknown fields, treats null as absent and "11" as 11. */
function meaningOf(value: unknown): unknown {
  if (typeof value === 'number') return String(value);
  if (typeof value === 'string') {
    const shortened = value.replace(/NEXT-([\w-]+?)-Z+/, '$1');
    return shortened.replace(/^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.\d+)?Z$/, '$1Z');
  }
  if (Array.isArray(value)) {
    const members = value.map(meaningOf);
    return members.every((one) => at(one, 'rel') !== undefined) ? byRelation(members) : members;
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key, member]) => member !== null && key !== 'x_next_year')
      .map(([key, member]) => [key, meaningOf(member)]),
  );
}

function byRelation(links: readonly unknown[]): Readonly<Record<string, unknown>> {
  const entries = links.map((link) => [String(at(link, 'rel')), link] as const);
  return Object.fromEntries(entries.filter(([rel]) => rel !== 'help'));
}

const dialects = [
  'unknown-field-added',
  'field-order-shuffled',
  'null-instead-of-absent',
  'id-format-longer',
  'links-reordered-or-extra',
  'timestamp-precision-varies',
  'deprecation-headers',
] as const;

/** A payment without a dialect and with one. */
async function twoWays(shop: Shop, always: readonly [OutcomeId, ...OutcomeId[]]) {
  const cardId = await storeCard(shop);
  const made = await shop.ask('payment.create', 201, { body: paymentBody({ cardId }) });
  const path = `/v1/payments/payment/${made.id}`;
  const plain = await see(shop, 'payment.get', { path });
  shop.merchant.force({ op: 'any', always: [...always] });
  const written = await see(shop, 'payment.get', { path });
  return { plain, written };
}

onEveryTransport('a dialect', (transport) => {
  it.each(dialects)('keeps the meaning of a response: %s', async (dialect) => {
    const { plain, written } = await twoWays(transport.shop(), [dialect]);
    const [one, other]: unknown[] = [JSON.parse(plain.text), JSON.parse(written.text)];
    expect(meaningOf(other)).toEqual(meaningOf(one));
    if (dialect !== 'deprecation-headers') expect(written.text).not.toBe(plain.text);
    expect(written.headers.get('sandbox-outcome')).toBe(`${dialect}; by=armed`);
  });

  it('keeps the meaning when all dialects apply, and writes the same each time', async () => {
    const shop = transport.shop();
    const { plain, written } = await twoWays(shop, dialects);
    expect(meaningOf(JSON.parse(written.text))).toEqual(meaningOf(JSON.parse(plain.text)));
    expect(written.headers.get('sunset')).not.toBeNull();
    expect(written.headers.get('content-length') ?? written.text.length.toString()).toBe(
      String(Buffer.byteLength(written.text)),
    );
  });

  it('keeps one id for one record, in every answer, once ids are longer', async () => {
    const shop = transport.shop();
    shop.merchant.force({ op: 'payment.create', outcome: 'id-format-longer' });
    const cardId = await storeCard(shop);
    const made = await shop.ask('payment.create', 201, { body: paymentBody({ cardId }) });
    const sale = saleOf(made);
    expect([made.id, sale.id]).toEqual([
      expect.stringMatching(/^NEXT-PAY-/),
      expect.stringMatching(/^NEXT-/),
    ]);
    const params = { payment_id: made.id, sale_id: sale.id };
    expect((await shop.ask('payment.get', 200, { params })).id).toBe(made.id);
    const [listed] = (await shop.ask('payment.list', 200, {})).payments;
    expect(listed?.id).toBe(made.id);
    const shown = await shop.ask('sale.get', 200, { params });
    expect([shown.id, shown.parent_payment]).toEqual([sale.id, made.id]);
    const amount = { total: '1.00', currency: 'USD' };
    const refund = await shop.ask('sale.refund', 201, { params, body: { amount } });
    expect([refund.sale_id, refund.parent_payment]).toEqual([sale.id, made.id]);
    const links = [...made.links, ...shown.links, ...refund.links].map(({ href }) => href);
    expect(links.every((href) => href.includes('NEXT-') || href.includes(refund.id))).toBe(true);
    for (const link of shown.links.filter(({ rel }) => rel !== 'refund')) {
      expect((await shop.follow(link)).status).toBe(200);
    }
    const other = await shop.ask('payment.create', 201, { body: paymentBody({ cardId }) });
    expect(other.id).toMatch(/^PAY-/);
  });

  it.each(['a snapshot', 'an export'])('keeps longer ids over %s', async (way) => {
    const shop = transport.shop();
    const { merchant } = shop;
    const cardId = await storeCard(shop);
    const made = await shop.ask('payment.create', 201, { body: paymentBody({ cardId }) });
    const params = { payment_id: made.id };
    merchant.force({ op: 'payment.get', outcome: 'id-format-longer' });
    const shown = await shop.ask('payment.get', 200, { params });
    expect(shown.id).toMatch(/^NEXT-PAY-/);
    const next = way === 'an export' ? transport.shop() : shop;
    if (way === 'an export') next.merchant.import(merchant.export());
    else merchant.restore(merchant.snapshot());
    expect(await next.ask('payment.get', 200, { params })).toEqual(shown);
  });

  it('applies to errors, too', async () => {
    const shop = transport.shop();
    shop.merchant.force({ op: 'any', always: ['unknown-field-added'] });
    const seen = await see(shop, 'card.get', { path: '/v1/vault/credit-cards/CARD-NOBODYHASTHIS' });
    expect(seen.status).toBe(404);
    expect(JSON.parse(seen.text)).toMatchObject({
      name: 'INVALID_RESOURCE_ID',
      x_next_year: { beta: true },
    });
  });

  it('adds no body to a response without one, but adds its headers', async () => {
    const shop = transport.shop();
    const cardId = await storeCard(shop);
    shop.merchant.force({ op: 'any', always: [...dialects, 'clock-skew-ahead'] });
    const seen = await see(shop, 'card.delete', { path: `/v1/vault/credit-cards/${cardId}` });
    expect([seen.status, seen.text]).toEqual([204, '']);
    expect(seen.headers.get('sandbox-outcome')).toBe(
      'deprecation-headers; by=armed, clock-skew-ahead; by=armed',
    );
    expect(seen.headers.get('content-type')).toBeNull();
    expect(seen.headers.get('sunset')).toBe('Tue, 01 Jan 2030 00:00:00 GMT');
    expect(seen.headers.get('date')).not.toBe('Wed, 06 May 2026 07:08:09 GMT');
  });

  it('puts an unknown value at one path, or at every state and type', async () => {
    const shop = transport.shop();
    const cardId = await storeCard(shop);
    const path = 'transactions[0].related_resources[0].sale.state';
    shop.merchant.force({
      op: 'payment.create',
      sequence: [
        { outcome: 'unknown-enum-value', with: { path, value: 'frozen' } },
        'unknown-enum-value',
      ],
    });
    const states = async () => {
      const seen = await see(shop, 'payment.create', { body: paymentBody({ cardId }) });
      const body: unknown = JSON.parse(seen.text);
      const sale = at(body, 'transactions', 0, 'related_resources', 0, 'sale');
      return [at(body, 'state'), at(sale, 'state')];
    };
    expect(await states()).toEqual(['created', 'frozen']);
    expect(await states()).toEqual(['in_review', 'in_review']);
  });
});

onEveryTransport('long ids', (transport) => {
  it('are understood when a client sends them back', async () => {
    const shop = transport.shop();
    shop.merchant.force({ op: 'any', always: ['id-format-longer'] });
    const read = async (
      name: Parameters<typeof see>[1],
      call: Parameters<typeof see>[2],
    ): Promise<unknown> => JSON.parse((await see(shop, name, call)).text);
    const stored = await read('card.create', {
      body: { number: '4417119669820331', type: 'visa', expire_month: 11, expire_year: 2031 },
    });
    const cardId = String(at(stored, 'id'));
    expect(cardId).toMatch(/^NEXT-CARD-.{54}$/);
    const payment = await read('payment.create', { body: paymentBody({ cardId }) });
    const token = at(payment, 'payer', 'funding_instruments', 0, 'credit_card_token');
    expect(at(token, 'credit_card_id')).toBe(cardId);
    const sale = at(payment, 'transactions', 0, 'related_resources', 0, 'sale');
    expect(at(sale, 'parent_payment')).toBe(at(payment, 'id'));
    const refund = await read('sale.refund', {
      path: `/v1/payments/sale/${String(at(sale, 'id'))}/refund`,
      body: {},
    });
    expect(at(refund, 'sale_id')).toBe(at(sale, 'id'));
    const list = await read('payment.list', {
      path: `/v1/payments/payment?start_id=${String(at(payment, 'id'))}`,
    });
    expect(at(list, 'payments', 0, 'id')).toBe(at(payment, 'id'));
    expect(at(await read('card.get', { path: `/v1/vault/credit-card/${cardId}/` }), 'id')).toBe(
      cardId,
    );
    const link = String(at(stored, 'links', 0, 'href'));
    const followed = await transport.fetch(link, {
      headers: { Authorization: `Bearer ${shop.merchant.token}` },
    });
    expect(at(await followed.json(), 'id')).toBe(cardId);
  });

  it("do not change the client's own references", async () => {
    const shop = transport.shop();
    shop.merchant.force({ op: 'any', always: ['id-format-longer'] });
    const reference = 'NEXT-order-Z';
    const seen = await see(shop, 'card.create', {
      body: {
        number: '4417119669820331',
        type: 'visa',
        expire_month: 11,
        expire_year: 2031,
        external_customer_id: reference,
      },
    });
    expect(at(JSON.parse(seen.text), 'external_customer_id')).toBe(reference);
  });
});
