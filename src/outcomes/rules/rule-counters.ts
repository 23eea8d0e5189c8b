/** What one rule has counted: the requests that it saw, how often it fired, and why it did not. */
import type { DecisionBuilder, MissKind } from '../decide/decision-builder.ts';
import type { NearMiss, OutcomeChoice } from '../decide/decision.ts';
import type { Facts } from './facts.ts';
import type { RuleState } from './rule-book-state.ts';
import type { RuleReport } from './rule-report.ts';
import type { CountedRequest } from './rule-sequence.ts';
import type { Rule } from './rule.ts';

/** The counters as plain data. */
export type CountersState = Omit<RuleState, 'rule' | 'leftMs'>;

/** The most counter keys of one rule. Endless traffic on a rule per purchase must not fill the memory. */
const maxCounterKeys = 10_000;

/** The counters of one rule. */
export class RuleCounters {
  readonly #ruleId: string;
  #seen: number;
  #met: number;
  #fired: number;
  #blocked: number;
  #miss: NearMiss | undefined;
  #missKind: MissKind | undefined;
  readonly #attempts: Map<string, number>;
  readonly #purchases: Map<string, number> | undefined;

  /** @param countsPurchases Whether attempts are also counted by purchase: the rule draws by chance and counts otherwise. */
  constructor(ruleId: string, countsPurchases: boolean, state?: CountersState) {
    this.#ruleId = ruleId;
    this.#seen = state?.seen ?? 0;
    this.#met = state?.met ?? 0;
    this.#fired = state?.fired ?? 0;
    this.#blocked = state?.blocked ?? 0;
    this.#miss = state?.lastMiss === undefined ? undefined : { rule: ruleId, why: state.lastMiss };
    this.#missKind = state?.missKind;
    this.#attempts = new Map(state?.attempts);
    this.#purchases = countsPurchases ? new Map(state?.purchases) : undefined;
  }

  /** The counters as plain data. */
  export(): CountersState {
    return {
      ...this.totals,
      attempts: [...this.#attempts],
      purchases: this.#purchases && [...this.#purchases],
    };
  }

  /** The counts over all requests, and why the rule did not fire on the latest one. */
  get totals(): Omit<RuleReport, 'rule' | 'activity'> {
    return {
      seen: this.#seen,
      met: this.#met,
      fired: this.#fired,
      blocked: this.#blocked,
      lastMiss: this.#miss?.why,
      missKind: this.#missKind,
    };
  }

  get fired(): number {
    return this.#fired;
  }

  /** Counts a request of the rule's operations. */
  see(): void {
    this.#seen++;
  }

  /** Returns the place of a request in what the rule counts. Nothing is counted yet. */
  placeOf(key: string, facts: Facts): CountedRequest {
    const number = (this.#attempts.get(key) ?? 0) + 1;
    if (this.#purchases === undefined) return { number, purchase: key, attempt: number };
    // Read late, because it may need the whole request.
    const purchase = facts.intent;
    return { number, purchase, attempt: (this.#purchases.get(purchase) ?? 0) + 1 };
  }

  /** Counts a request at its place. */
  count(key: string, { number, purchase, attempt }: CountedRequest): void {
    this.#met++;
    setCount(this.#attempts, key, number);
    if (this.#purchases !== undefined) setCount(this.#purchases, purchase, attempt);
  }

  /** Counts that the rule fired. */
  fire(): void {
    this.#fired++;
    this.#miss = undefined;
    this.#missKind = undefined;
  }

  /** Whether the rule can never fire again because of its counts. */
  isUsedUp({ times, nth, per }: Rule): boolean {
    if (times !== undefined && this.#fired >= times) return true;
    return nth !== undefined && per === 'merchant' && (this.#attempts.get('') ?? 0) >= nth;
  }

  /** Records that another rule or trigger answers a request, if the rule has never fired. It is no near miss. */
  recordBlock(builder: DecisionBuilder, choices: readonly OutcomeChoice[]): void {
    if (this.#fired > 0) return;
    this.#blocked++;
    this.#missBecause(`${builder.holderOf(choices)} had answered the request`);
    this.#missKind = 'blocked';
  }

  /** Records why the rule did not fire. Returns no outcomes. */
  recordMiss(
    builder: DecisionBuilder,
    why: string,
    kind: Exclude<MissKind, 'blocked'> = 'attempt',
  ): readonly OutcomeChoice[] {
    this.#missKind = kind;
    builder.addMiss(kind, this.#missBecause(why));
    return [];
  }

  /** The object of a repeated reason is reused. */
  #missBecause(why: string): NearMiss {
    if (this.#miss?.why !== why) this.#miss = { rule: this.#ruleId, why };
    return this.#miss;
  }
}

function setCount(counts: Map<string, number>, key: string, count: number): void {
  if (counts.size >= maxCounterKeys && !counts.has(key)) {
    const [oldest] = counts.keys();
    if (oldest !== undefined) counts.delete(oldest);
  }
  counts.set(key, count);
}
