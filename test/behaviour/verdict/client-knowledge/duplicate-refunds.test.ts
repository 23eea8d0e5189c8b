/** When a refund is certainly a duplicate, and when the client may have wanted both. */
import { expect, it } from 'vitest';
import { see } from '../../forcing/tolerant-client.ts';
import { onEveryTransport, type Shop } from '../../../support/transports.ts';
import { authorize, capture, dayMs, sell } from '../../../support/purchases.ts';
import { findingOf, foundIn } from '../support/findings.ts';
import { keyed, onTestTime } from '../support/payment-attempts.ts';

const surely = 'critical double-refund';
const maybe = 'medium double-refund';
const orphaned = 'critical orphaned-refund';

interface Back {
  /** All of it, unless this says how much. */
  readonly total?: string;
  readonly invoice?: string;
  readonly description?: string;
  readonly key?: string;
  /** How the path ends. */
  readonly end?: string;
}

type Kind = 'sale' | 'capture';

interface Refunded {
  readonly id: string;
  readonly kind: Kind;
}

/** Of 30.11 dollars. */
async function refundable(shop: Shop, kind: Kind): Promise<Refunded> {
  if (kind === 'sale') return { id: (await sell(shop)).id, kind };
  return { id: (await capture(shop, (await authorize(shop)).id, '30.11')).id, kind };
}

function giveBack(
  shop: Shop,
  { id, kind = 'sale' }: { readonly id: string; readonly kind?: Kind },
  { total, invoice, description, key, end = '' }: Back = {},
) {
  const body = {
    ...(total !== undefined && { amount: { total, currency: 'USD' } }),
    ...(invoice !== undefined && { invoice_number: invoice }),
    ...(description !== undefined && { description }),
  };
  const path = `/v1/payments/${kind}/${id}/refund${end}`;
  return see(shop, `${kind}.refund`, { path, body, headers: keyed(key) });
}

/** What the client reads to find out. */
type Look = 'record' | 'stale record' | 'payment' | 'list' | 'empty list' | 'refunds';

const emptyList = '/v1/payments/payment?count=20&start_time=2035-01-01T00:00:00Z';

/** The only record of its kind, by its id. */
async function readPayment(shop: Shop): Promise<void> {
  const [transfer] = shop.merchant.ledger().transfers;
  await shop.ask('payment.get', 200, { params: { payment_id: transfer?.payment ?? '' } });
}

async function lookAt(shop: Shop, { id, kind }: Refunded, look: Look): Promise<void> {
  if (look === 'list') await shop.ask('payment.list', 200, {});
  else if (look === 'empty list') await shop.ask('payment.list', 200, { path: emptyList });
  else if (look === 'refunds') await shop.ask('sale.refunds', 200, { params: { sale_id: id } });
  else if (look === 'payment') await readPayment(shop);
  else {
    if (look === 'stale record') {
      shop.merchant.force({ op: `${kind}.get`, outcome: 'stale-read-after-update' });
    }
    await see(shop, `${kind}.get`, { path: `/v1/payments/${kind}/${id}` });
  }
}

interface Twice {
  readonly kind: Kind;
  readonly look: Look;
  /** From the look to the second refund. */
  readonly ms: number;
  /** What is refunded, where it is there. */
  readonly of?: Refunded;
}

/** Refunds 10.00, loses the answer, reads, and refunds 10.00 again. */
async function refundedTwice(shop: Shop, { kind, look, ms, of }: Twice) {
  const refunded = of ?? (await refundable(shop, kind));
  shop.merchant.force({ op: `${kind}.refund`, outcome: 'reset-after-commit' });
  await giveBack(shop, refunded, { total: '10.00', key: 'one' });
  await lookAt(shop, refunded, look);
  shop.merchant.clock.advance(ms);
  await giveBack(shop, refunded, { total: '10.00', key: 'two' });
  const verdict = await shop.merchant.verdict();
  return {
    found: findingOf(verdict, 'double-refund'),
    retry: findingOf(verdict, 'new-key-on-retry'),
  };
}

async function foundAt(shop: Shop): Promise<string[]> {
  return (await foundIn(shop)).filter((name) => name.endsWith('double-refund'));
}

