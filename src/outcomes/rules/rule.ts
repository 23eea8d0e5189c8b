/** A rule: on which requests which outcome, how often. */
import type { OperationName } from '../../contract/service/operations.ts';
import type { Match } from './match.ts';
import type { OperationPattern } from '../outcome.ts';

/** What happens at one attempt. `ok` is natural behaviour, and keeps later rules away. */
export interface RuleStep {
  readonly outcome: string;
  readonly params: Readonly<Record<string, string | number>>;
  /** Another outcome of the same attempt, of the other kind: what the money does beside what the wire does. */
  readonly and?: RuleStep | undefined;
  /** One of these is drawn at each attempt, in place of the step itself. */
  readonly oneOf?: readonly RuleStep[] | undefined;
}

export type CounterScope = 'intent' | 'card' | 'transaction' | 'merchant';

export interface Rule {
  readonly id: string;
  readonly source: 'armed' | 'scenario';
  readonly operations: readonly OperationPattern[];
  readonly match: Match | undefined;
  /** Whose attempts are counted together. */
  readonly per: CounterScope;
  /** One entry an attempt; the last one repeats. */
  readonly steps: readonly RuleStep[];
  /** Applied to every request that matches, beside whatever else happens. */
  readonly decorates: boolean;
  readonly nth: number | undefined;
  /** How often it may fire in all. */
  readonly times: number | undefined;
  readonly probability: number | undefined;
  /** Machine time after which it is gone: an armed rule must not poison the next test. */
  readonly expiresAtRealMs: number | undefined;
  /** World time from and until which it holds. */
  readonly fromMs: number | undefined;
  readonly untilMs: number | undefined;
  /** State of the scenario in which it holds. */
  readonly during: string | undefined;
  /** Whether never firing is no mistake. */
  readonly optional: boolean;
}

/** Whether a pattern takes in an operation. */
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
