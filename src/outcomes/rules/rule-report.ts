/** What a rule has done so far, and why it never fired. */
import { formatCount } from '../../shared/counts.ts';
import type { MissKind } from '../decide/decision-builder.ts';
import type { Rule } from './rule.ts';

/**
 * Whether a rule can fire: now, only later (its time or its state has not come), no more because its time is over, or no
 * more because it fired as often as it may.
 */
export type RuleActivity = 'live' | 'waiting' | 'expired' | 'used-up';

/** A rule with its counters. */
export interface RuleReport {
  readonly rule: Rule;
  readonly activity: RuleActivity;
  /** How many requests of its operations arrived. */
  readonly seen: number;
  /** How many matching requests the rule counted. */
  readonly met: number;
  readonly fired: number;
  /** How many requests another rule or trigger answered first. */
  readonly blocked: number;
  readonly missKind: MissKind | undefined;
  /** Why the rule did not fire on the latest request of its operation. */
  readonly lastMiss: string | undefined;
}

/** `payment.create → reset-after-commit`: the operations and outcomes of a rule. */
export function describeRule({ operations, steps }: Rule): string {
  return `${operations.join(', ')} → ${[...new Set(steps.map(({ outcome }) => outcome))].join(', ')}`;
}

/** Explains why a rule never fired: `no payment.create request arrived`. */
export function explainUnfired({
  rule,
  activity,
  seen,
  met,
  blocked,
  missKind,
  lastMiss,
}: RuleReport): string {
  const named = rule.operations.includes('any') ? '' : `${rule.operations.join(' or ')} `;
  if (seen === 0 && lastMiss === undefined) {
    return activity === 'expired'
      ? `it expired before a ${named}request arrived`
      : `no ${named}request arrived`;
  }
  const arrived = `${formatCount(seen, `${named}request`)} arrived`;
  if (lastMiss === undefined) {
    return `${arrived}, and none reached the point at which the outcome applies`;
  }
  if (missKind === 'blocked' && blocked >= seen) {
    const holder = lastMiss.replace(/ had answered the request$/, '');
    return seen === 1
      ? `${arrived}, and ${holder} answered it`
      : `${arrived}, and all were answered by ${holder}`;
  }
  if (missKind === 'match' && met === 0) return `${arrived}, and none matched: ${lastMiss}`;
  const isOneLeftOut = missKind === 'attempt' && rule.match === undefined && met < seen;
  if (!isOneLeftOut) return `${arrived}, and the latest did not fire it: ${lastMiss}`;
  return `${arrived}, and the latest that counts did not fire it: ${lastMiss}. ${explainUncounted(seen - met, blocked)}`;
}

/** Says which requests do not count: `leftOut` of them, of which `blocked` had another forced outcome. */
function explainUncounted(leftOut: number, blocked: number): string {
  const refused = 'Refused requests and repeated request ids do not count';
  if (blocked === 0) return refused;
  return blocked < leftOut
    ? `${refused}, and neither do requests with another forced outcome`
    : 'Requests with another forced outcome do not count';
}
