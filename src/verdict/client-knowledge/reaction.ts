/**
 * Did the client send a request because it could not know what became of an earlier one?
 *
 * A request with a request id carries out what the client decided when it first sent that id.
 */
import type { StoredEntry } from '../../journal/stored-entry.ts';
import {
  isOpenedBefore,
  isOpenedBeforeBreak,
  outlasts,
  overlaps,
} from '../evidence/exchange-order.ts';
import type { JournalIndex } from '../evidence/journal-index.ts';
import { firstWithKey, isKeyResentAfter } from './idempotency-keys.ts';
import { isReversedBefore } from './reversal.ts';

/**
 * Whether the client may have decided on a request because it did not know what became of an earlier one. It did not if
 * it sent both at once: two cards may share a bill.
 */
export function isReaction(earlier: StoredEntry, decided: StoredEntry): boolean {
  if (decided.seq < earlier.seq) return false;
  if (earlier.delivery.clientLeft) return !outlasts(earlier, decided);
  return !(
    overlaps(earlier, decided) ||
    isOpenedBefore(decided, earlier) ||
    isOpenedBeforeBreak(decided, earlier)
  );
}

/**
 * Whether the client may have sent a request in place of an earlier one, whose outcome was unknown. It did not if it
 * repeated the earlier one later, or had refunded or voided what that one did.
 */
export function isReplacement(
  journal: JournalIndex,
  earlier: StoredEntry,
  later: StoredEntry,
): boolean {
  return (
    isReaction(earlier, firstWithKey(journal, later)) &&
    !isKeyResentAfter(journal, earlier, later) &&
    !isReversedBefore(journal, earlier, later)
  );
}
