/** Creates a sandbox from settings and opens it to the network. Errors name flags and variables. */
import { createSandbox, type Sandbox } from '../../sandbox/create-sandbox.ts';
import { ListenError, type Listening, type ListenWords } from '../../transports/listen-options.ts';
import { DocumentError, FixtureError } from '../../documents/document-error.ts';
import { AllowListError } from '../../guard/allow-list.ts';
import { OptionError } from '../../shared/option-error.ts';
import { urlOf, type Address } from '../../transport-port/listener-address.ts';
import { readControlToken } from '../settings/control-token.ts';
import type { HomeOptions } from '../settings/home.ts';
import type { Log } from '../output/log.ts';
import { sandboxOptions, type ReadSettings } from '../settings/settings.ts';
import { defaultPort } from '../settings/flags.ts';
import { UsageError } from '../errors/usage-error.ts';

/** Creates the sandbox. Throws a `UsageError` if the settings do not allow it. */
export function createFromSettings(
  read: ReadSettings,
  home: HomeOptions,
  log: Pick<Log, 'exchange' | 'controlFailure' | 'unreadable'>,
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
    rejectSamePort(settings, origins);
    const control =
      controlPort === undefined ? undefined : { port: controlPort, host: controlHost };
    return await sandbox.listen({ port, host, control });
  } catch (error) {
    if (!(error instanceof ListenError)) throw error;
    throw new UsageError([error.inWords(flagWords), ...environmentHints(origins)].join(' '));
  }
}

function rejectSamePort(
  { port = defaultPort, host, controlPort, controlHost = host }: ReadSettings['settings'],
  origins: ReadonlyMap<string, string>,
): void {
  if (controlPort === undefined || controlPort === 0) return;
  if (controlPort !== port || controlHost !== host) return;
  const own = origins.get('controlPort');
  throw new UsageError(
    `${origins.get('port') ?? 'The default of --port'} and ${own} are both ${port}. Choose another control port, or omit ${own} to serve /_sandbox on the main port.`,
  );
}

const flagWords = {
  service: listenFlags('--port', '--host'),
  control: listenFlags('--control-port', '--control-host'),
} as const;

function listenFlags(port: string, host: string): ListenWords {
  return {
    port,
    setHost: (address) => `${host} ${address}`,
  };
}

const listenSettings = {
  host: 'host',
  port: 'port',
  controlHost: 'control host',
  controlPort: 'control port',
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
export function reachableUrl(address: Address): string {
  return urlOf(address, address.host === '::' ? '::1' : '127.0.0.1');
}
