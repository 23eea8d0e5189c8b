/** The sandbox and the floor, each in a fresh process with the same records. */
import type { Both } from './burst.ts';
import type { Contender } from './contest.ts';
import { armNeverMatching } from './rule.ts';
import { startFloor, startOurs } from '../processes/servers.ts';
import { stockUp, trafficOf, type Operation } from './traffic.ts';

/** Options for the start of the sandbox. */
export interface Setting {
  readonly flags: readonly string[];
  /** Whether a rule is compared with every request. */
  readonly hasRule: boolean;
}

/** The default: validation, journal, redaction, deliveries, and a rule that never fires. */
export const everythingOn: Setting = { flags: ['--quiet'], hasRule: true };

/** Bursts store as many records as a machine can. */
const roomForAll = ['--max-records', '100000000'];

/** Enough sales to refund each only a few times, because a payment shows all its refunds. */
const refundedSales = 1_500;

/** More than the exchanges that a journal keeps. */
const browsedCards = 2_000;

/** Starts both sides with the records for these operations, ours first, and stops them after `use`. */
export async function withSides(
  wanted: readonly Operation[],
  { flags, hasRule }: Setting,
  use: (sidesFor: (operation: Operation) => Both<Contender>) => Promise<void>,
): Promise<void> {
  const size = {
    saleCount: wanted.includes('refund') ? refundedSales : 0,
    ...(wanted.includes('browse') && { cardCount: browsedCards }),
  };
  const [ours, floor] = await Promise.all([startOurs([...flags, ...roomForAll]), startFloor()]);
  try {
    if (hasRule) await armNeverMatching(ours.url);
    const stocks = [await stockUp(ours.url, size), await stockUp(floor.url, size)] as const;
    await use((operation) => [
      { server: ours, traffic: trafficOf(operation, stocks[0]) },
      { server: floor, traffic: trafficOf(operation, stocks[1]) },
    ]);
  } finally {
    await Promise.all([ours.stop(), floor.stop()]);
  }
}
