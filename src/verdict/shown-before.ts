/** What a client had been shown of a request before it asked for the same again, though the first answer said nothing. */
import type { KeptEntry } from '../journal/kept-entry.ts';
import type { Evidence } from './evidence.ts';
import { Lookups } from './lookups.ts';
import { madeBy } from './made-by.ts';
import { once } from './once.ts';
import { windowMs } from './series.ts';
import type { Task } from './task.ts';
import { tells, toldOf } from './told.ts';
import { gapMs } from './trail.ts';

/** Whether an answer, with its id, or a read between the two showed the client that `doubt` had been carried out. */
export function isShownBefore(
  evidence: Evidence,
  { operation }: Task,
  doubt: KeptEntry,
  again: KeptEntry,
): boolean {
  if (doubt.concludes === 'OK') return true;
  if (operation !== 'payment.create') {
    return lookupsOf(evidence).after(operation, doubt, again.seq);
  }
  const told = paymentsTold(evidence);
  return idsOf(evidence, doubt).some((id) => (told.get(id)?.seq ?? Infinity) < again.seq);
}

/** The same, and some time went by: whoever was shown it may want it once more. */
export function isKnownAndPast(
  evidence: Evidence,
  task: Task,
  doubt: KeptEntry,
  again: KeptEntry,
): boolean {
  return gapMs(doubt, again) > windowMs && isShownBefore(evidence, task, doubt, again);
}

const lookupsOf = once((evidence) => new Lookups(evidence, tells));

/** Lists show many: only those that show the payment tell of it. */
const paymentsTold = once((evidence) => {
  const doubts = evidence.repeated
    .filter(({ operation }) => operation === 'payment.create')
    .flatMap(({ attempts }) => attempts.filter(({ concludes }) => concludes !== 'OK'));
  const ids = new Set(doubts.flatMap((doubt) => idsOf(evidence, doubt)));
  return toldOf({ ids, haveCaptures: false }, evidence);
});

/** A payment, and its sale or authorization. */
function idsOf({ records }: Evidence, doubt: KeptEntry): string[] {
  return madeBy(doubt).flatMap((id) => [
    id,
    ...(records.payments.get(id)?.related ?? []).map((one) => one.id),
  ]);
}
