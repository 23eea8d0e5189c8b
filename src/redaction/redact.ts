/** Takes card data and credentials out of a text before it is kept or written anywhere. */
import { findCardNumbers } from './card-numbers.ts';
import { findCredentials, hasCredential } from './credentials.ts';
import { prefilter, sight, type Sightings } from './prefilter.ts';
import {
  digitsOf,
  redacted,
  areWholeStrings,
  quoteMasks,
  removeSecrets,
  type Secret,
} from './secret.ts';
import { findSecretFields, hasSecretField } from './secret-fields.ts';
import { isEncoded, originOf, decodingsOf, type Decoding } from './decodings.ts';

/** Whether the last four digits of a card number may stay. */
export type LastFourPolicy = (number: string) => boolean;

const showAny: LastFourPolicy = () => true;

/** Not even the last four digits stay. */
export const showNone: LastFourPolicy = () => false;

/** Two are enough for nearly every text. */
const maxRounds = 8;

/**
 * The text without card numbers, verification codes, tokens and secrets; whatever else stands in it stays byte for
 * byte. Takes bodies, paths, queries, headers and bytes that are none of these. Of a card number the last four digits
 * may stay, where `mayShow` agrees to the number.
 *
 * @example redactText('{"number":"4417119669820331","cvv2":"874"}')
 * // '{"number":"xxxxxxxxxxxx0331","cvv2":"[redacted]"}'
 */
export function redactText(text: string, mayShow: LastFourPolicy = showAny): string {
  return redactWith(findSecrets, text, mayShow);
}

/**
 * A sentence without card numbers, for messages that quote what they were given: in a sentence the name of a field is
 * no sign of a value, and a number that a message is about need not be known by its end.
 */
export function hideCardNumbers(sentence: string): string {
  return redactWith(findCardNumbers, sentence, showNone);
}

function findSecrets(text: string, seen: Sightings): Secret[] {
  const found = (seen & sight.manyDigits) === 0 ? [] : findCardNumbers(text);
  findSecretFields(text, seen, found);
  findCredentials(text, seen, found);
  return found;
}

function redactWith(
  find: (text: string, seen: Sightings) => Secret[],
  text: string,
  mayShow: LastFourPolicy,
): string {
  let left = text;
  // What is left is looked at again: a mask can turn its surroundings into something that reads as a secret.
  for (let round = 0; round < maxRounds; round++) {
    const seen = prefilter(left);
    if (!mayContainSecrets(left, seen)) break;
    const decodings = decodingsOf(left);
    const secrets: Secret[] = [];
    for (const decoding of decodings) {
      const seenThere = decoding.origins === undefined ? seen : prefilter(decoding.text);
      for (const secret of find(decoding.text, seenThere)) {
        secrets.push(toOriginalPlace(decoding, secret, mayShow));
      }
    }
    if (secrets.length === 0) break;
    const areStrings = areWholeStrings(secrets, left);
    left = removeSecrets(left, secrets);
    if (!areStrings) left = quoteMasks(left);
    else if (decodings.length === 1) break;
  }
  return left;
}

/** The same for a text that may be absent. */
export function redactOptional(
  text: string | undefined,
  mayShow?: LastFourPolicy,
): string | undefined {
  return text === undefined ? undefined : redactText(text, mayShow);
}

/** A member's value without its secrets, which its name tells too; `redacted` in the place of what they hold together. */
export function redactMember(name: string, value: unknown): unknown {
  try {
    const member: object = JSON.parse(redactText(JSON.stringify({ [name]: value })));
    const [left]: readonly unknown[] = Object.values(member);
    return left;
  } catch {
    return redacted;
  }
}

/** Nearly every text ends here. */
function mayContainSecrets(text: string, seen: Sightings): boolean {
  return (
    (seen & sight.manyDigits) !== 0 ||
    ((seen & sight.escape) !== 0 && isEncoded(text)) ||
    hasSecretField(text, seen) ||
    hasCredential(text, seen)
  );
}

/** A secret of one reading at its place in the text as it was written; its last digits only where they may be shown. */
function toOriginalPlace(decoding: Decoding, secret: Secret, mayShow: LastFourPolicy): Secret {
  const { start, end } = secret;
  const isShown = secret.shown === '' || mayShow(digitsOf(decoding.text.slice(start, end)));
  if (isShown && decoding.origins === undefined) return secret;
  return {
    start: originOf(decoding, start),
    end: originOf(decoding, end),
    shown: isShown ? secret.shown : '',
  };
}
