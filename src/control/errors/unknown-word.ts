/** The error for an unknown query parameter or key. */
import { nearestKey } from '../../shared/did-you-mean.ts';
import { ControlRequestError } from './control-error.ts';

/** The part of a request that holds the word. */
export type Target = 'query' | 'body';

/** Makes the error, with the allowed words. */
export function unknownWord(
  target: Target,
  word: string,
  known: readonly string[],
): ControlRequestError {
  const near = nearestKey(word, known);
  const noun = target === 'query' ? 'query parameter' : 'key';
  const knownWords =
    known.length === 0 ? 'This call takes none' : `Known here: ${known.join(', ')}`;
  return new ControlRequestError(
    target === 'query' ? 'unknown-parameter' : 'unknown-key',
    `Unknown ${noun} '${word}'.${guess(near)} ${knownWords}.`,
    { place: `${target}.${word}`, allowed: known, nearest: near },
  );
}

/** Suggests a similar known word, if there is one. */
export function guess(near: string | undefined): string {
  return near === undefined ? '' : ` Did you mean '${near}'?`;
}
