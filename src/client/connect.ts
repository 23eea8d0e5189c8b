/** Drives a sandbox that runs somewhere else, by the same verbs as one in process. */
import type { z } from '@hono/zod-openapi';
import type { ClockChange, ClockReading } from '../contract/control/routes.ts';
import type { Armed, Disarmed, Played } from '../contract/control/forcing.ts';
import type { SnapshotTaken } from '../contract/control/worlds.ts';
import type { ScenarioDocument } from '../scenarios/schema.ts';
import { keyed, memberOf } from '../shared/unknown-value.ts';
import { checkKeys, checkText } from '../outcomes/argument-error.ts';
import { merchantId } from '../world/identity/merchant-id.ts';
import { callsTo, reasonOf, wordsOf, type Call, type Sent } from './call.ts';
import { journalOf } from './journal.ts';
import { baseOf, readOptions, type ConnectOptions } from './options.ts';
import type { Remote, RemoteMerchant } from './remote.ts';
import { SandboxError } from './sandbox-error.ts';

export type { ConnectOptions } from './options.ts';
export { SandboxError, type ErrorIssue } from './sandbox-error.ts';
export type { Remote, RemoteClock, RemoteFilter, RemoteMerchant, VerdictInput } from './remote.ts';

/** What exchanges under way are given to end before a verdict, where its order does not say; as in process. */
const defaultQuietMs = 500;

/**
 * Connects to a running sandbox. Nothing is asked until the first verb; what the sandbox refuses is thrown as a
 * `SandboxError` with its own message. Throws an `OptionError` for options that cannot be, and an `ArgumentError` for
 * a merchant that cannot.
 *
 * ```ts
 * const sandbox = connect('http://127.0.0.1:3000', { merchant: 'worker-3' });
 * await sandbox.force({ op: 'payment.create', outcome: 'reset-after-commit' });
 * ```
 */
export function connect(url: string | URL, options: ConnectOptions = {}): Remote {
  const base = baseOf(url);
  const { merchant, token, timeoutMs } = readOptions(options);
  const call = callsTo(base, { token, timeoutMs });
  const fetchThere = fetchAt(base);
  return {
    ...merchantOf(call, merchant),
    url: base,
    fetch: fetchThere,
    request: (path, init) => fetchThere(path, init),
    merchant: (id) => merchantOf(call, merchantId(id)),
    coverageOfAll: () => call('GET', '/coverage'),
    verdictPageOfAll: () => call('GET', '/verdict', { answersText: true, heldMs: defaultQuietMs }),
    merchants: () => call('GET', '/merchants'),
    deleteMerchant: async (id) => {
      const step = stepOf(id, 'unknown-merchant', `There is no merchant '${id}'.`);
      return call('DELETE', `/merchants/${step}`);
    },
    resetAll: () => call('POST', '/reset', { query: { all: 'true' } }),
    outcomes: async (filter = {}) => {
      checkKeys('outcomes', filter, { operation: true, tier: true });
      return call('GET', '/outcomes', { query: wordsOf(filter), mistake: 'ArgumentError' });
    },
    outcome: async (id) => {
      const unknown = `Unknown outcome "${id}". Run "card-vault-sandbox outcomes" or GET /_sandbox/outcomes for the list.`;
      return call('GET', `/outcomes/${stepOf(id, 'unknown-outcome', unknown)}`);
    },
    scenarios: () => call('GET', '/scenarios'),
    about: () => call('GET', '/about'),
    health: () => call('GET', '/health', { also: [503] }),
    metrics: () => call('GET', '/metrics', { answersText: true }),
    close: () => Promise.resolve(),
  };
}

/** Like the `fetch` of a sandbox in process: whatever host is asked, the sandbox answers. */
function fetchAt(base: string): typeof globalThis.fetch {
  return (input, init) => {
    const { pathname, search } = new URL(input instanceof Request ? input.url : input, base);
    const there = base + pathname + search;
    return fetch(input instanceof Request ? new Request(there, input) : there, init);
  };
}

