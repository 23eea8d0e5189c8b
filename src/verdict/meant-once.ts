/** Whether what was done several times was wanted once. */
import type { Confidence } from '../contract/control-verdict.ts';
import type { KeptEntry } from '../journal/kept-entry.ts';
import { OpenDoubts } from './doubt.ts';
import type { Evidence } from './evidence.ts';
import { isSentAfter } from './kept-ids.ts';
import { madeBy } from './made-by.ts';
import { isKnownAndPast } from './shown-before.ts';
import type { Task } from './task.ts';

/**
 * How sure it is that a client which did a thing several times wanted it once. It is certain where it gave it a name, or
 * one request id, sent one request for it, or could not know of one that it was done, and never sent that one again.
 * Where it had been shown that one some time before, `custom` makes it likely. `made` are ids of what was made.
 */
export function sureOfOne(evidence: Evidence, task: Task, made: ReadonlySet<string>): Confidence {
  if (task.isNamed) return 'certain';
  const doubts = new OpenDoubts(evidence);
  const makers = new Map<string, KeptEntry>();
  let left: KeptEntry | undefined;
  let isRepeated = false;
  for (const entry of task.attempts) {
    const { requestId } = entry;
    const own = madeBy(entry).filter((id) => made.has(id));
    if (own.length > 1) return 'certain';
    if (own.length > 0) {
      if (requestId !== undefined && makers.has(requestId)) return 'certain';
      if (left !== undefined) {
        if (!isKnownAndPast(evidence, left, entry)) return 'certain';
        isRepeated = true;
      }
      if (requestId !== undefined) makers.set(requestId, entry);
    }
    doubts.see(entry);
    const maker =
      requestId !== undefined ? makers.get(requestId) : own.length > 0 ? entry : undefined;
    if (maker !== undefined && doubts.isOpen(maker) && !isSentAfter(evidence, maker, entry)) {
      left = maker;
    }
  }
  return isRepeated && isNamedInCustom(task) ? 'likely' : 'possible';
}

/** It may name the purchase, or be the same for all that one buyer pays. */
export function isNamedInCustom({ operation, purchase }: Task): boolean {
  return operation === 'payment.create' && purchase?.custom !== undefined;
}
