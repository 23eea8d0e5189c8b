/** What was found for one request so far: what happens to it, and which rules looked at it and did not fire. */
import {
  classOf,
  isTaken,
  type Chosen,
  type Decision,
  type NearMiss,
  type Taken,
} from './decision.ts';

/** What a rule did not take: that it holds at all, that the request fits, and that it is the attempt's turn. */
export type Hurdle = 'rest' | 'match' | 'turn';

const noDialects: readonly Chosen[] = [];

const noMisses: readonly NearMiss[] = [];

export class Found {
  #domain: Chosen | undefined;
  #wire: Chosen | undefined;
  #dialects: Chosen[] | undefined;
  /** Lists are made when they are needed: most requests meet one rule that misses, or none. */
  readonly #misses: Partial<Record<Hurdle, NearMiss[]>> = {};
  /** Which places are given away, also to what comes once the request was read. */
  readonly #taken: Taken = {};
  /** It is to be left alone by all that was not asked yet. */
  shut = false;

  /** Only what decorates answers may still be added. */
  get isFull(): boolean {
    return this.shut || (this.#taken.domain === true && this.#taken.wire === true);
  }

  /** Whether an outcome's place is still free. */
  hasPlaceFor({ outcome }: Chosen): boolean {
    return !isTaken(outcome, this.#taken);
  }

  /** Gives an outcome its place, where that is free. */
  take(chosen: Chosen): void {
    const kind = classOf(chosen.outcome);
    if (kind === 'dialect') (this.#dialects ??= []).push(chosen);
    else if (this.#taken[kind] !== true) {
      if (kind === 'domain') this.#domain = chosen;
      else this.#wire = chosen;
      this.#taken[kind] = true;
    }
  }

  /** Keeps a place for what comes once the request was read. */
  promise({ outcome }: Chosen): void {
    const kind = classOf(outcome);
    if (kind !== 'dialect') this.#taken[kind] = true;
  }

  /** Notes a rule that looked at the request and did not fire. */
  miss(hurdle: Hurdle, miss: NearMiss): void {
    const misses = this.#misses[hurdle];
    // An empty list that grows takes room for seventeen, and most requests meet one rule.
    if (misses === undefined) this.#misses[hurdle] = [miss];
    else misses.push(miss);
  }

  /** All of it: of the rules that did not fire the nearest first. */
  decision(): Decision {
    const { turn, match, rest } = this.#misses;
    return {
      domain: this.#domain,
      wire: this.#wire,
      dialects: this.#dialects ?? noDialects,
      nearMisses: joined(joined(turn, match), rest) ?? noMisses,
    };
  }
}

function joined<T>(first: T[] | undefined, second: T[] | undefined): T[] | undefined {
  return first === undefined || second === undefined ? (first ?? second) : [...first, ...second];
}
