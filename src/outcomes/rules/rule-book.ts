/** One merchant's rules and how often each was met and fired. Deciding consumes, in the same synchronous step. */
import { isDeepStrictEqual } from 'node:util';
import { ActiveRules } from './active-rules.ts';
import type { Catalogue } from '../catalogue.ts';
import { drawChance } from '../decide/chance.ts';
import type { Facts } from './facts.ts';
import {
  canApplyLater,
  canApplyAt,
  findObstacle,
  type OutcomeChoice,
  type Decision,
  type DecisionPoint,
  type NearMiss,
} from '../decide/decision.ts';
import { DecisionBuilder, type MissKind } from '../decide/decision-builder.ts';
import type { RuleState, RuleBookState } from './rule-book-state.ts';
import { findMismatch, findAttemptMismatch } from './match.ts';
import type { Rule } from './rule.ts';
import { selectOutcomes, findCounterKey } from './rule-sequence.ts';

export interface RuleReport {
  readonly rule: Rule;
  readonly met: number;
  readonly fired: number;
  /** Why the last request it took in did not fire it. */
  readonly lastMiss: string | undefined;
}

interface RuleCounters {
  met: number;
  fired: number;
  /** What was said to the last request it took in, where it did not fire. */
  miss: NearMiss | undefined;
  readonly attempts: Map<string, number>;
}

/** Counters kept for one rule: a rule per intent under endless traffic must not fill the memory. */
const maxCounterKeys = 10_000;

export class RuleBook {
  readonly #catalogue: Catalogue;
  readonly #seed: string;
  readonly #realNowMs: () => number;
  #rules: Rule[];
  readonly #active = new ActiveRules();
  /** By the rule itself: a reloaded scenario may name a rule as an armed one is named. */
  readonly #counters = new Map<Rule, RuleCounters>();
  #named: number;
  /** The scenario's state, for rules that hold during one. */
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
    this.#rules = rules.map(({ rule: kept, leftMs, met, fired, lastMiss, attempts }) => {
      const expiresAtRealMs = leftMs === undefined ? undefined : realNowMs() + leftMs;
      const rule: Rule = { ...kept, expiresAtRealMs };
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

  /** All that this book holds, to go on with in another. */
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

  /** How many rules there are, those that will not fire any more among them. */
  get size(): number {
    return this.#rules.length;
  }

  /** A name for a rule that was given none: one that nobody has, and none that was given before. */
  get nextId(): string {
    return makeRuleId(this.#nextNumber());
  }

  /** The rule of a name, also one that will not fire any more. */
  find(id: string): Rule | undefined {
    return this.#rules.find((rule) => rule.id === id);
  }

  /** Adds the rules of one call, which used up a number, be they named otherwise. */
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

  /** Takes rules away: one by its id, or all of a source. */
  remove(test: (rule: Rule) => boolean): number {
    const gone = this.#rules.filter(test);
    this.#rules = this.#rules.filter((rule) => !test(rule));
    this.#active.remove(test);
    for (const rule of gone) this.#counters.delete(rule);
    return gone.length;
  }

  /** Gives the scenario other rules. Those that are as they were keep their counters. */
  replaceScenario(rules: readonly Rule[]): void {
    const before = new Map(
      this.#rules.flatMap((rule) => (rule.source === 'scenario' ? [[rule.id, rule]] : [])),
    );
    const tallies = rules.flatMap((rule) => {
      const same = before.get(rule.id);
      return same === undefined || !isDeepStrictEqual(same, rule)
        ? []
        : [[rule, this.#countersOf(same)] as const];
    });
    this.remove((rule) => rule.source === 'scenario');
    for (const rule of rules) this.#add(rule);
    for (const [rule, tally] of tallies) this.#counters.set(rule, tally);
  }

  report(): RuleReport[] {
    return this.#rules.map((rule) => {
      const { met, fired, miss } = this.#countersOf(rule);
      return { rule, met, fired, lastMiss: miss?.why };
    });
  }

  /** Rules that should have fired and never did. */
  unfired(): RuleReport[] {
    return this.report().filter(({ rule, fired }) => fired === 0 && !rule.optional);
  }

  /**
   * Decides what happens to a request, and consumes what it decides. `direct` are outcomes asked for by the request
   * itself (header, cardholder's name, card, amount), in order of precedence; the header stands before scenario rules.
   */
  decide(
    facts: Facts,
    gate: DecisionPoint,
    direct: {
      readonly header?: OutcomeChoice | undefined;
      readonly magic?: OutcomeChoice | undefined;
    },
  ): Decision {
    const found = new DecisionBuilder();
    this.#applyRules('armed', facts, gate, found);
    const { header, magic } = direct;
    if (!found.isClosed && header !== undefined && findObstacle(header, facts) === undefined) {
      if (canApplyAt(header.outcome, gate)) found.take(header);
      else if (canApplyLater(header.outcome, gate)) found.reserve(header);
    }
    this.#applyRules('scenario', facts, gate, found);
    // Magic is in what was read, so whatever it asks for waits until then.
    if (!found.isClosed && magic !== undefined && findObstacle(magic, facts) === undefined)
      found.take(magic);
    return found.build();
  }

  #applyRules(
    source: Rule['source'],
    facts: Facts,
    gate: DecisionPoint,
    found: DecisionBuilder,
  ): void {
    for (const rule of this.#active.listFor(source, facts)) {
      if (found.isFull && !rule.decorates) continue;
      for (const chosen of this.#tryRule(rule, facts, gate, found)) found.take(chosen);
    }
  }

  /**
   * What a rule lets happen to a request; nothing where it does not fire. Where it is to fire once the request was
   * read, it is not counted yet, and keeps the rules after it from what happens before that.
   */
  #tryRule(
    rule: Rule,
    facts: Facts,
    gate: DecisionPoint,
    found: DecisionBuilder,
  ): readonly OutcomeChoice[] {
    const tally = this.#countersOf(rule);
    const rest = this.#findInactivity(rule, tally, facts);
    if (rest !== undefined) {
      this.#retireIfSpent(rule, tally);
      return recordMiss(rule, tally, found, rest, 'rest');
    }
    const miss = rule.match === undefined ? undefined : findMismatch(rule.match, facts);
    if (miss !== undefined) return recordMiss(rule, tally, found, miss, 'match');
    return this.#tryAttempt(rule, tally, facts, gate, found);
  }

