/** Cards that are in the vault when a scenario starts. */
import { timePointMs } from '../domain/duration.ts';
import type { ReadCard } from '../fixtures/schema.ts';
import type { LoadedScenario } from './load.ts';

export interface GivenCard {
  /** The name of the card in the scenario. */
  readonly ref: string;
  /** The card in the form of a fixture. */
  readonly card: ReadCard;
  readonly validUntilMs: number | undefined;
}

/** Reads the given cards of a scenario that starts at `startMs`. */
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

/** Returns the id of a card that a scenario names by its ref or by the id itself. */
export function resolveCardId(given: ReadonlyMap<string, string>, named: string): string {
  return given.get(named) ?? named;
}
