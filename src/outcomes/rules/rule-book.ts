/** One merchant's rules and their counters. Deciding on a request also counts it, in the same synchronous step. */
import { isDeepStrictEqual } from 'node:util';
import type { Catalogue } from '../catalogue.ts';
import { drawChance } from '../decide/chance.ts';
import { DecisionBuilder, type MissKind } from '../decide/decision-builder.ts';
import {
  canApplyAt,
  canApplyLater,
  findObstacle,
  type Decision,
  type DecisionPoint,
  type NearMiss,
  type OutcomeChoice,
} from '../decide/decision.ts';
import { ActiveRules } from './active-rules.ts';
import type { Facts } from './facts.ts';
import { findAttemptMismatch, findMismatch } from './match.ts';
import type { RuleBookState, RuleState } from './rule-book-state.ts';
import { findCounterKey, selectOutcomes } from './rule-sequence.ts';
import type { Rule } from './rule.ts';

export interface RuleReport {
  readonly rule: Rule;
  readonly met: number;
  readonly fired: number;
  /** Why the rule did not fire on the latest request of its operation. */
  readonly lastMiss: string | undefined;
}

interface RuleCounters {
  met: number;
  fired: number;
  /** Why the rule did not fire on the latest request of its operation. */
  miss: NearMiss | undefined;
  readonly attempts: Map<string, number>;
}

/** The most counter keys of one rule. Endless traffic on a rule per purchase must not fill the memory. */
const maxCounterKeys = 10_000;

/** Outcomes that the request itself asks for. */
interface DirectChoices {
  readonly header?: OutcomeChoice | undefined;
  /** The outcome of a magic value: cardholder name, card number or amount. */
  readonly magic?: OutcomeChoice | undefined;
}

export class RuleBook {
  readonly #catalogue: Catalogue;
  readonly #seed: string;
  readonly #realNowMs: () => number;
  #rules: Rule[];
  readonly #active = new ActiveRules();
  /** Counters by rule object: a reloaded scenario may name a rule like an armed one. */
  readonly #counters = new Map<Rule, RuleCounters>();
  #named: number;
  /** The state of the scenario. */
  state: string | undefined;

