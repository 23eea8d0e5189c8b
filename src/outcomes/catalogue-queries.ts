/** Picks outcomes from the catalogue: one by its id, or those of an operation or tier. */
import { operationNames, operations, type OperationName } from '../contract/service/operations.ts';
import { didYouMean, nearest } from '../shared/did-you-mean.ts';
import { ArgumentError, checkKeys, checkText, notAmong } from './argument-error.ts';
import { catalogue, findOutcome, outcomeIds } from './catalogue.ts';
import type { Outcome } from './outcome.ts';
import { includesOperation } from './rules/rule.ts';

/** Which outcomes are wanted; all where nothing is said. */
export interface OutcomeFilter {
  /** Those that can happen on this operation. */
  readonly operation?: OperationName | undefined;
  readonly tier?: number | undefined;
}

/** The outcomes that pass the filter. Throws an `ArgumentError` where it filters by what there is not. */
export function listOutcomes(filter: OutcomeFilter): readonly Outcome[] {
  checkKeys('outcomes', filter, { operation: true, tier: true });
  const { operation, tier } = filter;
  if (operation !== undefined && !operationNames.includes(operation)) {
    throw notAmong('There is no operation', operation, 'operation', operationNames);
  }
  const tiers = [...new Set(catalogue.map((outcome) => outcome.tier))].toSorted();
  if (tier !== undefined && !tiers.some((known) => known === tier)) {
    throw notAmong('There is no tier', tier, 'tier', tiers.map(String));
  }
  return catalogue.filter(
    (outcome) =>
      (tier === undefined || outcome.tier === tier) &&
      (operation === undefined || canHappenOn(outcome, operation)),
  );
}

/** The outcome of this id. Throws an `ArgumentError` where there is none. */
export function getOutcome(id: string): Outcome {
  checkText('The id of an outcome', id, 'outcome', 'decline-generic');
  const outcome = findOutcome(id);
  if (outcome !== undefined) return outcome;
  throw new ArgumentError(
    `No outcome has the id "${id.slice(0, 64)}".${didYouMean(id, outcomeIds)} GET /_sandbox/outcomes and \`card-vault-sandbox outcomes\` list them all.`,
    'outcome',
    undefined,
    nearest(id, outcomeIds),
  );
}

function canHappenOn({ operations: patterns }: Outcome, operation: OperationName): boolean {
  const writes = operations[operation].method !== 'get';
  return patterns.some((pattern) => includesOperation(pattern, operation, writes));
}
