/** The decision on a request, and the point of the pipeline at which an outcome can apply. */
import type { Outcome } from '../outcome.ts';
import type { Facts } from '../rules/facts.ts';
import { readParams, type ParamValues } from './params.ts';

/** What asked for an outcome. The `Sandbox-Outcome` response header shows it. */
export type TriggeredBy = 'armed' | 'header' | 'scenario' | 'name' | 'card' | 'amount';

/** An outcome that a trigger chose for a request. */
export interface OutcomeChoice {
  readonly outcome: Outcome;
  readonly params: ParamValues;
  readonly by: TriggeredBy;
  readonly rule: string | undefined;
}

/** What happens to one request: at most one domain outcome, at most one transport outcome, any number of dialects. */
export interface Decision {
  readonly domain: OutcomeChoice | undefined;
  readonly transport: OutcomeChoice | undefined;
  readonly dialects: readonly OutcomeChoice[];
  /** Rules that could have changed the request and did not, the nearest first. */
  readonly nearMisses: readonly NearMiss[];
}

/** When the pipeline decides: before it reads the request, before the commit, or before it replays an answer. */
export type DecisionPoint = 'before-read' | 'before-commit' | 'repeat';

/** A rule for the operation of a request, or a header, that changed nothing, and why. */
export interface NearMiss {
  readonly rule: string;
  readonly why: string;
  /** The merchant of the rule, if it is another one. */
  readonly merchant?: string | undefined;
}

/** What an outcome is about: cards and money, the transport, or how the response is written. */
export type OutcomeClass = 'domain' | 'transport' | 'dialect';

export function classifyOutcome(outcome: Outcome): OutcomeClass {
  switch (outcome.effect.kind) {
    case 'dialect':
      return 'dialect';
    case 'fault':
    case 'page':
    case 'wait-before-commit':
    case 'refuse-connections':
      return 'transport';
    case 'error':
      return outcome.concludes === 'UNKNOWN' ? 'transport' : 'domain';
    default:
      return 'domain';
  }
}

/**
 * Whether an outcome can apply at a decision point.
 *
 * A replay executes nothing. Therefore only transport outcomes, dialects and outcomes that ignore the request id can
 * apply to it. Outcomes that need nothing of the request apply before it is read.
 */
export function canApplyAt(outcome: Outcome, point: DecisionPoint): boolean {
  if (outcome.effect.kind === 'ignore-request-id') return point === 'repeat';
  // A repeat is not executed, so there is nothing to wait for.
  if (outcome.effect.kind === 'wait-before-commit') return point === 'before-commit';
  if (outcome.effect.kind === 'stale-read') {
    // A 404 may still be served from a stale replica.
    return point === 'before-commit' || (point === 'repeat' && outcome.effect.of === 'removed');
  }
  if (point === 'repeat') {
    return classifyOutcome(outcome) !== 'domain' && outcome.phase !== 'before-read';
  }
  return (outcome.phase === 'before-read') === (point === 'before-read');
}

/** Whether an outcome needs a valid request, and the pipeline has not read the request yet. */
export function canApplyLater(outcome: Outcome, point: DecisionPoint): boolean {
  return point === 'before-read' && canApplyAt(outcome, 'before-commit');
}

/** The slots of a decision that are occupied. */
export type OccupiedSlots = Partial<Record<Exclude<OutcomeClass, 'dialect'>, boolean>>;

export function isSlotOccupied(outcome: Outcome, occupied: OccupiedSlots): boolean {
  const slot = classifyOutcome(outcome);
  return slot !== 'dialect' && occupied[slot] === true;
}

/** Explains why an outcome cannot apply to this request although its operation can have it. */
export function findObstacle({ outcome, params }: OutcomeChoice, facts: Facts): string | undefined {
  const { effect, needs } = outcome;
  if (needs === 'sale' && !facts.makesSale) return 'the request makes no sale';
  if (needs === 'stored-card' && facts.card === undefined) {
    return 'the request names no stored card';
  }
  if (needs === 'body' && !facts.sendsBody) return 'the response has no body';
  if (effect.kind === 'not-visible-yet') {
    const lagMs = readParams(outcome, params, '').ms('lag');
    return facts.recordAgeMs === undefined || facts.recordAgeMs >= lagMs
      ? 'the record is older than the lag'
      : undefined;
  }
  if (effect.kind === 'stale-read') {
    const sinceMs = facts.sinceChangeMs(effect.of);
    return sinceMs === undefined || sinceMs >= readParams(outcome, params, '').ms('lag')
      ? `no record that the request reads was ${effect.of} within the lag`
      : undefined;
  }
  if (effect.kind === 'page-shift' && !facts.isLaterPage) {
    return 'the request reads the first page, which cannot shift';
  }
  if (effect.kind === 'fault' && effect.fault === 'reset-if-reused' && !facts.reusedConnection) {
    return 'the connection has served no request before';
  }
  return undefined;
}
