import type { FindingRule, Detection } from '../finding-rule.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import { type Sighting, noticeOf } from './card-number-sightings.ts';
import { nameOf, markedBody, isCardField, placeOf } from './marked-bodies.ts';
import { redacted } from '../../../redaction/secret.ts';
import { leavesOf } from '../../evidence/json-leaves.ts';
import { groupBy } from '../../evidence/group-by.ts';
import { formatTimes } from '../../phrases.ts';

/** A verification code was sent elsewhere than with the card that is stored or paid with. */
export const cvvInWrongPlace: FindingRule = {
  id: 'cvv-in-wrong-place',
  severity: 'critical',
  about: 'A verification code was sent elsewhere than with the card that is stored or paid with.',
  remedy: 'Send a verification code as `cvv2` beside the number of its card, and keep it nowhere.',
  find: codesInWrongPlaces,
};

const codeKey = /(?:cvv2?|cvc2?|security[_-]?code)$/i;

/** The same words also stand for other things, a customer's id among them. */
const codeLikeKey = /^(?:cid|csc)$/i;

const codeInText = /(?:cvv2?|cvc2?|security[_-]?code)\W{0,4}[:=]\s*["'\\]*\[redacted\]/i;

function* codesInWrongPlaces(evidence: Evidence): Generator<Detection> {
  const seen: Sighting[] = [];
  for (const entry of evidence.wherePathHas('securityCode')) {
    if (entry.signs.includes('mask-of-its-own')) continue;
    seen.push({ place: `the address of ${nameOf(entry)}`, entry, isSure: true });
  }
  for (const entry of evidence.whereBodyHas('strayCode')) {
    const body = markedBody(evidence, entry, redacted, 'cvv2');
    if (body === undefined) continue;
    for (const leaf of leavesOf(body)) {
      const { key, value } = leaf;
      if (typeof value !== 'string') continue;
      const isNamed = codeKey.test(key) || codeLikeKey.test(key);
      if (isNamed && isCardField(entry, leaf)) continue;
      const isSure = value === redacted ? codeKey.test(key) : codeInText.test(value);
      if (isSure || (value === redacted && isNamed)) {
        seen.push({ place: placeOf(entry, leaf), entry, isSure });
      }
    }
  }
  for (const [place, ofOne] of groupBy(seen, (sighting) => sighting.place)) {
    const notice = noticeOf(
      `A verification code was sent in ${place}, ${formatTimes(ofOne.length)}.`,
      ofOne,
    );
    yield ofOne.some(({ isSure }) => isSure)
      ? notice
      : { ...notice, severity: 'medium', confidence: 'possible' };
  }
}
