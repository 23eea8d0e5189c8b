/**
 * Ledger and verdict are correct, whatever is forced on merchants, and reading them changes
 * nothing.
 */
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { LedgerReading, ScenarioDocument } from '../../../src/index.ts';
import { parseMinor, type Currency } from '../../../src/domain/money/money.ts';
import type { WorldDocument } from '../../../src/world/export/document.ts';
import { testNow, onEveryTransport, type Shop } from '../../support/transports.ts';
import { dayMs } from '../../support/purchases.ts';
import { ForcedHistory, histories, type HistoryEvent } from './forced-history.ts';
import { effectsBetween, recordsToKeep } from './money-rules.ts';
import { withTransport, runsFor } from '../support/own-transport.ts';
import { runs } from '../../support/vitest/runs.ts';
import { worldDocumentOf } from '../../support/worlds/world-document.ts';

type Verdict = Awaited<ReturnType<Shop['merchant']['verdict']>>;
type Books = Pick<WorldDocument, 'records' | 'transfers' | 'clock' | 'scheduledEvents'>;

/** Makes addresses independent of the transport. */
const atOneAddress = { baseUrl: 'https://sandbox.test' };

/** Events that take the money of sales away during the history. */
const timeline = fc.array(
  fc.record({
    at: fc.constantFrom('+P1D', '+P2D', '+P5D', '+P30D'),
    event: fc.constantFrom('sale-reversed-later', 'chargeback-opened-won-lost'),
    sale: fc.constantFrom('first' as const, 'last' as const, 'every' as const),
  }),
  { maxLength: 4 },
);

type Timeline = NonNullable<ScenarioDocument['timeline']>;

function begin(shop: Shop, taken: Timeline): ForcedHistory {
  shop.merchant.playScenario({
    scenario: 'taken-back',
    version: 1,
    about: 'Money is taken back while the merchant lives.',
    timeline: taken,
  });
  return new ForcedHistory(shop);
}

const booksOf = (shop: Shop): Books => {
  const { records, transfers, clock, scheduledEvents } = worldDocumentOf(shop.merchant);
  return { records, transfers, clock, scheduledEvents };
};

const canonicalAmount = <T>(of: readonly T[], minor: (one: T) => number): number =>
  of.reduce((sum, one) => sum + minor(one), 0);

/** Sums that are not zero, and totals that do not match the balances. */
function ledgerFaults({ balances, sums, totals }: LedgerReading): string[] {
  const rows = Object.values(totals).flat();
  return [
    ...Object.entries(sums).flatMap(([currency, sum]) =>
      sum === 0 ? [] : [`${currency} sums to ${sum}`],
    ),
    ...Object.entries(balances).flatMap(([currency, { merchant }]) =>
      Object.entries(totals).flatMap(([name, table]) => {
        const net = canonicalAmount(
          [...table].filter((row) => row.currency === currency),
          ({ netMinor }) => netMinor,
        );
        return net === merchant ? [] : [`${name} sum to ${net} ${currency}, not to ${merchant}`];
      }),
    ),
    ...rows
      .filter(
        (row) =>
          row.netMinor !==
          row.chargedMinor - row.refundedMinor - row.reversedMinor - row.chargedBackMinor,
      )
      .map((row) => `${JSON.stringify(row)} does not add up`),
  ];
}

/** Refunds and banks return at most what a payment took. */
function paymentFaults({ transfers }: LedgerReading): string[] {
  return [...new Set(transfers.map(({ payment }) => payment))].flatMap((payment) => {
    const own = transfers.filter((one) => one.payment === payment);
    const sum = (...causes: readonly string[]) =>
      canonicalAmount(
        own.filter(({ cause }) => causes.includes(cause)),
        ({ amount }) => amount.minor,
      );
    const [charged, refunded] = [sum('sale', 'capture'), sum('refund')];
    const taken = sum('reversal', 'chargeback') - sum('chargeback-won');
    return [
      ...(refunded <= charged ? [] : [`${payment}: ${refunded} refunded of ${charged}`]),
      ...(taken >= 0 && taken <= charged ? [] : [`${payment}: ${taken} taken of ${charged}`]),
    ];
  });
}

