/** Ours and the floor, each in a fresh process and stocked alike. */
import type { Both } from './burst.ts';
import type { Contender } from './contest.ts';
import { armNeverMatching } from './rule.ts';
import { startFloor, startOurs } from './servers.ts';
import { stockUp, trafficOf, type Operation } from './traffic.ts';

/** How our side is started. */
export interface Setting {
  readonly flags: readonly string[];
  /** Whether a rule looks at every request. */
  readonly hasRule: boolean;
}

/** Validation, journal, redaction, accounting of deliveries, and a rule that looks and never fires. */
export const everythingOn: Setting = { flags: ['--quiet'], hasRule: true };

/** So many that none is refunded often: a payment shows all that came of it. */
const refundedSales = 1_500;

/** More than a journal holds exchanges. */
const browsedCards = 2_000;

/** Starts both, stocked for these operations; they are gone when `use` is over. It is given ours first. */
export async function withSides(
  wanted: readonly Operation[],
  { flags, hasRule }: Setting,
  use: (sidesFor: (operation: Operation) => Both<Contender>) => Promise<void>,
): Promise<void> {
  const size = {
    saleCount: wanted.includes('refund') ? refundedSales : 0,
    ...(wanted.includes('browse') && { cardCount: browsedCards }),
  };
  const [ours, floor] = await Promise.all([startOurs(flags), startFloor()]);
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
