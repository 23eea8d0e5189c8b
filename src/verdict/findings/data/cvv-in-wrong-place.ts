import { redacted } from '../../../redaction/secret.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import { leavesWith } from '../json-leaves.ts';
import { codeInText } from '../../evidence/indexes/text-prefilter.ts';
import { formatTimes } from '../../phrases.ts';
import type { Detection, FindingRule } from '../finding-rule.ts';
import { examplesOf, groupByPlace, isAnySure, type Sighting } from './field-sightings.ts';
import {
  bodyWithStrayMask,
  describeOperation,
  describePlace,
  isCardField,
} from './redacted-bodies.ts';

/** Finds verification codes outside the card that a request stores or pays with. */
export const cvvInWrongPlace: FindingRule = {
  id: 'cvv-in-wrong-place',
  severity: 'critical',
  about: 'A verification code was sent outside the card that is stored or paid with.',
  remedy: 'Send a verification code only as `cvv2` next to its card number, and never store it.',
  find: findStrayCodes,
};

const codeKey = /(?:cvv2?|cvc2?|security[_-]?code)$/i;

/** Keys that may mean a verification code or something else, such as a customer id. */
const ambiguousKey = /^(?:cid|csc)$/i;

function* findStrayCodes(evidence: Evidence): Generator<Detection> {
  const sightings: Sighting[] = [];
  for (const entry of evidence.wherePathHas('securityCode')) {
    if (entry.signs.includes('mask-of-its-own')) continue;
    sightings.push({ place: `the URL of ${describeOperation(entry)}`, entry, match: 'sure' });
  }
  for (const entry of evidence.whereBodyHas('strayCode')) {
    const body = bodyWithStrayMask(evidence, entry, redacted, 'cvv2');
    if (body === undefined) continue;
    for (const leaf of leavesWith(redacted, body)) {
      const { key, value } = leaf;
      if (typeof value !== 'string') continue;
      const isCodeField = codeKey.test(key) || ambiguousKey.test(key);
      if (isCodeField && isCardField(entry, leaf)) continue;
      const isSure = value === redacted ? codeKey.test(key) : codeInText.test(value);
      if (!isSure && !(value === redacted && isCodeField)) continue;
      const match = isSure ? 'sure' : 'likely';
      sightings.push({ place: describePlace(entry, leaf), entry, match });
    }
  }
  for (const [place, ofPlace] of groupByPlace(sightings)) {
    yield {
      what: `A verification code was sent in ${place}, ${formatTimes(ofPlace.length)}.`,
      evidence: examplesOf(ofPlace),
      ...(!isAnySure(ofPlace) && { severity: 'medium', confidence: 'possible' }),
    };
  }
}
