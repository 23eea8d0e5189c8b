/** A playthrough: clients that play a scenario, and the expected results. */
import type { Buyer } from './buyer.ts';

export interface Play {
  /** Plays the scenario as a correct client and checks every response. */
  readonly good: (buyer: Buyer) => Promise<void>;
  /** How often each rule fires. */
  readonly fired: Readonly<Record<string, number>>;
  /** The balance of the merchant in minor units of USD. */
  readonly balanceMinor: number;
  /** The waits of responses in milliseconds of real time. */
  readonly waited?: readonly number[];
  /** Plays the scenario as a careless client. */
  readonly careless?: (buyer: Buyer) => Promise<void>;
  /** The expectations that the careless client breaks. */
  readonly breaks?: readonly string[];
}
