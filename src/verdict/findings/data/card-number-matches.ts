/**
 * Recognizes card numbers in what redaction left of a request.
 *
 * The journal holds no card numbers, only masks with the last four digits. The rules read these masks and their places.
 */
import {
  publishedNumbers,
  publishedUnionPayNumbers,
} from '../../../domain/card/published-numbers.ts';
import { isMasked, numberMask } from '../../../redaction/secret.ts';
import { memoize } from '../../../shared/memoize.ts';
import { memberAt, memberOf } from '../../../shared/unknown-value.ts';
import type { Evidence } from '../../evidence/evidence.ts';

/** A masked number. A mask inside a longer word may hide part of a random id. */
const maskedNumber = /(?<=^|[^\w%]|%[\da-f]{2})x{12}(\d{4})(?!\w)/gi;

/** Last four digits of the published test numbers. */
const publishedEndings: ReadonlySet<string> = new Set(
  [...Object.values(publishedNumbers).flat(), ...publishedUnionPayNumbers].map((number) =>
    number.slice(-4),
  ),
);

/** With more cards than this in use, any four digits are likely to match one. */
const maxTellingCards = 100;

/** How sure a match is: `sure` for a card in use, `likely` for a published test number. */
export type Match = 'sure' | 'likely';

/** The last four digits of every card that the merchant's requests used. */
export const knownEndings = memoize((evidence: Evidence): ReadonlySet<string> => {
  const known = new Set<string>();
  const entries = evidence.of('card.create', 'payment.create');
  for (const id of new Set(entries.map(({ cardId }) => cardId))) {
    const card = id === undefined ? undefined : evidence.records.cards.get(id);
    if (card !== undefined) known.add(card.last4);
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
});

/** The best match for a card number in a text. */
export function matchText(text: string, known: ReadonlySet<string>): Match | undefined {
  if (!text.includes(numberMask)) return undefined;
  const matches = [...text.matchAll(maskedNumber)].map(([, ending = '']) =>
    matchEnding(ending, known),
  );
  return matches.find((match) => match === 'sure') ?? matches.find((match) => match === 'likely');
}

/**
 * The match for the last four digits of a masked number.
 *
 * One order number in ten looks like a card number, but few of those end like a card in use.
 */
export function matchEnding(ending: string, known: ReadonlySet<string>): Match | undefined {
  if (known.has(ending)) return known.size <= maxTellingCards ? 'sure' : 'likely';
  return publishedEndings.has(ending) ? 'likely' : undefined;
}
