/** Holds what happened against what a scenario, or whoever asks, says should be true. */
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
import type { Finding } from './collect-findings.ts';
import type { Evidence } from './evidence/evidence.ts';
import { createdIds } from './evidence/exchange-results.ts';
import { groupBy } from './evidence/group-by.ts';
import type { Charge } from './purchases/charge.ts';

export type ExpectationResult = z.output<typeof Verdict>['expectations'][number];

/** What is held against expectations. */
export interface Facts {
  readonly evidence: Evidence;
  readonly findings: readonly Finding[];
  readonly held: readonly CheckedBelief[];
}

type Count = number | string;

/** One row for each thing that is expected, in the order of the schema. */
export function evaluateExpectations(expected: Expectations, facts: Facts): ExpectationResult[] {
  return [
    ...salesRows(expected.sales, facts),
    ...attemptRows(expected.attempts, facts),
    ...moneyRows(expected, facts),
    ...clientRows(expected, facts),
  ];
}

function salesRows(expected: Expectations['sales'], { evidence }: Facts): ExpectationResult[] {
  if (expected === undefined) return [];
  const paid = evidence.charges.filter(isPaid);
  const { total, perIntent, byCard = {}, states = {}, onCard = {}, onDeletedCard } = expected;
  return [
    ...counted('sales.total', total, () => [paymentsOf(paid)]),
    ...counted('sales.perIntent', perIntent, () =>
      evidence.purchases.map(({ charges }) => salesOf(charges)),
    ),
    ...Object.entries(byCard).flatMap(([ref, count]) =>
      counted(`sales.byCard.${ref}`, count, () => [paymentsOf(onNamed(evidence, paid, ref))]),
    ),
    ...Object.entries(states).flatMap(([state, count]) =>
      counted(`sales.states.${state}`, count, () => [
        paymentsOf(evidence.charges.filter((charge) => charge.state === state)),
      ]),
    ),
    ...Object.entries(onCard).flatMap(([ref, { after, count }]) =>
      counted(`sales.onCard.${ref}`, count, () => [
        paymentsOf(onNamed(evidence, paid, ref).filter(({ atMs }) => atMs > after)),
      ]),
    ),
    ...counted('sales.onDeletedCard', onDeletedCard, () => [
      paymentsOf(
        paid.filter(
          ({ cardId = '', entry }) => (evidence.cardDeletions.get(cardId) ?? Infinity) < entry.seq,
        ),
      ),
    ]),
  ];
}

function attemptRows(expected: Expectations['attempts'], { evidence }: Facts): ExpectationResult[] {
  const { perIntent, byCard = {} } = expected ?? {};
  return [
    ...counted('attempts.perIntent', perIntent, () =>
      evidence.purchases.map(({ attempts }) => attempts.length),
    ),
    ...Object.entries(byCard).flatMap(([ref, count]) =>
      counted(`attempts.byCard.${ref}`, count, () => [
        onNamed(evidence, evidence.of('payment.create'), ref).length,
      ]),
    ),
  ];
}

function moneyRows(
  { orphans, refunds, ledger, cards }: Expectations,
  facts: Facts,
): ExpectationResult[] {
  const { evidence } = facts;
  const made = refundsMade(evidence);
  const perSale = refunds?.perSale;
  return [
    ...counted('orphans', orphans, () => [
      evidence.charges.filter(({ known, retainedMinor }) => known === 'never' && retainedMinor > 0)
        .length,
    ]),
    ...counted('refunds.total', refunds?.total, () => [made.length]),
    ...counted('refunds.perSale.count', perSale?.count, () =>
      [...groupBy(made, ({ of }) => of.id).values()].map(({ length }) => length),
    ),
    ...(perSale?.total === undefined
      ? []
      : [judged('refunds.perSale.total', perSale.total, refundsBeyond(evidence, perSale.total))]),
    ...(ledger === undefined ? [] : [ledgerRow(ledger, evidence)]),
    ...counted('cards.total', cards?.total, () => [evidence.cardCount]),
    ...counted('cards.perPan', cards?.perPan, () => storedPerNumber(evidence)),
  ];
}

function clientRows(expected: Expectations, facts: Facts): ExpectationResult[] {
  const { evidence, findings, held } = facts;
  const { requests = {}, sameRequestId = [], beliefs, webhooks } = expected;
  return [
    ...Object.entries(requests).flatMap(([word, count]) =>
      counted(`requests.${word}`, count, () => [evidence.of(...resolveOperations(word)).length]),
    ),
    ...sameRequestId.map((word) => {
      const [odd] = repeatsWithOtherKey(evidence, word);
      return judged(`sameRequestId.${word}`, 'one id for each purchase', odd);
    }),
    ...(expected.findings?.none ?? []).map((id) => noFinding(id, findings)),
    ...counted('beliefs.paidWithoutCompletedSale', beliefs?.paidWithoutCompletedSale, () => [
      held.filter(isPaidWithoutMoney).length,
    ]),
    ...(webhooks === undefined
      ? []
      : [judged('webhooks', 'judged', 'this version delivers no webhooks')]),
  ];
}

function noFinding(id: FindingId, findings: readonly Finding[]): ExpectationResult {
  const found = findings.find(({ rule, suppressed }) => rule === id && suppressed === undefined);
  return judged(
    `findings.none.${id}`,
    'not found',
    found && `found: ${found.what.replace(/\.$/, '')}`,
  );
}

