/** What a merchant can be called. The client checks it too, so this file loads nothing of the server. */
import { shown } from '../../shared/unknown-value.ts';
import { ArgumentError } from '../../outcomes/argument-error.ts';

const clientIdForm = /^(?!\.{1,2}$)[A-Za-z0-9._~@+-]{1,128}$/;

/**
 * Whether a client id can name a merchant. `Seed silent:` it stands in tokens and addresses, so it keeps to
 * characters that need no escaping there, and is neither `.` nor `..`, which would be read as folders.
 */
export function isClientId(text: string): boolean {
  return clientIdForm.test(text);
}

/** The merchant that is asked for in code. Throws an `ArgumentError` where no request could come from one of that name. */
export function merchantId(given: unknown): string {
  if (typeof given === 'string' && isClientId(given)) return given;
  throw new ArgumentError(
    `No merchant can have the id ${shown(given)}: it is a client id, 1 to 128 letters, digits or any of . _ ~ @ + -.`,
    'merchant',
  );
}