  constructor(
    catalogue: Catalogue,
    seed: string,
    realNowMs: () => number,
    { rules, named, scenarioState }: RuleBookState,
  ) {
    this.#catalogue = catalogue;
    this.#seed = seed;
    this.#realNowMs = realNowMs;
    this.#named = named;
    this.state = scenarioState;
    this.#rules = rules.map(({ rule: stored, leftMs, met, fired, lastMiss, attempts }) => {
      const expiresAtRealMs = leftMs === undefined ? undefined : realNowMs() + leftMs;
      const rule: Rule = { ...stored, expiresAtRealMs };
      this.#counters.set(rule, {
        met,
        fired,
        miss: lastMiss === undefined ? undefined : { rule: rule.id, why: lastMiss },
        attempts: new Map(attempts),
      });
      return rule;
    });
    for (const rule of this.#rules) {
      this.#active.add(rule);
      this.#retireIfSpent(rule, this.#countersOf(rule));
    }
  }

  /** Returns the rules and counters as plain data. */
  exportState(): RuleBookState {
    const nowMs = this.#realNowMs();
    const rules = this.#rules.map((one): RuleState => {
      const { expiresAtRealMs, ...rule } = one;
      const { met, fired, miss, attempts } = this.#countersOf(one);
      return {
        rule,
        leftMs: expiresAtRealMs === undefined ? undefined : Math.max(0, expiresAtRealMs - nowMs),
        met,
        fired,
        lastMiss: miss?.why,
        attempts: [...attempts],
      };
    });
    return { rules, named: this.#named, scenarioState: this.state };
  }

  get isEmpty(): boolean {
    return this.#rules.length === 0;
  }

  /** The number of rules, including those that will not fire again. */
  get size(): number {
    return this.#rules.length;
  }

  /** A name for a rule without one. No rule has it, and none was given it before. */
  get nextId(): string {
    return makeRuleId(this.#nextNumber());
  }

  /** Finds a rule by name, including rules that will not fire again. */
  find(id: string): Rule | undefined {
    return this.#rules.find((rule) => rule.id === id);
  }

  /** Adds the rules of one call. Each call uses one number, whether its rules are named or not. */
  arm(rules: readonly Rule[]): void {
    this.#named = this.#nextNumber();
    for (const rule of rules) this.#add(rule);
  }

  #nextNumber(): number {
    let next = this.#named + 1;
    while (this.find(makeRuleId(next)) !== undefined) next++;
    return next;
  }

  #add(rule: Rule): void {
    this.#rules.push(rule);
    this.#active.add(rule);
    this.#counters.set(rule, { met: 0, fired: 0, miss: undefined, attempts: new Map() });
  }

  /** Removes rules and returns their number. */
  remove(test: (rule: Rule) => boolean): number {
    const removed = this.#rules.filter(test);
    this.#rules = this.#rules.filter((rule) => !test(rule));
    this.#active.remove(test);
    for (const rule of removed) this.#counters.delete(rule);
    return removed.length;
  }

  /** Replaces the rules of the scenario. Rules that did not change keep their counters. */
  replaceScenario(rules: readonly Rule[]): void {
    const before = new Map(
      this.#rules.flatMap((rule) => (rule.source === 'scenario' ? [[rule.id, rule]] : [])),
    );
    const kept = rules.flatMap((rule) => {
      const same = before.get(rule.id);
      return same === undefined || !isDeepStrictEqual(same, rule)
        ? []
        : [[rule, this.#countersOf(same)] as const];
    });
    this.remove((rule) => rule.source === 'scenario');
    for (const rule of rules) this.#add(rule);
    for (const [rule, counters] of kept) this.#counters.set(rule, counters);
  }

  report(): RuleReport[] {
    return this.#rules.map((rule) => {
      const { met, fired, miss } = this.#countersOf(rule);
      return { rule, met, fired, lastMiss: miss?.why };
    });
  }

  /** Lists rules that never fired, except optional ones. */
  unfired(): RuleReport[] {
    return this.report().filter(({ rule, fired }) => fired === 0 && !rule.optional);
  }

  /**
   * Decides what happens to a request, and counts what it decides.
   *
   * Armed rules come first, then the request header, scenario rules and magic values.
   */
  decide(facts: Facts, point: DecisionPoint, { header, magic }: DirectChoices): Decision {
    const builder = new DecisionBuilder();
    this.#applyRules('armed', facts, point, builder);
    if (!builder.isClosed && header !== undefined && findObstacle(header, facts) === undefined) {
      if (canApplyAt(header.outcome, point)) builder.take(header);
      else if (canApplyLater(header.outcome, point)) builder.reserve(header);
    }
    this.#applyRules('scenario', facts, point, builder);
    // Magic values are known only once the request is read, so their outcomes need no reservation.
    if (!builder.isClosed && magic !== undefined && findObstacle(magic, facts) === undefined) {
      builder.take(magic);
    }
    return builder.build();
  }

  #applyRules(
    source: Rule['source'],
    facts: Facts,
    point: DecisionPoint,
    builder: DecisionBuilder,
  ): void {
    for (const rule of this.#active.listFor(source, facts)) {
      if (builder.isFull && !rule.decorates) continue;
      for (const choice of this.#tryRule(rule, facts, point, builder)) builder.take(choice);
    }
  }

  /**
   * Returns the outcomes of a rule for a request, or none if it does not fire.
   *
   * A rule that fires once the request is read is not counted before, but reserves its slots.
   */
  #tryRule(
    rule: Rule,
    facts: Facts,
    point: DecisionPoint,
    builder: DecisionBuilder,
  ): readonly OutcomeChoice[] {
    const counters = this.#countersOf(rule);
    const inactivity = this.#findInactivity(rule, counters, facts);
    if (inactivity !== undefined) {
      this.#retireIfSpent(rule, counters);
      return recordMiss(rule, counters, builder, inactivity, 'inactive');
    }
    const mismatch = rule.match === undefined ? undefined : findMismatch(rule.match, facts);
    if (mismatch !== undefined) return recordMiss(rule, counters, builder, mismatch, 'match');
    return this.#tryAttempt(rule, counters, facts, point, builder);
  }

  /** Returns the outcomes of a rule that matches the request. */
  #tryAttempt(
    rule: Rule,
    counters: RuleCounters,
    facts: Facts,
    point: DecisionPoint,
    builder: DecisionBuilder,
  ): readonly OutcomeChoice[] {
    // The key is computed late: it may need the whole request, and most rules miss before.
    const key = findCounterKey(rule.per, facts);
    const attempt = (counters.attempts.get(key) ?? 0) + 1;
    const choices = selectOutcomes(this.#catalogue, this.#seed, rule, { attempt, key }, facts);
    const isNatural = choices === 'ok';
    const free = isNatural ? [] : choices.filter((one) => builder.hasSlotFor(one));
    const applicableNow = free.filter(({ outcome }) => canApplyAt(outcome, point));
    const firesNow = applicableNow.length > 0 || (isNatural && point !== 'before-read');
    if (!firesNow) {
      // An attempt that the rule skips counts even if another rule occupies the slot.
      const belongsNow = !isNatural && choices.some(({ outcome }) => canApplyAt(outcome, point));
      const skipped = belongsNow ? this.#findAttemptMiss(rule, attempt, key) : undefined;
      if (point === 'before-read' && skipped !== undefined) {
        this.#count(counters, key, attempt);
        return recordMiss(rule, counters, builder, skipped);
      }
      const later = free.filter(
        (one) => canApplyLater(one.outcome, point) && findObstacle(one, facts) === undefined,
      );
      if (!isNatural && later.length === 0) return [];
      if (this.#findAttemptMiss(rule, attempt, key) !== undefined) return [];
      if (isNatural) builder.isClosed = true;
      for (const one of later) builder.reserve(one);
      return [];
    }
    const obstacle = applicableNow
      .map((one) => findObstacle(one, facts))
      .find((why) => why !== undefined);
    if (obstacle !== undefined) return recordMiss(rule, counters, builder, obstacle);
    this.#count(counters, key, attempt);
    const skipped = this.#findAttemptMiss(rule, attempt, key);
    if (skipped !== undefined) return recordMiss(rule, counters, builder, skipped);
    counters.fired++;
    counters.miss = undefined;
    this.#retireIfSpent(rule, counters);
    if (isNatural) builder.isClosed = true;
    return applicableNow;
  }

  /** Explains why a rule applies to no request now. */
  #findInactivity(rule: Rule, counters: RuleCounters, facts: Facts): string | undefined {
    if (rule.during !== undefined && rule.during !== this.state) {
      const state = this.state === undefined ? 'has no state' : `is in state "${this.state}"`;
      return `it applies in state "${rule.during}", and the scenario ${state}`;
    }
    if (rule.fromMs !== undefined && facts.nowMs < rule.fromMs) return 'it does not apply yet';
    if (rule.untilMs !== undefined && facts.nowMs >= rule.untilMs) return 'it no longer applies';
    if (this.#isExpired(rule)) return 'it has expired';
    if (rule.times !== undefined && counters.fired >= rule.times) {
      return `it has fired ${counters.fired} of ${rule.times} times`;
    }
    return undefined;
  }

  /** Explains why a rule skips an attempt, which counts nevertheless. */
  #findAttemptMiss(rule: Rule, attempt: number, key: string): string | undefined {
    const { nth, probability, match } = rule;
    if (nth !== undefined && attempt !== nth) {
      return `it applies to attempt ${nth}, and this was attempt ${attempt}`;
    }
    const mismatch = match === undefined ? undefined : findAttemptMismatch(match, attempt);
    if (mismatch !== undefined) return mismatch;
    return probability !== undefined && drawChance(this.#seed, rule.id, key, attempt) >= probability
      ? `the random draw decided against it (probability ${probability})`
      : undefined;
  }

  #isExpired({ expiresAtRealMs }: Rule): boolean {
    return expiresAtRealMs !== undefined && this.#realNowMs() >= expiresAtRealMs;
  }

  #retireIfSpent(rule: Rule, { fired }: RuleCounters): void {
    const isUsedUp = rule.times !== undefined && fired >= rule.times;
    if (isUsedUp || this.#isExpired(rule)) this.#active.retire(rule);
  }

  #count(counters: RuleCounters, key: string, attempt: number): void {
    counters.met++;
    if (counters.attempts.size >= maxCounterKeys && !counters.attempts.has(key)) {
      const [oldest] = counters.attempts.keys();
      if (oldest !== undefined) counters.attempts.delete(oldest);
    }
    counters.attempts.set(key, attempt);
  }

  #countersOf(rule: Rule): RuleCounters {
    const counters = this.#counters.get(rule);
    if (counters === undefined) throw new Error(`The rule ${rule.id} has no counters.`);
    return counters;
  }
}

/** Records why a rule did not fire. The object of a repeated reason is reused. */
function recordMiss(
  { id }: Rule,
  counters: RuleCounters,
  builder: DecisionBuilder,
  why: string,
  kind: MissKind = 'attempt',
): readonly OutcomeChoice[] {
  if (counters.miss?.why !== why) counters.miss = { rule: id, why };
  builder.addMiss(kind, counters.miss);
  return [];
}

function makeRuleId(number: number): string {
  return `rule-${number}`;
}
