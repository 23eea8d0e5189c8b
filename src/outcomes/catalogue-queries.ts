/** Queries on the catalogue: one outcome by its id, or those of an operation or tier. */
import type { OperationFamily, OperationName } from '../contract/service/operation-name.ts';
import { operationFamilies, operationNames, operations } from '../contract/service/operations.ts';
import { ArgumentError, checkKeys, checkText, unknownValueError } from './argument-error.ts';
import { catalogue, findOutcome } from './catalogue.ts';
import { didYouMeanOutcome, nearestOutcome } from './nearest-outcome.ts';
import type { Outcome } from './outcome.ts';
import { includesOperation } from './rules/rule.ts';

/** Selects outcomes. Default: all outcomes. */
export interface OutcomeFilter {
  /** Only outcomes that can happen on this operation, or on one of a resource: `card.*`. */
  readonly operation?: OperationName | OperationFamily | undefined;
  /** Only outcomes of this tier. Tier 1 holds those that every client should handle. */
  readonly tier?: number | undefined;
}

/**
 * Lists the outcomes that pass the filter.
 *
 * @throws {ArgumentError} If the filter names an unknown key, operation or tier.
 */
export function listOutcomes(filter: OutcomeFilter): readonly Outcome[] {
  checkKeys('outcomes', filter, { operation: true, tier: true });
  const { operation, tier } = filter;
  const words: readonly string[] = [...operationNames, ...operationFamilies];
  if (operation !== undefined && !words.includes(operation)) {
    throw unknownValueError('Unknown operation', operation, 'operation', words);
  }
  const wanted = operationNames.filter(
    (name) => name === operation || `${name.split('.')[0]}.*` === operation,
  );
  const tiers = [...new Set(catalogue.map((outcome) => outcome.tier))].toSorted();
  if (tier !== undefined && !tiers.some((known) => known === tier)) {
    throw unknownValueError('Unknown tier', tier, 'tier', tiers.map(String));
  }
  return catalogue.filter(
    (outcome) =>
      (tier === undefined || outcome.tier === tier) &&
      (operation === undefined || wanted.some((name) => canHappenOn(outcome, name))),
  );
}

/**
 * Returns an outcome by its id.
 *
 * @throws {ArgumentError} If no outcome has this id. `error.nearest` is the most similar id.
 */
export function getOutcome(id: string, code = 'invalid-argument'): Outcome {
  checkText('The id of an outcome', id, 'outcome', 'decline-generic');
  const outcome = findOutcome(id);
  if (outcome !== undefined) return outcome;
  throw new ArgumentError(
    `Unknown outcome "${id.slice(0, 64)}".${didYouMeanOutcome(id)} Run "card-vault-sandbox outcomes" or GET /_sandbox/outcomes for the list.`,
    { place: 'outcome', nearest: nearestOutcome(id) },
    code,
  );
}

function canHappenOn({ operations: patterns }: Outcome, operation: OperationName): boolean {
  const writes = operations[operation].method !== 'get';
  return patterns.some((pattern) => includesOperation(pattern, operation, writes));
}
