import {
  publishedNumbers,
  publishedUnionPayNumbers,
} from '../../../domain/card/published-numbers.ts';
import type { StoredEntry } from '../../../journal/stored-entry.ts';
import type { Detection } from '../finding-rule.ts';
import { firstExamples } from '../../phrases.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import { memberAt, memberOf } from '../../../shared/unknown-value.ts';
import { isMasked, numberMask } from '../../../redaction/secret.ts';

/** What redaction leaves of a card number. One inside a longer word may have been part of a random id. */
const numberMark = /(?<=^|[^\w%]|%[\da-f]{2})x{12}(\d{4})(?!\w)/gi;

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
export interface Sighting {
  readonly place: string;
  readonly entry: StoredEntry;
  readonly isSure: boolean;
}

export function noticeOf(what: string, ofOne: readonly Sighting[]): Detection {
  const evidence = firstExamples([...new Set(ofOne.map(({ entry }) => entry))]);
  return ofOne.some(({ isSure }) => isSure)
    ? { what, evidence }
    : { what, evidence, severity: 'high', confidence: 'likely' };
}

/** The last four digits of every card that the merchant's requests were about: a chance likeness is none of them. */
export function knownEndings(evidence: Evidence): ReadonlySet<string> {
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
export function likeness(text: string, known: ReadonlySet<string>): boolean | undefined {
  if (!text.includes(numberMask)) return undefined;
  const found = [...text.matchAll(numberMark)].map(([, ending = '']) => likenessOf(ending, known));
  return found.includes(true) || (found.includes(false) ? false : undefined);
}

/** One in ten numbers of orders passes for a card's, but hardly one ends like a card that is in use. */
export function likenessOf(ending: string, known: ReadonlySet<string>): boolean | undefined {
  if (known.has(ending)) return known.size <= mostTelling;
  return publishedEndings.has(ending) ? false : undefined;
}

export function mayBeChance(evidence: Evidence, ofOne: readonly Sighting[]): boolean {
  if (ofOne.some(({ isSure }) => isSure)) return false;
  const operations = new Set(ofOne.map(({ entry }) => entry.operation));
  const others = [...operations].reduce(
    (sum, name) => sum + (name === undefined ? 0 : evidence.of(name).length),
    0,
  );
  return ofOne.length < others * chanceShare;
}