onEveryTransport(
  'a refund that is sent twice',
  (transport) => {
    it('is reported at any place among the refunds of the sale', async () => {
      const shop = transport.shop();
      const sale = await sell(shop);
      await giveBack(shop, sale, { total: '5.00', key: 'one', invoice: 'RF-1' });
      await giveBack(shop, sale, { total: '10.00', key: 'two', invoice: 'RF-2' });
      await giveBack(shop, sale, { total: '10.00', key: 'three', invoice: 'RF-2' });
      expect(await foundAt(shop)).toEqual([surely]);
    });

    it.each(['/', '?a=1'])('is reported if the second path ends in %j', async (end) => {
      const shop = transport.shop();
      const sale = await sell(shop);
      await giveBack(shop, sale, { total: '10.00', key: 'one', invoice: 'RF-1' });
      await giveBack(shop, sale, { total: '10.00', key: 'two', invoice: 'RF-1', end });
      expect(await foundAt(shop)).toEqual([surely]);
    });

    it('is reported if a proxy sent it twice, for a sale and for a capture', async () => {
      const shop = transport.shop();
      const sale = await sell(shop);
      const { id } = await capture(shop, (await authorize(shop)).id, '30.00');
      shop.merchant.force({ op: 'any', outcome: 'executed-twice-by-proxy', times: 2 });
      await giveBack(shop, sale, { total: '10.00' });
      await giveBack(shop, { id, kind: 'capture' }, { total: '10.00' });
      expect(await foundAt(shop)).toEqual([surely, surely]);
      // The answers showed the other two.
      expect((await foundIn(shop)).filter((name) => name === orphaned)).toHaveLength(2);
    });

    it.each<readonly [string, number, RegExp, RegExp]>([
      [
        'only the first is not its doing',
        1,
        /was refunded twice: .+ The client sent one request, and something .+ sent it again/,
        /^The client could not prevent/,
      ],
      [
        'neither is its doing if both were doubled',
        2,
        /was refunded 4 times: .+ sent each request again, so each was executed twice/,
        /^The client could not prevent/,
      ],
      [
        'both are its doing if none was doubled',
        0,
        /was refunded twice: .+ the second request used a new PayPal-Request-Id/,
        /^If both were wanted, give each an invoice_number or a note/,
      ],
    ])('by a client that did not look: %s', async (_, times, why, advice) => {
      const shop = transport.shop();
      const sale = await sell(shop);
      if (times > 0)
        shop.merchant.force({ op: 'sale.refund', outcome: 'executed-twice-by-proxy', times });
      await giveBack(shop, sale, { total: '5.00', key: 'one' });
      await giveBack(shop, sale, { total: '5.00', key: 'two' });
      const { what, remedy } = findingOf(await shop.merchant.verdict(), 'double-refund');
      expect(what).toMatch(why);
      expect(remedy).toMatch(advice);
    });

    it('is reported if its request id expired meanwhile', async () => {
      const shop = transport.shop();
      const sale = await sell(shop);
      await giveBack(shop, sale, { total: '10.00', key: 'one' });
      shop.merchant.clock.advance(31 * dayMs);
      await giveBack(shop, sale, { total: '10.00', key: 'one' });
      const { severity, what, remedy } = findingOf(await shop.merchant.verdict(), 'double-refund');
      expect([severity, remedy]).toEqual(['critical', expect.stringContaining('after 30 days')]);
      expect(what).toContain('came after the service had forgotten its PayPal-Request-Id');
    });

    it.each([
      [1, '07:08:09'],
      [300_000, '07:13:09'],
    ])('is reported if the answer was lost %i ms before', async (ms, refundedAt) => {
      const shop = transport.shop();
      const sale = await sell(shop);
      shop.merchant.force({ op: 'sale.refund', outcome: 'reset-after-commit' });
      await giveBack(shop, sale, { total: '10.00', key: 'one' });
      shop.merchant.clock.advance(ms);
      await giveBack(shop, sale, { total: '10.00', key: 'two' });
      const verdict = await shop.merchant.verdict();
      expect(findingOf(verdict, 'double-refund')).toMatchObject({
        severity: 'critical',
        confidence: 'certain',
        what: `Sale ${sale.id} (purchase "A test order") was refunded twice: 10.00 USD at 07:08:09 and 10.00 USD at ${refundedAt}. That is 10.00 USD too much. The first answer was lost, and the retry used a new PayPal-Request-Id.`,
      });
    });

    it.each<readonly [Kind, string | undefined, string | undefined]>([
      ['sale', undefined, '30.11'],
      ['sale', '30.11', undefined],
      ['capture', undefined, '30.11'],
    ])(
      'is reported for a complete refund of a %s, as %j and then as %j',
      async (kind, one, other) => {
        const shop = transport.shop();
        const of = await refundable(shop, kind);
        shop.merchant.force({ op: `${kind}.refund`, outcome: 'reset-after-commit' });
        await giveBack(shop, of, { ...(one !== undefined && { total: one }), key: 'one' });
        await giveBack(shop, of, { ...(other !== undefined && { total: other }), key: 'two' });
        // The refusal told the client that the whole amount had been refunded.
        expect(await foundIn(shop)).toEqual(['low double-refund', 'low new-key-on-retry']);
      },
    );

    it('is not reported if the rest is refunded after a complete refund was refused', async () => {
      const shop = transport.shop();
      const sale = await sell(shop);
      await giveBack(shop, sale, { total: '10.00', key: 'one' });
      await giveBack(shop, sale, { key: 'two' });
      await giveBack(shop, sale, { total: '20.11', key: 'three' });
      await giveBack(shop, sale, { key: 'four' });
      expect(await foundAt(shop)).toEqual([]);
    });

    it.each(['4999999999999996', '4999999999999997', 'ORDER-1'])(
      'may be wanted if it carries the number of the order: %s',
      async (invoice) => {
        const shop = transport.shop();
        const sale = await sell(shop, { transaction: { invoice_number: invoice } });
        await giveBack(shop, sale, { total: '10.00', key: 'one', invoice });
        await giveBack(shop, sale, { total: '10.00', key: 'two', invoice });
        expect(await foundAt(shop)).toEqual([maybe]);
      },
    );

    it.each<readonly [string, (shop: Shop, sale: Refunded) => Promise<unknown>, string[]]>([
      ['nothing', () => Promise.resolve(), [maybe]],
      [
        'the sale of another order',
        async (shop) => shop.ask('sale.get', 200, { params: { sale_id: (await sell(shop)).id } }),
        [maybe],
      ],
      ['its refunds', (shop, sale) => lookAt(shop, sale, 'refunds'), []],
      [
        'the payment',
        async (shop, { id }) => {
          const { parent_payment: paymentId } = await shop.ask('sale.get', 200, {
            params: { sale_id: id },
          });
          await shop.ask('payment.get', 200, { params: { payment_id: paymentId } });
        },
        [],
      ],
    ])('may be for a second item after the client read %s', async (_, look, found) => {
      const shop = transport.shop();
      const sale: Refunded = { id: (await sell(shop)).id, kind: 'sale' };
      await giveBack(shop, sale, { total: '10.00', key: 'one' });
      await look(shop, sale);
      await giveBack(shop, sale, { total: '10.00', key: 'two' });
      expect(await foundAt(shop)).toEqual(found);
    });

    it('may be wanted if every answer arrived', async () => {
      const shop = transport.shop();
      const sale = await sell(shop);
      await giveBack(shop, sale, { total: '10.00', key: 'one' });
      await giveBack(shop, sale, { total: '10.00', key: 'two' });
      expect(await foundAt(shop)).toEqual([maybe]);
    });

    it.each<readonly [string, Look, Kind, number, string]>([
      ['may be meant', 'record', 'sale', 300_000, 'low'],
      ['may be meant', 'record', 'capture', 300_000, 'low'],
      ['may be meant', 'list', 'sale', 300_000, 'low'],
      ['may be meant', 'refunds', 'sale', 60_000, 'medium'],
      ['may be meant', 'payment', 'capture', 60_000, 'medium'],
      ['is found all the same', 'record', 'sale', 60_000, 'critical'],
      ['is found all the same', 'list', 'sale', 60_000, 'critical'],
    ])(
      '%s if the first was disclosed: %s of a %s, %i ms before',
      async (_, look, kind, ms, how) => {
        const { found, retry } = await refundedTwice(transport.shop(), { kind, look, ms });
        expect([found.severity, retry.severity]).toEqual([how, how]);
        expect(found.confidence).toBe(how === 'critical' ? 'likely' : 'possible');
        expect(retry.what).toContain('the client had been shown');
      },
    );

    it('is not reported if the refund list showed the first minutes before', async () => {
      const shop = transport.shop();
      const sale = await sell(shop);
      shop.merchant.force({ op: 'sale.refund', outcome: 'reset-after-commit' });
      await giveBack(shop, sale, { total: '10.00', key: 'one' });
      await lookAt(shop, { id: sale.id, kind: 'sale' }, 'refunds');
      shop.merchant.clock.advance(300_000);
      await giveBack(shop, sale, { total: '10.00', key: 'two' });
      expect(await foundIn(shop)).toEqual([]);
    });

    it('is reported if the refund list was read before the first', async () => {
      const shop = transport.shop();
      const sale = await sell(shop);
      await lookAt(shop, { id: sale.id, kind: 'sale' }, 'refunds');
      shop.merchant.force({ op: 'sale.refund', outcome: 'reset-after-commit' });
      await giveBack(shop, sale, { total: '10.00', key: 'one' });
      await giveBack(shop, sale, { total: '10.00', key: 'two' });
      expect(await foundIn(shop)).toEqual([surely, orphaned, 'critical new-key-on-retry']);
    });

    // What was read did not hold the refund.
    it.each<readonly [Look, Kind, number]>([
      ['empty list', 'sale', 300_000],
      ['empty list', 'sale', 60_000],
      ['empty list', 'capture', 300_000],
      ['stale record', 'sale', 300_000],
      ['stale record', 'sale', 60_000],
    ])(
      'is reported if the read did not disclose the first: %s, %s, %i ms before',
      async (look, kind, ms) => {
        const { found, retry } = await refundedTwice(transport.shop(), { kind, look, ms });
        expect([found.severity, retry.severity]).toEqual(['critical', 'critical']);
        expect(retry.what).toContain('could not know');
      },
    );

    it('is reported if a read shows only an earlier partial refund', async () => {
      const shop = transport.shop();
      const of = await refundable(shop, 'sale');
      await giveBack(shop, of, { total: '5.00', key: 'zero' });
      const { found } = await refundedTwice(shop, {
        kind: 'sale',
        look: 'record',
        ms: 300_000,
        of,
      });
      expect(found.severity).toBe('critical');
    });

    it('may be wanted if an unknown one is retried after another', async () => {
      const shop = transport.shop();
      const sale = await sell(shop);
      shop.merchant.force({ op: 'sale.refund', outcome: 'reset-after-commit' });
      for (const key of ['one', 'two', 'one']) await giveBack(shop, sale, { total: '10.00', key });
      expect(await foundIn(shop)).toEqual([maybe]);
    });

    it.each([
      ['is reported without request ids if nothing was read between', false, [maybe]],
      ['is not reported without request ids if the first was read between', true, []],
    ])('%s', async (_, isRead, found) => {
      const shop = transport.shop();
      const sale = await refundable(shop, 'sale');
      await giveBack(shop, sale, { total: '10.00' });
      if (isRead) await lookAt(shop, sale, 'record');
      await giveBack(shop, sale, { total: '10.00' });
      expect(await foundAt(shop)).toEqual(found);
    });

    it.each([
      ['is reported as a job for two sales with other amounts', '7.00', 'high double-refund'],
      ['may be wanted for two sales with equal amounts', '5.00', maybe],
    ])('%s', async (_, second, found) => {
      const shop = transport.shop();
      const back = [
        [await sell(shop, { transaction: { custom: 'order-1' } }), '5.00'],
        [await sell(shop, { transaction: { custom: 'order-2' } }), second],
      ] as const;
      for (const run of ['monday', 'tuesday']) {
        for (const [sale, total] of back) {
          await giveBack(shop, sale, { total, key: `${sale.id} ${run}` });
        }
        shop.merchant.clock.advance(60_000);
      }
      expect(new Set(await foundAt(shop))).toEqual(new Set([found]));
    });

    it('is reported for each run of a job after the first, whatever time the run notes', async () => {
      const shop = transport.shop();
      const back = [
        [await sell(shop, { transaction: { custom: 'order-1' } }), '5.00'],
        [await sell(shop, { transaction: { custom: 'order-2' } }), '7.00'],
      ] as const;
      for (const [run, time] of ['10:00', '10:10', '10:00'].entries()) {
        for (const [sale, total] of back) {
          const description = `Return at ${time}`;
          await giveBack(shop, sale, { total, description, key: `${sale.id} ${run}` });
        }
        shop.merchant.clock.advance(60_000);
      }
      const { findings } = await shop.merchant.verdict();
      const jobs = findings.filter(({ what }) => what.includes('one job that ran twice'));
      expect(jobs.map(({ what }) => / made again (.+?) later/.exec(what)?.[1])).toEqual([
        '60 s',
        '60 s',
      ]);
    });

    it.each([
      ['sales', ['sale', 'sale']],
      ['captures', ['capture', 'capture']],
      ['sales and captures', ['sale', 'capture']],
    ] as const)('is reported for the same %s if a job ran twice', async (targets, kinds) => {
      const shop = transport.shop();
      const back = [
        [await refundable(shop, kinds[0]), '5.00'],
        [await refundable(shop, kinds[1]), '7.00'],
      ] as const;
      for (const run of ['monday', 'tuesday']) {
        for (const [sale, total] of back) await giveBack(shop, sale, { total, key: sale.id + run });
        shop.merchant.clock.advance(60_000);
      }
      const { what } = findingOf(await shop.merchant.verdict(), 'double-refund');
      expect(what).toBe(
        `2 refunds were made again 60 s later, for the same ${targets} and amounts: 5.00 USD and 7.00 USD. Together they look like one job that ran twice.`,
      );
    });

    it('is reported if a job ran twice, and its answers came with repeats', async () => {
      const shop = transport.shop();
      const back = [
        [await refundable(shop, 'sale'), '5.00'],
        [await refundable(shop, 'sale'), '7.00'],
      ] as const;
      for (const run of ['monday', 'tuesday']) {
        for (const [sale, total] of back) {
          shop.merchant.force({ op: 'sale.refund', outcome: 'reset-after-commit', times: 1 });
          const refund = { total, key: sale.id + run };
          await giveBack(shop, sale, refund);
          await giveBack(shop, sale, refund);
        }
        shop.merchant.clock.advance(1_800_000);
      }
      expect(findingOf(await shop.merchant.verdict(), 'double-refund').what).toMatch(
        /^2 refunds were made again 30\S* min later, for the same sales and amounts/,
      );
    });

    it.each([
      ['three items of one sale', [0, 0, 0], false, 'high'],
      ['three items, of which two are of one sale', [0, 0, 1], false, 'high'],
      ['two items of one sale', [0, 0], false, 'medium'],
      ['three items of one sale, each read before the next run', [0, 0, 0], true, 'medium'],
    ])('is reported if a job ran twice for %s', async (_, of, reads, severity) => {
      const shop = transport.shop();
      const sales = [await sell(shop, { total: '90.00' }), await sell(shop, { total: '90.00' })];
      const items = of.flatMap((at, item) => {
        const { id = '' } = sales[at] ?? {};
        return { id, total: `${5 + item}.00` };
      });
      for (const run of ['monday', 'tuesday']) {
        for (const { id, total } of items) {
          if (reads) await lookAt(shop, { id, kind: 'sale' }, 'record');
          await giveBack(shop, { id }, { total, key: id + total + run });
        }
        shop.merchant.clock.advance(60_000);
      }
      const { findings } = await shop.merchant.verdict();
      const found = findings.filter(({ rule }) => rule === 'double-refund');
      expect(found[0]?.severity).toBe(severity);
      if (severity === 'high') {
        const targets = of.includes(1) ? 'sales' : 'sale';
        expect(found.map(({ what }) => what)).toEqual([
          `3 refunds were made again 60 s later, for the same ${targets} and amounts: 5.00 USD, 6.00 USD and 7.00 USD. Together they look like one job that ran twice.`,
        ]);
      }
    });

    it.each([
      ['is reported as a job if each was doubled on the way and none was read', false, ['high']],
      ['is no job if each was doubled on the way and its sale was read before the next', true, []],
    ])('%s', async (_, isRead, severities) => {
      const shop = transport.shop();
      const back = [
        [await refundable(shop, 'sale'), '5.00'],
        [await refundable(shop, 'sale'), '7.00'],
      ] as const;
      shop.merchant.force({ op: 'sale.refund', outcome: 'executed-twice-by-proxy', times: 4 });
      for (const run of ['monday', 'tuesday']) {
        for (const [sale, total] of back) {
          if (isRead) await lookAt(shop, sale, 'record');
          await giveBack(shop, sale, { total, key: `${sale.id} ${run}` });
        }
        shop.merchant.clock.advance(60_000);
      }
      const { findings } = await shop.merchant.verdict();
      const jobs = findings.filter(({ what }) => what.includes('one job that ran twice'));
      expect(jobs.map(({ severity }) => severity)).toEqual(severities);
    });

    it.each([
      ['hides both refunds', false, 2],
      ['leaves only the second one unknown if the sale was read', true, 1],
    ])('whose answer was lost after it was doubled %s', async (_, isRead, unknown) => {
      const shop = transport.shop();
      const sale = await refundable(shop, 'sale');
      const outcome = { outcome: 'executed-twice-by-proxy', and: 'reset-after-commit' } as const;
      shop.merchant.force({ op: 'sale.refund', outcome });
      await giveBack(shop, sale, { total: '5.00', key: 'one' });
      if (isRead) await lookAt(shop, sale, 'record');
      const found = (await foundIn(shop)).filter((one) => one === orphaned);
      expect(found).toHaveLength(unknown);
    });

    it('is not reported for two equal refunds days apart', async () => {
      const shop = transport.shop();
      const sale = await sell(shop);
      await giveBack(shop, sale, { total: '10.00', key: 'one' });
      shop.merchant.clock.advance(5 * dayMs);
      await giveBack(shop, sale, { total: '10.00', key: 'two' });
      expect(await foundAt(shop)).toEqual([]);
    });

    it.each([
      ['of its own', 'RF-1', surely],
      ['that is the invoice number of the order', 'INV-7', undefined],
      ['that is the custom of the order', 'order-7', undefined],
    ])('carries a name %s, days apart: %s', async (_, invoice, found) => {
      const shop = transport.shop();
      const sale = await sell(shop, {
        transaction: { invoice_number: 'INV-7', custom: 'order-7' },
      });
      await giveBack(shop, sale, { total: '10.00', key: 'one', invoice });
      shop.merchant.clock.advance(3 * dayMs);
      await giveBack(shop, sale, { total: '10.00', key: 'two', invoice });
      expect(await foundAt(shop)).toEqual(found === undefined ? [] : [found]);
    });

    it.each([
      ['lost', surely],
      ['understood', maybe],
    ])(
      'is judged by the first answer, which was %s, if it has the name of the order',
      async (answer, found) => {
        const shop = transport.shop();
        const sale = await sell(shop, { transaction: { invoice_number: 'INV-7' } });
        if (answer === 'lost') {
          shop.merchant.force({ op: 'sale.refund', outcome: 'reset-after-commit' });
        }
        await giveBack(shop, sale, { total: '10.00', key: 'one', invoice: 'INV-7' });
        shop.merchant.clock.advance(60_000);
        await giveBack(shop, sale, { total: '10.00', key: 'two', invoice: 'INV-7' });
        expect(await foundAt(shop)).toEqual([found]);
      },
    );

    it('is not reported if the first one failed later', async () => {
      const shop = transport.shop();
      const sale = await sell(shop);
      shop.merchant.force({ op: 'sale.refund', outcome: 'refund-failed-later' });
      await giveBack(shop, sale, { key: 'one' });
      shop.merchant.clock.advance(20 * dayMs);
      await shop.ask('sale.get', 200, { params: { sale_id: sale.id } });
      await giveBack(shop, sale, { key: 'two' });
      expect(await foundAt(shop)).toEqual([]);
      // The second one has given the money back.
      await giveBack(shop, sale, { key: 'three' });
      expect(await foundAt(shop)).toEqual(['low double-refund']);
    });
  },
  onTestTime,
);

