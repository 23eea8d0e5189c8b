/**
 * Findings about card numbers and verification codes outside the fields that are made for them. The journal holds
 * neither, only what redaction leaves behind: the rules read those marks, and where they stand.
 */
import {
  publishedUnionPayNumbers,
  publishedNumbers,
} from '../../../domain/card/published-numbers.ts';
import type { Sign } from '../../../journal/entry.ts';
import type { StoredEntry } from '../../../journal/stored-entry.ts';
import { isMasked, numberMask, redacted } from '../../../redaction/secret.ts';
import { memberAt, memberOf } from '../../../shared/unknown-value.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import type { FindingRule, Notice } from '../finding-rule.ts';
import { groupBy } from '../../evidence/group-by.ts';
import { leavesOf, type JsonLeaf } from '../../evidence/json-leaves.ts';
import { firstExamples, formatTimes } from '../../phrases.ts';

export const secretRules: readonly FindingRule[] = [
  {
    id: 'pan-in-wrong-field',
    severity: 'critical',
    about: 'A card number was sent in a field that is not made for one.',
    remedy: 'Send a card number as `number` when its card is stored, and nowhere else.',
    find: numbersInBodies,
  },
  {
    id: 'pan-in-url-or-header',
    severity: 'critical',
    about: 'A card number stood in an address or a header, which servers and proxies log.',
    remedy: 'Name a card by its id, and send its number in the body that stores it only.',
    find: numbersOutsideBodies,
  },
  {
    id: 'cvv-in-wrong-place',
    severity: 'critical',
    about: 'A verification code was sent elsewhere than with the card that is stored or paid with.',
    remedy:
      'Send a verification code as `cvv2` beside the number of its card, and keep it nowhere.',
    find: codesInWrongPlaces,
  },
];

/** What redaction leaves of a card number. One inside a longer word may have been part of a random id. */
const numberMark = /(?<=^|[^\w%]|%[\da-f]{2})x{12}(\d{4})(?!\w)/gi;
const headerSign = 'card-number-in-header:';
const numberKey = /^number$|card[_-]?number$/i;
const codeKey = /(?:cvv2?|cvc2?|security[_-]?code)$/i;
/** The same words also stand for other things, a customer's id among them. */
const codeLikeKey = /^(?:cid|csc)$/i;
const codeInText = /(?:cvv2?|cvc2?|security[_-]?code)\W{0,4}[:=]\s*["'\\]*\[redacted\]/i;
const rawCard = /^payer\.funding_instruments\[\d+\]\.(?:credit_card|payment_card)\.[^.]+$/;

/** How the numbers end that everybody tests with. */
const publishedEndings: ReadonlySet<string> = new Set(
  [...Object.values(publishedNumbers).flat(), ...publishedUnionPayNumbers].map((pan) =>
    pan.slice(-4),
  ),
);
/** With more cards than this in use, any four digits end one. */
const mostTelling = 100;
/** Of ids that are numbers by habit, so few look like a published card number that a larger share is no chance. */
const chanceShare = 0.1;

/** One time that something stood where it does not belong. */
interface Sighting {
  readonly place: string;
  readonly entry: StoredEntry;
  readonly isSure: boolean;
}

function* numbersInBodies(evidence: Evidence): Generator<Notice> {
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

function* numbersOutsideBodies(evidence: Evidence): Generator<Notice> {
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

function* codesInWrongPlaces(evidence: Evidence): Generator<Notice> {
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

function isHeaderSign(sign: Sign): boolean {
  return sign.startsWith(headerSign);
}

function noticeOf(what: string, ofOne: readonly Sighting[]): Notice {
  const evidence = firstExamples([...new Set(ofOne.map(({ entry }) => entry))]);
  return ofOne.some(({ isSure }) => isSure)
    ? { what, evidence }
    : { what, evidence, severity: 'high', confidence: 'likely' };
}

/** The last four digits of every card that the merchant's requests were about: a chance likeness is none of them. */
function knownEndings(evidence: Evidence): ReadonlySet<string> {
  const known = new Set<string>();
  const about = evidence.of('card.create', 'payment.create');
  for (const id of new Set(about.map(({ cardId }) => cardId))) {
    const face = id === undefined ? undefined : evidence.records.cards.get(id);
    if (face !== undefined) known.add(face.last4);
  }
  for (const entry of evidence.whereBodyHas('cardNumber')) {
    if (entry.operation !== 'card.create' && entry.operation !== 'payment.create') continue;
    const body = evidence.bodyOf(entry);
    const instrument = memberAt(body, 'payer.funding_instruments[0]');
    for (const card of [
      body,
      memberOf(instrument, 'credit_card'),
      memberOf(instrument, 'payment_card'),
    ]) {
      const number = memberOf(card, 'number');
      if (typeof number === 'string' && isMasked(number)) known.add(number.slice(-4));
    }
  }
  return known;
}

/** Whether it is sure that a text holds a card number; `undefined` where it need not hold any. */
function likeness(text: string, known: ReadonlySet<string>): boolean | undefined {
  if (!text.includes(numberMask)) return undefined;
  const found = [...text.matchAll(numberMark)].map(([, ending = '']) => likenessOf(ending, known));
  return found.includes(true) || (found.includes(false) ? false : undefined);
}

/** One in ten numbers of orders passes for a card's, but hardly one ends like a card that is in use. */
function likenessOf(ending: string, known: ReadonlySet<string>): boolean | undefined {
  if (known.has(ending)) return known.size <= mostTelling;
  return publishedEndings.has(ending) ? false : undefined;
}

function mayBeChance(evidence: Evidence, ofOne: readonly Sighting[]): boolean {
  if (ofOne.some(({ isSure }) => isSure)) return false;
  const operations = new Set(ofOne.map(({ entry }) => entry.operation));
  const others = [...operations].reduce(
    (sum, name) => sum + (name === undefined ? 0 : evidence.of(name).length),
    0,
  );
  return ofOne.length < others * chanceShare;
}

/** A body in which redaction left this mark, unless all of it is the one that belongs into a card that is stored. */
function markedBody(evidence: Evidence, entry: StoredEntry, mark: string, field: string): unknown {
  const { request = '', signs, operation } = entry;
  if (signs.includes('mask-of-its-own')) return undefined;
  const body = evidence.bodyOf(entry);
  if (operation !== 'card.create' || request.indexOf(mark) < request.lastIndexOf(mark)) return body;
  const own = memberOf(body, field);
  return typeof own === 'string' && own.startsWith(mark) ? undefined : body;
}

/** Whether a leaf is a field of a card on its way in. */
function isCardField({ operation }: StoredEntry, { path, key }: JsonLeaf): boolean {
  if (operation === 'card.create') return path === key;
  return operation === 'payment.create' && rawCard.test(path);
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

/** What clients call their keys may be long. */
const longestPlace = 80;

function placeOf(entry: StoredEntry, { path }: JsonLeaf): string {
  return `${path.slice(0, longestPlace) || 'the body'} of ${nameOf(entry)}`;
}

function nameOf({ operation, method }: StoredEntry): string {
  return operation ?? `a ${method} request`;
}

function timesOf(ofOne: readonly Sighting[]): string {
  const names = [...new Set(ofOne.map(({ entry }) => nameOf(entry)))];
  return `${names.join(', ')}, ${formatTimes(ofOne.length)}`;
}
