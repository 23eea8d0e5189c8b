/** Checks the outcomes and errors that journal queries name. The journal itself does not know the catalogue. */
import { serviceProblems, tokenProblems } from '../contract/problems.ts';
import { QueryError } from '../journal/errors.ts';
import type { readExpectation } from '../journal/query/read-query.ts';
import { catalogue, findOutcome } from '../outcomes/catalogue.ts';
import { errorNames } from '../outcomes/catalogue/errors.ts';
import { didYouMeanOutcome, nearestOutcome } from '../outcomes/nearest-outcome.ts';
import { didYouMean, listKnown, nearest } from '../shared/did-you-mean.ts';
import { onFirstUse } from '../shared/lazy.ts';

interface QueriedNames {
  readonly outcome?: string | undefined;
  readonly problem?: string | undefined;
}

/**
 * Throws a `QueryError` if a condition names an outcome or an error that does not exist. It would match nothing, so an
 * expectation of no exchange would always hold.
 */
export function checkQueriedNames({ outcome, problem }: QueriedNames, place = ''): void {
  if (outcome !== undefined && findOutcome(outcome) === undefined) {
    const at = `${place}outcome`;
    throw new QueryError(
      `'${at}': unknown outcome "${outcome.slice(0, 64)}".${didYouMeanOutcome(outcome)} Run "card-vault-sandbox outcomes" or GET /_sandbox/outcomes for the list.`,
      { place: at, nearest: nearestOutcome(outcome) },
    );
  }
  const known = problemNames();
  if (problem !== undefined && !known.includes(problem)) {
    const at = `${place}problem`;
    throw new QueryError(
      `'${at}': no answer has an error of the name "${problem.slice(0, 64)}".${didYouMean(problem, known)} Known: ${listKnown(known)}.`,
      { place: at, allowed: known, nearest: nearest(problem, known) },
    );
  }
}

/** Checks every condition of an expectation. */
export function checkExpectedNames({
  match,
  sequence = [],
}: ReturnType<typeof readExpectation>): void {
  checkQueriedNames(match, 'match.');
  for (const [at, step] of sequence.entries()) checkQueriedNames(step, `sequence[${at}].`);
}

/** The names of all errors that an answer of the service or of its token endpoint can carry. */
const problemNames = onFirstUse((): readonly string[] => {
  const own = [serviceProblems, tokenProblems].flatMap((problems) => Object.values(problems));
  const forced = catalogue.flatMap(({ effect }) =>
    effect.kind === 'token-error' ? [effect.error] : [],
  );
  return [...new Set([...errorNames, ...own.map(({ name }) => name), ...forced])].toSorted();
});