/** Money came, whatever happened to it later. */
function isPaid({ state }: Charge): boolean {
  return state !== 'pending' && state !== 'denied';
}

/** Captures of one authorization are one sale. */
function paymentsOf(charges: readonly Charge[]): number {
  return new Set(charges.map(({ paymentId }) => paymentId)).size;
}

/** What was given back whole does not count beside what was not: somebody has put it right. */
function salesOf(charges: readonly Charge[]): number {
  const paid = charges.filter(isPaid);
  const held = paymentsOf(paid.filter(({ retainedMinor }) => retainedMinor > 0));
  return held > 0 ? held : Math.min(1, paid.length);
}

/** Refunds that requests in the journal made, but for those that failed: their money is where it was. */
function refundsMade(evidence: Evidence): Refund[] {
  return evidence
    .of('sale.refund', 'capture.refund')
    .flatMap((entry) => leftOf(entry, evidence.records.refunds))
    .filter(({ settlement }) => settlement !== 'failed');
}

/** What a request made, as far as it is still there. */
function leftOf<T>(entry: StoredEntry, records: Records<T>): T[] {
  return createdIds(entry).flatMap((id) => records.get(id) ?? []);
}

/** Of charges or attempts those with a card that is named as scenarios name it. */
function onNamed<T extends { readonly cardId: string | undefined }>(
  { givenCards }: Evidence,
  all: readonly T[],
  named: string,
): T[] {
  const id = resolveCardId(givenCards, named);
  return all.filter(({ cardId }) => cardId === id);
}

function refundsBeyond({ charges }: Evidence, bound: '<=sale' | '=sale'): string | undefined {
  // What took no money has none to give back.
  const off = charges.find(({ hasTakenMoney, refundedMinor, amount }) =>
    bound === '=sale'
      ? hasTakenMoney && refundedMinor !== amount.minor
      : refundedMinor > amount.minor,
  );
  return off && `${off.refundedMinor} of ${off.amount.minor} minor units of sale ${off.id}`;
}

function ledgerRow(
  expected: NonNullable<Expectations['ledger']>,
  evidence: Evidence,
): ExpectationResult {
  if (expected === 'balanced') {
    const odd = evidence.balances.find(
      (accounts) => accounts.cardholders + accounts.merchant !== 0,
    );
    return judged('ledger', 'balanced', odd && JSON.stringify(odd));
  }
  const most = Number(expected.lossPerSale.replace(/\D/g, ''));
  // Captures of one authorization are one sale: each has back what was taken by all of them.
  for (const { id, paymentId } of evidence.charges) {
    const turnover = evidence.turnoverOf(paymentId);
    if (turnover === undefined) continue;
    const { chargedMinor, netMinor } = turnover;
    const lost = chargedMinor - netMinor;
    if (lost <= most * chargedMinor) continue;
    const wrong = `${lost} of ${chargedMinor} minor units of sale ${id}`;
    return judged('ledger.lossPerSale', expected.lossPerSale, wrong);
  }
  return judged('ledger.lossPerSale', expected.lossPerSale, undefined);
}

/**
 * How often each card that was stored is in the vault. Numbers are gone, so cards are told apart by what the journal
 * shows of them.
 */
function storedPerNumber(evidence: Evidence): number[] {
  const perNumber = groupBy(evidence.of('card.create'), ({ intent }) => intent);
  return [...perNumber.values()].map(
    (entries) => entries.flatMap((entry) => leftOf(entry, evidence.records.cards)).length,
  );
}

function repeatsWithOtherKey(evidence: Evidence, word: string): string[] {
  return triesOf(evidence, word).flatMap((tries) => {
    const ids = new Set(tries.map(({ requestId }) => requestId));
    const isSame = tries.length === 1 || (ids.size === 1 && !ids.has(undefined));
    return isSame ? [] : [`${tries.length} tries with ${ids.size} ids`];
  });
}

/** Requests by what they were for; of several operations those that must not be done twice. */
function triesOf(evidence: Evidence, word: string): (readonly StoredEntry[])[] {
  const names = resolveOperations(word);
  const tasks = evidence.attemptGroups.filter(({ operation }) => names.includes(operation));
  if (tasks.length > 0 || isPattern(word)) return tasks.map(({ attempts }) => attempts);
  return [...groupBy(evidence.of(...names), ({ intent }) => intent).values()];
}

/** Every count must be within the bound; the first one that is not is told. */
function counted(
  place: string,
  bound: Count | undefined,
  counts: () => number[],
): ExpectationResult[] {
  if (bound === undefined) return [];
  const found = counts();
  const wrong = found.find((count) => !isWithin(count, bound));
  const shown = wrong ?? found.reduce((most, count) => Math.max(most, count), 0);
  return [{ place, expected: String(bound), found: String(shown), ok: wrong === undefined }];
}

function isWithin(count: number, bound: Count): boolean {
  if (typeof bound === 'number') return count === bound;
  const limit = Number(bound.replace(/\D/g, ''));
  if (bound.startsWith('<=')) return count <= limit;
  if (bound.startsWith('>=')) return count >= limit;
  return bound.startsWith('<') ? count < limit : count > limit;
}

/** `wrong` says what was found where it is not as expected. */
function judged(place: string, expected: string, wrong: string | undefined): ExpectationResult {
  return { place, expected, found: wrong ?? 'as expected', ok: wrong === undefined };
}
