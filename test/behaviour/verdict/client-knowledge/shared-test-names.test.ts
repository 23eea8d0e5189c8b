/** Test suites without a reset between their tests: each test stores a card and pays an order that all tests name alike. */
import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import type { OutcomeIdOrOk } from '../../../../src/outcomes/outcome-id.ts';
import { storeCard } from '../../../support/purchases.ts';
import { onEveryTransport, type Shop } from '../../../support/transports.ts';
import { highIn, newKey, send, type NamedOrder } from '../support/named-orders.ts';
import { onTestTime } from '../support/payment-attempts.ts';

type Words = Omit<NamedOrder, 'cardId'>;

interface Suite {
  readonly tests: number;
  /** The orders that each test pays. */
  readonly orders?: readonly Words[];
  /** Whether one card is stored before the tests. Default: each test stores it. */
  readonly hasOneCard?: true;
  /** Gives each payment an invoice number of its own. */
  readonly hasInvoices?: true;
  /** What happens to the first payments. */
  readonly sequence?: readonly OutcomeIdOrOk[];
  /** How often each test sends a request. Default: once. */
  readonly sends?: number;
  /** Lists the payments after each test. */
  readonly isListed?: true;
  /** The time from one test to the next. */
  readonly pauseMs?: number;
}

async function run(shop: Shop, suite: Suite): Promise<void> {
  const { tests, orders = [{ custom: 'order-1' }], sequence, sends = 1, pauseMs = 20_000 } = suite;
  const customer = 'ada';
  const store = () => storeCard(shop, { external_customer_id: customer });
  if (sequence !== undefined)
    shop.merchant.force({ op: 'payment.create', per: 'merchant', sequence });
  const shared = suite.hasOneCard ? await store() : undefined;
  for (let test = 0; test < tests; test++) {
    const cardId = shared ?? (await store());
    for (const words of orders) {
      const key = newKey();
      const invoice = suite.hasInvoices && { invoice_number: `TEST-${randomUUID()}` };
      for (let sent = 0; sent < sends; sent++) {
        await send(shop, { cardId, customer, ...invoice, ...words }, key);
      }
    }
    shop.merchant.clock.advance(pauseMs);
    if (suite.isListed) await shop.ask('payment.list', 200, { query: { count: '20' } });
  }
}

const three: readonly Words[] = [1, 2, 3].map((number) => ({
  custom: `order-${number}`,
  total: `${10 * number}.00`,
}));

const pending: OutcomeIdOrOk = 'sale-pending-then-completed';
const lost: OutcomeIdOrOk = 'reset-after-commit';

onEveryTransport(
  'tests that share the name of an order',
  (transport) => {
    it.each<[string, Suite]>([
      ['five of them store a card and pay', { tests: 5 }],
      ['five of them pay the same three orders', { tests: 5, orders: three, pauseMs: 0 }],
      ['the first sale of five is pending', { tests: 5, sequence: [pending], pauseMs: 0 }],
      ['five of them number their invoices', { tests: 5, hasInvoices: true }],
      [
        'the first answers of five are lost, and come with a repeat',
        { tests: 5, hasInvoices: true, sequence: [lost], sends: 2, pauseMs: 0 },
      ],
      [
        'two of six find lost payments in a list',
        {
          tests: 6,
          orders: [{ custom: 'test' }],
          sequence: Array.from({ length: 9 }, () => lost),
          sends: 4,
          isListed: true,
        },
      ],
    ])('pass: %s', async (_, suite) => {
      const shop = transport.shop();
      await run(shop, suite);
      expect(await highIn(shop)).toEqual([]);
    });

    it.each<[string, Suite]>([
      ['a buyer may have clicked four times', { tests: 4 }],
      ['five payments use one card', { tests: 5, hasOneCard: true }],
      ['a job may have run four times', { tests: 4, orders: three, pauseMs: 0 }],
      ['a job ran five times with the same cards', { tests: 5, orders: three, hasOneCard: true }],
      ['a pending sale was paid again', { tests: 4, sequence: [pending], pauseMs: 0 }],
      ['four invoices name one order', { tests: 4, hasInvoices: true }],
      ['the first answer of five is lost', { tests: 5, sequence: [lost] }],
    ])('fail the verdict: %s', async (_, suite) => {
      const shop = transport.shop();
      await run(shop, suite);
      expect(await highIn(shop)).not.toEqual([]);
    });
  },
  onTestTime,
);
