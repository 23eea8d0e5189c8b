/** Cards that are in the vault when a scenario begins. */
import { timePointMs } from '../documents/duration.ts';
import type { ReadCard } from '../fixtures/schema.ts';
import type { LoadedScenario } from './load.ts';

/** A card that is in the vault when the scenario begins. */
export interface GivenCard {
  /** What the scenario calls it. */
  readonly ref: string;
  /** As a fixture says it. */
  readonly card: ReadCard;
  readonly validUntilMs: number | undefined;
}

/** The cards of a scenario that begins at `startMs`. */
export function readGivenCards({ document }: LoadedScenario, startMs: number): GivenCard[] {
  return (document.given?.cards ?? []).map(({ ref, expire, validUntil, ...card }) => ({
    ref,
    card: {
      ...card,
      expire_month: Number(expire.slice(5)),
      expire_year: Number(expire.slice(0, 4)),
    },
    validUntilMs: validUntil === undefined ? undefined : timePointMs(validUntil, startMs),
  }));
}

/** The id of a card that a scenario names: by what it calls a given one, or by the id itself. */
export function resolveCardId(given: ReadonlyMap<string, string>, named: string): string {
  return given.get(named) ?? named;
}
