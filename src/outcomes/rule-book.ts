/** One merchant's rules and how often each was met and fired. Deciding consumes, in the same synchronous step. */
import { isDeepStrictEqual } from 'node:util';
import { AskedRules } from './asked-rules.ts';
import type { Catalogue } from './catalogue.ts';
import { chance } from './chance.ts';
import type { Facts } from './facts.ts';
import {
  classOf,
  isFor,
  isTaken,
  whyNot,
  type Chosen,
  type Decision,
  type Gate,
  type NearMiss,
} from './decision.ts';
import type { KeptRule, RuleBookState } from './kept-rules.ts';
import { missOf } from './match.ts';
import { asGiven, seriesTimes } from './params.ts';
import { takesIn, type Per, type Rule, type Step } from './rule.ts';

export interface RuleReport {
  readonly rule: Rule;
  readonly met: number;
  readonly fired: number;
  /** Why the last request it took in did not fire it. */
  readonly lastMiss: string | undefined;
}

interface Tally {
  met: number;
  fired: number;
  lastMiss: string | undefined;
  readonly attempts: Map<string, number>;
}

/** Counters kept for one rule: a rule per intent under endless traffic must not fill the memory. */
const maxKeys = 10_000;

export class RuleBook {
  readonly #catalogue: Catalogue;
  readonly #seed: string;
  readonly #realNowMs: () => number;
  #rules: Rule[];
  readonly #asked = new AskedRules();
  /** By the rule itself: a reloaded scenario may name a rule as an armed one is named. */
  readonly #tallies = new Map<Rule, Tally>();
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
      this.#tallies.set(rule, { met, fired, lastMiss, attempts: new Map(attempts) });
      return rule;
    });
    for (const rule of this.#rules) {
      this.#asked.add(rule);
      this.#retireIfSpent(rule, this.#tally(rule));
    }
  }

  /** All that this book holds, to go on with in another. */
  written(): RuleBookState {
    const nowMs = this.#realNowMs();
    const rules = this.#rules.map((one): KeptRule => {
      const { expiresAtRealMs, ...rule } = one;
      const { met, fired, lastMiss, attempts } = this.#tally(one);
      return {
        rule,
        leftMs: expiresAtRealMs === undefined ? undefined : Math.max(0, expiresAtRealMs - nowMs),
        met,
        fired,
        lastMiss,
        attempts: [...attempts],
      };
    });
    return { rules, named: this.#named, scenarioState: this.state };
  }

  get isEmpty(): boolean {
    return this.#rules.length === 0;
  }

  /** A name for a rule that was given none: one that nobody has, and none that was given before. */
  get nextId(): string {
    return idOf(this.#nextNumber());
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
    while (this.find(idOf(next)) !== undefined) next++;
    return next;
  }

  #add(rule: Rule): void {
    this.#rules.push(rule);
    this.#asked.add(rule);
    this.#tallies.set(rule, { met: 0, fired: 0, lastMiss: undefined, attempts: new Map() });
  }

  /** Takes rules away: one by its id, or all of a source. */
  remove(test: (rule: Rule) => boolean): number {
    const gone = this.#rules.filter(test);
    this.#rules = this.#rules.filter((rule) => !test(rule));
    this.#asked.remove(test);
    for (const rule of gone) this.#tallies.delete(rule);
    return gone.length;
  }

  /** Gives the scenario other rules. Those that are as they were keep their counters. */
  replaceScenario(rules: readonly Rule[]): void {
    const before = this.#rules.filter(({ source }) => source === 'scenario');
    const tallies = rules.flatMap((rule) => {
      const same = before.find((one) => isDeepStrictEqual(one, rule));
      return same === undefined ? [] : [[rule, this.#tally(same)] as const];
    });
    this.remove((rule) => rule.source === 'scenario');
    for (const rule of rules) this.#add(rule);
    for (const [rule, tally] of tallies) this.#tallies.set(rule, tally);
  }

  report(): RuleReport[] {
    return this.#rules.map((rule) => {
      const { met, fired, lastMiss } = this.#tally(rule);
      return { rule, met, fired, lastMiss };
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
    gate: Gate,
    direct: { readonly header?: Chosen | undefined; readonly magic?: Chosen | undefined },
  ): Decision {
    const found: { domain?: Chosen; wire?: Chosen; dialects: Chosen[]; shut: boolean } = {
      dialects: [],
      shut: false,
    };
    const nearMisses: NearMiss[] = [];
    const take = (chosen: Chosen | undefined): void => {
      if (chosen === undefined) return;
      const kind = classOf(chosen.outcome);
      if (kind === 'dialect') found.dialects.push(chosen);
      else if (kind === 'domain') found.domain ??= chosen;
      else found.wire ??= chosen;
    };
    const ask = (source: Rule['source']): void => {
      for (const rule of this.#asked.all) {
        if (rule.source !== source || (found.shut && !rule.decorates)) continue;
        const full = found.domain !== undefined && found.wire !== undefined;
        if (full && !rule.decorates) continue;
        const steps = this.#visit(rule, facts, gate, found, nearMisses);
        if (steps === 'ok') found.shut = true;
        else for (const chosen of steps) take(chosen);
      }
    };
    if (!this.#asked.isEmpty) ask('armed');
    const { header, magic } = direct;
    if (!found.shut && header !== undefined && isFor(header.outcome, gate)) {
      if (whyNot(header, facts) === undefined) take(header);
    }
    if (!this.#asked.isEmpty) ask('scenario');
    // Magic is in what was read, so whatever it asks for waits until then.
    if (!found.shut && magic !== undefined && whyNot(magic, facts) === undefined) take(magic);
    return { domain: found.domain, wire: found.wire, dialects: found.dialects, nearMisses };
  }

  /** The steps a rule takes on a request; `ok` when it says natural behaviour; none when it does not fire. */
  #visit(
    rule: Rule,
    facts: Facts,
    gate: Gate,
    found: { readonly domain?: Chosen; readonly wire?: Chosen },
    nearMisses: NearMiss[],
  ): Chosen[] | 'ok' {
    if (!rule.operations.some((pattern) => takesIn(pattern, facts.operation, facts.writes))) {
      return [];
    }
    const tally = this.#tally(rule);
    const missed = (why: string): Chosen[] => {
      tally.lastMiss = why;
      this.#retireIfSpent(rule, tally);
      nearMisses.push({ rule: rule.id, why });
      return [];
    };
    // Whose attempt it is takes a look at the whole request, and most rules miss before that matters.
    const attemptOf = (whose: string): number => (tally.attempts.get(whose) ?? 0) + 1;
    const miss = this.#missOf(rule, tally, facts, () => attemptOf(keyOf(rule.per, facts)));
    if (miss !== undefined) return missed(miss);
    const key = keyOf(rule.per, facts);
    const attempt = attemptOf(key);
    const step = this.#stepAt(rule, attempt, key);
    const chosen = step === undefined ? [] : this.#chosenBy(rule, step, facts);
    // A step that belongs to another point of the hall is left for it.
    const here = chosen.filter(({ outcome }) => isFor(outcome, gate) && !isTaken(outcome, found));
    if (step !== undefined && here.length === 0) return [];
    if (step === undefined && gate === 'before-read') return [];
    const not = here.map((one) => whyNot(one, facts)).find((why) => why !== undefined);
    if (not !== undefined) return missed(not);
    this.#count(tally, key, attempt);
    const { nth, probability } = rule;
    if (nth !== undefined && attempt !== nth) {
      return missed(`it is for attempt ${nth}, this was attempt ${attempt}`);
    }
    if (probability !== undefined && chance(this.#seed, rule.id, key, attempt) >= probability) {
      return missed(`the draw was against it (probability ${probability})`);
    }
    tally.fired++;
    tally.lastMiss = undefined;
    this.#retireIfSpent(rule, tally);
    return step === undefined ? 'ok' : here;
  }

  #missOf(rule: Rule, tally: Tally, facts: Facts, attempt: () => number): string | undefined {
    if (rule.during !== undefined && rule.during !== this.state) {
      return `it holds during "${rule.during}", the scenario is in "${this.state ?? 'no state'}"`;
    }
    if (rule.fromMs !== undefined && facts.nowMs < rule.fromMs) return 'its time has not come';
    if (rule.untilMs !== undefined && facts.nowMs >= rule.untilMs) return 'its time is over';
    if (this.#isExpired(rule)) return 'its time to live is over';
    if (rule.times !== undefined && tally.fired >= rule.times) {
      return `it has fired ${tally.fired} of ${rule.times} times`;
    }
    return rule.match === undefined ? undefined : missOf(rule.match, facts, attempt);
  }

  #isExpired({ expiresAtRealMs }: Rule): boolean {
    return expiresAtRealMs !== undefined && this.#realNowMs() >= expiresAtRealMs;
  }

  #retireIfSpent(rule: Rule, { fired }: Tally): void {
    const isUsedUp = rule.times !== undefined && fired >= rule.times;
    if (isUsedUp || this.#isExpired(rule)) this.#asked.retire(rule);
  }

  /** The entry of an attempt, the last one repeating; `undefined` for `ok`. */
  #stepAt(rule: Rule, attempt: number, key: string): Step | undefined {
    const at = rule.nth === undefined ? attempt : 1;
    const entry = Math.min(at, rule.steps.length);
    const listed = rule.steps[entry - 1];
    const step =
      listed?.oneOf === undefined ? listed : this.#draw(listed.oneOf, rule, key, attempt);
    if (step === undefined || step.outcome === 'ok') return undefined;
    const outcome = this.#catalogue.get(step.outcome);
    const { effect } = outcome;
    switch (effect.kind) {
      case 'choice': {
        const drawn = this.#draw(effect.of, rule, key, attempt);
        return { ...step, outcome: drawn ?? step.outcome };
      }
      case 'series': {
        const [first = 'ok'] = effect.of;
        // How often this entry came up: a series may stand last in a longer sequence.
        return at - entry >= seriesTimes(outcome, step.params)
          ? undefined
          : { outcome: first, params: {}, and: step.and };
      }
      default:
        return step;
    }
  }

  #draw<T>(of: readonly T[], rule: Rule, key: string, attempt: number): T | undefined {
    const draw = chance(this.#seed, rule.id, key, attempt, 'choice');
    return of[Math.floor(draw * of.length)];
  }

  /** The outcomes of a step that this operation can have: a rule on every operation may name one of a few. */
  #chosenBy(rule: Rule, step: Step, facts: Facts): Chosen[] {
    const outcome = asGiven(this.#catalogue.get(step.outcome), step.params);
    const chosen: Chosen = { outcome, params: step.params, by: rule.source, rule: rule.id };
    const possible = outcome.operations.some((pattern) =>
      takesIn(pattern, facts.operation, facts.writes),
    );
    return [
      ...(possible ? [chosen] : []),
      ...(step.and === undefined ? [] : this.#chosenBy(rule, step.and, facts)),
    ];
  }

  #count(tally: Tally, key: string, attempt: number): void {
    tally.met++;
    if (tally.attempts.size >= maxKeys && !tally.attempts.has(key)) {
      const [oldest] = tally.attempts.keys();
      if (oldest !== undefined) tally.attempts.delete(oldest);
    }
    tally.attempts.set(key, attempt);
  }

  #tally(rule: Rule): Tally {
    const tally = this.#tallies.get(rule);
    if (tally === undefined) throw new Error(`The rule ${rule.id} has no tally.`);
    return tally;
  }
}

function keyOf(per: Per, facts: Facts): string {
  switch (per) {
    case 'intent':
      return facts.intent;
    case 'card':
      return facts.card?.id ?? '';
    case 'transaction':
      return facts.transaction ?? '';
    case 'merchant':
      return '';
  }
}

function idOf(number: number): string {
  return `rule-${number}`;
}
