/** Removes what a function finds from a text, and hides card numbers in messages. It knows no secret but card numbers. */
import { findCardNumbers } from './card-numbers.ts';
import { isEncoded, originOf, decodingsOf, type Decoding } from './decodings.ts';
import { prefilter, type Sightings } from './prefilter.ts';
import {
  areWholeStrings,
  digitsOf,
  quoteMasks,
  removeSecrets,
  type MarkOfNumber,
  type Secret,
} from './secret.ts';

/** How card numbers are masked. */
export interface Masking {
  /** Decides whether the last four digits of a card number may stay. */
  readonly mayShow: (number: string) => boolean;
  readonly markOf: MarkOfNumber;
}

const noMark: MarkOfNumber = () => '';

/** Shows the last four digits of every card number. Numbers that end alike look the same. */
export const showAny: Masking = { mayShow: () => true, markOf: noMark };

/** Hides the last four digits too. */
export const showNone: Masking = { mayShow: () => false, markOf: noMark };

/** Two are enough for nearly every text. */
const maxRounds = 8;

/**
 * Removes card numbers from messages that quote their input. In a sentence, a field name does not
 * announce a value, so field values stay.
 */
export function hideCardNumbers(sentence: string): string {
  return redactWith((text) => findCardNumbers(text), sentence, showNone);
}

/** Removes what `find` finds in a text and in what the text encodes. */
export function redactWith(
  find: (text: string, seen: Sightings) => Secret[],
  text: string,
  masking: Masking,
): string {
  let left = text;
  // Repeat, because a mask can make the text around it look like a secret.
  for (let round = 0; round < maxRounds; round++) {
    const seen = prefilter(left);
    if (!mayContainSecrets(left, seen)) break;
    const decodings = seen.isEscaped ? decodingsOf(left) : [{ text: left, origins: undefined }];
    const secrets: Secret[] = [];
    for (const decoding of decodings) {
      const seenThere = decoding.origins === undefined ? seen : prefilter(decoding.text);
      for (const secret of find(decoding.text, seenThere)) {
        secrets.push(toOriginalPlace(decoding, secret, masking));
      }
    }
    if (secrets.length === 0) break;
    const areStrings = areWholeStrings(secrets, left);
    left = removeSecrets(left, secrets, masking.markOf);
    if (!areStrings) left = quoteMasks(left);
    else if (decodings.length === 1) break;
  }
  return left;
}

/** Nearly every text stops here. */
function mayContainSecrets(text: string, seen: Sightings): boolean {
  return (
    seen.hasManyDigits ||
    seen.names.length > 0 ||
    seen.hasBase64 ||
    seen.hasHex ||
    (seen.isEscaped && isEncoded(text))
  );
}

/**
 * Moves a secret of a decoding to its place in the original text. Its last digits stay only if
 * allowed.
 */
function toOriginalPlace(decoding: Decoding, secret: Secret, { mayShow }: Masking): Secret {
  const { start, end, isNumberInText } = secret;
  const isShown = secret.shown === '' || mayShow(digitsOf(decoding.text.slice(start, end)));
  if (isShown && decoding.origins === undefined) return secret;
  return {
    start: originOf(decoding, start),
    end: originOf(decoding, end),
    shown: isShown ? secret.shown : '',
    isNumberInText,
  };
}
