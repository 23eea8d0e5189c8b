/** `serve`: opens a sandbox to the network, until a signal ends it. */
import { createSandbox, type Sandbox } from '../create-sandbox.ts';
import { ListenMistake, type Listening, type ListenWords } from '../doors/socket.ts';
import { DocumentMistake, FixtureMistake } from '../fixtures/mistake.ts';
import { AllowListMistake } from '../guard/allow-list.ts';
import { OptionMistake } from '../option-mistake.ts';
import type { SandboxOptions } from '../options.ts';
import { urlOf, type Address } from '../wire/place.ts';
import { banner } from './banner.ts';
import { wantsColour } from './colour.ts';
import { homeOptions } from './home.ts';
import { createLog, type Log } from './log.ts';
import { keepReadyFile, removeReadyFile } from './ready-file.ts';
import { readSettings, sandboxOptions, withoutSecrets, type ReadSettings } from './settings.ts';
import { stopOnSignal } from './shutdown.ts';
import { UsageMistake } from './usage-mistake.ts';

/** Serves with these flags. Throws a `UsageMistake`, with nothing printed or left open, where it cannot. */
export async function serveSandbox(
  fromFlags: Readonly<Record<string, unknown>>,
  program: NodeJS.Process,
): Promise<void> {
  const { env, stdout } = program;
  const read = readSettings(fromFlags, env);
  const { settings } = read;
  const auto = stdout.isTTY ? 'pretty' : 'json';
  const format =
    settings.logFormat === 'json' || settings.logFormat === 'pretty' ? settings.logFormat : auto;
  const colour = wantsColour(stdout, env);
  const { logLevel: level, logRequests: requests, quiet } = settings;
  const log = await createLog({ format, colour, level, requests, quiet });

  const home = homeOptions(read);
  const options = {
    ...sandboxOptions(settings),
    ...home,
    onExchange: log.exchange,
    onControlFault: log.controlFault,
  };
  const sandbox = makeSandbox(options, read);
  const { readyFile } = settings;
  if (readyFile !== undefined) removeReadyFile(readyFile);
  if (settings.watch === true) watchScenario(sandbox, log, read);
  const door = await openDoor(sandbox, read);
  stopOnSignal(program, log, (graceMs) => sandbox.close(graceMs));

  const controlUrl = settings.controlPort === undefined ? undefined : reachableUrl(door.control);
  const { host, port } = door;
  const started = { ...sandbox.about(), url: reachableUrl(door), controlUrl, host, port };
  if (readyFile !== undefined) await keptOrClosed(sandbox, readyFile, started.url, program);
  if (format === 'pretty' && settings.quiet !== true) {
    const { baseUrl, watch } = settings;
    const { fixtures = 'default' } = home;
    const seedGiven = settings.seed !== undefined;
    log.print(
      banner({ ...started, fixtures, baseUrl, seedGiven, watched: watch === true }, colour),
    );
  } else {
    const { url, profile, seed, version, realCards, scenario, auth, limits } = started;
    const token = auth === 'open' ? 'sandbox.<client id>' : undefined;
    const gate = { auth, maxMerchants: limits.maxMerchants, token };
    log.info(
      { url, controlUrl, host, port, profile, seed, version, realCards, scenario, ...gate },
      'listening',
    );
  }
  log.debug(
    { settings: withoutSecrets(settings), origins: Object.fromEntries(read.origins) },
    'settings',
  );
  for (const doubt of read.doubts) log.warn(doubt);
}

function makeSandbox(options: SandboxOptions, { settings, origins }: ReadSettings): Sandbox {
  try {
    return createSandbox(options);
  } catch (error) {
    if (error instanceof DocumentMistake) {
      const name = settingBehind(error);
      const origin = origins.get(name);
      const named = origin === undefined ? '' : ` (${origin} ${settings[name]})`;
      const what = name === 'allowCards' ? 'list of test numbers' : name;
      throw new UsageMistake(`The ${what}${named} cannot be used.\n${error.message}`);
    }
    if (error instanceof OptionMistake) throw new UsageMistake(error.message);
    throw error;
  }
}

function settingBehind(mistake: DocumentMistake): 'fixtures' | 'scenario' | 'allowCards' {
  if (mistake instanceof FixtureMistake) return 'fixtures';
  return mistake instanceof AllowListMistake ? 'allowCards' : 'scenario';
}

/** A door that was opened would keep the process from ending with its message. */
async function keptOrClosed(
  sandbox: Sandbox,
  readyFile: string,
  url: string,
  program: NodeJS.Process,
): Promise<void> {
  try {
    keepReadyFile(readyFile, url, program);
  } catch (error) {
    await sandbox.close();
    throw error;
  }
}

/** A file that is wrong is told, and what it said before stays in force. */
function watchScenario(sandbox: Sandbox, log: Log, { origins }: ReadSettings): void {
  try {
    sandbox.watchScenario({
      onReload: (scenario) => log.info({ scenario }, 'reloaded'),
      onMistake: ({ mistakes }) => log.warn({ mistakes }, 'not reloaded'),
    });
  } catch (error) {
    if (!(error instanceof OptionMistake)) throw error;
    throw new UsageMistake(
      `${origins.get('watch')} needs a scenario file to watch. Name one with --scenario and its path, such as --scenario ./my-scenario.yaml.`,
    );
  }
}

async function openDoor(sandbox: Sandbox, { settings, origins }: ReadSettings): Promise<Listening> {
  try {
    const { port, host, controlPort, controlHost } = settings;
    if (controlPort === undefined && controlHost !== undefined) {
      throw new UsageMistake(
        `${origins.get('controlHost')} needs a port for the control plane. Name one with --control-port, such as --control-port 3001.`,
      );
    }
    refuseSamePort(settings, origins);
    const control =
      controlPort === undefined ? undefined : { port: controlPort, host: controlHost };
    return await sandbox.listen({ port, host, control });
  } catch (error) {
    if (!(error instanceof ListenMistake)) throw error;
    throw new UsageMistake([error.inWords(inFlags), ...fromEnvironment(origins)].join(' '));
  }
}

function refuseSamePort(
  { port = 3000, host, controlPort, controlHost = host }: ReadSettings['settings'],
  origins: ReadonlyMap<string, string>,
): void {
  if (controlPort === undefined || controlPort === 0) return;
  if (controlPort !== port || controlHost !== host) return;
  const own = origins.get('controlPort');
  throw new UsageMistake(
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
function reachableUrl(address: Address): string {
  return urlOf(address, address.host === '::' ? '::1' : '127.0.0.1');
}
