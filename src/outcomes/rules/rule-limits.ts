/** Why a rule does not fire on a request that it matches: its time, its state, its counts, or chance. */
import { drawChance } from '../decide/chance.ts';
import { findAttemptMismatch } from './match.ts';
import type { CountedRequest } from './rule-sequence.ts';
import type { Rule } from './rule.ts';

/** Reads the clocks that rules depend on. */
export interface RuleClocks {
  /** The time of the machine. */
  readonly realNowMs: () => number;
  /** The time of the merchant. */
  readonly nowMs: () => number;
}

/** Explains why a rule applies to no request now. */
export function findInactivity(
  rule: Rule,
  fired: number,
  state: string | undefined,
  clocks: RuleClocks,
  nowMs: number,
): string | undefined {
  if (rule.during !== undefined && rule.during !== state) {
    const words = state === undefined ? 'has no state' : `is in state "${state}"`;
    return `it applies in state "${rule.during}", and the scenario ${words}`;
  }
  if (rule.fromMs !== undefined && nowMs < rule.fromMs) return 'it does not apply yet';
  if (rule.untilMs !== undefined && nowMs >= rule.untilMs) return 'it no longer applies';
  if (isExpired(rule, clocks)) return 'it has expired';
  if (rule.times !== undefined && fired >= rule.times) {
    return `it has fired ${fired} of ${rule.times} times`;
  }
  return undefined;
}

/** Whether the time to live of a rule is over. */
export function isExpired({ expiresAtRealMs }: Rule, { realNowMs }: RuleClocks): boolean {
  return expiresAtRealMs !== undefined && realNowMs() >= expiresAtRealMs;
}

/** Explains why a rule skips a request, which counts nevertheless. */
export function findSkip(
  seed: string,
  rule: Rule,
  { number, purchase, attempt }: CountedRequest,
): string | undefined {
  const { nth, probability, match, per } = rule;
  if (nth !== undefined && number !== nth) {
    return `it applies to request ${nth}${scopeWords[per]}, and this was request ${number}`;
  }
  const mismatch = match === undefined ? undefined : findAttemptMismatch(match, number);
  if (mismatch !== undefined) return mismatch;
  return probability !== undefined && drawChance(seed, rule.id, purchase, attempt) >= probability
    ? `the random draw decided against it (probability ${probability})`
    : undefined;
}

/** How a message names the requests that are counted together. */
const scopeWords = {
  intent: ' of a purchase',
  card: ' of a card',
  transaction: ' of a transaction',
  merchant: '',
} as const satisfies Record<Rule['per'], string>;
