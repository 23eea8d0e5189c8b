/** What a rule book holds, as plain data: for snapshots, and to go on with in another world. */
import type { Rule } from './rule.ts';

/** A rule with its counters, as plain data. */
export interface RuleState {
  readonly rule: Omit<Rule, 'expiresAtRealMs'>;
  /** What is left of its time to live: where it goes on, the machine's clock is another or has moved on. */
  readonly leftMs: number | undefined;
  readonly met: number;
  readonly fired: number;
  readonly lastMiss: string | undefined;
  readonly attempts: readonly (readonly [key: string, count: number])[];
}

/** All that a rule book holds, as plain data. */
export interface RuleBookState {
  readonly rules: readonly RuleState[];
  /** How many rules were named by the book itself. */
  readonly named: number;
  /** The scenario's state. */
  readonly scenarioState: string | undefined;
}
