/** `serve`: opens a sandbox to the network, until a signal ends it. */
import { createSandbox, type Sandbox } from '../create-sandbox.ts';
import { ListenMistake, type Listening } from '../doors/socket.ts';
import { FixtureMistake } from '../fixtures/mistake.ts';
import { OptionMistake, type SandboxOptions } from '../options.ts';
import { banner } from './banner.ts';
import { createLog, wantsColour } from './log.ts';
import { readSettings, sandboxOptions, type ReadSettings } from './settings.ts';
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
  const log = await createLog({ format, colour, level: settings.logLevel, quiet: settings.quiet });

  const sandbox = makeSandbox({ ...sandboxOptions(settings), onExchange: log.exchange }, read);
  const door = await openDoor(sandbox, read);
  stopOnSignal(program, log, (graceMs) => sandbox.close(graceMs));

  const started = { ...sandbox.about(), url: reachableUrl(door), host: door.host, port: door.port };
  if (format === 'pretty' && settings.quiet !== true) {
    const { fixtures = 'default', baseUrl } = settings;
    const seedGiven = settings.seed !== undefined;
    log.print(banner({ ...started, fixtures, baseUrl, seedGiven }, colour));
  } else {
    const { url, host, port, profile, seed, version } = started;
    log.info({ url, host, port, profile, seed, version }, 'listening');
  }
  log.debug({ settings, origins: Object.fromEntries(read.origins) }, 'settings');
  for (const doubt of read.doubts) log.warn(doubt);
}

function makeSandbox(options: SandboxOptions, { settings, origins }: ReadSettings): Sandbox {
  try {
    return createSandbox(options);
  } catch (error) {
    if (error instanceof FixtureMistake) {
      const origin = origins.get('fixtures');
      const named = origin === undefined ? '' : ` (${origin} ${settings.fixtures})`;
      throw new UsageMistake(`The fixtures${named} cannot be used.\n${error.message}`);
    }
    if (error instanceof OptionMistake) throw new UsageMistake(error.message);
    throw error;
  }
}

async function openDoor(sandbox: Sandbox, { settings, origins }: ReadSettings): Promise<Listening> {
  try {
    return await sandbox.listen({ port: settings.port, host: settings.host });
  } catch (error) {
    if (!(error instanceof ListenMistake)) throw error;
    throw new UsageMistake([error.message, ...fromEnvironment(origins)].join(' '));
  }
}

/** Who is told to change a flag that was never written needs to know what set it. */
function fromEnvironment(origins: ReadonlyMap<string, string>): string[] {
  return ['host', 'port'].flatMap((name) => {
    const origin = origins.get(name);
    return origin === undefined || origin.startsWith('-')
      ? []
      : [`The ${name} comes from the environment variable ${origin}.`];
  });
}

/** The address to type on this machine: the one that means all addresses is none to connect to everywhere. */
function reachableUrl({ url }: Listening): string {
  return url.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:');
}
