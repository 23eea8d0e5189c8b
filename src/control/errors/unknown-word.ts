/** A query parameter or a key that a call does not take. */
import { nearest } from '../../shared/did-you-mean.ts';
import { ControlRequestError } from './control-error.ts';

/** The part of a request that holds the word. */
export type Target = 'query' | 'body';

/** The error, with the words that are allowed there. */
export function unknownWord(
  target: Target,
  word: string,
  known: readonly string[],
): ControlRequestError {
  const near = nearest(word, known);
  const what = target === 'query' ? 'query parameter' : 'key';
  const takes = known.length === 0 ? 'This call takes none' : `Known here: ${known.join(', ')}`;
  return new ControlRequestError(
    target === 'query' ? 'unknown-parameter' : 'unknown-key',
    `Unknown ${what} '${word}'.${guess(near)} ${takes}.`,
    { place: `${target}.${word}`, allowed: known, nearest: near },
  );
}

/** Asks whether another word was meant, if a similar one is known. */
export function guess(near: string | undefined): string {
  return near === undefined ? '' : ` Did you mean '${near}'?`;
}
