/** `serve`: opens a sandbox to the network, until a signal ends it. */
import type { Sandbox } from '../../sandbox/create-sandbox.ts';
import { OptionError } from '../../shared/option-error.ts';
import { banner } from '../output/banner.ts';
import { homeOptions } from '../settings/home.ts';
import { createLog, logSettings, type Log } from '../output/log.ts';
import { makeSandbox, openDoor, reachableUrl } from './create.ts';
import { keepReadyFile, removeReadyFile } from '../process/ready-file.ts';
import { readSettings, withoutSecrets, type ReadSettings } from '../settings/settings.ts';
import { stopOnSignal } from '../process/shutdown.ts';
import { UsageError } from '../errors/usage-error.ts';

/** Serves with these flags. Throws a `UsageError`, with nothing printed or left open, where it cannot. */
export async function serveSandbox(
  fromFlags: Readonly<Record<string, unknown>>,
  program: NodeJS.Process,
): Promise<void> {
  const { env, stdout } = program;
  const read = readSettings(fromFlags, env);
  const { settings } = read;
  const writing = logSettings(settings, { stream: stdout, env });
  const { format, colour } = writing;
  const log = await createLog(writing);

  const home = homeOptions(read);
  const sandbox = makeSandbox(read, home, log);
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
    if (!(error instanceof OptionError)) throw error;
    throw new UsageError(
      `${origins.get('watch')} needs a scenario file to watch. Name one with --scenario and its path, such as --scenario ./my-scenario.yaml.`,
    );
  }
}
