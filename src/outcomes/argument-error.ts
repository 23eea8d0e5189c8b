/** Errors about the arguments of a verb. */
import { SandboxError, type ErrorDetail } from '../shared/sandbox-error.ts';
import { describeValue } from '../shared/unknown-value.ts';
import { didYouMean, nearest } from '../shared/did-you-mean.ts';

/** An argument of a verb that is not allowed. */
export class ArgumentError extends SandboxError {
  override readonly name = 'ArgumentError';

  constructor(message: string, detail?: ErrorDetail, code = 'invalid-argument') {
    super(code, message, detail);
  }
}

/**
 * Throws unless a verb received an object with only these keys. Otherwise it would silently ignore a misspelt key.
 *
 * @throws {ArgumentError} If the value is not an object or has another key.
 */
export function checkKeys<T extends object>(
  verb: string,
  given: T,
  keys: Readonly<Record<keyof T, true>>,
): void {
  const known = Object.keys(keys);
  const argument: unknown = given; // A program without types passes anything.
  if (typeof argument !== 'object' || argument === null || Array.isArray(argument)) {
    throw new ArgumentError(
      `${verb} expects an object with any of ${known.join(', ')}, got ${describeValue(argument)}.`,
      { place: verb, allowed: known },
    );
  }
  const unknown = Object.keys(argument).find((key) => !known.includes(key));
  if (unknown === undefined) return;
  throw new ArgumentError(
    `${verb}: unknown key "${unknown}".${didYouMean(unknown, known)} Known: ${known.join(', ')}.`,
    { place: unknown, allowed: known, nearest: nearest(unknown, known) },
  );
}

/**
 * Throws unless a value is text.
 *
 * @param subject What the value is, at the start of a sentence: "The id of a rule".
 */
export function checkText(subject: string, given: unknown, place: string, example: string): void {
  if (typeof given === 'string') return;
  throw new ArgumentError(
    `${subject} must be text such as "${example}", got ${describeValue(given)}.`,
    {
      place,
    },
  );
}

/**
 * Makes the error for a value that is not in a list.
 *
 * @param lead How the message starts: "Unknown operation".
 */
export function unknownValueError(
  lead: string,
  given: unknown,
  place: string,
  known: readonly string[],
): ArgumentError {
  // The text of a number is no misspelt word.
  const word = typeof given === 'string' && !known.includes(given) ? given.slice(0, 64) : '';
  return new ArgumentError(
    `${lead} ${describeValue(given)}.${didYouMean(word, known)} Known: ${known.join(', ')}.`,
    { place, allowed: known, nearest: nearest(word, known) },
  );
}
