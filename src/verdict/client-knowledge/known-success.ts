/** What did a client know of an earlier success when it sent the next request for the same thing? */
import type { StoredEntry } from '../../journal/stored-entry.ts';
import type { Evidence } from '../evidence/evidence.ts';
import { gapMs } from '../evidence/exchange-order.ts';
import { createdIds } from '../evidence/exchange-results.ts';
import { sameIntentWindowMs } from '../evidence/time-windows.ts';
import type { AttemptGroup } from '../purchases/attempts.ts';
import {
  isDisclosedBefore,
  isDisclosedJustBefore,
  isDisclosedLongBefore,
} from './disclosed-before-retry.ts';
import { shownIdsIn } from './disclosure.ts';
import { isReadBefore, lastListBetween } from './reads/reads-by-id.ts';
import { isKeyResentAfter } from './idempotency-keys.ts';
import { moneyArrivedMs, UnknownOutcomes, wasPending } from './unknown-outcomes.ts';

/**
 * What a client knew of an earlier success when it sent a later request, from least to most.
 *
 * - `none`: no answer had shown it.
 * - `in-passing`: just before, an answer that also showed other records showed it.
 * - `doubtful`: the client had looked just before, or had seen a pending sale, and may have taken it for a failure.
 * - `clear`: anything else.
 */
export type Knowledge = (typeof knowledgeLevels)[number];

const knowledgeLevels = ['none', 'in-passing', 'doubtful', 'clear'] as const;

/**
 * What the client knew of an earlier success when it sent the next request that created a record.
 *
 * Of several such requests, the one counts before which it knew least. Only a success counts whose own answer had left it
 * unknown.
 *
 * @param successes The attempts that created a record.
 */
export function leastKnowledge(
  evidence: Evidence,
  { attempts }: AttemptGroup,
  successes: readonly StoredEntry[],
): Knowledge {
  const succeeded = new Set(successes);
  const unknown = new UnknownOutcomes(evidence);
  /** The success of each request id. A repeat with the id asks what became of it. */
  const successByKey = new Map<string, StoredEntry>();
  let least: Knowledge = 'clear';
  /** The latest success that stayed unknown when the client sent its request id for the last time. */
  let unresolved: StoredEntry | undefined;
  for (const entry of attempts) {
    const { requestId } = entry;
    const isSuccess = succeeded.has(entry);
    if (isSuccess && unresolved !== undefined) {
      least = lesser(least, knowledgeOf(evidence, unresolved, entry));
    }
    if (isSuccess && requestId !== undefined) successByKey.set(requestId, entry);
    unknown.add(entry);
    const own = isSuccess ? entry : undefined;
    const success = requestId === undefined ? own : successByKey.get(requestId);
    const isUnknown = success !== undefined && unknown.has(success);
    if (isUnknown && !isKeyResentAfter(evidence, success, entry)) unresolved = success;
  }
  return least;
}

function lesser(one: Knowledge, other: Knowledge): Knowledge {
  return knowledgeLevels.indexOf(one) < knowledgeLevels.indexOf(other) ? one : other;
}

function knowledgeOf(evidence: Evidence, first: StoredEntry, next: StoredEntry): Knowledge {
  const isRead = isReadBefore(evidence, first, next);
  if (!isRead && !isDisclosedLongBefore(evidence, first, next)) {
    return isDisclosedByOtherAnswer(evidence, first, next) ? 'in-passing' : 'none';
  }
  // A client that received a pending sale may not know that its money arrived later.
  const isDoubtful = isRead
    ? gapMs(first, next) <= sameIntentWindowMs
    : (wasPending(evidence, first) && !isListedPaidLongBefore(evidence, first, next)) ||
      isDisclosedJustBefore(evidence, first, next);
  return isDoubtful ? 'doubtful' : 'clear';
}

/**
 * Whether the last list that the client received showed a sale after its money had arrived, so long before the next payment
 * that the client may want a second one.
 */
function isListedPaidLongBefore(
  evidence: Evidence,
  first: StoredEntry,
  next: StoredEntry,
): boolean {
  const list = lastListBetween(evidence, first, next);
  if (list === undefined || gapMs(list, next) <= sameIntentWindowMs) return false;
  const shown = shownIdsIn(list);
  return (
    moneyArrivedMs(evidence, first) <= list.atMs &&
    createdIds(first).some((id) => shown.includes(id))
  );
}

/** Whether an answer to another request disclosed `first`, whose own answer did not. */
function isDisclosedByOtherAnswer(
  evidence: Evidence,
  first: StoredEntry,
  entry: StoredEntry,
): boolean {
  return first.concludes !== 'OK' && isDisclosedBefore(evidence, first, entry);
}
