/** Values found in the wrong place. A rule reports each place once, because a client writes all its requests alike. */
import type { StoredEntry } from '../../../journal/stored-entry.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import { groupBy } from '../../evidence/group-by.ts';
import { firstExamples } from '../../phrases.ts';
import type { Detection } from '../finding-rule.ts';
import type { Match } from './card-number-matches.ts';

export interface Sighting {
  /** Where it was found, in words. */
  readonly place: string;
  readonly entry: StoredEntry;
  readonly match: Match;
}

/** Card-like numbers make up at most this share of numeric ids by chance. */
const maxChanceShare = 0.1;

/** One group of sightings for each place. */
export function groupByPlace<T extends { readonly place: string }>(
  sightings: readonly T[],
): Iterable<readonly [string, readonly T[]]> {
  return groupBy(sightings, ({ place }) => place);
}

/** The exchanges of sightings, each once. */
export function examplesOf(sightings: readonly Pick<Sighting, 'entry'>[]): readonly StoredEntry[] {
  return firstExamples(new Set(sightings.map(({ entry }) => entry)));
}

export function isAnySure(sightings: readonly Sighting[]): boolean {
  return sightings.some(({ match }) => match === 'sure');
}

/** Whether so few requests show it that these numbers may only look like card numbers. */
export function mayBeChance(evidence: Evidence, sightings: readonly Sighting[]): boolean {
  if (isAnySure(sightings)) return false;
  const operations = new Set(sightings.map(({ entry }) => entry.operation));
  const requests = [...operations].reduce(
    (sum, name) => sum + (name === undefined ? 0 : evidence.of(name).length),
    0,
  );
  return sightings.length < requests * maxChanceShare;
}

/** The detection of a card number: critical if it is the number of a card in use. */
export function toCardNumberDetection(what: string, sightings: readonly Sighting[]): Detection {
  const detection = { what, evidence: examplesOf(sightings) };
  return isAnySure(sightings)
    ? detection
    : { ...detection, severity: 'high', confidence: 'likely' };
}
