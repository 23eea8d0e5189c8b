/** What was found for one request so far: what happens to it, and which rules looked at it and did not fire. */
import {
  classifyOutcome,
  isSlotOccupied,
  type OutcomeChoice,
  type Decision,
  type NearMiss,
  type OccupiedSlots,
} from './decision.ts';

/** What a rule did not take: that it holds at all, that the request fits, and that it is the attempt's turn. */
export type MissKind = 'rest' | 'match' | 'turn';

const noDialects: readonly OutcomeChoice[] = [];

const noMisses: readonly NearMiss[] = [];

export class DecisionBuilder {
  #domain: OutcomeChoice | undefined;
  #transport: OutcomeChoice | undefined;
  #dialects: OutcomeChoice[] | undefined;
  /** Lists are made when they are needed: most requests meet one rule that misses, or none. */
  readonly #misses: Partial<Record<MissKind, NearMiss[]>> = {};
  /** Which places are given away, also to what comes once the request was read. */
  readonly #taken: OccupiedSlots = {};
  /** It is to be left alone by all that was not asked yet. */
  isClosed = false;

  /** Only what decorates answers may still be added. */
  get isFull(): boolean {
    return this.isClosed || (this.#taken.domain === true && this.#taken.transport === true);
  }

  /** Whether an outcome's place is still free. */
  hasSlotFor({ outcome }: OutcomeChoice): boolean {
    return !isSlotOccupied(outcome, this.#taken);
  }

  /** Gives an outcome its place, where that is free. */
  take(chosen: OutcomeChoice): void {
    const kind = classifyOutcome(chosen.outcome);
    if (kind === 'dialect') (this.#dialects ??= []).push(chosen);
    else if (this.#taken[kind] !== true) {
      if (kind === 'domain') this.#domain = chosen;
      else this.#transport = chosen;
      this.#taken[kind] = true;
    }
  }

  /** Keeps a place for what comes once the request was read. */
  reserve({ outcome }: OutcomeChoice): void {
    const kind = classifyOutcome(outcome);
    if (kind !== 'dialect') this.#taken[kind] = true;
  }

  /** Notes a rule that looked at the request and did not fire. */
  addMiss(hurdle: MissKind, miss: NearMiss): void {
    const misses = this.#misses[hurdle];
    // An empty list that grows takes room for seventeen, and most requests meet one rule.
    if (misses === undefined) this.#misses[hurdle] = [miss];
    else misses.push(miss);
  }

  /** All of it: of the rules that did not fire the nearest first. */
  build(): Decision {
    const { turn, match, rest } = this.#misses;
    return {
      domain: this.#domain,
      transport: this.#transport,
      dialects: this.#dialects ?? noDialects,
      nearMisses: concat(concat(turn, match), rest) ?? noMisses,
    };
  }
}

function concat<T>(first: T[] | undefined, second: T[] | undefined): T[] | undefined {
  return first === undefined || second === undefined ? (first ?? second) : [...first, ...second];
}
