/** Compares what happened with what a scenario or the caller expects. */
import type { z } from '@hono/zod-openapi';
import type { Verdict } from '../contract/control/verdict.ts';
import type { FindingId } from '../contract/finding-ids.ts';
import type { Records } from '../domain/ports.ts';
import type { Refund } from '../domain/records.ts';
import type { StoredEntry } from '../journal/stored-entry.ts';
import type { Expectations } from '../scenarios/expect.ts';
import { resolveCardId } from '../scenarios/given-cards.ts';
import { isPattern, resolveOperations } from '../scenarios/rules/operation-words.ts';
import { isPaidWithoutMoney, type CheckedBelief } from './beliefs.ts';
import { describeFinding, isActive, type Findings } from './collect-findings.ts';
import type { Evidence } from './evidence/evidence.ts';
import { createdIds } from './evidence/exchange-results.ts';
import { groupBy } from './evidence/group-by.ts';
import { moneyExpectations } from './money-expectations.ts';
import { formatMoney } from './phrases.ts';
import type { Charge } from './purchases/charge.ts';

export type ExpectationResult = z.output<typeof Verdict>['expectations'][number];

/** What expectations are compared with. */
export interface VerdictFacts {
  readonly evidence: Evidence;
  readonly findings: Findings;
  readonly checkedBeliefs: readonly CheckedBelief[];
}

/** A number, or a bound such as `<=1`. */
type CountBound = number | string;

/** Returns one row for each expectation, in the order of the schema. */
export function evaluateExpectations(
  expected: Expectations,
  facts: VerdictFacts,
): ExpectationResult[] {
  return [
    ...salesRows(expected.sales, facts),
    ...attemptRows(expected.attempts, facts),
    ...moneyRows(expected, facts),
    ...moneyExpectations(expected, facts.evidence),
    ...clientRows(expected, facts),
  ];
}

function salesRows(
  expected: Expectations['sales'],
  { evidence }: VerdictFacts,
): ExpectationResult[] {
  if (expected === undefined) return [];
  const paid = evidence.charges.filter(({ hasTakenMoney }) => hasTakenMoney);
  const { total, perIntent, byCard = {}, states = {}, onCard = {}, onDeletedCard } = expected;
  return [
    ...countRow('sales.total', total, () => [countPayments(paid)]),
    ...countRow('sales.perIntent', perIntent, () =>
      evidence.purchases.map(({ charges }) => countSales(charges)),
    ),
    ...Object.entries(byCard).flatMap(([ref, count]) =>
      countRow(`sales.byCard.${ref}`, count, () => [countPayments(withCard(evidence, paid, ref))]),
    ),
    ...Object.entries(states).flatMap(([state, count]) =>
      countRow(`sales.states.${state}`, count, () => [
        countPayments(evidence.charges.filter((charge) => charge.state === state)),
      ]),
    ),
    ...Object.entries(onCard).flatMap(([ref, { after, count }]) =>
      countRow(`sales.onCard.${ref}`, count, () => [
        countPayments(withCard(evidence, paid, ref).filter(({ atMs }) => atMs > after)),
      ]),
    ),
    ...countRow('sales.onDeletedCard', onDeletedCard, () => [
      countPayments(
        paid.filter(
          ({ cardId = '', entry }) => (evidence.cardDeletions.get(cardId) ?? Infinity) < entry.seq,
        ),
      ),
    ]),
  ];
}

function attemptRows(
  expected: Expectations['attempts'],
  { evidence }: VerdictFacts,
): ExpectationResult[] {
  const { perIntent, byCard = {} } = expected ?? {};
  return [
    ...countRow('attempts.perIntent', perIntent, () =>
      evidence.purchases.map(({ attempts }) => attempts.length),
    ),
    ...Object.entries(byCard).flatMap(([ref, count]) =>
      countRow(`attempts.byCard.${ref}`, count, () => [
        withCard(evidence, evidence.of('payment.create'), ref).length,
      ]),
    ),
  ];
}

