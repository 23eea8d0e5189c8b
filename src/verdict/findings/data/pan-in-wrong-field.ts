import type { StoredEntry } from '../../../journal/stored-entry.ts';
import { isMasked, numberMask } from '../../../redaction/secret.ts';
import { memberAt } from '../../../shared/unknown-value.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import { leavesWith, type JsonLeaf } from '../json-leaves.ts';
import { formatTimes } from '../../phrases.ts';
import type { Detection, FindingRule } from '../finding-rule.ts';
import { knownEndings, matchText } from './card-number-matches.ts';
import {
  groupByPlace,
  mayBeChance,
  toCardNumberDetection,
  type Sighting,
} from './field-sightings.ts';
import { bodyWithStrayMask, describePlace, isCardField } from './redacted-bodies.ts';

/** Finds card numbers in fields that are stored and shown like any text, such as a description. */
export const panInWrongField: FindingRule = {
  id: 'pan-in-wrong-field',
  severity: 'critical',
  about: 'A card number was sent in a field that is not for card numbers.',
  remedy: 'Send a card number only as `number` of the card that you store or pay with.',
  find: findNumbersInBodies,
};

const numberKey = /^number$|card[_-]?number$/i;

function* findNumbersInBodies(evidence: Evidence): Generator<Detection> {
  const sightings: Sighting[] = [];
  const bodies = evidence
    .whereBodyHas('strayNumber')
    .map((entry) => ({ entry, body: bodyWithStrayMask(evidence, entry, numberMask, 'number') }))
    .filter(({ body }) => body !== undefined);
  for (const { entry, body } of bodies) {
    for (const leaf of leavesWith(numberMask, body)) {
      const isNumberField = numberKey.test(leaf.key);
      if (isNumberField && isCardField(entry, leaf)) continue;
      if (isPatchOfNumber(entry, body, leaf)) continue;
      const isMaskedNumber =
        isNumberField && typeof leaf.value === 'string' && isMasked(leaf.value);
      const match = isMaskedNumber
        ? 'sure'
        : matchText(`${leaf.path} ${String(leaf.value)}`, knownEndings(evidence));
      if (match !== undefined) sightings.push({ place: describePlace(entry, leaf), entry, match });
    }
  }
  for (const [place, ofPlace] of groupByPlace(sightings)) {
    if (mayBeChance(evidence, ofPlace)) continue;
    const summary = `A card number was sent in ${place}, ${formatTimes(ofPlace.length)}.`;
    yield toCardNumberDetection(summary, ofPlace);
  }
}

/** Whether a value is the new number in a patch of a card. */
function isPatchOfNumber({ operation }: StoredEntry, body: unknown, { path }: JsonLeaf): boolean {
  if (operation !== 'card.update' || !path.endsWith('.value')) return false;
  const target = memberAt(body, path.replace(/\.value$/, '.path'));
  return typeof target === 'string' && numberKey.test(target.slice(1));
}