  /** The same of a rule that fits the request. */
  #tryAttempt(
    rule: Rule,
    tally: RuleCounters,
    facts: Facts,
    gate: DecisionPoint,
    found: DecisionBuilder,
  ): readonly OutcomeChoice[] {
    // Whose attempt it is takes a look at the whole request, and most rules miss before that matters.
    const key = findCounterKey(rule.per, facts);
    const attempt = (tally.attempts.get(key) ?? 0) + 1;
    const chosen = selectOutcomes(this.#catalogue, this.#seed, rule, { attempt, key }, facts);
    const natural = chosen === 'ok';
    const free = natural ? [] : chosen.filter((one) => found.hasSlotFor(one));
    const here = free.filter(({ outcome }) => canApplyAt(outcome, gate));
    const isLeft = here.length === 0 && (!natural || gate === 'before-read');
    if (isLeft) {
      // An attempt that it is not for counts also where the place is kept for another rule.
      const isHere = !natural && chosen.some(({ outcome }) => canApplyAt(outcome, gate));
      const missAt = isHere ? this.#findAttemptMiss(rule, attempt, key) : undefined;
      if (gate === 'before-read' && missAt !== undefined) {
        this.#count(tally, key, attempt);
        return recordMiss(rule, tally, found, missAt);
      }
      // A step that belongs to another point of the hall is left for it.
      const later = free.filter(
        (one) => canApplyLater(one.outcome, gate) && findObstacle(one, facts) === undefined,
      );
      if (!natural && later.length === 0) return [];
      if (this.#findAttemptMiss(rule, attempt, key) !== undefined) return [];
      if (natural) found.isClosed = true;
      for (const one of later) found.reserve(one);
      return [];
    }
    const not = here.map((one) => findObstacle(one, facts)).find((why) => why !== undefined);
    if (not !== undefined) return recordMiss(rule, tally, found, not);
    this.#count(tally, key, attempt);
    const missAt = this.#findAttemptMiss(rule, attempt, key);
    if (missAt !== undefined) return recordMiss(rule, tally, found, missAt);
    tally.fired++;
    tally.miss = undefined;
    this.#retireIfSpent(rule, tally);
    if (natural) found.isClosed = true;
    return here;
  }

  /** Why a rule looks at no request now. */
  #findInactivity(rule: Rule, tally: RuleCounters, facts: Facts): string | undefined {
    if (rule.during !== undefined && rule.during !== this.state) {
      return `it holds during "${rule.during}", the scenario is in "${this.state ?? 'no state'}"`;
    }
    if (rule.fromMs !== undefined && facts.nowMs < rule.fromMs) return 'its time has not come';
    if (rule.untilMs !== undefined && facts.nowMs >= rule.untilMs) return 'its time is over';
    if (this.#isExpired(rule)) return 'its time to live is over';
    if (rule.times !== undefined && tally.fired >= rule.times) {
      return `it has fired ${tally.fired} of ${rule.times} times`;
    }
    return undefined;
  }

  /** Why a rule does not fire at an attempt, which counts all the same. */
  #findAttemptMiss(rule: Rule, attempt: number, key: string): string | undefined {
    const { nth, probability, match } = rule;
    if (nth !== undefined && attempt !== nth) {
      return `it is for attempt ${nth}, this was attempt ${attempt}`;
    }
    const miss = match === undefined ? undefined : findAttemptMismatch(match, attempt);
    if (miss !== undefined) return miss;
    return probability !== undefined && drawChance(this.#seed, rule.id, key, attempt) >= probability
      ? `the draw was against it (probability ${probability})`
      : undefined;
  }

  #isExpired({ expiresAtRealMs }: Rule): boolean {
    return expiresAtRealMs !== undefined && this.#realNowMs() >= expiresAtRealMs;
  }

  #retireIfSpent(rule: Rule, { fired }: RuleCounters): void {
    const isUsedUp = rule.times !== undefined && fired >= rule.times;
    if (isUsedUp || this.#isExpired(rule)) this.#active.retire(rule);
  }

  #count(tally: RuleCounters, key: string, attempt: number): void {
    tally.met++;
    if (tally.attempts.size >= maxCounterKeys && !tally.attempts.has(key)) {
      const [oldest] = tally.attempts.keys();
      if (oldest !== undefined) tally.attempts.delete(oldest);
    }
    tally.attempts.set(key, attempt);
  }

  #countersOf(rule: Rule): RuleCounters {
    const tally = this.#counters.get(rule);
    if (tally === undefined) throw new Error(`The rule ${rule.id} has no tally.`);
    return tally;
  }
}

/** Says why a rule did not fire; what it says again is written down once. */
function recordMiss(
  { id }: Rule,
  tally: RuleCounters,
  found: DecisionBuilder,
  why: string,
  hurdle: MissKind = 'turn',
): readonly OutcomeChoice[] {
  if (tally.miss?.why !== why) tally.miss = { rule: id, why };
  found.addMiss(hurdle, tally.miss);
  return [];
}

function makeRuleId(number: number): string {
  return `rule-${number}`;
}
