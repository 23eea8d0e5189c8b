import type { OperationName } from '../../../contract/service/operation-name.ts';
import type { StoredEntry } from '../../../journal/stored-entry.ts';
import { memoize } from '../../../shared/memoize.ts';
import { cardIdsShownBy, isAnswerReceived } from '../../client-knowledge/disclosure.ts';
import { isFromOtherProcess } from '../../client-knowledge/processes.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import {
  gapMs,
  haveSeveralSenders,
  isOpenedBeforeBreak,
  isOtherAnsweredBetween,
  overlaps,
  somePair,
} from '../../evidence/exchange-order.ts';
import { groupBy } from '../../evidence/group-by.ts';
import type { Detection, FindingRule } from '../finding-rule.ts';

/** Finds clients that do not take a 204 without a body for success. */
export const mishandles204: FindingRule = {
  id: 'mishandles-204',
  severity: 'medium',
  about: 'A card was deleted again right after its deletion was answered with 204.',
  remedy: 'Treat 204 without a body as success, and do not parse the body.',
  find: findRepeatedDeletions,
};

/** A later deletion has another reason. */
const retryWindowMs = 5_000;

function* findRepeatedDeletions(evidence: Evidence): Generator<Detection> {
  const deletions = new Map<string, StoredEntry>();
  for (const entry of evidence.of('card.delete')) {
    const { cardId = '' } = entry;
    const deletion = deletions.get(cardId);
    const isRetry =
      deletion !== undefined &&
      !overlaps(deletion, entry) &&
      gapMs(deletion, entry) <= retryWindowMs &&
      !isShownAgain(evidence, deletion, entry);
    if (isRetry) {
      yield {
        what: `Card ${cardId} was deleted again although the answer to its deletion, 204, had arrived.`,
        evidence: [deletion, entry],
        // Two workers may close one account. A worker that did something else in between received the job again. Tests may
        // delete in their cleanup what they have deleted.
        ...((isTakenElsewhere(evidence) ||
          haveSeveralWorkers(evidence, entry) ||
          isFromOtherProcess(evidence, deletion, entry) ||
          isOtherAnsweredBetween(evidence.entries, deletion, entry)) && { severity: 'low' }),
        // A test may delete a card twice on purpose.
        confidence: 'possible',
      };
      deletions.delete(cardId);
    }
    if (isDeleted(entry)) deletions.set(cardId, entry);
  }
}

/** Whether the client takes 204 for success elsewhere: it did not delete another card again after that answer. */
const isTakenElsewhere = memoize((evidence: Evidence): boolean => {
  const byCard = groupBy(evidence.of('card.delete'), ({ cardId }) => cardId);
  return [...byCard.values()].some((deletions) => {
    const first = deletions.findIndex(isAnswered204);
    return first !== -1 && first === deletions.length - 1;
  });
});

/** Whether a deletion was answered with 204, and the answer arrived. */
function isAnswered204({ status, concludes }: StoredEntry): boolean {
  return status === 204 && concludes === 'OK';
}

/** The same, and nothing changed the answer on its way. */
function isDeleted(deletion: StoredEntry): boolean {
  return isAnswered204(deletion) && deletion.outcomes.length === 0;
}

/** What a worker sends that deletes a card: the deletion, and reads that show whether it was done. */
const deletionsAndReads: ReadonlySet<OperationName> = new Set(['card.delete', 'card.get']);

/** Whether several workers deleted a card. Any of their requests may show it, from the first deletion on. */
function haveSeveralWorkers(evidence: Evidence, { seq, cardId = '' }: StoredEntry): boolean {
  const all = evidence.about(cardId, deletionsAndReads);
  const first = all.findIndex(({ operation }) => operation === 'card.delete');
  const requests = all.slice(first).filter((request) => request.seq <= seq);
  return (
    haveSeveralSenders(requests) ||
    somePair(requests, (last, request) => isSentBeforeBreak(last, request))
  );
}

/** Whether a request was sent before the sandbox broke the connection of an earlier one. */
function isSentBeforeBreak(earlier: StoredEntry, later: StoredEntry): boolean {
  // When a client gave up, the sandbox notices it late.
  if (earlier.delivery.clientLeft) return false;
  return overlaps(earlier, later) || isOpenedBeforeBreak(later, earlier);
}

/**
 * Whether the client found the card once more. A stale read showed it after its deletion, or two pages of a list had shown
 * it, because the list shifted between them.
 */
function isShownAgain(
  evidence: Evidence,
  deletion: StoredEntry,
  { seq, cardId = '' }: StoredEntry,
): boolean {
  const reads = (readsShowing(evidence).get(cardId) ?? []).filter((read) => read.seq < seq);
  const pages = new Set(
    reads.filter(({ operation }) => operation === 'card.list').map(({ path }) => path),
  );
  return pages.size > 1 || reads.some((read) => read.seq > deletion.seq);
}

/** The answers that showed each card to the client. */
const readsShowing = memoize((evidence: Evidence): ReadonlyMap<string, readonly StoredEntry[]> => {
  const reads = new Map<string, StoredEntry[]>();
  for (const read of evidence.of('card.get', 'card.list').filter(isAnswerReceived)) {
    for (const id of cardIdsShownBy(read)) {
      const known = reads.get(id);
      if (known === undefined) reads.set(id, [read]);
      else known.push(read);
    }
  }
  return reads;
});
