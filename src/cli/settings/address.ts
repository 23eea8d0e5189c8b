/** Finds the sandbox that a command talks to. */
import { connect, SandboxError, type Remote } from '../../client/connect.ts';
import { addressForms, toUrl } from '../../client/options.ts';
import { urlOf } from '../../transport-port/listener-address.ts';
import { readControlToken } from './control-token.ts';
import { defaultPort, type FlagName } from './flags.ts';
import { mainProcessFlags } from '../process/pid1-flags.ts';
import { readSettings, type ReadSettings } from './settings.ts';
import { UsageError } from '../errors/usage-error.ts';

type Program = Pick<NodeJS.Process, 'argv' | 'env'>;

/**
 * The address of the control API. Without a URL, it is the sandbox of this container, or the one that the same environment
 * would start.
 */
export function resolveAddress(address: string | undefined, program: Program): string {
  if (address !== undefined) {
    const url = toUrl(address);
    if (url !== undefined) return url;
    throw new UsageError(`The address must be ${addressForms}, got ${JSON.stringify(address)}.`);
  }
  const { settings } = localSettings(program, ['port', 'host', 'controlPort', 'controlHost']);
  const { port = defaultPort, controlPort = port } = settings;
  const mainHost = settings.host ?? '127.0.0.1';
  const host = settings.controlPort === undefined ? mainHost : (settings.controlHost ?? mainHost);
  return urlOf({ host, port: controlPort }, host === '::' ? '::1' : '127.0.0.1');
}

/** Whether a word is an address, in any form that `resolveAddress` accepts. */
export const isAddress = (word: string): boolean => toUrl(word) !== undefined;

/** A client for that address, with the control token of this environment. */
export function sandboxAt(url: string | undefined, program: Program): Remote {
  const names = ['controlToken', 'controlTokenFile'] as const;
  const read =
    url === undefined ? localSettings(program, names) : readSettings({}, program.env, names);
  const token = readControlToken(read);
  const address = resolveAddress(url, program);
  return connect(address, { token });
}

function localSettings(program: Program, wanted: readonly FlagName[]): ReadSettings {
  return readSettings(mainProcessFlags(program), program.env, wanted);
}

/** Converts an error of the client into a usage error. Returns other errors unchanged. */
export function toUsageError(error: unknown): unknown {
  if (!(error instanceof SandboxError)) return error;
  const hint =
    error.status === 401
      ? ' Set CARD_VAULT_CONTROL_TOKEN, or name a file in CARD_VAULT_CONTROL_TOKEN_FILE.'
      : '';
  return new UsageError(error.message + hint);
}