onEveryTransport(
  'two sales that are each refunded twice',
  (transport) => {
    it('make two findings, with their purchases', async () => {
      const shop = transport.shop();
      const sales = [];
      for (const invoice of ['W1', 'W2']) {
        const sale = await sell(shop, { transaction: { invoice_number: invoice } });
        shop.merchant.force({ op: 'sale.refund', outcome: 'reset-after-commit' });
        await giveBack(shop, sale, { total: '10.00', key: `${invoice}-one` });
        await giveBack(shop, sale, { total: '10.00', key: `${invoice}-two` });
        sales.push(sale.id);
      }
      const verdict = await shop.merchant.verdict();
      const found = verdict.findings.filter(({ rule }) => rule === 'double-refund');
      const labels = new Map(verdict.purchases.map(({ key, label }) => [key, label]));
      expect(found.map(({ intent = '' }) => labels.get(intent))).toEqual(['W1', 'W2']);
      expect(found.map(({ what }) => what)).toEqual([
        expect.stringContaining(`Sale ${sales[0]} (invoice W1) was refunded twice`),
        expect.stringContaining(`Sale ${sales[1]} (invoice W2) was refunded twice`),
      ]);
    });

    it('stay separate if their request ids count the attempts of each', async () => {
      const shop = transport.shop();
      const [one, other] = [await sell(shop), await sell(shop)];
      shop.merchant.force({ op: 'sale.refund', outcome: 'reset-after-commit' });
      await giveBack(shop, one, { total: '5.00', key: 'try-1' });
      await giveBack(shop, one, { total: '5.00', key: 'try-2' });
      await giveBack(shop, other, { total: '7.00', key: 'try-1' });
      expect(await foundIn(shop)).toEqual([surely, orphaned, 'critical new-key-on-retry']);
    });

    it('are reported with the number of requests, refused ones included', async () => {
      const shop = transport.shop();
      const sale = await sell(shop, { total: '10.00', transaction: { invoice_number: 'W1' } });
      for (const key of ['one', 'two', 'three']) {
        await giveBack(shop, sale, { total: '5.00', key });
      }
      const { findings } = await shop.merchant.verdict();
      const { what = '', evidence } =
        findings.findLast(({ rule }) => rule === 'double-refund') ?? {};
      expect(what).toContain(`A refund of sale ${sale.id} (invoice W1) was requested 3 times`);
      expect(evidence).toHaveLength(3);
    });

    it('are not reported as refused if the refusal was forced', async () => {
      const shop = transport.shop();
      const sale = await sell(shop);
      await giveBack(shop, sale, { total: '10.00', key: 'one' });
      shop.merchant.force({ op: 'sale.refund', outcome: 'refund-already-done' });
      await giveBack(shop, sale, { total: '10.00', key: 'two' });
      expect(await foundIn(shop)).toEqual([]);
    });

    it('are reported with the sale whose refund was refused', async () => {
      const shop = transport.shop();
      const sale = await sell(shop, { transaction: { invoice_number: 'W1' } });
      await giveBack(shop, sale, { key: 'one' });
      await giveBack(shop, sale, { key: 'two' });
      expect(findingOf(await shop.merchant.verdict(), 'double-refund').what).toContain(
        `A refund of sale ${sale.id} (invoice W1) was requested twice`,
      );
    });
  },
  onTestTime,
);

