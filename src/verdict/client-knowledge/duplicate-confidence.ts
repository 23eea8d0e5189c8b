/**
 * How sure is it that a client which did the same thing several times wanted it once?
 *
 * Two equal payments may be one purchase charged twice or two purchases. What the client knew when it sent the later
 * request decides.
 */
import type { StoredEntry } from '../../journal/stored-entry.ts';
import type { Evidence } from '../evidence/evidence.ts';
import { gapMs } from '../evidence/exchange-order.ts';
import { createdIds } from '../evidence/exchange-results.ts';
import type { AttemptGroup } from '../purchases/attempts.ts';
import { sameIntentWindowMs } from '../purchases/series.ts';
import {
  isDisclosedBefore,
  isDisclosedJustBefore,
  isDisclosedLongBefore,
} from './disclosed-before-retry.ts';
import { isReadBefore } from './disclosure.ts';
import { isKeyResentAfter } from './idempotency-keys.ts';
import { isOneThingInParallel } from './overlap.ts';
import { UnknownOutcomes } from './unknown-outcomes.ts';

/** How sure it is that a thing was wanted once. `near-certain` is as severe as `certain`, and only likely. */
export type DuplicateConfidence = 'certain' | 'near-certain' | 'likely' | 'possible' | 'unlikely';

/**
 * Says how sure it is that the requests of a group were meant to be carried out once.
 *
 * - `certain`: the requests share an invoice number or a request id, one request was carried out twice, or the client
 *   could not know that an earlier one had succeeded and never sent that one again.
 * - `near-certain`: just before the later request, an answer that also showed other records showed the earlier success.
 * - `likely`: the requests share `custom`, and the client had read the earlier record by id just before, had seen it
 *   pending some time before, had looked for it just before and did not recognize it, or sent both at once.
 * - `unlikely`: the client knew of each one, and the next one came so much later that it may be for something else.
 * - `possible`: anything else.
 *
 * @param createdRecordIds The records that count, for example payments whose money was not refunded.
 */
export function duplicateConfidence(
  evidence: Evidence,
  group: AttemptGroup,
  createdRecordIds: ReadonlySet<string>,
): DuplicateConfidence {
  if (group.isNamed) return 'certain';
  const unknown = new UnknownOutcomes(evidence);
  const creators = new Map<string, StoredEntry>();
  let unresolved: StoredEntry | undefined;
  let isRepeated = false;
  let isSoonAfterDisclosure = false;
  for (const entry of group.attempts) {
    const { requestId } = entry;
    const own = createdIds(entry).filter((id) => createdRecordIds.has(id));
    if (own.length > 1) return 'certain';
    if (own.length > 0) {
      if (requestId !== undefined && creators.has(requestId)) return 'certain';
      if (unresolved !== undefined) {
        const isRead = isReadBefore(evidence, unresolved, entry);
        const isKnown = isRead || isDisclosedLongBefore(evidence, unresolved, entry);
        if (!isKnown && !isDisclosedByOtherAnswer(evidence, unresolved, entry)) return 'certain';
        if (!isKnown) isSoonAfterDisclosure = true;
        // A client that received a pending sale may not know that its money arrived later.
        const isRepeat = isRead
          ? gapMs(unresolved, entry) <= sameIntentWindowMs
          : unknown.wasPending(unresolved) || isDisclosedJustBefore(evidence, unresolved, entry);
        if (isRepeat) isRepeated = true;
      }
      if (requestId !== undefined) creators.set(requestId, entry);
    }
    unknown.add(entry);
    const creator =
      requestId !== undefined ? creators.get(requestId) : own.length > 0 ? entry : undefined;
    if (
      creator !== undefined &&
      unknown.has(creator) &&
      !isKeyResentAfter(evidence, creator, entry)
    ) {
      unresolved = creator;
    }
  }
  if (isSoonAfterDisclosure) return 'near-certain';
  const isLikely = (isRepeated && hasCustom(group)) || isOneThingInParallel(evidence, group);
  if (isLikely) return 'likely';
  const makers = group.attempts.filter((entry) =>
    createdIds(entry).some((id) => createdRecordIds.has(id)),
  );
  return areFarApart(makers) ? 'unlikely' : 'possible';
}

function areFarApart(makers: readonly StoredEntry[]): boolean {
  return makers.every((entry, at) => {
    const before = makers[at - 1];
    return before === undefined || gapMs(before, entry) > sameIntentWindowMs;
  });
}

/** Whether an answer to another request disclosed `first`, whose own answer did not. */
function isDisclosedByOtherAnswer(
  evidence: Evidence,
  first: StoredEntry,
  entry: StoredEntry,
): boolean {
  return first.concludes !== 'OK' && isDisclosedBefore(evidence, first, entry);
}

/** `custom` may name the purchase, or be the same for everything that one buyer pays. */
function hasCustom({ operation, purchase }: AttemptGroup): boolean {
  return operation === 'payment.create' && purchase?.custom !== undefined;
}
