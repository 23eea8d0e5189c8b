/** Finds the payments of a group that repeat one another, because its name may also stand for sales to other buyers. */
import type { StoredEntry } from '../../../../journal/stored-entry.ts';
import type { Evidence } from '../../../evidence/evidence.ts';
import { indexAfter } from '../../../evidence/exchange-order.ts';
import { createdIds } from '../../../evidence/exchange-results.ts';
import { isNamedOrder } from '../../../evidence/orders/order-names.ts';
import type { AttemptGroup } from '../../../purchases/attempts.ts';
import { duplicateConfidence } from '../../../client-knowledge/duplicate-confidence.ts';

/**
 * Splits the payments of a group into runs of which each payment likely repeats the one before. Without such a run, all
 * payments are one.
 *
 * @param counted The ids of the payments that count.
 */
export function findLikelyRepeats(
  evidence: Evidence,
  group: AttemptGroup,
  counted: ReadonlyMap<string, unknown>,
): readonly (readonly StoredEntry[])[] {
  const made = group.attempts.filter((entry) => createdIds(entry).some((id) => counted.has(id)));
  if (made.length < 3 || group.hasInvoiceNumber) return [made];
  const runs: StoredEntry[][] = [];
  for (const next of made) {
    const run = runs.at(-1);
    const before = run?.at(-1);
    if (before !== undefined && isLikelyRepeat(evidence, group, before, next, counted)) {
      run?.push(next);
    } else runs.push([next]);
  }
  const repeats = runs.filter(({ length }) => length > 1);
  return repeats.length > 0 ? repeats : [made];
}

function isLikelyRepeat(
  evidence: Evidence,
  { operation, attempts, hasInvoiceNumber, description, purchase }: AttemptGroup,
  before: StoredEntry,
  next: StoredEntry,
  counted: ReadonlyMap<string, unknown>,
): boolean {
  if (isNamedOrder(evidence, next)) return true;
  const [from, to] = [indexAfter(attempts, before.seq - 1), indexAfter(attempts, next.seq)];
  const pair = {
    operation,
    attempts: attempts.slice(from, to),
    hasInvoiceNumber,
    description,
    purchase,
  };
  const confidence = duplicateConfidence(evidence, pair, counted);
  return confidence !== 'possible' && confidence !== 'unlikely';
}
