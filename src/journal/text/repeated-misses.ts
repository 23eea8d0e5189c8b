/** Stores the near misses of consecutive exchanges once while they stay the same. */
import { emptyList, type NearMiss } from '../entry.ts';

/** The most near misses in an entry. The nearest ones matter. */
export const mostMisses = 20;

/** Size of a near miss without its reason. */
const missBytes = 120;

export interface StoredNearMisses {
  readonly list: readonly NearMiss[];
  /** How many more there were. */
  readonly leftOut: number;
  /** `seq` of the first entry with this list; later ones share it. */
  readonly since: number;
  readonly bytes: number;
}

export const noNearMisses: StoredNearMisses = { list: emptyList, leftOut: 0, since: 0, bytes: 0 };

export class RepeatedMisses {
  readonly #redact: (text: string) => string;
  #latest: readonly NearMiss[] = emptyList;
  #kept = noNearMisses;

  /** `redact` removes secrets from a text. */
  constructor(redact: (text: string) => string) {
    this.#redact = redact;
  }

  /**
   * Returns the near misses to store with the entry `seq`. If they equal the previous ones, the
   * same list is returned.
   */
  store(misses: readonly NearMiss[], seq: number): StoredNearMisses {
    if (misses.length === 0) return noNearMisses;
    if (!areSameMisses(misses, this.#latest)) {
      this.#latest = misses;
      const list = misses
        .slice(0, mostMisses)
        .map(({ why, ...miss }) => ({ ...miss, why: this.#redact(why) }));
      const bytes = list.reduce((sum, { why }) => sum + missBytes + why.length, 0);
      this.#kept = { list, leftOut: misses.length - list.length, since: seq, bytes };
    }
    return this.#kept;
  }

  clear(): void {
    this.#latest = emptyList;
    this.#kept = noNearMisses;
  }
}

/** Whether the same rules missed in the same order for the same reasons. */
export function areSameMisses(misses: readonly NearMiss[], others: readonly NearMiss[]): boolean {
  return (
    misses.length === others.length &&
    misses.every(
      ({ rule, why, merchant }, at) =>
        rule === others[at]?.rule && why === others[at].why && merchant === others[at].merchant,
    )
  );
}
