/** Describes mistakes in options. All options use the same words. */
import { didYouMean } from './did-you-mean.ts';
import { SandboxError } from './sandbox-error.ts';

/**
 * An option is unknown or invalid. Each line of the message names one option, its allowed values and the nearest match.
 */
export class OptionError extends SandboxError {
  override readonly name = 'OptionError';

  constructor(message: string) {
    super('invalid-option', message);
  }
}

/** Writes the message about an unknown option, with the option that was probably meant. */
export function unknownOption(key: string, known: readonly string[], group = ''): string {
  return `Unknown option "${group}${key}".${didYouMean(key, known)} Known: ${known.join(', ')}.`;
}

/** Throws an `OptionError` that names every unknown option, or that says that the options are not an object. */
export function refuseUnknownOptions(options: unknown, known: readonly string[]): void {
  if (typeof options !== 'object' || options === null || Array.isArray(options)) {
    throw new OptionError(
      `The options: must be an object of keys and values. Known: ${known.join(', ')}.`,
    );
  }
  const unknown = Object.keys(options).filter((key) => !known.includes(key));
  if (unknown.length === 0) return;
  throw new OptionError(unknown.map((key) => unknownOption(key, known)).join('\n'));
}

/**
 * The form of a control token: every client can send it in a header, and no server trims it. A token is a secret, so
 * messages describe the form and never quote the token.
 */
export const controlTokenRule = {
  form: /^(?! )[ -~]{1,256}(?<! )$/,
  words:
    'must be 1 to 256 printable ASCII characters with no space at either end, as headers carry them',
} as const;
