/** The card guard: tells test numbers from numbers that could belong to a real card. */
import { hash } from 'node:crypto';
import { looksIssued, passesLuhn } from '../domain/card/brand.ts';
import { publishedUnionPayNumbers, publishedNumbers } from '../domain/card/published-numbers.ts';
import { catalogue } from '../outcomes/catalogue.ts';
import { isSandboxNumber } from '../outcomes/triggers/magic-values.ts';

/**
 * What the guard does with a number that could be real.
 *
 * `refuse`: it is refused and nothing of it is stored. `warn`: it is accepted with a warning in the response and the
 * journal. `off`: card numbers are not checked.
 */
export type GuardMode = 'refuse' | 'warn' | 'off';

export const guardModes = ['refuse', 'warn', 'off'] as const satisfies readonly GuardMode[];

/** Known test numbers. They are exact, because card schemes reserve no range for tests. */
const listed: ReadonlySet<string> = new Set([
  ...Object.values(publishedNumbers).flat(),
  ...publishedUnionPayNumbers,
  ...catalogue.flatMap(({ cards = [] }) => cards),
]);

export class CardGuard {
  readonly mode: GuardMode;
  /** Hexadecimal SHA-256 digests of the team's own test numbers. */
  readonly #allowed: ReadonlySet<string>;

  constructor(mode: GuardMode, allowed: ReadonlySet<string> = new Set()) {
    this.mode = mode;
    this.#allowed = allowed;
  }

  /** The number of the team's own test numbers. */
  get allowed(): number {
    return this.#allowed.size;
  }

  /** Whether a number may be used and its last four digits may be stored. */
  accepts(pan: string): boolean {
    return this.mode !== 'refuse' || this.#isForTests(pan);
  }

  /**
   * Whether a number could belong to a real card, unless the guard is off.
   *
   * A JSON number that JavaScript cannot represent exactly is suspicious, because its digits are not known.
   */
  isSuspicious(given: string | number): boolean {
    if (this.mode === 'off') return false;
    const pan = String(given).replaceAll(/[ -]/g, '');
    if (!looksIssued(pan)) return false;
    if (typeof given === 'number' && !Number.isSafeInteger(given)) return true;
    return passesLuhn(pan) && !this.#isForTests(pan);
  }

  #isForTests(pan: string): boolean {
    if (listed.has(pan) || isSandboxNumber(pan)) return true;
    return this.#allowed.size > 0 && this.#allowed.has(hashNumber(pan));
  }
}

/** Returns the digest of a card number. Only the digest is stored, and a list may contain it instead of the number. */
export function hashNumber(pan: string): string {
  return hash('sha256', pan, 'hex');
}
