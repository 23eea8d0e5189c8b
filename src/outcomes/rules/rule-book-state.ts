/** A rule book as plain data, for snapshots and exports. */
import type { MissKind } from '../decide/decision-builder.ts';
import type { Rule } from './rule.ts';

/** A rule with its counters. */
export interface RuleState {
  readonly rule: Omit<Rule, 'expiresAtRealMs'>;
  /** The rest of its time to live. The clock of the machine may differ when the rule continues. */
  readonly leftMs: number | undefined;
  /** How many requests of its operations arrived. Absent in an older export, as the other optional counts are. */
  readonly seen?: number | undefined;
  readonly met: number;
  readonly fired: number;
  /** How many requests another rule or trigger answered first. */
  readonly blocked?: number | undefined;
  readonly lastMiss: string | undefined;
  readonly missKind?: MissKind | undefined;
  readonly attempts: readonly (readonly [key: string, count: number])[];
  /** Attempts by purchase, for a rule that draws by chance and counts otherwise. */
  readonly purchases?: readonly (readonly [purchase: string, count: number])[] | undefined;
}

/** All rules of a merchant. */
export interface RuleBookState {
  readonly rules: readonly RuleState[];
  /** The last number that the book gave to a rule without a name. */
  readonly named: number;
  readonly scenarioState: string | undefined;
}
