/** What a play is: a client that lives through a scenario, and what must have happened then. */
import type { Buyer } from './buyer.ts';

export interface Play {
  /** Does what the scenario is about, as a good client does, and holds every answer against its `about`. */
  readonly good: (buyer: Buyer) => Promise<void>;
  /** How often each rule has fired then. */
  readonly fired: Readonly<Record<string, number>>;
  /** What the merchant holds then, in minor units of USD. */
  readonly balanceMinor: number;
  /** How long answers were made to wait, in milliseconds of machine time, where the scenario says so. */
  readonly waited?: readonly number[];
  /** A client that falls into the trap. */
  readonly careless?: (buyer: Buyer) => Promise<void>;
  /** The expectations of the scenario that do not hold afterwards. */
  readonly breaks?: readonly string[];
}
