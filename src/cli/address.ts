/** Where the sandbox is that a command asks. */
import { connect, SandboxError, type Remote } from '../client/connect.ts';
import { urlOf } from '../wire/place.ts';
import { controlTokenOf } from './control-token.ts';
import { readSettings } from './settings.ts';
import { UsageMistake } from './usage-mistake.ts';

/** The control plane of the sandbox that would be started with these variables, unless an address is named. */
export function addressOf(url: string | undefined, env: NodeJS.ProcessEnv): string {
  if (url !== undefined) {
    if (URL.canParse(url) && /^https?:/.test(url)) return url.replace(/\/+$/, '');
    throw new UsageMistake(
      `The address must be a URL such as http://127.0.0.1:3000, not ${JSON.stringify(url)}.`,
    );
  }
  const { settings } = readSettings({}, env, ['port', 'host', 'controlPort', 'controlHost']);
  const { port = 3000, controlPort = port } = settings;
  const main = settings.host ?? '127.0.0.1';
  const host = settings.controlPort === undefined ? main : (settings.controlHost ?? main);
  return urlOf({ host, port: controlPort }, host === '::' ? '::1' : '127.0.0.1');
}

/** A client of it, with the control token that the environment holds. */
export function sandboxAt(address: string, env: NodeJS.ProcessEnv): Remote {
  const token = controlTokenOf(readSettings({}, env, ['controlToken', 'controlTokenFile']));
  return connect(address, token === undefined ? {} : { token });
}

/** What a sandbox refused, as a mistake in how the command was called; anything else as it is. */
export function refusedMistake(error: unknown): unknown {
  if (!(error instanceof SandboxError)) return error;
  const hint =
    error.status === 401
      ? ' A command takes the token from CARD_VAULT_CONTROL_TOKEN, or the file that CARD_VAULT_CONTROL_TOKEN_FILE names.'
      : '';
  return new UsageMistake(error.message + hint);
}
