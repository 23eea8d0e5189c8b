/** One merchant's rules and their counters. Deciding on a request also counts it, in the same synchronous step. */
import { isDeepStrictEqual } from 'node:util';
import type { Catalogue } from '../catalogue.ts';
import { DecisionBuilder } from '../decide/decision-builder.ts';
import {
  canApplyAt,
  canApplyLater,
  findObstacle,
  type Decision,
  type DecisionPoint,
  type OutcomeChoice,
} from '../decide/decision.ts';
import { ActiveRules } from './active-rules.ts';
import type { Facts } from './facts.ts';
import { findMismatch } from './match.ts';
import type { RuleBookState, RuleState } from './rule-book-state.ts';
import { RuleCounters, type CountersState } from './rule-counters.ts';
import { findInactivity, isExpired, type RuleClocks } from './rule-limits.ts';
import type { RuleReport, RuleActivity } from './rule-report.ts';
import { drawsByChance } from './rule-sequence.ts';
import { includesOperation, type Rule, type RuleSource } from './rule.ts';
import { tryMatching, type OpenDecision } from './try-matching.ts';

/** How many rules of another merchant are compared with a request. */
const maxCompared = 20;

/** Outcomes that the request itself asks for. */
interface DirectChoices {
  readonly header?: OutcomeChoice | undefined;
  /** The outcome of a magic value: cardholder name, card number or amount. */
  readonly magic?: OutcomeChoice | undefined;
}

export class RuleBook {
  readonly #catalogue: Catalogue;
  readonly #seed: string;
  readonly #clocks: RuleClocks;
  #rules: Rule[];
  readonly #active = new ActiveRules();
  /** Counters by rule object: a reloaded scenario may name a rule like an armed one. */
  readonly #counters = new Map<Rule, RuleCounters>();
  /** Rules armed for this merchant alone whose operations were not requested yet. */
  readonly #untouched = new Set<Rule>();
  #named: number;
  /** The state of the scenario. */
  state: string | undefined;

