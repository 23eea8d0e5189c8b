/** How a client is told where the sandbox is, and as whom it asks. */
import { defaultMerchant } from '../contract/default-merchant.ts';
import { controlTokenRule, OptionError, refuseUnknownOptions } from '../shared/option-error.ts';
import { merchantId } from '../world/identity/merchant-id.ts';
import { SandboxError } from './sandbox-error.ts';

export interface ConnectOptions {
  /** The merchant that verbs act on. Default `default`. */
  readonly merchant?: string | undefined;
  /** The control token that the sandbox was started with, if it was. */
  readonly token?: string | undefined;
  /** How long a control call may take before it is given up. Default: as long as it likes. */
  readonly timeoutMs?: number | undefined;
}

/** What no timer takes is above it, with what a call may be held for. */
const mostTimeoutMs = 2_000_000_000;

/** Options, checked. Throws an `OptionError`, and an `ArgumentError` for a merchant that cannot be. */
export function readOptions(options: ConnectOptions) {
  refuseUnknownOptions(options, [
    'merchant',
    'token',
    'timeoutMs',
  ] satisfies (keyof ConnectOptions)[]);
  const { merchant = defaultMerchant, token, timeoutMs } = options;
  if (token !== undefined && !(typeof token === 'string' && controlTokenRule.form.test(token))) {
    throw new OptionError(`Option token: ${controlTokenRule.words}.`);
  }
  if (timeoutMs !== undefined && !(timeoutMs >= 1 && timeoutMs <= mostTimeoutMs)) {
    throw new OptionError(
      `Option timeoutMs: must be a number of milliseconds from 1 to ${mostTimeoutMs}. Leave it out to wait as long as it takes.`,
    );
  }
  return { merchant: merchantId(merchant), token, timeoutMs };
}

/** Without a trailing slash. Throws a `SandboxError` for what is no address. */
export function baseOf(url: string | URL): string {
  const address = String(url);
  if (URL.canParse(address) && /^https?:$/.test(new URL(address).protocol)) {
    return address.replace(/\/+$/, '');
  }
  throw new SandboxError(
    `"${address}" is no address of a sandbox. One that is: http://127.0.0.1:3000.`,
    'no-sandbox',
    0,
  );
}
