/** `serve`: runs a sandbox on the network until a signal ends it. */
import type { Sandbox } from '../../sandbox/create-sandbox.ts';
import { OptionError } from '../../shared/option-error.ts';
import { banner } from '../output/banner.ts';
import { homeOptions } from '../settings/home.ts';
import { createLog, logSettings, type Log } from '../output/log.ts';
import { createFromSettings, listenWithSettings, reachableUrl } from './create.ts';
import { removeStaleReadyFile, writeReadyFile } from '../process/ready-file.ts';
import { readSettings, removeSecrets, type ReadSettings } from '../settings/settings.ts';
import { stopOnSignal } from '../process/shutdown.ts';
import { UsageError } from '../errors/usage-error.ts';

/** Starts the sandbox. Throws a `UsageError` if the settings do not allow it, with nothing printed or left open. */
export async function serveSandbox(
  fromFlags: Readonly<Record<string, unknown>>,
  program: NodeJS.Process,
): Promise<void> {
  const { env, stdout } = program;
  const read = readSettings(fromFlags, env);
  const { settings } = read;
  const logTarget = logSettings(settings, { stream: stdout, env });
  const { format, colour } = logTarget;
  const log = await createLog(logTarget);

  const home = homeOptions(read);
  const sandbox = createFromSettings(read, home, log);
  const { readyFile } = settings;
  if (readyFile !== undefined) await removeStaleReadyFile(readyFile);
  if (settings.watch === true) watchScenario(sandbox, log, read);
  const listening = await listenWithSettings(sandbox, read);
  stopOnSignal(program, log, (graceMs) => sandbox.close(graceMs));

  const controlUrl =
    settings.controlPort === undefined ? undefined : reachableUrl(listening.control);
  const { host, port } = listening;
  const url = reachableUrl(listening);
  const tlsUrl = listening.tls && reachableUrl(listening.tls, 'https');
  const started = { ...sandbox.about(), url, tlsUrl, controlUrl, host, port };
  if (readyFile !== undefined) {
    const urls = tlsUrl === undefined ? [url] : [url, tlsUrl];
    await writeReadyFileOrClose(sandbox, readyFile, urls, program);
  }
  if (format === 'pretty' && settings.quiet !== true) {
    const { baseUrl, watch, trustProxy, tlsCaFile: caFile } = settings;
    const { fixtures = 'default' } = home;
    const seedGiven = settings.seed !== undefined;
    log.print(
      banner(
        { ...started, fixtures, baseUrl, trustProxy, caFile, seedGiven, watched: watch === true },
        colour,
      ),
    );
  } else logStart(log, started);
  log.debug(
    { settings: removeSecrets(settings), origins: Object.fromEntries(read.origins) },
    'settings',
  );
  for (const warning of read.warnings) log.warn(warning);
}

type Start = ReturnType<Sandbox['about']> & {
  readonly url: string;
  readonly tlsUrl: string | undefined;
  readonly controlUrl: string | undefined;
  readonly host: string;
  readonly port: number;
};

/** Logs the addresses of a sandbox and what matters about it, in one line for programs. */
function logStart(log: Log, start: Start): void {
  const { url, tlsUrl, controlUrl, host, port } = start;
  const { profile, seed, version, realCards, scenario, auth, limits } = start;
  const { maxMerchants } = limits;
  const token = auth === 'open' ? 'sandbox.<client id>' : undefined;
  const addresses = { url, tlsUrl, controlUrl, host, port };
  const access = { auth, maxMerchants, token };
  log.info({ ...addresses, profile, seed, version, realCards, scenario, ...access }, 'listening');
}

/** An open socket would keep the process from ending with its message. */
async function writeReadyFileOrClose(
  sandbox: Sandbox,
  readyFile: string,
  urls: readonly string[],
  program: NodeJS.Process,
): Promise<void> {
  try {
    writeReadyFile(readyFile, urls, program);
  } catch (error) {
    await sandbox.close();
    throw error;
  }
}

/** Reloads the rules on every save. An invalid file is logged, and the previous rules stay active. */
function watchScenario(sandbox: Sandbox, log: Log, { origins }: ReadSettings): void {
  try {
    sandbox.watchScenario({
      onReload: (scenario) => log.info({ scenario }, 'reloaded'),
      onError: ({ lines: problems }) => log.warn({ problems }, 'not reloaded'),
    });
  } catch (error) {
    if (!(error instanceof OptionError)) throw error;
    throw new UsageError(
      `${origins.get('watch')} needs a scenario file. Name one with --scenario, such as --scenario ./my-scenario.yaml.`,
    );
  }
}
