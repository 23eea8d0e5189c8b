/** What a world shows of itself to whoever controls it. */
import type { Account, Transfer } from '../domain/ledger.ts';
import type { Currency } from '../domain/money.ts';
import type { World } from './world.ts';

/** A merchant's clock, as it stands. */
export interface ClockReading {
  /** RFC 3339, with milliseconds. */
  readonly now: string;
  readonly frozen: boolean;
}

/** What moved in a merchant's world: transfers, oldest first, and what they sum to, in minor units. */
export interface LedgerReading {
  readonly transfers: readonly Transfer[];
  readonly balances: Readonly<Partial<Record<Currency, Readonly<Record<Account, number>>>>>;
}

export function clockReading({ clock }: World): ClockReading {
  return { now: new Date(clock.nowMs()).toISOString(), frozen: clock.frozen };
}

/** Everything that has fallen due by now has happened in it. */
export function ledgerReading(world: World): LedgerReading {
  world.settle();
  return { transfers: world.transfers(), balances: Object.fromEntries(world.balances()) };
}