function merchantOf(call: Call, id: string): RemoteMerchant {
  const query = { merchant: id };
  const snapshotAt = (name: string) => {
    const unknown = `The merchant ${id} has no snapshot "${name}".`;
    return `/snapshots/${stepOf(name, 'unknown-snapshot', unknown)}`;
  };
  const change = (body: z.input<typeof ClockChange>) =>
    call<z.output<typeof ClockReading>>('POST', '/clock', { query, body, mistake: 'ClockError' });
  return {
    id,
    token: `sandbox.${id}`,
    clock: {
      read: () => call('GET', '/clock', { query }),
      freeze: () => change({ freeze: true }),
      resume: () => change({ resume: true }),
      // A key without a value would not be sent, and another one would be missed.
      set: (at) => change({ set: at ?? null }),
      advance: (by) => change({ advance: by ?? null }),
    },
    reset: () => call('POST', '/reset', { query }),
    ledger: () => call('GET', '/ledger', { query }),
    force: async (rule) => {
      const sent: Sent = { query, body: rule, mistake: 'ScenarioError' };
      const { ids } = await call<z.output<typeof Armed>>('POST', '/rules', sent);
      return ids;
    },
    verdictPage: () =>
      call('GET', '/verdict', { query, answersText: true, heldMs: defaultQuietMs }),
    coverage: () => call('GET', '/coverage', { query }),
    verdict: (order = {}) =>
      call('POST', '/verdict', {
        query,
        body: keyed(order),
        heldMs: order?.waitMs ?? defaultQuietMs,
        mistake: 'VerdictOptionsError',
      }),
    rules: () => call('GET', '/rules', { query }),
    unfired: () => call('GET', '/rules', { query: { ...query, unfired: 'true' } }),
    disarm: async (rule) => {
      if (rule !== undefined) checkText('The id of a rule', rule, 'rule', 'rule-1');
      if (rule !== undefined && leadsElsewhere(rule)) return 0;
      const path = rule === undefined ? '/rules' : `/rules/${encodeURIComponent(rule)}`;
      const { disarmed } = await call<z.output<typeof Disarmed>>('DELETE', path, { query });
      return disarmed;
    },
    ...journalOf(call, id),
    scenario: async (source) => {
      const sent: Sent = { query, ...(await scenarioOf(source)), mistake: 'ScenarioError' };
      const { scenario } = await call<z.output<typeof Played>>('POST', '/scenario', sent);
      return scenario;
    },
    generateCards: (order = {}) =>
      call('POST', '/cards/generate', { query, body: order, mistake: 'ArgumentError' }),
    snapshot: async (name) => {
      const sent: Sent = { query, body: { name }, mistake: 'SnapshotError' };
      const taken = await call<z.output<typeof SnapshotTaken>>('POST', '/snapshots', sent);
      return taken.name;
    },
    restore: async (name) => call('POST', snapshotAt(name), { query }),
    snapshots: () => call('GET', '/snapshots', { query }),
    dropSnapshot: async (name) => call('DELETE', snapshotAt(name), { query }),
    export: () => call('GET', '/world', { query }),
    import: (document) => call('PUT', '/world', { query, body: document, mistake: 'ExportError' }),
  };
}

/** A name as a step of an address. What would lead elsewhere is the name of nothing, and is refused as in process. */
function stepOf(name: string, kind: string, refusal: string): string {
  if (leadsElsewhere(name)) throw new SandboxError(refusal, kind, 0);
  return encodeURIComponent(name);
}

/**
 * Whether an address with this as a step is that of something else: a list, what lies above it, or what is called
 * `undefined`.
 */
function leadsElsewhere(name: unknown): boolean {
  return typeof name !== 'string' || name === '' || name === '.' || name === '..';
}

/** A name is known to the server, a file only here. */
async function scenarioOf(source: string | ScenarioDocument): Promise<Sent> {
  if (typeof source !== 'string') return { body: source };
  if (!/[/\\.]/.test(source)) return { body: { name: source } };
  // Loaded only here, so that the client also runs where there are no files.
  const { readFile } = await import('node:fs/promises');
  try {
    return { yaml: await readFile(source, 'utf8') };
  } catch (cause) {
    const why =
      memberOf(cause, 'code') === 'EISDIR'
        ? 'this is a folder. Name one of the files in it.'
        : `this file cannot be read here (${reasonOf(cause)}). A scenario that is known by its name is named without a path: scenarios() lists those.`;
    throw new SandboxError(`${source}: ${why}`, 'invalid-scenario', 0, { cause });
  }
}
