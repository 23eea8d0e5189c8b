/** Whether what was done several times was wanted once. */
import type { StoredEntry } from '../../journal/stored-entry.ts';
import { isDisclosedBefore, isDisclosedLongBefore } from './disclosed-before-retry.ts';
import { isReadBefore } from './disclosure.ts';
import { isKeyResentAfter } from './idempotency-keys.ts';
import { isOneOrderInParallel } from './overlap.ts';
import { UnknownOutcomes } from './unknown-outcomes.ts';
import type { Evidence } from '../evidence/evidence.ts';
import { gapMs } from '../evidence/exchange-order.ts';
import { createdIds } from '../evidence/exchange-results.ts';
import type { AttemptGroup } from '../purchases/attempts.ts';
import { sameIntentWindowMs } from '../purchases/series.ts';

/** How sure it is that a thing was wanted once: `hardly-anew` is as grave as what is certain, and only likely. */
export type DuplicateConfidence = 'certain' | 'hardly-anew' | 'likely' | 'possible';

/**
 * How sure it is that a client which did a thing several times wanted it once. It is certain where it gave it a name, or
 * one request id, sent one request for it, or could not know of one that it was done, and never sent that one again. It
 * is hardly anew where an answer about others too had just shown it that one. `custom` makes it likely where it had read
 * that one by its id just before, had been shown some time before that it was pending, or sent both at once. `made` are
 * ids of what was made.
 */
export function duplicateConfidence(
  evidence: Evidence,
  task: AttemptGroup,
  made: ReadonlySet<string>,
): DuplicateConfidence {
  if (task.isNamed) return 'certain';
  const doubts = new UnknownOutcomes(evidence);
  const makers = new Map<string, StoredEntry>();
  let left: StoredEntry | undefined;
  let isRepeated = false;
  let isSoon = false;
  for (const entry of task.attempts) {
    const { requestId } = entry;
    const own = createdIds(entry).filter((id) => made.has(id));
    if (own.length > 1) return 'certain';
    if (own.length > 0) {
      if (requestId !== undefined && makers.has(requestId)) return 'certain';
      if (left !== undefined) {
        const isRead = isReadBefore(evidence, left, entry);
        const isToldOf = isRead || isDisclosedLongBefore(evidence, left, entry);
        if (!isToldOf && !isListedBefore(evidence, left, entry)) return 'certain';
        if (!isToldOf) isSoon = true;
        // Whoever was shown a sale that was pending may not have known that its money came.
        if (isRead ? gapMs(left, entry) <= sameIntentWindowMs : doubts.wasPending(left))
          isRepeated = true;
      }
      if (requestId !== undefined) makers.set(requestId, entry);
    }
    doubts.add(entry);
    const maker =
      requestId !== undefined ? makers.get(requestId) : own.length > 0 ? entry : undefined;
    if (maker !== undefined && doubts.has(maker) && !isKeyResentAfter(evidence, maker, entry)) {
      left = maker;
    }
  }
  if (isSoon) return 'hardly-anew';
  const isLikely = (isRepeated && isNamedInCustom(task)) || isOneOrderInParallel(evidence, task);
  return isLikely ? 'likely' : 'possible';
}

/** Whether it was shown that one before, whose own answer told it nothing. */
function isListedBefore(evidence: Evidence, left: StoredEntry, entry: StoredEntry): boolean {
  return left.concludes !== 'OK' && isDisclosedBefore(evidence, left, entry);
}

/** It may name the purchase, or be the same for all that one buyer pays. */
function isNamedInCustom({ operation, purchase }: AttemptGroup): boolean {
  return operation === 'payment.create' && purchase?.custom !== undefined;
}
