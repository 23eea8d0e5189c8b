/** A sandbox from settings, open to the network. What is wrong with them is told in words of flags and variables. */
import { createSandbox, type Sandbox } from '../../sandbox/create-sandbox.ts';
import { ListenError, type Listening, type ListenWords } from '../../transports/listen-options.ts';
import { DocumentError, FixtureError } from '../../documents/document-error.ts';
import { AllowListError } from '../../guard/allow-list.ts';
import { OptionError } from '../../shared/option-error.ts';
import { urlOf, type Address } from '../../transport-port/listener-address.ts';
import { controlTokenOf } from '../settings/control-token.ts';
import type { HomeOptions } from '../settings/home.ts';
import type { Log } from '../output/log.ts';
import { sandboxOptions, type ReadSettings } from '../settings/settings.ts';
import { UsageError } from '../errors/usage-error.ts';

/** Throws a `UsageError` where it cannot be made. */
export function makeSandbox(
  read: ReadSettings,
  home: HomeOptions,
  log: Pick<Log, 'exchange' | 'controlFailure' | 'unreadable'>,
): Sandbox {
  const { settings, origins } = read;
  const controlToken = controlTokenOf(read);
  try {
    return createSandbox({
      ...sandboxOptions(settings),
      controlToken,
      ...home,
      onExchange: log.exchange,
      onControlFailure: log.controlFailure,
      onUnreadable: log.unreadable,
    });
  } catch (error) {
    if (error instanceof DocumentError) {
      const name = settingBehind(error);
      const origin = origins.get(name);
      const named = origin === undefined ? '' : ` (${origin} ${settings[name]})`;
      const what = name === 'allowCards' ? 'list of test numbers' : name;
      throw new UsageError(`The ${what}${named} cannot be used.\n${error.message}`);
    }
    if (error instanceof OptionError) throw new UsageError(error.message);
    throw error;
  }
}

function settingBehind(mistake: DocumentError): 'fixtures' | 'scenario' | 'allowCards' {
  if (mistake instanceof FixtureError) return 'fixtures';
  return mistake instanceof AllowListError ? 'allowCards' : 'scenario';
}

/** Throws a `UsageError`, with nothing left open, where it cannot listen. */
export async function openDoor(
  sandbox: Sandbox,
  { settings, origins }: ReadSettings,
): Promise<Listening> {
  try {
    const { port, host, controlPort, controlHost } = settings;
    if (controlPort === undefined && controlHost !== undefined) {
      throw new UsageError(
        `${origins.get('controlHost')} needs a port for the control plane. Name one with --control-port, such as --control-port 3001.`,
      );
    }
    refuseSamePort(settings, origins);
    const control =
      controlPort === undefined ? undefined : { port: controlPort, host: controlHost };
    return await sandbox.listen({ port, host, control });
  } catch (error) {
    if (!(error instanceof ListenError)) throw error;
    throw new UsageError([error.inWords(inFlags), ...fromEnvironment(origins)].join(' '));
  }
}

function refuseSamePort(
  { port = 3000, host, controlPort, controlHost = host }: ReadSettings['settings'],
  origins: ReadonlyMap<string, string>,
): void {
  if (controlPort === undefined || controlPort === 0) return;
  if (controlPort !== port || controlHost !== host) return;
  const own = origins.get('controlPort');
  throw new UsageError(
    `${origins.get('port') ?? 'The default of --port'} and ${own} name one port, ${port}. Choose another for the control plane, or leave ${own} out: it is then on the same port as all else.`,
  );
}

const inFlags = {
  service: listenFlags('--port', '--host'),
  control: listenFlags('--control-port', '--control-host'),
} as const;

function listenFlags(port: string, host: string): ListenWords {
  return {
    port,
    setPort: (number) => `${port} ${number}`,
    setHost: (address) => `${host} ${address}`,
  };
}

const listenWords = {
  host: 'host',
  port: 'port',
  controlHost: 'host of the control plane',
  controlPort: 'port of the control plane',
} as const;

/** Who is told to change a flag that was never written needs to know what set it. */
function fromEnvironment(origins: ReadonlyMap<string, string>): string[] {
  return Object.entries(listenWords).flatMap(([name, words]) => {
    const origin = origins.get(name);
    return origin === undefined || origin.startsWith('-')
      ? []
      : [`The ${words} comes from the environment variable ${origin}.`];
  });
}

/** The address to type on this machine: the one that means all addresses is none to connect to everywhere. */
export function reachableUrl(address: Address): string {
  return urlOf(address, address.host === '::' ? '::1' : '127.0.0.1');
}
