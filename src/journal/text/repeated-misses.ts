/** Keeps what rules said of an exchange once while they say it again and again, as one that never fires does. */
import { none, type NearMiss } from '../entry.ts';

/** The most that an entry names: whoever armed a thousand rules means the nearest ones. */
export const mostMisses = 20;

/** What a miss takes beside its reason. */
const missBytes = 120;

export interface StoredNearMisses {
  readonly list: readonly NearMiss[];
  /** How many more there were. */
  readonly leftOut: number;
  /** `seq` of the entry that they came with; those after it share them. */
  readonly since: number;
  readonly bytes: number;
}

export const noNearMisses: StoredNearMisses = { list: none, leftOut: 0, since: 0, bytes: 0 };

export class RepeatedMisses {
  readonly #redact: (text: string) => string;
  #latest: readonly NearMiss[] = none;
  #kept = noNearMisses;

  /** `redact` gives a text as it may be kept. */
  constructor(redact: (text: string) => string) {
    this.#redact = redact;
  }

  /** As they may be kept with the entry `seq`, the first of them; the same as before, where they are those that came last. */
  store(misses: readonly NearMiss[], seq: number): StoredNearMisses {
    if (misses.length === 0) return noNearMisses;
    if (!areSameMisses(misses, this.#latest)) {
      this.#latest = misses;
      const list = misses
        .slice(0, mostMisses)
        .map(({ rule, why }) => ({ rule, why: this.#redact(why) }));
      const bytes = list.reduce((sum, { why }) => sum + missBytes + why.length, 0);
      this.#kept = { list, leftOut: misses.length - list.length, since: seq, bytes };
    }
    return this.#kept;
  }

  clear(): void {
    this.#latest = none;
    this.#kept = noNearMisses;
  }
}

/** Whether the same rules missed, in the same order and for the same reasons. */
export function areSameMisses(misses: readonly NearMiss[], others: readonly NearMiss[]): boolean {
  return (
    misses.length === others.length &&
    misses.every(({ rule, why }, at) => rule === others[at]?.rule && why === others[at].why)
  );
}
