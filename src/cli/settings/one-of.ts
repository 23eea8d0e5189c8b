/** Reads the value of a flag that allows a few words. */
import { didYouMean } from '../../shared/did-you-mean.ts';
import { UsageError } from '../errors/usage-error.ts';

/** Returns the chosen word. Throws a `UsageError` with the allowed words for any other value. */
export function oneOf<const T extends string>(
  flag: string,
  given: string,
  choices: readonly T[],
): T {
  const chosen = choices.find((choice) => choice === given);
  if (chosen !== undefined) return chosen;
  throw new UsageError(
    `${flag} must be one of ${choices.join(', ')}, got ${JSON.stringify(given)}.${didYouMean(given, choices)}`,
  );
}
