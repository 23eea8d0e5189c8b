/** A rule as it is shown to people. */
import { redactMatch } from './match.ts';
import type { RuleReport } from './rule-book.ts';
import type { Rule } from './rule.ts';

/** A rule and how it has fared. */
export interface RuleStatus extends Omit<
  Rule,
  'expiresAtRealMs' | 'fromMs' | 'untilMs' | 'decorates' | 'match'
> {
  /** Without card numbers and codes. */
  readonly match: Readonly<Record<string, unknown>> | undefined;
  readonly met: number;
  readonly fired: number;
  /** Why the last request it took in did not fire it. */
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
