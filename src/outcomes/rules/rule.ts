/** A rule: which requests get which outcome, and how often. */
import type { OperationName } from '../../contract/service/operation-name.ts';
import type { ParamValues } from '../decide/params.ts';
import type { OperationPattern } from '../outcome.ts';
import type { Match } from './match.ts';

/** What happens to one request. `ok` is natural behaviour, and stops later rules. */
export interface RuleStep {
  readonly outcome: string;
  readonly params: ParamValues;
  /** A second outcome of the same request: one is about cards and money, the other about the transport. */
  readonly and?: RuleStep | undefined;
  /** Steps of which one is drawn for each request, instead of this step. */
  readonly oneOf?: readonly RuleStep[] | undefined;
}

/**
 * Who armed a rule: a test for this merchant, a test for every merchant or those with a prefix, or the scenario. Rules are
 * tried in this order.
 */
export type RuleSource = 'armed' | 'shared' | 'scenario';

/** Which requests a rule counts together. */
export type CounterScope = 'intent' | 'card' | 'transaction' | 'merchant';

/** What a rule and its status have in common. */
export interface RuleFacts {
  readonly id: string;
  readonly source: RuleSource;
  readonly operations: readonly OperationPattern[];
  readonly per: CounterScope;
  /** One step for each request that the rule counts. The last step repeats. */
  readonly steps: readonly RuleStep[];
  /** Only this request fires the rule, counted from 1. */
  readonly nth: number | undefined;
  /** How often the rule may fire. */
  readonly times: number | undefined;
  readonly probability: number | undefined;
  /** The scenario state in which the rule applies. */
  readonly during: string | undefined;
  /** Whether the rule may stay unused without a report. */
  readonly optional: boolean;
}

export interface Rule extends RuleFacts {
  readonly match: Match | undefined;
  /** Whether the rule changes every matching response, in addition to other outcomes. */
  readonly decorates: boolean;
  /** Real time at which the rule expires. */
  readonly expiresAtRealMs: number | undefined;
  /** Time on the merchant's clock from which the rule applies. */
  readonly fromMs: number | undefined;
  /** Time on the merchant's clock at which the rule ends. */
  readonly untilMs: number | undefined;
}

/** Whether a pattern includes an operation. */
export function includesOperation(
  pattern: OperationPattern,
  operation: OperationName,
  writes: boolean,
): boolean {
  if (pattern === 'any') return true;
  if (pattern === 'any-write') return writes && operation !== 'token.create';
  return pattern.endsWith('.*')
    ? operation.startsWith(pattern.slice(0, -1))
    : pattern === operation;
}