/** The net amounts of a verdict match the ledger. */
function netFaults({ purchases, totals }: Verdict, { transfers }: LedgerReading): string[] {
  const charges = purchases.flatMap((purchase) => purchase.charges);
  const payments = new Set(charges.map(({ paymentId }) => paymentId));
  const left = (of: (transfer: LedgerReading['transfers'][number]) => boolean) =>
    canonicalAmount(transfers.filter(of), ({ credit, amount }) =>
      credit === 'merchant' ? amount.minor : -amount.minor,
    );
  return [
    ...[...payments].flatMap((id) => {
      const own = charges.filter(({ paymentId }) => paymentId === id);
      const [said, moved] = [
        canonicalAmount(own, ({ net }) => minorOf(net)),
        left((t) => t.payment === id),
      ];
      return said === moved ? [] : [`${said} is said to be left of ${id}, and it is ${moved}`];
    }),
    ...totals.flatMap(({ currency, net }) => {
      const said = minorOf({ total: net, currency });
      const moved = left((t) => t.amount.currency === currency && payments.has(t.payment));
      return said === moved ? [] : [`${said} ${currency} is said to be left, and it is ${moved}`];
    }),
  ];
}

function minorOf({ total, currency }: { readonly total: string; readonly currency: string }) {
  // The ledger contains only known currencies.
  const minor = parseMinor(total.replace('-', ''), currency as Currency) ?? Number.NaN;
  return total.startsWith('-') ? -minor : minor;
}

onEveryTransport(
  'the ledger of merchants with random forced outcomes',
  (transport) => {
    it('sums to zero after every event, no sale returns more than it took, and verdicts agree', () =>
      fc.assert(
        fc.asyncProperty(timeline, histories(18), async (taken, deeds) => {
          const history = begin(transport.shop(), taken);
          const { merchant } = history.shop;
          for (const historyEvent of [...deeds, { ask: 'wait', ms: 400 * dayMs } as const]) {
            await history.do(historyEvent);
            const ledger = merchant.ledger();
            expect([...ledgerFaults(ledger), ...paymentFaults(ledger)]).toEqual([]);
          }
          expect(netFaults(await merchant.verdict(), merchant.ledger())).toEqual([]);
        }),
        runsFor(transport.name, 40),
      ));
  },
  atOneAddress,
);

/** Operations that create the record in their response. */
const makers = new Set([
  'card.create',
  'payment.create',
  'sale.refund',
  'capture.refund',
  'auth.capture',
]);

function idsIn({ records }: Books): Set<string> {
  const { cards, payments, captures, refunds } = records;
  return new Set(
    [
      ...cards.rows.map(({ record }) => record),
      ...payments.rows.map(({ record }) => record),
      ...captures,
      ...refunds,
    ].map(({ id }) => id),
  );
}

onEveryTransport(
  'what a client can conclude',
  (transport) => {
    it('a refused request has no effect, and a successful one has exactly one', () =>
      fc.assert(
        fc.asyncProperty(histories(18), async (deeds) => {
          const history = new ForcedHistory(transport.shop());
          const { merchant } = history.shop;
          const steps = new Map<string, { readonly before: Books; readonly after: Books }>();
          let before = booksOf(history.shop);
          for (const historyEvent of deeds) {
            const heard = history.heard.length;
            await history.do(historyEvent);
            const after = booksOf(history.shop);
            const debugId = merchant.journal().entries.at(-1)?.debugId;
            if (history.heard.length > heard && debugId !== undefined) {
              steps.set(debugId, { before, after });
            }
            before = after;
          }
          // Ends or abandons every open response.
          await merchant.verdict();
          for (const entry of merchant.journal().entries) {
            const step = steps.get(entry.debugId);
            if (step === undefined) throw new Error(`No step requested ${entry.path}.`);
            const { operation = '', concludes, committed, replayed, subject = '' } = entry;
            if (concludes === 'FAIL') {
              const left = { ...step.before, records: recordsToKeep(entry, step.before.records) };
              expect([committed, step.after], operation).toEqual([false, left]);
            }
            if (concludes !== 'OK' || !makers.has(operation)) continue;
            expect(idsIn(step.after), operation).toContain(subject);
            expect(committed || replayed, operation).toBe(true);
            if (committed) {
              expect(effectsBetween(step.before, step.after)).toBe(
                operation === 'card.create' ? 0 : entry.twin === undefined ? 1 : 2,
              );
            }
          }
        }),
        runsFor(transport.name, 60),
      ));
  },
  atOneAddress,
);

