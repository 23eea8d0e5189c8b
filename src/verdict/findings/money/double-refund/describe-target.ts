import type { StoredEntry } from '../../../../journal/stored-entry.ts';
import type { Evidence } from '../../../evidence/evidence.ts';
import { recordIdIn } from '../../../evidence/journal-index.ts';
import { describePurchase } from '../../../phrases.ts';

/** The sale or capture whose money these requests refund. */
export function describeTarget(
  { purchaseLookup }: Evidence,
  [first]: readonly StoredEntry[],
): string {
  const id = (first && recordIdIn(first)) ?? '';
  const purchase = purchaseLookup.byRecord(id);
  const kind = first?.operation === 'capture.refund' ? 'capture' : 'sale';
  return `${kind} ${id}${purchase === undefined ? '' : ` (${describePurchase(purchase)})`}`;
}