function moneyRows(
  { orphans, refunds, ledger, cards }: Expectations,
  facts: VerdictFacts,
): ExpectationResult[] {
  const { evidence } = facts;
  const refundsCreated = createdRefunds(evidence);
  const perSale = refunds?.perSale;
  return [
    ...countRow('orphans', orphans, () => [
      evidence.charges.filter(({ known, retainedMinor }) => known === 'never' && retainedMinor > 0)
        .length,
    ]),
    ...countRow('refunds.total', refunds?.total, () => [refundsCreated.length]),
    ...countRow('refunds.perSale.count', perSale?.count, () =>
      [...groupBy(refundsCreated, ({ of }) => of.id).values()].map(({ length }) => length),
    ),
    ...(perSale?.total === undefined
      ? []
      : [
          row(
            'refunds.perSale.total',
            perSale.total,
            findUnexpectedRefund(evidence, perSale.total),
          ),
        ]),
    ...(ledger === undefined ? [] : [ledgerRow(ledger, evidence)]),
    ...countRow('cards.total', cards?.total, () => [evidence.cardCount]),
    ...countRow('cards.perPan', cards?.perPan, () => countPerCardNumber(evidence)),
  ];
}

function clientRows(expected: Expectations, facts: VerdictFacts): ExpectationResult[] {
  const { evidence, findings, checkedBeliefs } = facts;
  const { requests = {}, sameRequestId = [], beliefs } = expected;
  return [
    ...Object.entries(requests).flatMap(([pattern, count]) =>
      countRow(`requests.${pattern}`, count, () => [
        evidence.of(...resolveOperations(pattern)).length,
      ]),
    ),
    ...sameRequestId.map((pattern) => {
      const [wrong] = retriesWithOtherKeys(evidence, pattern);
      return row(`sameRequestId.${pattern}`, 'one request id for each purchase', wrong);
    }),
    ...(expected.findings?.none ?? []).map((id) => noFinding(id, findings)),
    ...countRow('beliefs.paidWithoutCompletedSale', beliefs?.paidWithoutCompletedSale, () => [
      checkedBeliefs.filter(isPaidWithoutMoney).length,
    ]),
  ];
}

function noFinding(id: FindingId, { shown }: Findings): ExpectationResult {
  const found = shown.find((finding) => finding.rule.id === id && isActive(finding));
  return row(
    `findings.none.${id}`,
    'absent',
    found && `reported: ${describeFinding(found).replace(/\.$/, '')}`,
  );
}

/** Counts payments. Captures of one authorization count as one sale. */
function countPayments(charges: readonly Charge[]): number {
  return new Set(charges.map(({ paymentId }) => paymentId)).size;
}

/** Counts the sales of a purchase. A completely refunded one does not count beside another: the mistake was corrected. */
function countSales(charges: readonly Charge[]): number {
  const paid = charges.filter(({ hasTakenMoney }) => hasTakenMoney);
  const retained = countPayments(paid.filter(({ retainedMinor }) => retainedMinor > 0));
  return retained > 0 ? retained : Math.min(1, paid.length);
}

/** The refunds that requests in the journal created. A failed refund does not count, because it moved no money. */
function createdRefunds(evidence: Evidence): Refund[] {
  return evidence
    .of('sale.refund', 'capture.refund')
    .flatMap((entry) => existingRecords(entry, evidence.records.refunds))
    .filter(({ settlement }) => settlement !== 'failed');
}

/** The records that a request created and that still exist. */
function existingRecords<T>(entry: StoredEntry, records: Records<T>): T[] {
  return createdIds(entry).flatMap((id) => records.get(id) ?? []);
}

/** Selects the charges or attempts with a card, by the card's name in the scenario. */
function withCard<T extends { readonly cardId: string | undefined }>(
  { givenCards }: Evidence,
  items: readonly T[],
  cardName: string,
): T[] {
  const id = resolveCardId(givenCards, cardName);
  return items.filter(({ cardId }) => cardId === id);
}

