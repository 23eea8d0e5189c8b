/** Tells card numbers for tests from those that could be somebody's card, and what is done about the latter. */
import { hash } from 'node:crypto';
import { looksIssued, passesLuhn } from '../domain/card/brand.ts';
import { publishedUnionPayNumbers, publishedNumbers } from '../domain/card/published-numbers.ts';
import { catalogue } from '../outcomes/catalogue.ts';
import { isSandboxNumber } from '../outcomes/triggers/magic-values.ts';

/**
 * `refuse`: what looks real is refused and nothing of it kept. `warn`: it is taken, and the answer and the journal say
 * so. `off`: nobody looks.
 */
export type GuardMode = 'refuse' | 'warn' | 'off';

export const guardModes = ['refuse', 'warn', 'off'] as const satisfies readonly GuardMode[];

/**
 * Exact numbers, never ranges: no scheme keeps a range for tests, and famous test numbers lie among issued ones.
 */
const listed: ReadonlySet<string> = new Set([
  ...Object.values(publishedNumbers).flat(),
  ...publishedUnionPayNumbers,
  ...catalogue.flatMap(({ cards = [] }) => cards),
]);

export class CardGuard {
  readonly mode: GuardMode;
  /** SHA-256 of the numbers that the team added, in hexadecimal. */
  readonly #allowed: ReadonlySet<string>;

  constructor(mode: GuardMode, allowed: ReadonlySet<string> = new Set()) {
    this.mode = mode;
    this.#allowed = allowed;
  }

  /** How many numbers the team added. */
  get allowed(): number {
    return this.#allowed.size;
  }

  /** Whether a number may be used here, and its last four digits be kept. */
  accepts(pan: string): boolean {
    return this.mode !== 'refuse' || this.#isForTests(pan);
  }

  /**
   * Whether a number is one to speak of: it could be somebody's card, and somebody looks. Of a JSON number too long for
   * JavaScript to keep every digit nobody can say whether it is for tests.
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

/** What a list may hold in the place of a number, and all that is ever held of one. */
export function hashNumber(pan: string): string {
  return hash('sha256', pan, 'hex');
}
