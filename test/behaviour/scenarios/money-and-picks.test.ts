/** Expectations about money, and timeline events that name their sale. */
import { describe, expect, it } from 'vitest';
import { loadScenarioText } from '../../../src/scenarios/load.ts';
import { ScenarioError } from '../../../src/scenarios/scenario-error.ts';
import type { ScenarioDocument } from '../../../src/scenarios/document.ts';
import { authorize, capture, saleOf, sell, storeCard } from '../../support/purchases.ts';
import { paymentBody } from '../../support/samples.ts';
import { onEveryTransport, type Shop } from '../../support/transports.ts';

type Expect = NonNullable<ScenarioDocument['expect']>;

async function buy(shop: Shop, invoice: string, total = '18.00', currency = 'USD', headers = {}) {
  const cardId = await storeCard(shop);
  const transaction = { invoice_number: invoice };
  const body = paymentBody({ cardId, total, currency, transaction });
  return shop.ask('payment.create', 201, { body, headers });
}

async function reasonsFor(shop: Shop, expected: Expect): Promise<readonly string[]> {
  const { reasons } = await shop.merchant.verdict({ expect: expected, failOn: 'critical' });
  return reasons.filter(({ kind }) => kind === 'expectation').map(({ text }) => text);
}

onEveryTransport('expected money', (transport) => {
  it('compares what was charged, refunded and kept with the ledger', async () => {
    const shop = transport.shop();
    await buy(shop, 'A-7');
    const sale = saleOf(await buy(shop, 'A-8'));
    await shop.ask('sale.refund', 201, {
      params: { sale_id: sale.id },
      body: { amount: { total: '5.00', currency: 'USD' } },
    });
    expect(
      await reasonsFor(shop, {
        charged: '36 USD',
        refunded: '<=5.00 USD',
        net: '31.00 USD',
        authorized: [],
        purchases: { 'A-8': { net: '13.00 USD' }, 'A-7': { refunded: '0 USD' } },
      }),
    ).toEqual([]);
    expect(
      await reasonsFor(shop, { net: '18.00 USD', purchases: { 'A-8': { net: '18.00 USD' } } }),
    ).toEqual([
      'net: expected 18.00 USD, the ledger has 31.00 USD.',
      'purchases.A-8.net: expected 18.00 USD, the ledger has 13.00 USD.',
    ]);
  });

  it.each([
    ['<18.01 USD', true],
    ['<18.00 USD', false],
    ['<=18.00 USD', true],
    ['<=17.99 USD', false],
    ['>17.99 USD', true],
    ['>18.00 USD', false],
    ['>=18.00 USD', true],
    ['>=18.01 USD', false],
    ['18.00 USD', true],
    ['17.00 USD', false],
  ])('compares 18.00 USD with %s', async (expected, isRight) => {
    const shop = transport.shop();
    await buy(shop, 'A-7');
    expect((await reasonsFor(shop, { net: expected })).length === 0).toBe(isRight);
  });

  it('says that the ledger decides about money, and not about a count of refunds', async () => {
    const shop = transport.shop();
    await buy(shop, 'A-7');
    expect(
      await reasonsFor(shop, {
        purchases: { 'A-7': { refunded: '1.00 USD' } },
        refunds: { total: 1 },
      }),
    ).toEqual([
      'refunds.total should be 1 but is 0.',
      'purchases.A-7.refunded: expected 1.00 USD, the ledger has 0.00 USD.',
    ]);
  });

  it('compares several currencies, and reports one that is not listed', async () => {
    const shop = transport.shop();
    await buy(shop, 'A-7');
    await buy(shop, 'A-8', '500', 'JPY');
    expect(await reasonsFor(shop, { net: ['18.00 USD', '500 JPY'] })).toEqual([]);
    expect(await reasonsFor(shop, { net: '18.00 USD' })).toEqual([
      'net: expected 18.00 USD, the ledger has 18.00 USD and 500 JPY.',
    ]);
    expect(await reasonsFor(shop, { refunded: '3.00 EUR', charged: [] })).toEqual([
      'charged: expected no money, the ledger has 18.00 USD and 500 JPY.',
      'refunded: expected 3.00 EUR, the ledger has 0.00 EUR.',
    ]);
  });

  it('finds a purchase by request id and payment id, and names the nearest unknown one', async () => {
    const shop = transport.shop();
    const { id } = await buy(shop, 'A-7', '18.00', 'USD', { 'PayPal-Request-Id': 'key-1' });
    expect(
      await reasonsFor(shop, {
        purchases: { 'key-1': { net: '18.00 USD' }, [id]: { net: '18.00 USD' } },
      }),
    ).toEqual([]);
    expect(await reasonsFor(shop, { purchases: { 'A-77': { net: '18.00 USD' } } })).toEqual([
      'purchases.A-77.net: expected 18.00 USD, the ledger has no purchase with this name (similar: A-7).',
    ]);
  });

  it('counts what authorizations still hold', async () => {
    const shop = transport.shop();
    const { id } = await authorize(shop);
    expect(await reasonsFor(shop, { authorized: '30.11 USD', charged: [] })).toEqual([]);
    await capture(shop, id, '1.00', { is_final_capture: true });
    expect(await reasonsFor(shop, { authorized: '0 USD', charged: '1.00 USD' })).toEqual([]);
  });

  it('counts a refund of a sale that the fixtures brought', async () => {
    const shop = transport.shop();
    shop.merchant.playScenario({ scenario: 'shop', version: 1, fixtures: 'shop' });
    const { payments } = await shop.ask('payment.list', 200);
    const sale = payments
      .flatMap((payment) => payment.transactions)
      .flatMap(({ related_resources }) => related_resources)
      .flatMap((part) => ('sale' in part && part.sale.state === 'completed' ? [part.sale] : []))
      .at(0);
    if (sale === undefined) throw new Error('The fixtures have no completed sale.');
    await shop.ask('sale.refund', 201, {
      params: { sale_id: sale.id },
      body: { amount: { total: '1.00', currency: sale.amount.currency } },
    });
    const { currency } = sale.amount;
    const { totals } = await shop.merchant.verdict({ failOn: 'critical' });
    expect(totals).toEqual([
      { currency, charged: '0.00', returned: '1.00', net: '-1.00', returnedOfOthers: '1.00' },
    ]);
    expect(
      await reasonsFor(shop, { refunded: `1.00 ${currency}`, net: `-1.00 ${currency}` }),
    ).toEqual([]);
  });

  it('says how much more than the order is kept', async () => {
    const shop = transport.shop();
    const cardId = await storeCard(shop);
    shop.merchant.force({ op: 'payment.create', outcome: 'error-500-after-commit' });
    const body = paymentBody({ cardId, total: '18.00', transaction: { custom: 'A-7' } });
    await shop.send('payment.create', { body });
    await shop.send('payment.create', { body });
    const { totals } = await shop.merchant.verdict();
    expect(totals).toEqual([
      { currency: 'USD', charged: '36.00', returned: '0.00', net: '36.00', excess: '18.00' },
    ]);
  });
});

