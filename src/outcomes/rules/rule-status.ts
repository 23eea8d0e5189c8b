/** A rule and its counters, as verbs return them. */
import { redactMatch } from './match.ts';
import type { RuleReport } from './rule-book.ts';
import type { Rule } from './rule.ts';

export interface RuleStatus extends Omit<
  Rule,
  'expiresAtRealMs' | 'fromMs' | 'untilMs' | 'decorates' | 'match'
> {
  /** The conditions, without card numbers and codes. */
  readonly match: Readonly<Record<string, unknown>> | undefined;
  /** How many matching attempts the rule counted. */
  readonly met: number;
  /** How often the rule fired. */
  readonly fired: number;
  /** Why the rule did not fire on the latest request of its operation. */
  readonly lastMiss: string | undefined;
}

export function toRuleStatus({ rule, met, fired, lastMiss }: RuleReport): RuleStatus {
  const {
    expiresAtRealMs: _expires,
    fromMs: _from,
    untilMs: _until,
    decorates: _d,
    match,
    ...shown
  } = rule;
  return { ...shown, match: match && redactMatch(match), met, fired, lastMiss };
}
