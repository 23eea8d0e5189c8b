/** What a rule does to a request that meets its conditions: it fires, reserves a slot, or skips the request. */
import type { Catalogue } from '../catalogue.ts';
import type { DecisionBuilder } from '../decide/decision-builder.ts';
import {
  canApplyAt,
  canApplyLater,
  findObstacle,
  type DecisionPoint,
  type OutcomeChoice,
} from '../decide/decision.ts';
import type { Facts } from './facts.ts';
import type { RuleCounters } from './rule-counters.ts';
import { findSkip } from './rule-limits.ts';
import { findCounterKey, selectOutcomes, type CountedRequest } from './rule-sequence.ts';
import type { Rule } from './rule.ts';

/** A decision that is being made: on which request, at which point, and what is decided so far. */
export interface OpenDecision {
  readonly facts: Facts;
  readonly point: DecisionPoint;
  readonly builder: DecisionBuilder;
}

/** The place of a request in what a rule counts. */
interface Place {
  readonly counters: RuleCounters;
  readonly key: string;
  readonly counted: CountedRequest;
  /** Why the rule skips the request; `undefined` if it does not. */
  readonly skipped: string | undefined;
}

/** Returns the outcomes of a rule for a request that meets its conditions, and counts the request if it fires. */
export function tryMatching(
  catalogue: Catalogue,
  seed: string,
  rule: Rule,
  counters: RuleCounters,
  open: OpenDecision,
): readonly OutcomeChoice[] {
  const { facts, point, builder } = open;
  // The key is computed late: it may need the whole request, and most rules miss before.
  const key = findCounterKey(rule.per, facts);
  const counted = counters.placeOf(key, facts);
  const place = { counters, key, counted, skipped: findSkip(seed, rule, counted) };
  const choices = selectOutcomes(catalogue, seed, rule, counted, facts);
  if (choices === 'ok') {
    // Before the request is read, natural behaviour only keeps other rules out.
    const applies = point === 'before-read' ? place.skipped === undefined : fire(place, builder);
    if (applies) builder.closeBy(rule);
    return [];
  }
  const free = choices.filter((one) => builder.hasSlotFor(one));
  const applicableNow = free.filter(({ outcome }) => canApplyAt(outcome, point));
  if (applicableNow.length === 0) {
    reserveLater(place, choices, free, open);
    return [];
  }
  const obstacle = applicableNow
    .map((one) => findObstacle(one, facts))
    .find((why) => why !== undefined);
  if (obstacle !== undefined) return counters.recordMiss(builder, obstacle);
  return fire(place, builder) ? applicableNow : [];
}

/** Counts a request. Returns whether the rule fires on it, and does not skip it. */
function fire({ counters, key, counted, skipped }: Place, builder: DecisionBuilder): boolean {
  counters.count(key, counted);
  if (skipped === undefined) counters.fire();
  else counters.recordMiss(builder, skipped);
  return skipped === undefined;
}

/**
 * Reserves the slots of outcomes that apply once the request is read. None of the outcomes applies now.
 *
 * @param free Those whose slot no other rule occupies.
 */
function reserveLater(
  { counters, key, counted, skipped }: Place,
  choices: readonly OutcomeChoice[],
  free: readonly OutcomeChoice[],
  { facts, point, builder }: OpenDecision,
): void {
  const isBlocked = choices.some(({ outcome }) => canApplyAt(outcome, point));
  if (isBlocked && point === 'before-read' && skipped !== undefined) {
    // A request that the rule skips counts even if another rule occupies the slot.
    counters.count(key, counted);
    counters.recordMiss(builder, skipped);
    return;
  }
  if (isBlocked && free.length === 0) counters.recordBlock(builder, choices);
  if (skipped !== undefined) return;
  for (const one of free) {
    const canApply = canApplyLater(one.outcome, point) && findObstacle(one, facts) === undefined;
    if (canApply) builder.reserve(one);
  }
}
