/** Checks the outcomes and errors that journal queries name. The journal itself does not know the catalogue. */
import { tokenProblems } from '../contract/problems.ts';
import { QueryError } from '../journal/errors.ts';
import type { readExpectation } from '../journal/query/read-query.ts';
import { catalogue, findOutcome } from '../outcomes/catalogue.ts';
import { errorNames } from '../outcomes/catalogue/errors.ts';
import { didYouMeanOutcome, nearestOutcome } from '../outcomes/nearest-outcome.ts';
import type { RuleStep } from '../outcomes/rules/rule.ts';
import { didYouMean, nearest } from '../shared/did-you-mean.ts';
import { onFirstUse } from '../shared/lazy.ts';
import type { World } from '../world/world.ts';

/** The names in the conditions of a query. */
interface QueriedNames {
  readonly outcome?: string | undefined;
  readonly problem?: string | undefined;
}

/**
 * Throws a `QueryError` if a query about the past names an outcome or an error that does not exist. It would match nothing,
 * so an expectation of no exchange would always hold.
 *
 * @param path Where the conditions are, with a dot at its end if they are not at the top.
 */
export function checkQueriedNames(world: World, queried: QueriedNames, path = ''): void {
  checkQueriedOutcome(queried, `${path}outcome`);
  checkQueriedProblem(world, queried, `${path}problem`);
}

/** Checks every condition of an expectation. */
export function checkExpectedNames(
  world: World,
  { match, sequence = [] }: ReturnType<typeof readExpectation>,
): void {
  checkQueriedNames(world, match, 'match.');
  for (const [at, step] of sequence.entries()) {
    checkQueriedNames(world, step, `sequence[${at}].`);
  }
}

/** Throws a `QueryError` if a condition names an outcome that does not exist. */
export function checkQueriedOutcome({ outcome }: QueriedNames, place: string): void {
  if (outcome === undefined || findOutcome(outcome) !== undefined) return;
  throw new QueryError(
    `'${place}': unknown outcome "${outcome.slice(0, 64)}".${didYouMeanOutcome(outcome)} Run "card-vault-sandbox outcomes" or GET /_sandbox/outcomes for the list.`,
    { place, nearest: nearestOutcome(outcome) },
  );
}

/** The names of errors that the service, its token endpoint and the outcomes answer with. */
const knownNames = onFirstUse((): readonly string[] => [
  ...new Set([
    ...errorNames,
    ...Object.values(tokenProblems).map(({ name }) => name),
    ...catalogue.flatMap(({ effect }) => (effect.kind === 'error' ? [effect.name] : [])),
  ]),
]);

/** A test may give an error a name of its own: by a rule, or by a header of a request that the journal has. */
function checkQueriedProblem(world: World, { problem }: QueriedNames, place: string): void {
  if (problem === undefined || knownNames().includes(problem)) return;
  const isGiven = world.ruleBook
    .report()
    .some(({ rule }) => rule.steps.some((step) => hasParameter(step, problem)));
  if (isGiven || world.journal.all().some((entry) => entry.problem === problem)) return;
  throw new QueryError(
    `'${place}': no error has the name "${problem.slice(0, 64)}".${didYouMean(problem, knownNames())} docs/reference/errors.md has the list.`,
    { place, nearest: nearest(problem, knownNames()) },
  );
}

/** Whether a step of a rule has a parameter of this value. */
function hasParameter({ params, and, oneOf = [] }: RuleStep, value: string): boolean {
  return (
    Object.values(params).includes(value) ||
    (and !== undefined && hasParameter(and, value)) ||
    oneOf.some((step) => hasParameter(step, value))
  );
}
