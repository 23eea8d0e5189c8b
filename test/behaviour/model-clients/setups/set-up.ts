/** One HTTP client in a common configuration. */
import type { Checkout } from './checkout.ts';

/**
 * The timeout of every set-up that has one.
 *
 * It is far longer than an undelayed answer and far shorter than a forced delay, so results do not depend on the
 * machine's load.
 */
export const deadlineMs = 3_000;

export interface SetUp {
  readonly name: string;
  /** Gets a token, pays once, and returns what the client made of the answer. */
  readonly buy: (till: Checkout) => Promise<unknown>;
}