onEveryTransport('a timeline event', (transport) => {
  const reversal = (sale: object): ScenarioDocument => ({
    scenario: 'one',
    version: 1,
    timeline: [{ at: '+P20D', event: 'sale-reversed-later', sale }],
  });

  it.each([
    ['the n-th sale', { nth: 2 }],
    ['an invoice number', { purchase: 'B-2' }],
    ['the n-th sale of a purchase', { purchase: 'B-2', nth: 1 }],
    ['a request id', { requestId: 'key-2' }],
  ])('happens to %s', async (_what, sale) => {
    const shop = transport.shop();
    shop.merchant.playScenario(reversal(sale));
    const sales: string[] = [];
    for (const n of [1, 2, 3]) {
      const payment = await buy(shop, `B-${n}`, '18.00', 'USD', {
        'PayPal-Request-Id': `key-${n}`,
      });
      sales.push(saleOf(payment).id);
    }
    shop.merchant.clock.advance('P21D');
    const states = [];
    for (const sale_id of sales) {
      states.push((await shop.ask('sale.get', 200, { params: { sale_id } })).state);
    }
    expect(states).toEqual(['completed', 'reversed', 'completed']);
  });

  it('reports that no such sale existed', async () => {
    const shop = transport.shop();
    shop.merchant.playScenario(reversal({ purchase: 'B-9', nth: 2 }));
    await sell(shop);
    shop.merchant.clock.advance('P21D');
    const { missed } = await shop.merchant.verdict();
    expect(missed[0]?.why).toBe('no sale of purchase "B-9" number 2 existed yet');
  });

  it('keeps its choice in an export', async () => {
    const shop = transport.shop();
    shop.merchant.playScenario(reversal({ purchase: 'B-1', nth: 1 }));
    const other = transport.shop();
    other.merchant.import(JSON.parse(JSON.stringify(shop.merchant.export())));
    const sale = saleOf(await buy(other, 'B-1'));
    other.merchant.clock.advance('P21D');
    expect((await other.ask('sale.get', 200, { params: { sale_id: sale.id } })).state).toBe(
      'reversed',
    );
  });
});

