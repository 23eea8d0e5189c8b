/** A rule book as plain data, for snapshots and exports. */
import type { Rule } from './rule.ts';

/** A rule with its counters. */
export interface RuleState {
  readonly rule: Omit<Rule, 'expiresAtRealMs'>;
  /** The rest of its time to live. The clock of the machine may differ when the rule continues. */
  readonly leftMs: number | undefined;
  readonly met: number;
  readonly fired: number;
  readonly lastMiss: string | undefined;
  readonly attempts: readonly (readonly [key: string, count: number])[];
}

/** All rules of a merchant. */
export interface RuleBookState {
  readonly rules: readonly RuleState[];
  /** The last number that the book gave to a rule without a name. */
  readonly named: number;
  readonly scenarioState: string | undefined;
}
