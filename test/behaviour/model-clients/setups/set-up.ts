/** One HTTP client as people set it up. */
import type { Till } from './checkout.ts';

/**
 * The deadline of every set-up that has one. Far longer than an answer takes that nobody delays, and far shorter than
 * the waits that are forced, so that no cell depends on how busy the machine is.
 */
export const deadlineMs = 1_000;

export interface SetUp {
  readonly name: string;
  /** Gets a token, pays once, and gives what the client made of the answer. */
  readonly buy: (till: Till) => Promise<unknown>;
}
