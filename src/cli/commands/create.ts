/** Creates a sandbox from settings and opens it to the network. Errors name flags and variables. */
import { createSandbox, type Sandbox } from '../../sandbox/create-sandbox.ts';
import {
  ListenError,
  type AllWords,
  type Listening,
  type ListenWords,
  type TlsOptions,
} from '../../transports/listen-options.ts';
import { DocumentError, FixtureError } from '../../documents/document-error.ts';
import { AllowListError } from '../../guard/allow-list.ts';
import { OptionError } from '../../shared/option-error.ts';
import { urlOf, type Address, type Scheme } from '../../transport-port/listener-address.ts';
import { readControlToken } from '../settings/control-token.ts';
import type { HomeOptions } from '../settings/home.ts';
import type { Log } from '../output/log.ts';
import { sandboxOptions, type ReadSettings } from '../settings/settings.ts';
import { defaultPort, defaultTlsPort, flagWord, type FlagName } from '../settings/flags.ts';
import { UsageError } from '../errors/usage-error.ts';

/** Creates the sandbox. Throws a `UsageError` if the settings do not allow it. */
export function createFromSettings(
  read: ReadSettings,
  home: HomeOptions,
  log: Pick<Log, 'exchange' | 'controlFailure' | 'unreadable'> & Partial<Pick<Log, 'warn'>>,
): Sandbox {
  const { settings, origins } = read;
  const controlToken = readControlToken(read);
  try {
    return createSandbox({
      ...sandboxOptions(settings),
      controlToken,
      ...home,
      listeners: {
        onExchange: log.exchange,
        onControlFailure: log.controlFailure,
        onUnreadable: log.unreadable,
        onPersistProblem: (message) => log.warn?.(message),
      },
    });
  } catch (error) {
    if (error instanceof DocumentError) {
      const name = settingOf(error);
      const origin = origins.get(name);
      const named = origin === undefined ? '' : ` (${origin} ${settings[name]})`;
      throw new UsageError(`Cannot use the ${documentNames[name]}${named}.\n${error.message}`);
    }
    if (error instanceof OptionError) throw new UsageError(error.message);
    throw error;
  }
}

const documentNames = {
  fixtures: 'fixtures',
  scenario: 'scenario',
  allowCards: 'list of test numbers',
} as const;

function settingOf(error: DocumentError): keyof typeof documentNames {
  if (error instanceof FixtureError) return 'fixtures';
  return error instanceof AllowListError ? 'allowCards' : 'scenario';
}

/** Opens the sandbox to the network. Throws a `UsageError`, with nothing left open, if it cannot listen. */
export async function listenWithSettings(
  sandbox: Sandbox,
  { settings, origins }: ReadSettings,
): Promise<Listening> {
  try {
    const { port = defaultPort, host, controlPort, controlHost } = settings;
    if (controlPort === undefined && controlHost !== undefined) {
      throw new UsageError(
        `${origins.get('controlHost')} needs a control port. Set one with --control-port, such as --control-port 3001.`,
      );
    }
    rejectSamePorts(settings, origins);
    const control =
      controlPort === undefined ? undefined : { port: controlPort, host: controlHost };
    return await sandbox.listen({ port, host, control, tls: tlsOptions(settings) });
  } catch (error) {
    if (!(error instanceof ListenError)) throw error;
    throw new UsageError([error.inWords(flagWords), ...environmentHints(origins)].join(' '));
  }
}

/** Every option about TLS switches https on, unless TLS is switched off. */
function tlsOptions(settings: ReadSettings['settings']): TlsOptions | undefined {
  const { tls, tlsPort, tlsHost, tlsCaFile, tlsCert, tlsKey, port } = settings;
  const given = [tlsPort, tlsHost, tlsCaFile, tlsCert, tlsKey];
  if (!(tls ?? given.some((value) => value !== undefined))) return undefined;
  return {
    port: tlsPort ?? (port === 0 ? 0 : defaultTlsPort),
    hosts: tlsHost,
    caFile: tlsCaFile,
    cert: tlsCert,
    key: tlsKey,
  };
}

/** Says so before a server is open, because "in use" would make people search another process. */
function rejectSamePorts(
  settings: ReadSettings['settings'],
  origins: ReadonlyMap<string, string>,
): void {
  const { port = defaultPort, host, controlPort, controlHost = host } = settings;
  const tlsPort = tlsOptions(settings)?.port;
  const named = (name: FlagName): string => origins.get(name) ?? `the default of ${flagWord(name)}`;
  const reject = (one: FlagName, other: FlagName, same: number, advice: string): never => {
    const [first, second] = [named(one), named(other)];
    const start = first.charAt(0).toUpperCase() + first.slice(1);
    throw new UsageError(`${start} and ${second} are both ${same}. ${advice}`);
  };
  if (isSame(controlPort, port) && controlHost === host) {
    reject(
      'port',
      'controlPort',
      port,
      `Choose another control port, or omit ${named('controlPort')} to serve /_sandbox on the main port.`,
    );
  }
  const advice = 'Choose another port for https with --tls-port.';
  if (isSame(tlsPort, port)) reject('port', 'tlsPort', port, advice);
  if (controlPort !== undefined && isSame(tlsPort, controlPort) && controlHost === host) {
    reject('controlPort', 'tlsPort', controlPort, advice);
  }
}

function isSame(one: number | undefined, other: number | undefined): boolean {
  return one !== undefined && one !== 0 && one === other;
}

const flagWords: AllWords = {
  service: listenFlags('--port', '--host'),
  control: listenFlags('--control-port', '--control-host'),
  tls: listenFlags('--tls-port', '--host'),
  files: {
    cert: flagWord('tlsCert'),
    key: flagWord('tlsKey'),
    caFile: flagWord('tlsCaFile'),
    hosts: flagWord('tlsHost'),
  },
};

function listenFlags(port: string, host: string): ListenWords {
  return {
    setPort: (other) => `${port} ${other}`,
    setHost: (address) => `${host} ${address}`,
  };
}

const listenSettings = {
  host: 'host',
  port: 'port',
  controlHost: 'control host',
  controlPort: 'control port',
  tlsPort: 'port of https',
} as const;

/** A message about a flag that was never typed must name the variable that set it. */
function environmentHints(origins: ReadonlyMap<string, string>): string[] {
  return Object.entries(listenSettings).flatMap(([name, words]) => {
    const origin = origins.get(name);
    return origin === undefined || origin.startsWith('-')
      ? []
      : [`The ${words} comes from the environment variable ${origin}.`];
  });
}

/** An address that this machine can connect to. A wildcard address becomes the loopback address. */
export function reachableUrl(address: Address, scheme?: Scheme): string {
  return urlOf(address, address.host === '::' ? '::1' : '127.0.0.1', scheme);
}
