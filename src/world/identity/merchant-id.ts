/** Valid merchant ids. The client checks them too, so this file loads nothing of the server. */
import { redactFreeText } from '../../redaction/redact.ts';
import { describeValue } from '../../shared/unknown-value.ts';
import { ArgumentError } from '../../outcomes/argument-error.ts';

const clientIdForm = /^(?!\.{1,2}$)[A-Za-z0-9._~@+-]{1,128}$/;

/**
 * Whether a client id can name a merchant.
 *
 * `Seed silent:` the id appears in tokens and addresses. It consists of characters that need no
 * escaping, and is neither `.` nor `..`, which are read as folders. It is kept and shown everywhere, so it contains no
 * card number.
 */
export function isClientId(text: string): boolean {
  return clientIdForm.test(text) && redactFreeText(text) === text;
}

/** Checks a merchant id given in code. Throws an `ArgumentError` if no request could have it. */
export function merchantId(given: unknown): string {
  if (typeof given === 'string' && isClientId(given)) return given;
  const quoted = redactFreeText(describeValue(given));
  throw new ArgumentError(
    `A merchant id must be 1 to 128 letters, digits or any of . _ ~ @ + -, and must not contain a card number, got ${quoted}.`,
    { place: 'merchant' },
  );
}
