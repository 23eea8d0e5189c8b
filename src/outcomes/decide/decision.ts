/** What was decided on for a request, and at which point of the hall it can come about. */
import type { Facts } from '../rules/facts.ts';
import type { Outcome } from '../outcome.ts';
import { readParams } from './params.ts';

/** How an outcome was asked for; stands in the `Sandbox-Outcome` header. */
export type TriggeredBy = 'armed' | 'header' | 'scenario' | 'name' | 'card' | 'amount';

/** An outcome that was decided on. */
export interface OutcomeChoice {
  readonly outcome: Outcome;
  readonly params: Readonly<Record<string, string | number>>;
  readonly by: TriggeredBy;
  readonly rule: string | undefined;
}

/**
 * What happens to one request: at most one outcome about cards and money, at most one of the wire, and any number of
 * other ways to write the answer.
 */
export interface Decision {
  readonly domain: OutcomeChoice | undefined;
  readonly transport: OutcomeChoice | undefined;
  readonly dialects: readonly OutcomeChoice[];
  /** What looked at the request and did not fire: a header that asked in vain, and rules, the nearest first. */
  readonly nearMisses: readonly NearMiss[];
  /** A header asked for what there is not, or cannot befall this request. */
  readonly headerCannotApply?: true;
}

/** Where the hall asks: before anything is read, before the commit, or before a repeat is answered again. */
export type DecisionPoint = 'before-read' | 'before-commit' | 'repeat';

/** A rule that took in a request's operation and yet did not fire, or a header by its name, and why. */
export interface NearMiss {
  readonly rule: string;
  readonly why: string;
}

export type OutcomeClass = 'domain' | 'transport' | 'dialect';

/** Whether an outcome is about cards and money, about the wire, or about how the answer is written. */
export function classifyOutcome(outcome: Outcome): OutcomeClass {
  switch (outcome.effect.kind) {
    case 'dialect':
      return 'dialect';
    case 'fault':
    case 'page':
    case 'refuse-connections':
      return 'transport';
    case 'error':
      return outcome.concludes === 'UNKNOWN' ? 'transport' : 'domain';
    default:
      return 'domain';
  }
}

/**
 * Whether the hall can bring an outcome about at a gate. A repeat executes nothing, so only the wire and the writing
 * of its answer are left, and that it is taken for no repeat; what needs no look at the request happens before it is
 * read.
 */
export function canApplyAt(outcome: Outcome, gate: DecisionPoint): boolean {
  if (outcome.effect.kind === 'ignore-request-id') return gate === 'repeat';
  // Only what was not found can be one that a replica still has.
  if (outcome.effect.kind === 'stale-read') {
    return gate === 'before-commit' || (gate === 'repeat' && outcome.effect.of === 'removed');
  }
  if (gate === 'repeat')
    return classifyOutcome(outcome) !== 'domain' && outcome.phase !== 'before-read';
  return (outcome.phase === 'before-read') === (gate === 'before-read');
}

/** Whether an outcome is for a request that is read and valid, and the hall stands before that. */
export function canApplyLater(outcome: Outcome, gate: DecisionPoint): boolean {
  return gate === 'before-read' && canApplyAt(outcome, 'before-commit');
}

/** The places that are given away already. */
export type OccupiedSlots = Partial<Record<Exclude<OutcomeClass, 'dialect'>, boolean>>;

/** Whether the place of an outcome of this kind is given away already. */
export function isSlotOccupied(outcome: Outcome, taken: OccupiedSlots): boolean {
  const kind = classifyOutcome(outcome);
  return kind !== 'dialect' && taken[kind] === true;
}

/** Why an outcome cannot come about on this request, though its operation can have it. */
export function findObstacle({ outcome, params }: OutcomeChoice, facts: Facts): string | undefined {
  const { effect, needs } = outcome;
  if (needs === 'sale' && !facts.makesSale) return 'it makes no sale';
  if (needs === 'stored-card' && facts.card === undefined) return 'it is paid with no stored card';
  if (needs === 'body' && !facts.sendsBody) return 'its answer has no body';
  if (effect.kind === 'not-visible-yet') {
    const lagMs = readParams(outcome, params, '').ms('lag');
    return facts.recordAgeMs === undefined || facts.recordAgeMs >= lagMs
      ? 'the record is older than the lag'
      : undefined;
  }
  if (effect.kind === 'stale-read') {
    const agoMs = facts.sinceChangeMs(effect.of);
    return agoMs === undefined || agoMs >= readParams(outcome, params, '').ms('lag')
      ? `nothing it reads was ${effect.of} within the lag`
      : undefined;
  }
  if (effect.kind === 'page-shift' && !facts.isLaterPage) {
    return 'it is the first page, and nothing comes before it';
  }
  if (effect.kind === 'fault' && effect.fault === 'reset-if-reused' && !facts.reusedConnection) {
    return 'no request came on this connection before';
  }
  return undefined;
}
