import type { Sign } from '../../../journal/entry.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import { formatTimes, listWords } from '../../phrases.ts';
import type { Detection, FindingRule } from '../finding-rule.ts';
import { knownEndings, matchEnding, matchText } from './card-number-matches.ts';
import {
  groupByPlace,
  mayBeChance,
  toCardNumberDetection,
  type Sighting,
} from './field-sightings.ts';
import { describeOperation } from './redacted-bodies.ts';

/** Finds card numbers in URLs and headers. */
export const panInUrlOrHeader: FindingRule = {
  id: 'pan-in-url-or-header',
  severity: 'critical',
  about: 'A card number was sent in a URL or header, which servers and proxies log.',
  remedy: 'Refer to a stored card by its id, and send its number only in the body that stores it.',
  find: findNumbersOutsideBodies,
};

const headerSign = 'card-number-in-header:';

function* findNumbersOutsideBodies(evidence: Evidence): Generator<Detection> {
  const inPaths = evidence.wherePathHas('cardNumber');
  const inHeaders = evidence.remarkable.filter(({ signs }) => signs.some(isHeaderSign));
  if (inPaths.length + inHeaders.length === 0) return;
  const known = knownEndings(evidence);
  const sightings: Sighting[] = [];
  for (const entry of inPaths) {
    if (entry.signs.includes('mask-of-its-own')) continue;
    const match = matchText(entry.path, known);
    if (match !== undefined) sightings.push({ place: 'the URL', entry, match });
  }
  for (const entry of inHeaders) {
    const sign = entry.signs.find(isHeaderSign);
    const match = sign && matchEnding(sign.slice(headerSign.length), known);
    if (match !== undefined) sightings.push({ place: 'a header', entry, match });
  }
  for (const [place, ofPlace] of groupByPlace(sightings)) {
    if (mayBeChance(evidence, ofPlace)) continue;
    const operations = new Set(ofPlace.map(({ entry }) => describeOperation(entry)));
    const summary = `A card number was sent in ${place} of ${listWords(operations)}, ${formatTimes(ofPlace.length)}.`;
    yield toCardNumberDetection(summary, ofPlace);
  }
}

function isHeaderSign(sign: Sign): boolean {
  return sign.startsWith(headerSign);
}
