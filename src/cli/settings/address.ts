/** Where the sandbox is that a command asks. */
import { connect, SandboxError, type Remote } from '../../client/connect.ts';
import { urlOf } from '../../transport-port/listener-address.ts';
import { controlTokenOf } from './control-token.ts';
import type { FlagName } from './flags.ts';
import { mainProcessFlags } from '../process/pid1-flags.ts';
import { readSettings, type ReadSettings } from './settings.ts';
import { UsageError } from '../errors/usage-error.ts';

type Program = Pick<NodeJS.Process, 'argv' | 'env'>;

/**
 * The control plane of the sandbox of this container, or of the one that would be started with these variables, unless an
 * address is named.
 */
export function addressOf(url: string | undefined, program: Program): string {
  if (url !== undefined) {
    if (URL.canParse(url) && /^https?:/.test(url)) return url.replace(/\/+$/, '');
    throw new UsageError(
      `The address must be a URL such as http://127.0.0.1:3000, not ${JSON.stringify(url)}.`,
    );
  }
  const { settings } = settingsNear(program, ['port', 'host', 'controlPort', 'controlHost']);
  const { port = 3000, controlPort = port } = settings;
  const main = settings.host ?? '127.0.0.1';
  const host = settings.controlPort === undefined ? main : (settings.controlHost ?? main);
  return urlOf({ host, port: controlPort }, host === '::' ? '::1' : '127.0.0.1');
}

/** A client of what is at that address, with the control token that is known here. */
export function sandboxAt(url: string | undefined, program: Program): Remote {
  const names = ['controlToken', 'controlTokenFile'] as const;
  const read =
    url === undefined ? settingsNear(program, names) : readSettings({}, program.env, names);
  const token = controlTokenOf(read);
  const address = addressOf(url, program);
  return connect(address, { token });
}

function settingsNear(program: Program, wanted: readonly FlagName[]): ReadSettings {
  return readSettings(mainProcessFlags(program), program.env, wanted);
}

/** What a sandbox refused, as a mistake in how the command was called; anything else as it is. */
export function refusedMistake(error: unknown): unknown {
  if (!(error instanceof SandboxError)) return error;
  const hint =
    error.status === 401
      ? ' A command takes the token from CARD_VAULT_CONTROL_TOKEN, or the file that CARD_VAULT_CONTROL_TOKEN_FILE names.'
      : '';
  return new UsageError(error.message + hint);
}
