/** What to say about a name that nothing has. */
import { didYouMean, nearest } from '../shared/did-you-mean.ts';
import type { ErrorDetail } from '../shared/sandbox-error.ts';
import { describeValue } from '../shared/unknown-value.ts';

/** Longer lists are left out of messages. */
const maxListed = 20;

/** Longer texts are not shown in full. */
const maxShown = 128;

interface UnknownName {
  readonly message: string;
  readonly detail: ErrorDetail;
}

/**
 * Explains an unknown name with the nearest known one, and with all of them if they are few.
 *
 * @param lead The start of the message, such as "There is no merchant".
 * @param listedBy The calls that list a longer list: "merchants() and GET /_sandbox/merchants".
 */
export function unknownName(
  lead: string,
  given: unknown,
  known: readonly string[],
  listedBy: string,
): UnknownName {
  const name = typeof given === 'string' ? given.slice(0, maxShown) : describeValue(given);
  const all = known.length > maxListed ? undefined : known;
  const list =
    all === undefined
      ? `${listedBy} list all ${known.length}.`
      : `Known: ${all.join(', ') || 'none yet'}.`;
  return {
    message: `${lead} "${name}".${didYouMean(name, known)} ${list}`,
    detail: { allowed: all, nearest: nearest(name, known) },
  };
}
