/** Valid merchant ids. */
import { redactFreeText } from '../../redaction/redact.ts';
import { describeValue } from '../../shared/unknown-value.ts';
import { hasClientIdForm, merchantIdError } from './client-id.ts';

/**
 * Whether a client id can name a merchant.
 *
 * `Seed silent:` the id appears in tokens and addresses. It consists of characters that need no
 * escaping, and is neither `.` nor `..`, which are read as folders. It is kept and shown everywhere, so it contains no
 * card number.
 */
export function isClientId(text: string): boolean {
  return hasClientIdForm(text) && redactFreeText(text) === text;
}

/** Checks a merchant id given in code. Throws an `ArgumentError` if no request could have it. */
export function merchantId(given: unknown): string {
  if (typeof given === 'string' && isClientId(given)) return given;
  throw merchantIdError(redactFreeText(describeValue(given)));
}