onEveryTransport(
  'two desks that refund one thing at once, of which one has no answer',
  (transport) => {
    interface Story {
      readonly key?: string;
      readonly looks?: boolean;
      readonly repeats?: boolean;
      readonly isCommitted?: boolean;
      readonly afterMs?: number;
    }

    async function twoDesks(shop: Shop, story: Story): Promise<string[]> {
      const { key = 'phone-512', looks = false, repeats = true, isCommitted = false } = story;
      const { afterMs = 4_000 } = story;
      const sale: Refunded = { id: (await sell(shop)).id, kind: 'sale' };
      const back = { total: '10.00', description: 'Broken cup' };
      const outcome = isCommitted ? 'error-500-after-commit' : 'error-503-before-commit';
      shop.merchant.force({ op: 'sale.refund', nth: 2, outcome });
      await Promise.all(
        ['chat-512', 'phone-512'].map((one) => giveBack(shop, sale, { ...back, key: one })),
      );
      shop.merchant.clock.advance(afterMs);
      if (looks) await lookAt(shop, sale, 'refunds');
      if (repeats) await giveBack(shop, sale, { ...back, key });
      return foundIn(shop);
    }

    const atOnce = 'high concurrent-duplicates';

    it.each<[string, Story]>([
      ['it repeats its request', {}],
      ['the request was carried out, and it repeats it', { isCommitted: true }],
      ['it repeats its request with another id', { key: 'phone-513' }],
    ])('are reported if %s', async (_, story) => {
      expect(await twoDesks(transport.shop(), story)).toContain(atOnce);
    });

    it.each<[string, Story]>([
      ['it gives up', { repeats: false }],
      ['it looks before it repeats its request', { looks: true }],
      ['it sends another request minutes later', { key: 'phone-513', afterMs: 121_000 }],
    ])('may both be right if %s', async (_, story) => {
      const found = await twoDesks(transport.shop(), story);
      expect(found).not.toContain(atOnce);
      expect(found).not.toContain('high double-refund');
    });
  },
  onTestTime,
);

