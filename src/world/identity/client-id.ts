/** The form of a client id. The client checks it too, so this file loads nothing of the server. */
import { hideCardNumbers } from '../../redaction/hide-card-numbers.ts';
import { describeValue } from '../../shared/unknown-value.ts';
import { ArgumentError } from '../../outcomes/argument-error.ts';

const clientIdForm = /^(?!\.{1,2}$)[A-Za-z0-9._~@+-]{1,128}$/;

/** Whether a text has the form of a client id and contains no plain card number. */
export function hasClientIdForm(text: string): boolean {
  return clientIdForm.test(text) && hideCardNumbers(text) === text;
}

/** The error for a merchant id that no request could have. `quoted` shows it without secrets. */
export function merchantIdError(quoted: string): ArgumentError {
  return new ArgumentError(
    `A merchant id must be 1 to 128 letters, digits or any of . _ ~ @ + -, and must not contain a card number, got ${quoted}.`,
    { place: 'merchant' },
  );
}

/**
 * Checks the form of a merchant id given to the client. The sandbox checks the rest.
 *
 * @throws {ArgumentError} If no request could have it.
 */
export function remoteMerchantId(given: unknown): string {
  if (typeof given === 'string' && hasClientIdForm(given)) return given;
  throw merchantIdError(hideCardNumbers(describeValue(given)));
}
