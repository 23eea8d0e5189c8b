/** The options of `connect`. */
import { defaultMerchant } from '../contract/constants.ts';
import { controlTokenRule, OptionError, refuseUnknownOptions } from '../shared/option-error.ts';
import { remoteMerchantId } from '../world/identity/client-id.ts';
import { SandboxError } from '../shared/sandbox-error.ts';

/** Options of `connect`. */
export interface ConnectOptions {
  /** The merchant that its verbs act on. Default `default`. */
  readonly merchant?: string | undefined;
  /** The control token, if the sandbox was started with one. */
  readonly token?: string | undefined;
  /** Milliseconds after which a control call fails. Default: no limit. */
  readonly timeoutMs?: number | undefined;
}

/** Timers take no more, together with the time that a call may be held. */
const mostTimeoutMs = 2_000_000_000;

/** Checks the options. Throws an `OptionError`, or an `ArgumentError` for an invalid merchant id. */
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
      `Option timeoutMs: must be a number of milliseconds from 1 to ${mostTimeoutMs}. Leave it out to wait without a limit.`,
    );
  }
  return { merchant: remoteMerchantId(merchant), token, timeoutMs };
}

/** The forms of an address, for messages. */
export const addressForms =
  'a URL, host:port or a port, such as http://127.0.0.1:3000, localhost:3000, [::1]:3000 or 3000';

/** The URL of an address, without a trailing slash. Throws a `SandboxError` for anything else. */
export function baseOf(address: string | URL): string {
  const url = toUrl(String(address));
  if (url !== undefined) return url;
  throw new SandboxError(
    'no-sandbox',
    `"${address}" is no address of a sandbox. Use ${addressForms}.`,
  );
}

/** The URL that an address means: a URL, `host:port`, `:port` or a port of this machine. */
export function toUrl(address: string): string | undefined {
  if (/^https?:/i.test(address)) {
    return URL.canParse(address) ? address.replace(/\/+$/, '') : undefined;
  }
  const [, host = '127.0.0.1', port] =
    /^(?:([a-z\d._-]+|\[[a-f\d:.]+\])?:)?(\d{1,5})$/i.exec(address) ?? [];
  const url = `http://${host}:${port}`;
  const isPort = Number(port) >= 1 && Number(port) <= 65_535;
  return isPort && URL.canParse(url) ? url : undefined;
}
