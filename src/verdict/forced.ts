/** What was forced on an exchange, as the catalogue tells it. */
import type { Entry } from '../journal/entry.ts';
import { outcomeById } from '../outcomes/catalogue.ts';
import type { FaultName, RetryAdvice } from '../outcomes/outcome.ts';

/** Whether the wire did this to it. */
export function wasFaulted({ outcomes }: Entry, fault: FaultName): boolean {
  return outcomes.some(({ id }) => {
    const effect = outcomeById(id)?.effect;
    return effect?.kind === 'fault' && effect.fault === fault;
  });
}

/** What the catalogue says is safe to do after each outcome that was forced on it. */
export function adviceAfter({ outcomes }: Entry): (RetryAdvice | undefined)[] {
  return outcomes.map(({ id }) => outcomeById(id)?.retry);
}

/** Whether nobody could know what became of a request; after some answers that say little it is known all the same. */
export function leavesDoubt({ concludes, outcomes }: Entry): boolean {
  return (
    concludes === 'UNKNOWN' && !outcomes.some(({ id }) => outcomeById(id)?.concludes === 'FAIL')
  );
}
