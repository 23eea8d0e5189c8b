/** The entry for programs that import the library: one call makes one sandbox, without state outside it. */
import { allMerchants, methodsOf } from '../contract/control/verbs.ts';
import { defaultMerchant } from '../contract/constants.ts';
import { ArgumentError } from '../outcomes/argument-error.ts';
import { openInProcess } from '../transports/in-process.ts';
import { ListenError, type Listening, type ListenOptions } from '../transports/listen-options.ts';
import { merchantId } from '../world/identity/merchant-id.ts';
import { fetchWithToken, tokenOf } from '../contract/merchant-token.ts';
import { checkOptions } from './check-options.ts';
import type { SandboxOptions } from './options.ts';
import { WorldsFile } from './persist/worlds-file.ts';
import { SandboxCore } from './sandbox.ts';
import { describeValue, memberOf } from '../shared/unknown-value.ts';
import type { EveryMerchant, Merchant, Sandbox, SandboxVerb } from './types.ts';

export type { EveryMerchant, Merchant, MerchantClock, Sandbox, SandboxApp } from './types.ts';

/** Time to answer calls that wait for exchanges before their sockets close. */
const lastAnswersMs = 250;

/**
 * Makes a sandbox.
 *
 * @throws {OptionError} If an option is invalid.
 * @throws {FixtureError} If the fixtures are invalid. `error.issues` lists every problem.
 * @example
 * const sandbox = createSandbox({ seed: 'checkout' });
 * const answer = await sandbox.merchant('my-shop').fetch('http://sandbox/v1/vault/credit-cards');
 */
export function createSandbox(options: SandboxOptions = {}): Sandbox {
  const core = createCore(options);
  const inProcess = openInProcess(core);
  const { fetch, request, handle } = inProcess;
  /** Servers that are open or about to open. */
  const servers = new Set<Promise<Listening>>();
  const watches = new Set<() => void>();
  let isClosed = false;
  const close = async (given?: unknown): Promise<void> => {
    const graceMs = readGrace(given);
    isClosed = true;
    const hadWaits = core.stop();
    for (const stop of watches) stop();
    const closing = [...servers];
    servers.clear();
    const lastMs = hadWaits ? Math.max(graceMs, lastAnswersMs) : graceMs;
    // The caller of `listen` learns why a server did not open.
    const opened = closing.map((opening) => opening.catch(() => undefined));
    await Promise.all([
      inProcess.close(lastMs),
      ...opened.map(async (opening) => (await opening)?.close(lastMs)),
    ]);
    core.endPersistence();
  };
  return {
    ...merchantOf(core, defaultMerchant, fetch),
    ...sandboxVerbs(core),
    seed: core.seed,
    app: { fetch: (asked) => handle(asked), request: handle },
    fetch,
    request,
    listen: async (where) => {
      if (!isClosed) {
        const opening = openSocket(core, where);
        servers.add(opening);
        const server = await opening;
        if (!isClosed) return server;
      }
      throw new ListenError('service', () => 'The sandbox is closed and cannot listen.');
    },
    merchant: (id) => merchantOf(core, merchantId(id), fetch),
    watchScenario: (listener) => {
      const stop = core.watchScenario(listener);
      watches.add(stop);
      return stop;
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

/**
 * Reads the time that `close` grants. Test runners pass other values to `after(sandbox.close)`, which are no time.
 *
 * @throws {ArgumentError} If it is a text or a number that cannot be a time.
 */
function readGrace(given: unknown): number {
  if (typeof given !== 'number' && typeof given !== 'string') return 0;
  if (typeof given === 'number' && given >= 0) return given;
  throw new ArgumentError(
    `close: graceMs must be a number of milliseconds, 0 or more, got ${describeValue(given)}.`,
    { place: 'graceMs' },
  );
}

function createCore(options: SandboxOptions): SandboxCore {
  if (memberOf(options, 'persist') === undefined) return new SandboxCore(options);
  const { persist, onPersistProblem } = checkOptions(options);
  if (persist === undefined) return new SandboxCore(options);
  const file = new WorldsFile(persist, onPersistProblem);
  try {
    return new SandboxCore(options, file);
  } catch (error) {
    file.release();
    throw error;
  }
}

/** The server is loaded on first use: most sandboxes in process have none. */
async function openSocket(core: SandboxCore, where: ListenOptions | undefined): Promise<Listening> {
  const { listen } = await import('../transports/listen.ts');
  return listen(core, where);
}

type SandboxVerbs = Pick<Sandbox, SandboxVerb | 'all'>;

function sandboxVerbs(core: SandboxCore): SandboxVerbs {
  const own = methodsOf('sandbox', (verb, input) => core.perform(verb, undefined, input));
  const all = methodsOf('all', (verb, input) => core.perform(verb, allMerchants, input));
  // The table has these methods; a test holds their types to the written interfaces.
  return { ...own, all: all as EveryMerchant } as SandboxVerbs;
}

function merchantOf(core: SandboxCore, id: string, fetch: typeof globalThis.fetch): Merchant {
  const verbs = methodsOf('merchant', (verb, input) => core.perform(verb, id, input));
  return {
    // The table has these methods; a test holds their types to the written interface.
    ...(verbs as Omit<Merchant, 'id' | 'token' | 'fetch'>),
    id,
    token: tokenOf(id),
    fetch: fetchWithToken(fetch, tokenOf(id)),
  };
}
