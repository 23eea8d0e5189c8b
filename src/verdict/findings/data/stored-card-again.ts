import type { FindingRule, Detection } from '../finding-rule.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import { groupIdenticalCards } from '../../evidence/cards.ts';
import { wasStored, customerOf } from './stored-cards.ts';
import { groupBy } from '../../evidence/group-by.ts';
import { gapMs } from '../../evidence/exchange-order.ts';
import { firstExamples, formatTimes } from '../../phrases.ts';
import type { StoredEntry } from '../../../journal/stored-entry.ts';
import { problems } from '../../../contract/problems.ts';

/** A card was stored again because its id was not found at once, or for every payment. */
export const storedCardAgain: FindingRule = {
  id: 'stored-card-again',
  severity: 'medium',
  about: 'A card was stored again because its id was not found at once, or for every payment.',
  remedy: 'Keep the id of a stored card; where it is not found yet, wait and read it again.',
  find: cardsStoredAgain,
};

/** A replica that lags is through with it by then. */
const freshMs = 60_000;

/** Tests store one card now and then; a shop that does so for each payment has done it this often soon. */
const manyTimes = 3;

function* cardsStoredAgain(evidence: Evidence): Generator<Detection> {
  const { cardDeletions } = evidence;
  const missed = missedCards(evidence);
  const same = groupIdenticalCards(evidence).map((stores) => stores.filter(wasStored));
  const isAnyOften = same.some(({ length }) => length >= manyTimes);
  const paid = isAnyOften ? evidence.of('payment.create').filter(({ committed }) => committed) : [];
  const paidWith = groupBy(paid, ({ cardId }) => cardId);
  for (const stores of same) {
    const again = stores.flatMap((store, at) => {
      const before = stores[at - 1];
      const miss = before?.subject === undefined ? undefined : missed.get(before.subject);
      return before !== undefined &&
        miss !== undefined &&
        miss.seq < store.seq &&
        gapMs(before, miss) <= freshMs &&
        gapMs(miss, store) <= freshMs &&
        (cardDeletions.get(before.subject ?? '') ?? Infinity) > miss.seq
        ? [{ before, miss, store }]
        : [];
    });
    const [first] = again;
    if (first !== undefined) {
      yield {
        what: `Card ${first.before.subject ?? ''} was not found right after it was stored, and was stored again as ${first.store.subject ?? ''}.`,
        evidence: firstExamples(again.flatMap(({ before, miss, store }) => [before, miss, store])),
        confidence: 'likely',
      };
    } else if (isForEveryPayment(evidence, stores, cardDeletions, paidWith)) {
      yield {
        what: `The same card of one customer was stored ${formatTimes(stores.length)}, and paid with once each time.`,
        evidence: firstExamples(stores),
        severity: 'low',
        confidence: 'possible',
      };
    }
  }
}

/** Without a customer's id two cards that look the same need not be one, and what was deleted is stored anew. */
function isForEveryPayment(
  evidence: Evidence,
  stores: readonly StoredEntry[],
  deletedAt: ReadonlyMap<string, number>,
  paidWith: ReadonlyMap<string | undefined, readonly StoredEntry[]>,
): boolean {
  const [first] = stores;
  if (stores.length < manyTimes || first === undefined) return false;
  if (customerOf(evidence.bodyOf(first)) === undefined) return false;
  return stores.every(
    ({ subject = '' }) => !deletedAt.has(subject) && paidWith.get(subject)?.length === 1,
  );
}

/** The first answer that did not find a card, by the card's id. */
function missedCards(evidence: Evidence): ReadonlyMap<string, StoredEntry> {
  const missed = new Map<string, StoredEntry>();
  for (const entry of evidence.of('card.get', 'payment.create', 'card.update')) {
    if (entry.problem !== problems['not-found'].name) continue;
    const id = entry.cardId ?? entry.path.match(/\/([^/?]+)\/?(?:\?|$)/)?.[1];
    if (id !== undefined && !missed.has(id)) missed.set(id, entry);
  }
  return missed;
}