/** Captures 10.00 of the authorization. */
function captureHalf(shop: Shop, id: string, key: string) {
  const path = `/v1/payments/authorization/${id}/capture`;
  const body = { amount: { total: '10.00', currency: 'USD' } };
  return see(shop, 'auth.capture', { path, body, headers: keyed(key) });
}

function captureLost(shop: Shop, id: string) {
  shop.merchant.force({ op: 'auth.capture', outcome: 'reset-after-commit' });
  return captureHalf(shop, id, 'one');
}

onEveryTransport(
  'a capture that is retried with another request id',
  (transport) => {
    it.each([
      ['high', 'looks at nothing', 300_000, undefined],
      ['high', 'reads an empty list', 300_000, emptyList],
      ['high', 'reads a list that shows it, just before', 60_000, '/v1/payments/payment?count=20'],
      ['low', 'reads a list that shows it', 300_000, '/v1/payments/payment?count=20'],
    ])('is %s after a lost answer if the client %s', async (severity, _, ms, path) => {
      const shop = transport.shop();
      const { id } = await authorize(shop);
      await captureLost(shop, id);
      if (path !== undefined) await shop.ask('payment.list', 200, { path });
      shop.merchant.clock.advance(ms);
      await captureHalf(shop, id, 'two');
      expect(await foundIn(shop)).toContain(`${severity} new-key-on-retry`);
    });

    it.each([
      ['low', 'after it'],
      ['high', 'before it'],
    ])('is %s if the payment was read by its id just %s', async (severity, when) => {
      const shop = transport.shop();
      const { id, parent_payment: paymentId } = await authorize(shop);
      const read = () => shop.ask('payment.get', 200, { params: { payment_id: paymentId } });
      if (when === 'before it') await read();
      await captureLost(shop, id);
      if (when === 'after it') await read();
      await captureHalf(shop, id, 'two');
      expect(await foundIn(shop)).toContain(`${severity} new-key-on-retry`);
    });

    it.each([
      ['INV-7', false],
      ['SHIP-1', true],
    ])('is reported days after it was read if its name is its own: %s', async (name, is) => {
      const shop = transport.shop();
      const { id } = await authorize(shop, { transaction: { invoice_number: 'INV-7' } });
      const half = {
        path: `/v1/payments/authorization/${id}/capture`,
        body: { amount: { total: '10.00', currency: 'USD' }, invoice_number: name },
      };
      shop.merchant.force({ op: 'auth.capture', outcome: 'reset-after-commit' });
      await see(shop, 'auth.capture', { ...half, headers: keyed('one') });
      await shop.ask('auth.get', 200, { params: { authorization_id: id } });
      shop.merchant.clock.advance(3 * dayMs);
      await see(shop, 'auth.capture', { ...half, headers: keyed('two') });
      // The service accepts the same invoice number for several captures, so it prevents no duplicate.
      expect(await foundIn(shop)).toEqual(
        is ? ['high double-charge', 'high new-key-on-retry'] : [],
      );
    });
  },
  onTestTime,
);
