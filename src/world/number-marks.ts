/** Tells card numbers apart that look alike behind their masks, without keeping a number. */
import { processHash } from '../shared/process-hash.ts';

/** Numbers with a mark, for one merchant. Later ones look alike again. */
const mostNumbers = 10_000;

/** 72 bits. A slice of 13 or more characters would keep the whole digest in memory. */
const keyLength = 12;

/** What is known of the numbers: not exported, because the hashes must not leave the process. */
export interface NumberMarksState {
  readonly marks: ReadonlyMap<string, string>;
  readonly counts: ReadonlyMap<string, number>;
}

/**
 * Gives the first number behind a mask no mark, the second `(b)`, the third `(c)`, and after `(z)` comes `(aa)`.
 *
 * Order numbers and random ids may look like card numbers. They are masked, and two of them may end in the same four
 * digits. Without a mark, two orders would count as one. A number keeps its mark for the whole life of its world.
 */
export class NumberMarks {
  /** Marks by the process hashes of a mask and a number. */
  readonly #marks: Map<string, string>;
  /** How many numbers each mask stands for. */
  readonly #counts: Map<string, number>;

  constructor(state?: NumberMarksState) {
    this.#marks = new Map(state?.marks);
    this.#counts = new Map(state?.counts);
  }

  /** `undefined` if it has seen no number. */
  get state(): NumberMarksState | undefined {
    if (this.#marks.size === 0) return undefined;
    return { marks: new Map(this.#marks), counts: new Map(this.#counts) };
  }

  /** The mark of a number; '' if it is the first behind its mask, or if too many have marks. */
  markOf(number: string, mask: string): string {
    const key = processHash(`${mask} ${number}`).slice(0, keyLength);
    const known = this.#marks.get(key);
    if (known !== undefined) return known;
    if (this.#marks.size >= mostNumbers) return '';
    const count = (this.#counts.get(mask) ?? 0) + 1;
    const mark = count === 1 ? '' : `(${lettersOf(count)})`;
    this.#counts.set(mask, count);
    this.#marks.set(key, mark);
    return mark;
  }
}

/** 1 is `a`, 26 is `z`, 27 is `aa`. Digits could join those beside the mask and look like a number again. */
function lettersOf(count: number): string {
  const last = String.fromCharCode('a'.charCodeAt(0) + ((count - 1) % 26));
  return count <= 26 ? last : lettersOf(Math.floor((count - 1) / 26)) + last;
}
