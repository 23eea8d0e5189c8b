/** What became of one exchange: the records it created, the outcomes forced on it, and whether its result is known. */
import type { StoredEntry } from '../../journal/stored-entry.ts';
import { findOutcome } from '../../outcomes/catalogue.ts';
import type { Effect, FaultName, RetryAdvice } from '../../outcomes/outcome.ts';

/** Ids of the records that a request made: one, or two where it was carried out twice. */
export function createdIds({ committed, subject, twin }: StoredEntry): string[] {
  return committed ? [subject, twin].filter((id) => id !== undefined) : [];
}

/** Whether the wire did this to it. */
export function hasFault({ outcomes }: StoredEntry, fault: FaultName): boolean {
  return outcomes.some(({ id }) => {
    const effect = findOutcome(id)?.effect;
    return effect?.kind === 'fault' && effect.fault === fault;
  });
}

/** Whether something of this kind was forced on it. */
export function hasForcedEffect({ outcomes }: StoredEntry, kind: Effect['kind']): boolean {
  return outcomes.some(({ id }) => findOutcome(id)?.effect.kind === kind);
}

/** What the catalogue says is safe to do after each outcome that was forced on it. */
export function retryAdviceFor({ outcomes }: StoredEntry): (RetryAdvice | undefined)[] {
  return outcomes.map(({ id }) => findOutcome(id)?.retry);
}

/** Whether nobody could know what became of a request; after some answers that say little it is known all the same. */
export function hasUnknownOutcome({ concludes, committed, outcomes }: StoredEntry): boolean {
  return (
    concludes === 'UNKNOWN' &&
    // What was carried out did not fail, whatever a row says of its other commit point.
    (committed || !outcomes.some(({ id }) => findOutcome(id)?.concludes === 'FAIL'))
  );
}
