/** Makes the settings of worlds out of the options of a sandbox. */
import { loadAllowList } from '../guard/allow-list.ts';
import { CardGuard } from '../guard/card-guard.ts';
import type { Counters } from '../journal/counters.ts';
import type { WorldSettings } from '../world/world.ts';
import type { CheckedOptions } from './check-options.ts';

/** The guard against real cards that the options ask for. */
export function guardOf({ realCards, allowCards }: CheckedOptions): CardGuard {
  return new CardGuard(realCards, allowCards === undefined ? undefined : loadAllowList(allowCards));
}

/** What every world of a sandbox has in common. */
export function worldSettings(
  seed: string,
  checked: CheckedOptions,
  counters: Counters,
  guard: CardGuard,
): WorldSettings {
  const { allowPastExpiry, ownerCheck, clock, realNowMs, limits } = checked;
  return {
    seed,
    policy: { allowPastExpiry, ownerCheck },
    clock,
    realNowMs,
    maxRecords: limits.maxRecords,
    maxRequestIds: limits.maxRequestIds,
    counters,
    journal: { maxEntries: limits.maxJournalEntries, maxBytes: limits.maxJournalBytes },
    guard,
  };
}
