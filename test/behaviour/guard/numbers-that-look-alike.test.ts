/** Order numbers and request ids that look like card numbers, and end in the same four digits. */
import { expect, it } from 'vitest';
import { pay, storeCard } from '../../support/purchases.ts';
import { paymentBody } from '../../support/samples.ts';
import { onEveryTransport, type Shop } from '../../support/transports.ts';
import { call } from '../control/call.ts';

/** Each contains 16 digits that pass Luhn's check, after three others. */
const names = ['1864417119610057777', '1864417119610137777', '1864417119610397777'] as const;
const [first, second] = names;
const masked = '186xxxxxxxxxxxx7777';

const named = (field: string, name: string) => ({ transaction: { [field]: `order ${name}` } });

const keyed = (cardId: string, id: string, total = '30.11') => ({
  body: paymentBody({ cardId, total }),
  headers: { 'PayPal-Request-Id': id },
});

function customsOf(shop: Shop): Promise<unknown[]> {
  return shop
    .ask('payment.list', 200)
    .then(({ payments }) => payments.map(({ transactions }) => transactions[0]?.custom));
}

onEveryTransport('two numbers that look alike behind their masks', (transport) => {
  it('are two invoice numbers, and a third payment with one of them is a duplicate', async () => {
    const shop = transport.shop();
    const cardId = await storeCard(shop);
    const body = (name: string) =>
      paymentBody({ cardId, ...named('invoice_number', name), total: '1.00' });
    const kept: unknown[] = [];
    for (const name of names) {
      const { transactions } = await shop.ask('payment.create', 201, { body: body(name) });
      kept.push(transactions[0]?.invoice_number);
    }
    expect(kept).toEqual([`order ${masked}`, `order ${masked}(b)`, `order ${masked}(c)`]);
    const again = await shop.ask('payment.create', 400, { body: body(second) });
    expect(again.name).toBe('DUPLICATE_TRANSACTION');
  });

  it.each(['custom', 'description'])('are two orders by their %s', async (field) => {
    const shop = transport.shop();
    for (const name of names) await pay(shop, named(field, name));
    const { passed, findings } = await shop.merchant.verdict();
    expect([passed, findings]).toEqual([true, []]);
  });

  it('are one order if the same number comes twice', async () => {
    const shop = transport.shop();
    const cardId = await storeCard(shop);
    for (const name of [first, second, second])
      await pay(shop, { cardId, ...named('custom', name) });
    const { findings } = await shop.merchant.verdict({ failOn: 'medium' });
    expect(findings.map(({ rule }) => rule)).toContain('double-charge');
    expect(JSON.stringify(findings)).toContain(`order ${masked}(b)`);
  });

  it('are two request ids: each has a payment, and a repeat receives its own', async () => {
    const shop = transport.shop();
    const cardId = await storeCard(shop);
    const one = await shop.ask('payment.create', 201, keyed(cardId, first));
    const other = await shop.ask('payment.create', 201, keyed(cardId, second, '7.00'));
    expect(other.id).not.toBe(one.id);
    const repeats = [
      await shop.reply('payment.create', 201, keyed(cardId, second, '7.00')),
      await shop.reply('payment.create', 201, keyed(cardId, first)),
    ];
    expect(repeats.map(({ body }) => body.id)).toEqual([other.id, one.id]);
    expect(repeats.map(({ headers }) => headers.get('sandbox-replayed'))).toEqual(['true', 'true']);
    expect((await shop.merchant.verdict()).findings).toEqual([]);
  });

  it('are told apart by queries, beliefs and expectations', async () => {
    const shop = transport.shop();
    const cardId = await storeCard(shop);
    for (const [at, name] of names.entries()) {
      await shop.ask('payment.create', 201, {
        body: paymentBody({ cardId, ...named('custom', name), total: `${at + 1}.00` }),
        headers: { 'PayPal-Request-Id': `pay ${name}` },
      });
    }
    const found = names.map((name) => shop.merchant.journal({ requestId: `pay ${name}` }).entries);
    expect(found.map((entries) => entries.map(({ seq }) => seq))).toEqual([[2], [3], [4]]);
    const match = { requestId: `pay ${second}` };
    const fields = { 'body.transactions[0].custom': `order ${second}` };
    const { id } = shop.merchant;
    const counted = await call(transport, `POST /_sandbox/journal/verify?merchant=${id}`, {
      match,
      fields,
      times: 1,
    });
    expect(counted.body).toMatchObject({ ok: true });
    const verdict = await call(transport, `POST /_sandbox/verdict?merchant=${id}`, {
      beliefs: { [`order ${second}`]: 'paid' },
      expect: { purchases: { [`order ${second}`]: { net: '2.00 USD' } } },
    });
    expect(verdict.body).toMatchObject({ passed: true, expectations: [{ found: '2.00 USD' }] });
  });

  it('stay two in a restored snapshot', async () => {
    const shop = transport.shop();
    const cardId = await storeCard(shop);
    await pay(shop, { cardId, ...named('custom', first) });
    await pay(shop, { cardId, ...named('custom', second) });
    const snapshot = shop.merchant.snapshot();
    await pay(shop, { cardId, ...named('custom', names[2]) });
    shop.merchant.restore(snapshot);
    await pay(shop, { cardId, ...named('custom', second) });
    expect((await customsOf(shop)).toSorted()).toEqual([
      `order ${masked}`,
      `order ${masked}(b)`,
      `order ${masked}(b)`,
    ]);
  });

  it('leave nothing but their masks in an export, and the one that comes first after an import is the first', async () => {
    const shop = transport.shop();
    const cardId = await storeCard(shop);
    await shop.ask('payment.create', 201, keyed(cardId, first));
    await pay(shop, { cardId, ...named('custom', second) });
    const exported = shop.merchant.export();
    for (const name of names) expect(JSON.stringify(exported)).not.toContain(name);
    expect(Object.keys(exported)).not.toContain('numberMarks');
    shop.merchant.import(exported);
    const repeat = await shop.reply('payment.create', 201, keyed(cardId, first));
    expect(repeat.headers.get('sandbox-replayed')).toBe('true');
  });
});

onEveryTransport(
  'numbers that look alike, if real cards are refused',
  (transport) => {
    it('are the same, because nothing of them is kept', async () => {
      const shop = transport.shop();
      for (const name of names)
        await shop.send('card.list', { headers: { 'PayPal-Request-Id': name } });
      const { entries } = shop.merchant.journal();
      expect(entries.map(({ requestId }) => requestId)).toEqual(names.map(() => '186[redacted]'));
    });
  },
  { realCards: 'refuse' },
);
