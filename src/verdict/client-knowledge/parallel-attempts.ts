/** One thing that was asked for by several requests at once, with nothing to tie them together. */
import type { StoredEntry } from '../../journal/stored-entry.ts';
import type { Evidence } from '../evidence/evidence.ts';
import { madeBy } from '../evidence/created-ids.ts';
import { once } from '../evidence/memoize.ts';
import type { Task } from '../purchases/attempts.ts';
import { UnderWay } from './overlap.ts';

/** Attempts that were under way beside another one which does not carry the same request id. */
export const sentTogether = once(({ attempts }: Task): ReadonlySet<StoredEntry> => {
  const together = new Set<StoredEntry>();
  const open = new UnderWay();
  const alone = new UnderWay();
  for (const entry of attempts) {
    const { requestId } = entry;
    const isTied = (other: StoredEntry) => requestId !== undefined && other.requestId === requestId;
    open.beside(entry);
    if (open.isAnyBut(requestId)) {
      for (const other of alone.beside(entry)) if (!isTied(other)) together.add(other);
      alone.keep(isTied);
      together.add(entry);
    } else alone.add(entry);
    open.add(entry);
  }
  return together;
});

/**
 * Whether `custom` names one order that was paid several times at once: no other payment carries it. Two clicks are so,
 * while two buyers have orders of their own, and a shop that writes one word into every purchase has more of them.
 */
export function isOneOrderAtOnce(evidence: Evidence, task: Task): boolean {
  const { operation, purchase } = task;
  if (operation !== 'payment.create' || purchase === undefined) return false;
  const made = task.attempts.flatMap(madeBy);
  const customs = new Set(made.map((id) => customOf(evidence, id)));
  const [custom] = customs;
  if (customs.size !== 1 || custom === undefined) return false;
  if (paymentsUnder(evidence).get(custom) !== made.length) return false;
  return [...sentTogether(task)].filter(({ committed }) => committed).length > 1;
}

/** How many payments that requests in the journal made carry each `custom`. */
const paymentsUnder = once((evidence: Evidence): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>();
  for (const id of evidence.of('payment.create').flatMap(madeBy)) {
    const custom = customOf(evidence, id);
    if (custom !== undefined) counts.set(custom, (counts.get(custom) ?? 0) + 1);
  }
  return counts;
});

/** As the record holds it. */
function customOf({ records }: Evidence, paymentId: string): string | undefined {
  return records.payments.get(paymentId)?.transaction.custom;
}
