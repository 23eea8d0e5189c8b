/** What is wrong with what a verb was asked for in code. */
import { shown } from '../shared/unknown-value.ts';
import { didYouMean, nearest } from '../shared/did-you-mean.ts';

/** What was asked of a verb cannot be: which part of it, what can be, and what was probably meant. */
export class ArgumentError extends Error {
  readonly place: string;
  readonly allowed: readonly string[] | undefined;
  readonly nearest: string | undefined;

  constructor(message: string, place: string, allowed?: readonly string[], meant?: string) {
    super(message);
    this.name = 'ArgumentError';
    this.place = place;
    this.allowed = allowed;
    this.nearest = meant;
  }
}

/**
 * What a verb takes is an object with these keys, or some of them: another key would be left unread without a word. Throws
 * an `ArgumentError` for anything else.
 */
export function checkKeys<T extends object>(
  verb: string,
  given: T,
  keys: Readonly<Record<keyof T, true>>,
): void {
  const known = Object.keys(keys);
  const argument: unknown = given; // Whoever has no types gives anything.
  if (typeof argument !== 'object' || argument === null || Array.isArray(argument)) {
    throw new ArgumentError(
      `${verb} takes an object with any of ${known.join(', ')}, not ${shown(argument)}.`,
      verb,
      known,
    );
  }
  const unknown = Object.keys(argument).find((key) => !known.includes(key));
  if (unknown === undefined) return;
  throw new ArgumentError(
    `${verb} knows no key "${unknown}".${didYouMean(unknown, known)} Known: ${known.join(', ')}.`,
    unknown,
    known,
    nearest(unknown, known),
  );
}

/** Throws an `ArgumentError` for what is no text; `lead` is what it is called, as in "The id of a rule". */
export function checkText(lead: string, given: unknown, place: string, example: string): void {
  if (typeof given === 'string') return;
  throw new ArgumentError(`${lead} is a text such as "${example}", not ${shown(given)}.`, place);
}

/** `lead` says what there is none of: "There is no operation". */
export function notAmong(
  lead: string,
  given: unknown,
  place: string,
  known: readonly string[],
): ArgumentError {
  const word = typeof given === 'string' ? given.slice(0, 64) : '';
  return new ArgumentError(
    `${lead} ${shown(given)}.${didYouMean(word, known)} Known: ${known.join(', ')}.`,
    place,
    known,
    nearest(word, known),
  );
}
