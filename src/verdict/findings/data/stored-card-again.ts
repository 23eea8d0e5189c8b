import { namedCustomerOf } from '../../evidence/request-fields.ts';
import { serviceProblems } from '../../../contract/problems.ts';
import type { StoredEntry } from '../../../journal/stored-entry.ts';
import { groupIdenticalCards } from '../../evidence/cards.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import { hasForcedEffect, isDone } from '../../evidence/exchange-results.ts';
import { consecutivePairs, gapMs } from '../../evidence/exchange-order.ts';
import { groupBy } from '../../evidence/group-by.ts';
import { firstExamples, formatTimes } from '../../phrases.ts';
import type { Detection, FindingRule } from '../finding-rule.ts';

/** Finds cards that were stored again although the vault had them. */
export const storedCardAgain: FindingRule = {
  id: 'stored-card-again',
  severity: 'medium',
  about: 'A card was stored again after a 404, or for every payment.',
  remedy: 'Keep the id of a stored card. If a read answers 404 at first, wait and read it again.',
  find: findCardsStoredAgain,
};

/** A stale replica has caught up by then. */
const replicaLagMs = 60_000;

/** A test may store one card twice; a shop that stores it for every payment soon does it this often. */
const minStores = 3;

function* findCardsStoredAgain(evidence: Evidence): Generator<Detection> {
  const firstMisses = findFirstMisses(evidence);
  const paymentsByNewCard = groupBy(evidence.of('payment.create'), ({ cardId }) => cardId);
  /** Whether the new entry paid for another purchase than the one that was missed: then it was stored for that one. */
  const isForOther = ({ miss, again }: StoreAfterMiss): boolean => {
    const [payment] = paymentsByNewCard.get(again.subject) ?? [];
    return (
      miss.operation === 'payment.create' && payment !== undefined && payment.intent !== miss.intent
    );
  };
  const storesOfCards = groupIdenticalCards(evidence).map((stores) => stores.filter(isDone));
  const isAnyStoredOften = storesOfCards.some(({ length }) => length >= minStores);
  const payments = isAnyStoredOften
    ? evidence.of('payment.create').filter(({ committed }) => committed)
    : [];
  const paymentsByCard = groupBy(payments, ({ cardId }) => cardId);
  for (const stores of storesOfCards) {
    const storedAgain = findStoresAfterMiss(evidence, stores, firstMisses).filter(
      (one) => !isForOther(one),
    );
    const [first] = storedAgain;
    if (first !== undefined) {
      yield {
        what: `Card ${first.before.subject ?? ''} was answered with 404 right after it was stored, and the client stored it again as ${first.again.subject ?? ''}.`,
        evidence: firstExamples(
          storedAgain.flatMap(({ before, miss, again }) => [before, miss, again]),
        ),
        confidence: 'likely',
      };
    } else if (isStoredForEveryPayment(evidence, stores, paymentsByCard)) {
      yield {
        what: `The same card of one customer was stored ${formatTimes(stores.length)}, and each copy was used for one payment.`,
        evidence: firstExamples(stores),
        severity: 'low',
        confidence: 'possible',
      };
    }
  }
}

/** A card that was stored, missed and stored again. */
interface StoreAfterMiss {
  readonly before: StoredEntry;
  readonly miss: StoredEntry;
  readonly again: StoredEntry;
}

function findStoresAfterMiss(
  { cardDeletions }: Evidence,
  stores: readonly StoredEntry[],
  firstMisses: ReadonlyMap<string, StoredEntry>,
): StoreAfterMiss[] {
  return consecutivePairs(stores).flatMap(([before, again]) => {
    const { subject = '' } = before;
    const miss = firstMisses.get(subject);
    return miss !== undefined &&
      miss.seq < again.seq &&
      gapMs(before, miss) <= replicaLagMs &&
      gapMs(miss, again) <= replicaLagMs &&
      (cardDeletions.get(subject) ?? Infinity) > again.seq
      ? [{ before, miss, again }]
      : [];
  });
}

/** Without a customer id, similar cards may be different ones. A deleted card may be stored again. */
function isStoredForEveryPayment(
  evidence: Evidence,
  stores: readonly StoredEntry[],
  paymentsByCard: ReadonlyMap<string | undefined, readonly StoredEntry[]>,
): boolean {
  const [first] = stores;
  if (stores.length < minStores || first === undefined) return false;
  if (namedCustomerOf(evidence.bodyOf(first)) === undefined) return false;
  return stores.every(
    ({ subject = '' }) =>
      !evidence.cardDeletions.has(subject) && paymentsByCard.get(subject)?.length === 1,
  );
}

/** The first 404 for each card, by the card's id. */
function findFirstMisses(evidence: Evidence): ReadonlyMap<string, StoredEntry> {
  const misses = new Map<string, StoredEntry>();
  for (const entry of evidence.of('card.get', 'payment.create', 'card.update')) {
    if (entry.problem !== serviceProblems['not-found'].name) continue;
    // A forced refusal says that the card is gone. Only a stale read shows it again later.
    if (hasForcedEffect(entry, 'error') || hasForcedEffect(entry, 'card-deleted')) continue;
    const id = entry.cardId ?? entry.path.match(/\/([^/?]+)\/?(?:\?|$)/)?.[1];
    if (id !== undefined && !misses.has(id)) misses.set(id, entry);
  }
  return misses;
}
