/** A rule and its counters, as verbs return them. */
import { redactMatch } from './match.ts';
import type { RuleActivity, RuleReport } from './rule-report.ts';
import type { RuleFacts } from './rule.ts';

/** Which merchants a rule for several merchants is for: all, or those whose id starts with the prefix. */
export type MerchantScope = 'all' | { readonly prefix: string };

export interface RuleStatus extends RuleFacts {
  /** The conditions, without card numbers and codes. */
  readonly match: Readonly<Record<string, unknown>> | undefined;
  /** Whether the rule can still fire. */
  readonly state: RuleActivity;
  /** Time on the merchant's clock from which the rule applies, from `after`. */
  readonly startsAt: string | undefined;
  /** Time on the merchant's clock at which the rule ends, from `before`. */
  readonly endsAt: string | undefined;
  /** Real time at which the rule expires, from `ttlMs`. A rule without it does not expire. */
  readonly expiresAt: string | undefined;
  /** Which merchants the rule is for, in a list of the rules for several merchants. */
  readonly merchants?: MerchantScope | undefined;
  /** How many requests of its operations arrived. */
  readonly seen: number;
  /** How many matching requests the rule counted. */
  readonly met: number;
  /** How often the rule fired. */
  readonly fired: number;
  /** Why the rule did not fire on the latest request of its operation. */
  readonly lastMiss: string | undefined;
}

export function toRuleStatus({
  rule,
  activity,
  seen,
  met,
  fired,
  lastMiss,
}: RuleReport): RuleStatus {
  const { expiresAtRealMs, fromMs, untilMs, decorates: _, match, ...shown } = rule;
  return {
    ...shown,
    match: match && redactMatch(match),
    state: activity,
    startsAt: timeText(fromMs),
    endsAt: timeText(untilMs),
    expiresAt: timeText(expiresAtRealMs),
    seen,
    met,
    fired,
    lastMiss,
  };
}

/** The last time that a date can hold. */
const lastMs = 8.64e15;

function timeText(atMs: number | undefined): string | undefined {
  return atMs === undefined ? undefined : new Date(Math.min(atMs, lastMs)).toISOString();
}
