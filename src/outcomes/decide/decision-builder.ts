/** Collects the decision on one request: what happens to it, and which rules looked at it without firing. */
import {
  classifyOutcome,
  isSlotOccupied,
  type Decision,
  type NearMiss,
  type OccupiedSlots,
  type OutcomeChoice,
} from './decision.ts';

/**
 * What kept a rule from firing: it is not active, its conditions do not match, it is for another request, or another rule
 * answers the request.
 */
export type MissKind = 'inactive' | 'match' | 'attempt' | 'blocked';

const noDialects: readonly OutcomeChoice[] = [];

const noMisses: readonly NearMiss[] = [];

export class DecisionBuilder {
  #domain: OutcomeChoice | undefined;
  #transport: OutcomeChoice | undefined;
  #dialects: OutcomeChoice[] | undefined;
  /** Lists are created on demand, because most requests meet one rule or none. */
  readonly #misses: Partial<Record<Exclude<MissKind, 'blocked'>, NearMiss[]>> = {};
  /** Occupied slots, including those reserved for outcomes that apply once the request is read. */
  readonly #occupied: OccupiedSlots = {};
  /** The rule that chose natural behaviour. Later triggers are ignored. */
  #closedBy: string | undefined;

  /** Whether a rule chose natural behaviour. */
  get isClosed(): boolean {
    return this.#closedBy !== undefined;
  }

  /** Chooses natural behaviour. */
  closeBy({ id }: { readonly id: string }): void {
    this.#closedBy ??= id;
  }

  /** Names the rule or trigger that leaves no slot for these outcomes. */
  holderOf(choices: readonly OutcomeChoice[]): string {
    if (this.#closedBy !== undefined) return `rule ${this.#closedBy}`;
    const slots = choices.map(({ outcome }) => classifyOutcome(outcome));
    const holder = slots.includes('domain')
      ? (this.#domain ?? this.#transport)
      : (this.#transport ?? this.#domain);
    if (holder === undefined) return 'another rule';
    return holder.rule === undefined ? `the ${holder.by}` : `rule ${holder.rule}`;
  }

  /** Whether only dialects may still be added. */
  get isFull(): boolean {
    return this.isClosed || (this.#occupied.domain === true && this.#occupied.transport === true);
  }

  hasSlotFor({ outcome }: OutcomeChoice): boolean {
    return !isSlotOccupied(outcome, this.#occupied);
  }

  /** Adds an outcome unless its slot is occupied. */
  take(choice: OutcomeChoice): void {
    const slot = classifyOutcome(choice.outcome);
    if (slot === 'dialect') (this.#dialects ??= []).push(choice);
    else if (this.#occupied[slot] !== true) {
      if (slot === 'domain') this.#domain = choice;
      else this.#transport = choice;
      this.#occupied[slot] = true;
    }
  }

  /** Reserves the slot of an outcome that applies once the request is read. */
  reserve({ outcome }: OutcomeChoice): void {
    const slot = classifyOutcome(outcome);
    if (slot !== 'dialect') this.#occupied[slot] = true;
  }

  /** Notes a rule that looked at the request and did not fire. */
  addMiss(kind: Exclude<MissKind, 'blocked'>, miss: NearMiss): void {
    const misses = this.#misses[kind];
    // An empty array that grows allocates room for seventeen items, and most requests meet one rule.
    if (misses === undefined) this.#misses[kind] = [miss];
    else misses.push(miss);
  }

  /** Returns the decision, with the nearest misses first. */
  build(): Decision {
    const { attempt, match, inactive } = this.#misses;
    return {
      domain: this.#domain,
      transport: this.#transport,
      dialects: this.#dialects ?? noDialects,
      nearMisses: concat(concat(attempt, match), inactive) ?? noMisses,
    };
  }
}

function concat<T>(first: T[] | undefined, second: T[] | undefined): T[] | undefined {
  return first === undefined || second === undefined ? (first ?? second) : [...first, ...second];
}