  constructor(
    catalogue: Catalogue,
    seed: string,
    clocks: RuleClocks,
    { rules, named, scenarioState }: RuleBookState,
  ) {
    this.#catalogue = catalogue;
    this.#seed = seed;
    this.#clocks = clocks;
    this.#named = named;
    this.state = scenarioState;
    this.#rules = rules.map(({ rule: stored, leftMs, ...counts }) => {
      const expiresAtRealMs = leftMs === undefined ? undefined : clocks.realNowMs() + leftMs;
      const rule: Rule = { ...stored, expiresAtRealMs };
      this.#counters.set(rule, this.#newCounters(rule, counts));
      return rule;
    });
    for (const rule of this.#rules) {
      this.#active.add(rule);
      this.#retireIfSpent(rule, this.#countersOf(rule));
    }
  }

  /** Returns the rules and counters as plain data. */
  exportState(): RuleBookState {
    const nowMs = this.#clocks.realNowMs();
    const rules = this.#rules.map((one): RuleState => {
      const { expiresAtRealMs, ...rule } = one;
      return {
        rule,
        leftMs: expiresAtRealMs === undefined ? undefined : Math.max(0, expiresAtRealMs - nowMs),
        ...this.#countersOf(one).export(),
      };
    });
    return { rules, named: this.#named, scenarioState: this.state };
  }

  get isEmpty(): boolean {
    return this.#rules.length === 0;
  }

  /** The rules that requests are compared with. */
  get active(): readonly Rule[] {
    return this.#active.all;
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
    if (rule.source === 'armed' && !rule.optional) this.#untouched.add(rule);
    this.#counters.set(rule, this.#newCounters(rule));
  }

  #newCounters(rule: Rule, state?: CountersState): RuleCounters {
    const countsPurchases = rule.per !== 'intent' && drawsByChance(this.#catalogue, rule);
    return new RuleCounters(rule.id, countsPurchases, state);
  }

  /** Adds rules that were armed for several merchants, unless a rule here has the name. */
  addShared(rules: readonly Rule[]): void {
    for (const rule of rules) if (this.find(rule.id) === undefined) this.#add(rule);
  }

  /** Whether a rule that was armed for this merchant waits for the first request of its operations. */
  get hasUntouched(): boolean {
    return this.#untouched.size > 0;
  }

  /** Finds such a rule that would have fitted a request of another merchant. Looks at a few rules only. */
  findUntouched(facts: Facts): Rule | undefined {
    let compared = 0;
    for (const rule of this.#untouched) {
      if (++compared > maxCompared) return undefined;
      const isOfOperation = rule.operations.some((pattern) =>
        includesOperation(pattern, facts.operation, facts.writes),
      );
      if (
        isOfOperation &&
        this.#findInactivity(rule, this.#countersOf(rule), facts.nowMs) === undefined &&
        (rule.match === undefined || findMismatch(rule.match, facts) === undefined)
      ) {
        return rule;
      }
    }
    return undefined;
  }

  /** Removes rules and returns their number. */
  remove(test: (rule: Rule) => boolean): number {
    const removed = this.#rules.filter(test);
    this.#rules = this.#rules.filter((rule) => !test(rule));
    this.#active.remove(test);
    for (const rule of removed) {
      this.#counters.delete(rule);
      this.#untouched.delete(rule);
    }
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
      const counters = this.#countersOf(rule);
      return { rule, activity: this.#activityOf(rule, counters), ...counters.totals };
    });
  }

  /**
   * Lists rules that never fired, except optional ones. A rule for several merchants counts once the merchant sent a
   * request of its operations.
   */
  unfired(): RuleReport[] {
    return this.report().filter(
      ({ rule, fired, seen }) =>
        fired === 0 && !rule.optional && (rule.source !== 'shared' || seen > 0),
    );
  }

  #activityOf(rule: Rule, counters: RuleCounters): RuleActivity {
    if (counters.isUsedUp(rule)) return 'used-up';
    const nowMs = this.#clocks.nowMs();
    if (isExpired(rule, this.#clocks) || (rule.untilMs !== undefined && nowMs >= rule.untilMs)) {
      return 'expired';
    }
    return this.#findInactivity(rule, counters, nowMs) === undefined ? 'live' : 'waiting';
  }

  /**
   * Decides what happens to a request, and counts what it decides.
   *
   * Armed rules come first, then the request header, scenario rules and magic values.
   */
  decide(facts: Facts, point: DecisionPoint, { header, magic }: DirectChoices): Decision {
    const builder = new DecisionBuilder();
    const open = { facts, point, builder };
    this.#applyRules('armed', open);
    this.#applyRules('shared', open);
    if (!builder.isClosed && header !== undefined && findObstacle(header, facts) === undefined) {
      if (canApplyAt(header.outcome, point)) builder.take(header);
      else if (canApplyLater(header.outcome, point)) builder.reserve(header);
    }
    this.#applyRules('scenario', open);
    // Magic values are known only once the request is read, so their outcomes need no reservation.
    if (!builder.isClosed && magic !== undefined && findObstacle(magic, facts) === undefined) {
      builder.take(magic);
    }
    return builder.build();
  }

  #applyRules(source: RuleSource, open: OpenDecision): void {
    const { facts, point, builder } = open;
    for (const rule of this.#active.listFor(source, facts)) {
      // Every request passes this point first.
      if (point === 'before-read') this.#see(rule);
      if (builder.isFull && !rule.decorates) {
        if (point !== 'before-read') this.#countersOf(rule).recordBlock(builder, []);
        continue;
      }
      for (const choice of this.#tryRule(rule, open)) builder.take(choice);
    }
  }

  /**
   * Returns the outcomes of a rule for a request, or none if it does not fire.
   *
   * A rule that fires once the request is read is not counted before, but reserves its slots.
   */
  #tryRule(rule: Rule, open: OpenDecision): readonly OutcomeChoice[] {
    const { facts, builder } = open;
    const counters = this.#countersOf(rule);
    const inactivity = this.#findInactivity(rule, counters, facts.nowMs);
    if (inactivity !== undefined) {
      this.#retireIfSpent(rule, counters);
      return counters.recordMiss(builder, inactivity, 'inactive');
    }
    const mismatch = rule.match === undefined ? undefined : findMismatch(rule.match, facts);
    if (mismatch !== undefined) return counters.recordMiss(builder, mismatch, 'match');
    const firedBefore = counters.fired;
    const outcomes = tryMatching(this.#catalogue, this.#seed, rule, counters, open);
    if (counters.fired > firedBefore) this.#retireIfSpent(rule, counters);
    return outcomes;
  }

  #see(rule: Rule): void {
    this.#countersOf(rule).see();
    if (this.#untouched.size > 0) this.#untouched.delete(rule);
  }

  /** Explains why a rule applies to no request at this time of the merchant's clock. */
  #findInactivity(rule: Rule, { fired }: RuleCounters, nowMs: number): string | undefined {
    return findInactivity(rule, fired, this.state, this.#clocks, nowMs);
  }

  #retireIfSpent(rule: Rule, counters: RuleCounters): void {
    if (counters.isUsedUp(rule) || isExpired(rule, this.#clocks)) this.#active.retire(rule);
  }

  #countersOf(rule: Rule): RuleCounters {
    const counters = this.#counters.get(rule);
    if (counters === undefined) throw new Error(`The rule ${rule.id} has no counters.`);
    return counters;
  }
}

function makeRuleId(number: number): string {
  return `rule-${number}`;
}
