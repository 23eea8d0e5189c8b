/** Looks for a payment that showed nothing, before the client paid again. */
import type { OperationName } from '../../../contract/service/operation-name.ts';
import type { StoredEntry } from '../../../journal/stored-entry.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import { bySeq, gapMs, lastBefore } from '../../evidence/exchange-order.ts';
import { createdIds } from '../../evidence/exchange-results.ts';
import { isNamedOrder } from '../../evidence/orders/order-names.ts';
import { idsWithRelated } from '../../evidence/records.ts';
import { sameIntentWindowMs } from '../../evidence/time-windows.ts';
import type { AttemptGroup } from '../../purchases/attempts.ts';
import { isDisclosedBefore } from '../disclosed-before-retry.ts';
import { shownIdsIn } from '../disclosure.ts';
import { lastListBetween } from './reads-by-id.ts';

/**
 * The last look of the client for what it had just paid, if that look did not show it and the client then paid again.
 *
 * @param successes The attempts that created a record.
 */
export function findMissedLook(
  evidence: Evidence,
  { operation }: AttemptGroup,
  successes: readonly StoredEntry[],
): StoredEntry | undefined {
  if (operation !== 'payment.create') return undefined;
  let before: StoredEntry | undefined;
  for (const next of successes) {
    const missed = before && missedLookBetween(evidence, before, next);
    if (missed !== undefined) return missed;
    before = next;
  }
  return undefined;
}

/** A read that failed, or a list of payments without a numbered order. A later look that shows the payment ends the doubt. */
function missedLookBetween(
  evidence: Evidence,
  before: StoredEntry,
  next: StoredEntry,
): StoredEntry | undefined {
  if (gapMs(before, next) > sameIntentWindowMs) return undefined;
  // What another answer had shown, the client knows, although a later look failed.
  if (before.concludes !== 'OK' && isDisclosedBefore(evidence, before, next)) return undefined;
  const read = lastReadBetween(evidence, before, next);
  const list = lastListBetween(evidence, before, next);
  const isRead = read?.concludes === 'OK';
  const isListed = list !== undefined && isShownIn(list, before);
  if (read && !isRead && !(isListed && list.seq > read.seq)) return read;
  if (list && !isListed && !(isRead && read.seq > list.seq) && isNamedOrder(evidence, before)) {
    return list;
  }
  return undefined;
}

const readsById: ReadonlySet<OperationName> = new Set(['payment.get', 'sale.get', 'auth.get']);

/** The last read of a payment, its sale or its authorization between two requests, whatever its answer was. */
function lastReadBetween(
  evidence: Evidence,
  before: StoredEntry,
  next: StoredEntry,
): StoredEntry | undefined {
  return createdIds(before)
    .flatMap((id) => idsWithRelated(id, evidence.records))
    .flatMap((id) => lastBefore(evidence.about(id, readsById), next) ?? [])
    .filter(({ seq }) => seq > before.seq)
    .toSorted(bySeq)
    .at(-1);
}

function isShownIn(list: StoredEntry, payment: StoredEntry): boolean {
  const shown = shownIdsIn(list);
  return createdIds(payment).some((id) => shown.includes(id));
}
