/** Takes card data and credentials out of a text before it is kept or written anywhere. */
import { findCardNumbers, hasManyDigits } from './card-numbers.ts';
import { findCredentials, hasDigitsInBase64, hasScheme } from './credentials.ts';
import { redacted, standApart, withoutSecrets, type Secret } from './secret.ts';
import { findSecretFields, hasSecretField } from './secret-fields.ts';
import { isSpelled, originOf, readingsOf, type Reading } from './spelling.ts';

/** Whether the last four digits of a card number may stay. */
export type MayShow = (number: string) => boolean;

const showAny: MayShow = () => true;

/** Not even the last four digits stay. */
export const showNone: MayShow = () => false;

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
export function redactText(text: string, mayShow: MayShow = showAny): string {
  return without(findSecrets, text, mayShow);
}

/**
 * A sentence without card numbers, for messages that quote what they were given: in a sentence the name of a field is
 * no sign of a value, and a number that a message is about need not be known by its end.
 */
export function withoutCardNumbers(sentence: string): string {
  return without(findCardNumbers, sentence, showNone);
}

function findSecrets(text: string): Secret[] {
  return [...findCardNumbers(text), ...findSecretFields(text), ...findCredentials(text)];
}

function without(find: (text: string) => Secret[], text: string, mayShow: MayShow): string {
  let left = text;
  // What is left is looked at again: a mask can turn its surroundings into something that reads as a secret.
  for (let round = 0; round < maxRounds && couldHoldSecrets(left); round++) {
    const readings = readingsOf(left);
    const secrets: Secret[] = [];
    for (const reading of readings) secrets.push(...secretsIn(reading, find, mayShow));
    if (secrets.length === 0) break;
    const isDone = readings.length === 1 && standApart(secrets, left);
    left = withoutSecrets(left, secrets);
    if (isDone) break;
  }
  return left;
}

/** The same for a text that may be absent. */
export function redactWord(text: string | undefined, mayShow?: MayShow): string | undefined {
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

/** Fields, schemes and encodings have one of these in them; ids, words and most paths have none. */
const anySign = /[:=%\\ +>\n&]/;

/** Nearly every text ends here, so this costs about two nanoseconds a character. */
function couldHoldSecrets(text: string): boolean {
  if (hasManyDigits(text) || hasDigitsInBase64(text)) return true;
  return anySign.test(text) && (isSpelled(text) || hasSecretField(text) || hasScheme(text));
}

/** The secrets of one reading, at their places in the text as it was written. */
function secretsIn(reading: Reading, find: (text: string) => Secret[], mayShow: MayShow): Secret[] {
  const { text } = reading;
  const found = find(text).map((secret) =>
    secret.shown === '' || mayShow(digitsOf(text.slice(secret.start, secret.end)))
      ? secret
      : { ...secret, shown: '' },
  );
  if (reading.origins === undefined) return found;
  return found.map((secret) => ({
    start: originOf(reading, secret.start),
    end: originOf(reading, secret.end),
    shown: secret.shown,
  }));
}

/** Digits of other scripts are no match for any list, so a number in them is shown to nobody who asks for one. */
export function digitsOf(text: string): string {
  return text.replaceAll(/\D/g, '');
}
