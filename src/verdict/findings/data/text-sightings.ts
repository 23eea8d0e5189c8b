import type { StoredEntry } from '../../../journal/stored-entry.ts';
import type { Detection } from '../finding-rule.ts';
import { groupBy } from '../../evidence/group-by.ts';
import { formatTimes, firstExamples } from '../../phrases.ts';

export interface Sighting {
  readonly place: string;
  readonly entry: StoredEntry;
}

/** One notice for each place and fault: a client writes all its requests in one way. */
export function* notices(seen: readonly Sighting[]): Generator<Detection> {
  for (const [place, ofOne] of groupBy(seen, (sighting) => sighting.place)) {
    yield {
      what: `${place}, ${formatTimes(ofOne.length)}.`,
      evidence: firstExamples([...new Set(ofOne.map(({ entry }) => entry))]),
    };
  }
}
