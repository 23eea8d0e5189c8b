import type { FindingRule, Detection } from '../finding-rule.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import {
  knownEndings,
  type Sighting,
  likeness,
  likenessOf,
  mayBeChance,
  noticeOf,
} from './card-number-sightings.ts';
import { groupBy } from '../../evidence/group-by.ts';
import type { Sign } from '../../../journal/entry.ts';
import { nameOf } from './marked-bodies.ts';
import { formatTimes } from '../../phrases.ts';

/** A card number stood in an address or a header, which servers and proxies log. */
export const panInUrlOrHeader: FindingRule = {
  id: 'pan-in-url-or-header',
  severity: 'critical',
  about: 'A card number stood in an address or a header, which servers and proxies log.',
  remedy: 'Name a card by its id, and send its number in the body that stores it only.',
  find: numbersOutsideBodies,
};

const headerSign = 'card-number-in-header:';

function* numbersOutsideBodies(evidence: Evidence): Generator<Detection> {
  const inPaths = evidence.wherePathHas('cardNumber');
  const inHeaders = evidence.remarkable.filter(({ signs }) => signs.some(isHeaderSign));
  if (inPaths.length + inHeaders.length === 0) return;
  const known = knownEndings(evidence);
  const seen: Sighting[] = [];
  for (const entry of inPaths) {
    if (entry.signs.includes('mask-of-its-own')) continue;
    const isSure = likeness(entry.path, known);
    if (isSure !== undefined) seen.push({ place: 'the address', entry, isSure });
  }
  for (const entry of inHeaders) {
    const header = entry.signs.find(isHeaderSign);
    const isSure = header && likenessOf(header.slice(headerSign.length), known);
    if (isSure !== undefined) seen.push({ place: 'a header', entry, isSure });
  }
  for (const [place, ofOne] of groupBy(seen, (sighting) => sighting.place)) {
    if (mayBeChance(evidence, ofOne)) continue;
    yield noticeOf(`A card number stood in ${place} of ${timesOf(ofOne)}.`, ofOne);
  }
}

function isHeaderSign(sign: Sign): boolean {
  return sign.startsWith(headerSign);
}

function timesOf(ofOne: readonly Sighting[]): string {
  const names = [...new Set(ofOne.map(({ entry }) => nameOf(entry)))];
  return `${names.join(', ')}, ${formatTimes(ofOne.length)}`;
}
