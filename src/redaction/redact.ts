/** Removes card data and credentials from texts before they are stored or written. */
import { findCardNumbers } from './card-numbers.ts';
import { findCredentials, findEncodedNumbers } from './credentials.ts';
import { prefilter, type Sightings } from './prefilter.ts';
import {
  digitsOf,
  redacted,
  areWholeStrings,
  quoteMasks,
  removeSecrets,
  type Secret,
} from './secret.ts';
import { findPlainCodes, findSecretFields } from './secret-fields.ts';
import { isEncoded, originOf, decodingsOf, type Decoding } from './decodings.ts';

/** Decides whether the last four digits of a card number may stay. */
export type LastFourPolicy = (number: string) => boolean;

const showAny: LastFourPolicy = () => true;

/** Hides the last four digits too. */
export const showNone: LastFourPolicy = () => false;

/** Two are enough for nearly every text. */
const maxRounds = 8;

/**
 * Removes card numbers, verification codes, tokens and secrets from a text.
 *
 * Everything else stays byte for byte. Works for bodies, paths, queries, headers and arbitrary
 * bytes. The last four digits of a card number stay if `mayShow` agrees.
 *
 * @example redactText('{"number":"4417119669820331","cvv2":"874"}')
 * // '{"number":"xxxxxxxxxxxx0331","cvv2":"[redacted]"}'
 */
export function redactText(text: string, mayShow: LastFourPolicy = showAny): string {
  return redactWith(findSecrets, text, mayShow);
}

/** The shortest text with a secret: a name, a space and three digits. */
const shortestText = 7;

/**
 * Removes card numbers, and verification codes after their names, from free text that is kept and returned. Other
 * fields of a sentence stay, because they belong to the text.
 */
export function redactFreeText(text: string, mayShow: LastFourPolicy = showAny): string {
  return text.length < shortestText ? text : redactWith(findInFreeText, text, mayShow);
}

function findInFreeText(text: string, seen: Sightings): Secret[] {
  const found = seen.hasManyDigits ? findCardNumbers(text) : [];
  findEncodedNumbers(text, seen, found);
  findPlainCodes(text, seen, found);
  return found;
}

/**
 * Removes card numbers from messages that quote their input. In a sentence, a field name does not
 * announce a value, so field values stay.
 */
export function hideCardNumbers(sentence: string): string {
  return redactWith((text) => findCardNumbers(text), sentence, showNone);
}

function findSecrets(text: string, seen: Sightings): Secret[] {
  const found = seen.hasManyDigits ? findCardNumbers(text) : [];
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
  // Repeat, because a mask can make the text around it look like a secret.
  for (let round = 0; round < maxRounds; round++) {
    const seen = prefilter(left);
    if (!mayContainSecrets(left, seen)) break;
    const decodings = seen.isEscaped ? decodingsOf(left) : [{ text: left, origins: undefined }];
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

/** Redacts a text that may be absent. */
export function redactOptional(
  text: string | undefined,
  mayShow?: LastFourPolicy,
): string | undefined {
  return text === undefined ? undefined : redactText(text, mayShow);
}

/**
 * Redacts a member's value, considering the member's name. Returns `redacted` if name and value
 * cannot be separated.
 */
export function redactMember(name: string, value: unknown): unknown {
  try {
    const member: object = JSON.parse(redactText(JSON.stringify({ [name]: value })));
    const [left]: readonly unknown[] = Object.values(member);
    return left;
  } catch {
    return redacted;
  }
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