describe('a scenario file', () => {
  function problemOf(rest: string): string {
    try {
      loadScenarioText('mine.yaml', `scenario: mine\nversion: 1\n${rest}\n`);
    } catch (error) {
      if (error instanceof ScenarioError) return error.message;
      throw error;
    }
    return '';
  }

  it.each([
    [
      'net: 18',
      'mine.yaml:4:3 expect.net: this value matches none of the allowed forms. Amount and',
    ],
    ['net: "18"', '"18" has no currency. Write it after the amount, such as 18.00 USD.'],
    ['net: 18.00 USX', 'unknown currency "USX". Did you mean "USD"? Known: AUD,'],
    ['net: 18.00 usd', 'unknown currency "usd". Did you mean "USD"?'],
    ['net: USD', '"USD" is no amount. Write 18.00 USD.'],
    ['net: USD 18', '"USD 18" is no amount of USD. Write units, a point and two decimals without'],
    ['net: 18.5 USD', 'then the currency: 18.00 USD.'],
    ['net: "1,800.00 USD"', 'is no amount of USD. Write units'],
    ['charged: 18.00 JPY', '"18.00 JPY" is no amount of JPY. JPY has no decimals: write 18 JPY.'],
    ['charged: -18.00 USD', 'must not be negative. Only net can be'],
    ['net: [1 USD, 2 USD]', 'expect.net: lists USD more than once.'],
    ['nett: 1 USD', 'expect.nett: this key is not known here.'],
    ['purchases: { A-7: { net: 18.00 } }', 'expect.purchases.A-7.net: this value matches none'],
    [
      'purchases: { A-7: { nte: 18.00 USD } }',
      'Known: charged, refunded, net, authorized. Did you',
    ],
    [
      'webhooks: {}',
      'expect.webhooks: this key is not known here: webhooks are not part of this version.',
    ],
  ])('is refused with expect: %s', (line, problem) => {
    expect(problemOf(`expect:\n  ${line}`)).toContain(problem);
  });

  it.each(['18 USD', '18.00 USD', '<=18.00 USD', '-3.00 USD', '[18.00 USD, 500 JPY]', '[]'])(
    'accepts net: %s',
    (text) => {
      expect(problemOf(`expect: { net: ${text} }`)).toBe('');
    },
  );

  it('is refused with a key events, because there are no webhooks', () => {
    expect(problemOf('events: []')).toContain(
      'mine.yaml:3:1 events: this key is not known here: webhooks are not part of this version.',
    );
  });

  it.each([
    ['{}', 'Must name the sale with purchase, requestId, id or nth.'],
    ['{ nth: 0 }', 'Must be 1 or more.'],
    ['{ invoice: A-7 }', 'timeline[0].sale.invoice: this key is not known here. Known: purchase,'],
    ['lst', 'must be one of first, last, every. Did you mean "last"?'],
  ])('is refused with an event of sale: %s', (sale, problem) => {
    expect(
      problemOf(`timeline: [{ at: +1s, event: sale-reversed-later, sale: ${sale} }]`),
    ).toContain(problem);
  });
});
