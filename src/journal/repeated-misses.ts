/** Keeps what rules said of an exchange once while they say it again and again, as one that never fires does. */
import { none, type NearMiss } from './entry.ts';

export class RepeatedMisses {
  readonly #redact: (text: string) => string;
  #latest: readonly NearMiss[] = none;
  #kept: readonly NearMiss[] = none;

  /** `redact` gives a text as it may be kept. */
  constructor(redact: (text: string) => string) {
    this.#redact = redact;
  }

  /** As they may be kept; the same list as before, where they are those that came last. */
  once(misses: readonly NearMiss[]): readonly NearMiss[] {
    if (misses.length === 0) return none;
    if (!saySame(misses, this.#latest)) {
      this.#latest = misses;
      this.#kept = misses.map(({ rule, why }) => ({ rule, why: this.#redact(why) }));
    }
    return this.#kept;
  }

  forget(): void {
    this.#latest = none;
    this.#kept = none;
  }
}

/** Whether the same rules missed, in the same order and for the same reasons. */
export function saySame(misses: readonly NearMiss[], others: readonly NearMiss[]): boolean {
  return (
    misses.length === others.length &&
    misses.every(({ rule, why }, at) => rule === others[at]?.rule && why === others[at].why)
  );
}
