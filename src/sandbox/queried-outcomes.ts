/** Checks the outcomes that journal queries name. The journal itself does not know the catalogue. */
import { QueryError } from '../journal/errors.ts';
import type { readExpectation } from '../journal/query/read-query.ts';
import { findOutcome } from '../outcomes/catalogue.ts';
import { didYouMeanOutcome, nearestOutcome } from '../outcomes/nearest-outcome.ts';

/**
 * Throws a `QueryError` if a condition names an outcome that does not exist. It would match nothing, so an expectation of
 * no exchange would always hold.
 */
export function checkQueriedOutcome(
  { outcome }: { readonly outcome?: string | undefined },
  place: string,
): void {
  if (outcome === undefined || findOutcome(outcome) !== undefined) return;
  throw new QueryError(
    `'${place}': unknown outcome "${outcome.slice(0, 64)}".${didYouMeanOutcome(outcome)} Run "card-vault-sandbox outcomes" or GET /_sandbox/outcomes for the list.`,
    { place, nearest: nearestOutcome(outcome) },
  );
}

/** Checks every condition of an expectation. */
export function checkExpectedOutcomes({
  match,
  sequence = [],
}: ReturnType<typeof readExpectation>): void {
  checkQueriedOutcome(match, 'match.outcome');
  for (const [at, step] of sequence.entries()) {
    checkQueriedOutcome(step, `sequence[${at}].outcome`);
  }
}