onEveryTransport(
  'a verdict on a merchant with random forced outcomes',
  (transport) => {
    it('reports only what the journal of this merchant shows, and reports the same again', () =>
      fc.assert(
        fc.asyncProperty(timeline, histories(18), histories(6), async (taken, deeds, others) => {
          const history = begin(transport.shop(), taken);
          const neighbour = await new ForcedHistory(transport.shop()).live(others);
          await history.live(deeds);
          const { merchant } = history.shop;
          const verdict = await merchant.verdict();
          expect(await merchant.verdict()).toEqual(verdict);
          const own = new Set(merchant.journal().entries.map(({ debugId }) => debugId));
          const { purchases, findings, counts } = verdict;
          expect(counts.requests).toBe(own.size);
          const keys = new Set(purchases.map(({ key }) => key));
          for (const { rule, what, remedy, evidence, intent } of findings) {
            expect(evidence.length, rule).toBeGreaterThan(0);
            expect(new Set(evidence).size, rule).toBe(evidence.length);
            for (const debugId of evidence) expect(own, rule).toContain(debugId);
            if (intent !== undefined) expect(keys, rule).toContain(intent);
            expect([what, remedy].join(' '), rule).not.toContain(neighbour.shop.merchant.id);
          }
          for (const { attempts, charges } of purchases) {
            const tries = new Map(attempts.map((one) => [one.debugId, one]));
            for (const { createdBy, disclosedBy, known } of charges) {
              expect(tries.get(createdBy)?.committed).toBe(true);
              expect(disclosedBy === undefined).toBe(known === 'never' || known === 'unsure');
              if (disclosedBy !== undefined)
                expect(tries.get(disclosedBy.debugId)?.concludes).toBe('OK');
            }
          }
        }),
        runsFor(transport.name, 40),
      ));
  },
  atOneAddress,
);

/** Gaps are measured on the machine's clock too, so it must be frozen to compare two runs. */
describe('verdict with a frozen machine clock', () => {
  const options = { ...atOneAddress, clock: { start: testNow, frozen: true } };

  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date(testNow) });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('does not depend on what other merchants do', () =>
    fc.assert(
      fc.asyncProperty(
        histories(15),
        histories(15),
        fc.infiniteStream(fc.boolean()),
        async (deeds, others, turns) => {
          const alone = await withTransport('in process', options, async (transport) => {
            const history = await new ForcedHistory(transport.shop('one')).live(deeds);
            return history.shop.merchant.verdict();
          });
          const together = await withTransport('in process', options, async (transport) => {
            const history = new ForcedHistory(transport.shop('one'));
            const neighbour = new ForcedHistory(transport.shop('other'));
            const rest: HistoryEvent[] = [...others];
            for (const historyEvent of deeds) {
              while (rest.length > 0 && turns.next().value) {
                const next = rest.shift();
                if (next !== undefined) await neighbour.do(next);
              }
              await history.do(historyEvent);
            }
            await neighbour.live(rest);
            await neighbour.shop.merchant.verdict();
            return history.shop.merchant.verdict();
          });
          expect(together).toEqual(alone);
        },
      ),
      { numRuns: runs(30) },
    ));

  it('does not affect the merchant, even after every event', () =>
    fc.assert(
      fc.asyncProperty(timeline, histories(15), async (taken, deeds) => {
        const lived = (isJudged: boolean) =>
          withTransport('in process', options, async (transport) => {
            const history = begin(transport.shop('one'), taken);
            const { merchant } = history.shop;
            for (const historyEvent of deeds) {
              await history.do(historyEvent);
              if (isJudged) await merchant.verdict();
            }
            return [history.all, merchant.journal(), merchant.ledger(), await merchant.verdict()];
          });
        expect(await lived(true)).toEqual(await lived(false));
      }),
      { numRuns: runs(30) },
    ));
});
