/** Equal payments that a client wants, although nothing in them tells them apart: those of a test, or of a person at a command line. */
import type { StoredEntry } from '../../journal/stored-entry.ts';
import { isCaptureSentBefore } from '../evidence/captures.ts';
import { areCardsStoredInTurn } from '../evidence/cards.ts';
import type { Evidence } from '../evidence/evidence.ts';
import { everyPair, somePair } from '../evidence/exchange-order.ts';
import type { JournalIndex } from '../evidence/journal-index.ts';
import { hasOrderName, isNamedOrder, isPointOfSale } from '../evidence/orders/order-names.ts';
import type { AttemptGroup } from '../purchases/attempts.ts';
import { splitIntoSeries } from '../purchases/series.ts';
import { lastWithKey } from './idempotency-keys.ts';
import { isSentAtOnce } from './parallel/connections.ts';
import { isReversalSentBefore } from './reversal.ts';
import { wasPending } from './unknown-outcomes.ts';

/** A click comes two or three times, and a retry mostly gives up after four requests. */
const minSeries = 5;

/**
 * Whether a client made many equal payments without any name, and received an answer to each, if need be to a repeat with
 * the same request id: a test suite, a load test, or a person who tries things out. A client that pays again because a sale
 * is pending stops at one that is not, so pending ones do not make a series.
 */
export function isNamelessSeries(
  journal: JournalIndex,
  { operation, attempts }: Pick<AttemptGroup, 'operation' | 'attempts'>,
  successes: readonly StoredEntry[],
): boolean {
  return (
    operation === 'payment.create' &&
    attempts.every((entry) => lastWithKey(journal, entry).concludes !== 'UNKNOWN') &&
    successes.filter((entry) => !wasPending(journal, entry)).length >= minSeries &&
    !successes.some((entry) => hasOrderName(journal, entry))
  );
}

/** Equal payments that succeeded, without those of a series without a name, in which one comes soon after the other. */
export function withoutNamelessSeries(
  journal: JournalIndex,
  equal: readonly StoredEntry[],
): readonly StoredEntry[] {
  if (equal.length < minSeries) return equal;
  const inSeries = new Set(
    splitIntoSeries([['', equal]], () => false)
      .map(({ entries }) => entries)
      .filter((attempts) =>
        isNamelessSeries(journal, { operation: 'payment.create', attempts }, attempts),
      )
      .flat(),
  );
  return equal.filter((entry) => !inSeries.has(entry));
}

/**
 * Whether the client had gone on with each payment before it made the next one: it refunded, voided or, without a name for
 * both, captured it. So it did not take that payment for a failure.
 */
export function areUsedInTurn(
  evidence: Evidence,
  { operation }: AttemptGroup,
  successes: readonly StoredEntry[],
): boolean {
  return (
    operation === 'payment.create' &&
    everyPair(
      successes,
      (before, next) =>
        isReversalSentBefore(evidence, before, next) ||
        (isCaptureSentBefore(evidence, before, next) && !hasOrderName(evidence, before)),
    )
  );
}

/** Whether one of these payments names an order of its own. An order that each test of a suite has is not one order. */
export function nameOneOrder(journal: JournalIndex, successes: readonly StoredEntry[]): boolean {
  return (
    successes.some((entry) => isNamedOrder(journal, entry)) &&
    !areCardsStoredInTurn(journal, successes)
  );
}

/**
 * Whether sales of which some were pending may have been for several buyers, because nothing names one order. A client that
 * pays again because a sale is pending stops at a completed one. A shop goes on selling after that, and a till or machine
 * also while all sales are pending.
 */
export function areSoldWhilePending(
  evidence: Evidence,
  { operation }: AttemptGroup,
  successes: readonly StoredEntry[],
): boolean {
  if (operation !== 'payment.create') return false;
  const firstPending = successes.findIndex((entry) => wasPending(evidence, entry));
  if (firstPending < 0) return false;
  const mayBeAny =
    successes.every(({ concludes }) => concludes === 'OK') && !nameOneOrder(evidence, successes);
  if (!mayBeAny) return false;
  const since = successes.slice(firstPending);
  return (
    somePair(
      since,
      (before, next) =>
        !wasPending(evidence, before) && isSentAtOnce(evidence, before, next) === false,
    ) || since.every((entry) => wasPending(evidence, entry) && isPointOfSale(evidence, entry))
  );
}