function findUnexpectedRefund(
  { charges }: Evidence,
  bound: '<=sale' | '=sale',
): string | undefined {
  // A sale that took no money cannot be refunded.
  const charge = charges.find(({ hasTakenMoney, refundedMinor, amount }) =>
    bound === '=sale'
      ? hasTakenMoney && refundedMinor !== amount.minor
      : refundedMinor > amount.minor,
  );
  if (charge === undefined) return undefined;
  const { id, amount, refundedMinor } = charge;
  return `${formatMoney({ ...amount, minor: refundedMinor })} of ${formatMoney(amount)} refunded for sale ${id}`;
}

function ledgerRow(
  expected: NonNullable<Expectations['ledger']>,
  evidence: Evidence,
): ExpectationResult {
  if (expected === 'balanced') {
    const unbalanced = evidence.balances.find(
      (accounts) => accounts.cardholders + accounts.merchant !== 0,
    );
    return row('ledger', 'balanced', unbalanced && JSON.stringify(unbalanced));
  }
  const mostShare = Number(expected.lossPerSale.replace(/\D/g, ''));
  // Captures of one authorization are one sale, so the turnover of the payment counts.
  for (const { id, paymentId, amount } of evidence.charges) {
    const turnover = evidence.turnoverOf(paymentId);
    if (turnover === undefined) continue;
    const { chargedMinor, netMinor } = turnover;
    const lostMinor = chargedMinor - netMinor;
    if (lostMinor <= mostShare * chargedMinor) continue;
    const [lost, charged] = [lostMinor, chargedMinor].map((minor) =>
      formatMoney({ ...amount, minor }),
    );
    return row('ledger.lossPerSale', expected.lossPerSale, `${lost} of ${charged} for sale ${id}`);
  }
  return row('ledger.lossPerSale', expected.lossPerSale, undefined);
}

/** Counts how often each stored card is in the vault. Cards are distinguished by what the journal keeps of them. */
function countPerCardNumber(evidence: Evidence): number[] {
  const byCard = groupBy(evidence.of('card.create'), ({ intent }) => intent);
  return [...byCard.values()].map(
    (entries) => entries.flatMap((entry) => existingRecords(entry, evidence.records.cards)).length,
  );
}

function retriesWithOtherKeys(evidence: Evidence, pattern: string): string[] {
  return attemptsOf(evidence, pattern).flatMap((attempts) => {
    const ids = new Set(attempts.map(({ requestId }) => requestId));
    const isSame = attempts.length === 1 || (ids.size === 1 && !ids.has(undefined));
    return isSame ? [] : [`${attempts.length} attempts with ${ids.size} request ids`];
  });
}

/** Groups requests by what they were for. A pattern for several operations selects those that must not be repeated. */
function attemptsOf(evidence: Evidence, pattern: string): (readonly StoredEntry[])[] {
  const names = resolveOperations(pattern);
  const groups = evidence.attemptGroups.filter(({ operation }) => names.includes(operation));
  if (groups.length > 0 || isPattern(pattern)) return groups.map(({ attempts }) => attempts);
  return [...groupBy(evidence.of(...names), ({ intent }) => intent).values()];
}

/** Expects every count to be within a bound. It shows the first count that is not, or else the largest. */
function countRow(
  place: string,
  bound: CountBound | undefined,
  counts: () => number[],
): ExpectationResult[] {
  if (bound === undefined) return [];
  const actual = counts();
  const wrong = actual.find((count) => !isWithin(count, bound));
  const shown = wrong ?? actual.reduce((most, count) => Math.max(most, count), 0);
  return [{ place, expected: String(bound), found: String(shown), ok: wrong === undefined }];
}

function isWithin(count: number, bound: CountBound): boolean {
  if (typeof bound === 'number') return count === bound;
  const limit = Number(bound.replace(/\D/g, ''));
  if (bound.startsWith('<=')) return count <= limit;
  if (bound.startsWith('>=')) return count >= limit;
  return bound.startsWith('<') ? count < limit : count > limit;
}

/** @param wrong What was found, if it is not as expected. */
function row(place: string, expected: string, wrong: string | undefined): ExpectationResult {
  return { place, expected, found: wrong ?? 'as expected', ok: wrong === undefined };
}
