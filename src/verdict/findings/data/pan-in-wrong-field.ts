import type { FindingRule, Detection } from '../finding-rule.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import {
  type Sighting,
  knownEndings,
  likeness,
  mayBeChance,
  noticeOf,
} from './card-number-sightings.ts';
import { markedBody, isCardField, placeOf } from './marked-bodies.ts';
import { numberMask, isMasked } from '../../../redaction/secret.ts';
import { leavesOf, type JsonLeaf } from '../../evidence/json-leaves.ts';
import { groupBy } from '../../evidence/group-by.ts';
import { formatTimes } from '../../phrases.ts';
import type { StoredEntry } from '../../../journal/stored-entry.ts';
import { memberAt } from '../../../shared/unknown-value.ts';

/** A card number was sent in a field that is not made for one. */
export const panInWrongField: FindingRule = {
  id: 'pan-in-wrong-field',
  severity: 'critical',
  about: 'A card number was sent in a field that is not made for one.',
  remedy: 'Send a card number as `number` when its card is stored, and nowhere else.',
  find: numbersInBodies,
};

const numberKey = /^number$|card[_-]?number$/i;

function* numbersInBodies(evidence: Evidence): Generator<Detection> {
  const seen: Sighting[] = [];
  const bodies = evidence
    .whereBodyHas('strayNumber')
    .map((entry) => ({ entry, body: markedBody(evidence, entry, numberMask, 'number') }))
    .filter(({ body }) => body !== undefined);
  if (bodies.length === 0) return;
  const known = knownEndings(evidence);
  for (const { entry, body } of bodies) {
    for (const leaf of leavesOf(body)) {
      if (isCardField(entry, leaf) && numberKey.test(leaf.key)) continue;
      if (isPatched(entry, body, leaf, numberKey)) continue;
      const isNamed =
        numberKey.test(leaf.key) && typeof leaf.value === 'string' && isMasked(leaf.value);
      const sure = isNamed || likeness(`${leaf.path} ${String(leaf.value)}`, known);
      if (sure !== undefined) seen.push({ place: placeOf(entry, leaf), entry, isSure: sure });
    }
  }
  for (const [place, ofOne] of groupBy(seen, (sighting) => sighting.place)) {
    if (mayBeChance(evidence, ofOne)) continue;
    yield noticeOf(`A card number was sent in ${place}, ${formatTimes(ofOne.length)}.`, ofOne);
  }
}

/** Whether a leaf is the value of a patch of such a field. */
function isPatched(
  { operation }: StoredEntry,
  body: unknown,
  { path }: JsonLeaf,
  field: RegExp,
): boolean {
  if (operation !== 'card.update' || !path.endsWith('.value')) return false;
  const target = memberAt(body, path.replace(/\.value$/, '.path'));
  return typeof target === 'string' && field.test(target.slice(1));
}
