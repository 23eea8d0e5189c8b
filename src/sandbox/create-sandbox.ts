/** The front door for importers: one call, one sandbox, no state outside it. */
import { defaultMerchant } from '../contract/default-merchant.ts';
import { openInProcess } from '../transports/in-process.ts';
import { ListenError, type Listening, type ListenOptions } from '../transports/listen-options.ts';
import type { SandboxOptions } from './options.ts';
import type { Outcome } from '../outcomes/outcome.ts';
import type { ForcedRule } from '../scenarios/rules/adhoc-rule.ts';
import type { ScenarioDocument } from '../scenarios/schema.ts';
import {
  SandboxCore,
  type About,
  type Coverage,
  type Health,
  type ScenarioListener,
} from './sandbox.ts';
import type { OutcomeFilter } from '../outcomes/catalogue-queries.ts';
import type { RuleStatus } from '../outcomes/rules/rule-status.ts';
import type { Entry } from '../journal/entry.ts';
import type { Explanation } from '../journal/explain/explain.ts';
import type {
  JournalQueryInput,
  MatchInput,
  RequestsReading,
  VerifyInput,
  WaitInput,
} from '../journal/query/read-query.ts';
import type { Verification } from '../journal/query/verify.ts';
import type { ScenarioSummary } from '../scenarios/load.ts';
import type { LedgerReading } from '../verdict/ledger.ts';
import type { OrderInput } from '../verdict/options.ts';
import type { Verdict } from '../verdict/verdict.ts';
import type { WorldExport } from '../world/export/document.ts';
import { instantMs, type ClockReading } from '../world/time/clock.ts';
import type { SnapshotReading } from '../world/snapshots.ts';
import type { CardOrder, TestCard } from '../world/test-cards.ts';
import { merchantId } from '../world/identity/merchant-id.ts';

/** A merchant's clock. Each call answers with where it stands afterwards. */
export interface MerchantClock {
  read(): ClockReading;
  freeze(): ClockReading;
  resume(): ClockReading;
  /** Moves it to a later time (RFC 3339 or a Date). */
  set(at: string | Date): ClockReading;
  /** Moves it ahead by whole milliseconds, or by an ISO 8601 duration such as `P1D`. */
  advance(by: number | string): ClockReading;
}

/** One merchant, which is one client id, which is one world. */
export interface Merchant {
  readonly id: string;
  /** A bearer token that needs no token call (while `auth` is `open`). */
  readonly token: string;
  readonly clock: MerchantClock;
  /** Puts it back to how it began; snapshots stay. */
  reset(): void;
  /** What moved, in minor units, and what it comes to by card, by customer and by purchase. */
  ledger(): LedgerReading;
  /**
   * Arms a rule: `force({ op: 'payment.create', outcome: 'reset-after-commit' })`. It fires once unless it says
   * otherwise, and is gone after a minute.
   */
  force(rule: ForcedRule): string[];
  /** The rules in force, how often each was met and fired, and why it last did not. */
  rules(): RuleStatus[];
  /** Rules that should have fired and never did. */
  unfired(): RuleStatus[];
  /** Takes armed rules away; gives how many. */
  disarm(id?: string): number;
  /** What was asked and answered, redacted, oldest first; and how many older ones are gone. */
  requests(query?: JournalQueryInput): RequestsReading;
  /**
   * One exchange by the debug id of its answer: why it was refused, what was forced, what arrived. Throws a
   * `QueryError` for `null`, which is what an answer of somebody else's has as its id.
   */
  explain(debugId: string | null): Explanation | undefined;
  /** Counts exchanges, or looks for them in order; `unsure` where the journal no longer holds what would decide it. */
  verify(expected: VerifyInput): Verification;
  /**
   * Judges what happened to the money: was anyone charged twice, charged and not told, refunded too much? Asked at
   * the end of a test: `expect((await merchant.verdict()).passed).toBe(true)`.
   */
  verdict(order?: OrderInput): Promise<Verdict>;
  /** What `verdict()` says as a page for people: an HTML document to keep, that opens without a server. */
  verdictPage(): Promise<string>;
  /** Which outcomes its requests met, by operation. */
  coverage(): Coverage;
  /**
   * Resolves once the exchanges have come. Rejects with a `WaitTimeoutError` that shows what came instead when they have not
   * in time, with a `WaitEndedError` when the merchant is begun anew or the sandbox closes, and with a `WaitLimitError` where
   * 1,000 wait already.
   */
  waitFor(query: MatchInput, settings?: WaitInput): Promise<readonly Entry[]>;
  /** Begins anew and plays a scenario: one that ships by its name, a file, or a document. Gives its name. */
  scenario(source: string | ScenarioDocument): string;
  /** Card numbers for tests, each another one; with an outcome, their cards ask for it when they pay. */
  generateCards(order?: CardOrder): TestCard[];
  /**
   * Keeps its whole world as it is now, all but the journal: `merchant.snapshot('two-cards')`. Gives the name; one of
   * the same name is replaced. Snapshots outlive a reset and go with their merchant.
   */
  snapshot(name?: string): string;
  /** Goes on where a snapshot was taken, as often as wanted: what follows is answered as it was then. */
  restore(name: string): void;
  /** The snapshots it keeps, the newest last. */
  snapshots(): SnapshotReading[];
  dropSnapshot(name: string): void;
  /** Its world as a plain JSON document, without card numbers and secrets. */
  export(): WorldExport;
  /**
   * Goes on where a world was exported, in this process or another: with the same seed and options and a clock that
   * stands still, what follows is answered as it would have been there. Nothing changes where the document is wrong.
   */
  import(document: WorldExport): void;
}

/** What takes a request and answers it, as any server of `fetch` handlers wants it. */
export interface SandboxApp {
  fetch(request: Request): Response | Promise<Response>;
  /** The same for a path. */
  request(path: string, init?: RequestInit): Response | Promise<Response>;
}

export interface Sandbox extends Merchant {
  readonly seed: string;
  /** The app behind both doors. */
  readonly app: SandboxApp;
  /**
   * Answers in this process: give it to the code under test as its `fetch`. A redirect that it would follow rejects as
   * where its host is not found.
   */
  readonly fetch: typeof globalThis.fetch;
  /** The same for a path, as Hono's `app.request`, redirects as they are: `sandbox.request('/v1/vault/credit-cards', …)`. */
  request(path: string, init?: RequestInit): Promise<Response>;
  /** Opens a socket; resolves once it is listening. A sandbox that was closed opens none. */
  listen(options?: ListenOptions): Promise<Listening>;
  merchant(id: string): Merchant;
  /** Which outcomes the requests of all merchants met since the sandbox started, whatever was reset meanwhile. */
  coverageOfAll(): Coverage;
  /** The verdicts of all merchants as one page. */
  verdictPageOfAll(): Promise<string>;
  /** Every merchant that has a world, or asked for one while there was no room. */
  merchants(): string[];
  deleteMerchant(id: string): void;
  /** Puts every merchant back to how it began; snapshots stay. */
  resetAll(): void;
  /** Every outcome there is, or those of one operation or tier. */
  outcomes(filter?: OutcomeFilter): readonly Outcome[];
  /** One outcome by its id. */
  outcome(id: string): Outcome;
  /** The scenarios that are known by name: those that ship, and your own. */
  scenarios(): ScenarioSummary[];
  /**
   * Reads the file given as `scenario` again whenever it changes, until `close` or what this gives is called.
   * Merchants that play it get its rules and keep all else.
   */
  watchScenario(listener: ScenarioListener): () => void;
  about(): About;
  health(): Health;
  /** What was counted since it was made, in the text format of Prometheus. */
  metrics(): Promise<string>;
  /**
   * Closes every socket this sandbox opened, and ends what is held in process: both may go on for up to `graceMs`
   * (default 0).
   */
  close(graceMs?: number): Promise<void>;
}

/** Time for the answers to those who waited for exchanges; a door that has sent them closes at once. */
const lastWordsMs = 250;

/**
 * Makes a sandbox. Throws an `OptionError` or a `FixtureError` that says what is wrong and what would be right.
 *
 * ```ts
 * const sandbox = createSandbox({ seed: 'checkout' });
 * const answer = await sandbox.request('/v1/vault/credit-cards', {
 *   headers: { Authorization: `Bearer ${sandbox.token}` },
 * });
 * ```
 */
export function createSandbox(options: SandboxOptions = {}): Sandbox {
  const core = new SandboxCore(options);
  const inProcess = openInProcess(core);
  const { fetch, request } = inProcess;
  /** Doors that are open, and those that will be in a moment. */
  const doors = new Set<Promise<Listening>>();
  const watches = new Set<() => void>();
  let isClosed = false;
  return {
    ...merchantOf(core, defaultMerchant),
    seed: core.seed,
    app: core.app,
    fetch,
    request,
    listen: async (where) => {
      if (!isClosed) {
        const opening = openSocket(core, where);
        doors.add(opening);
        const door = await opening;
        if (!isClosed) return door;
      }
      throw new ListenError(
        'service',
        () => 'The sandbox was closed before it listened, and does not listen.',
      );
    },
    merchant: (id) => merchantOf(core, merchantId(id)),
    coverageOfAll: () => core.coverage(),
    verdictPageOfAll: () => core.verdictPage(),
    merchants: () => core.merchants(),
    deleteMerchant: (id) => {
      core.deleteMerchant(id);
    },
    resetAll: () => {
      core.resetAll();
    },
    outcomes: (filter) => core.outcomes(filter),
    outcome: (id) => core.outcome(id),
    scenarios: () => core.scenarios(),
    watchScenario: (listener) => {
      const stop = core.watchScenario(listener);
      watches.add(stop);
      return stop;
    },
    about: () => core.about(),
    health: () => core.health(),
    metrics: () => core.metrics(),
    close: async (graceMs = 0) => {
      isClosed = true;
      const someWaited = core.stop();
      for (const stop of watches) stop();
      const closing = [...doors];
      doors.clear();
      const lastMs = someWaited ? Math.max(graceMs, lastWordsMs) : graceMs;
      // Why one did not open is told to whoever opened it.
      const opened = closing.map((opening) => opening.catch(() => undefined));
      await Promise.all([
        inProcess.close(lastMs),
        ...opened.map(async (opening) => (await opening)?.close(lastMs)),
      ]);
    },
  };
}

/** The door is loaded by the first who listens: most sandboxes in process have none. */
async function openSocket(core: SandboxCore, where: ListenOptions | undefined): Promise<Listening> {
  const { listen } = await import('../transports/listen.ts');
  return listen(core, where);
}

function merchantOf(core: SandboxCore, id: string): Merchant {
  return {
    id,
    token: `sandbox.${id}`,
    clock: {
      read: () => core.readClock(id),
      freeze: () => core.freezeClock(id),
      resume: () => core.resumeClock(id),
      set: (at) => core.setClock(id, instantMs(at)),
      advance: (by) => core.advanceClock(id, by),
    },
    reset: () => {
      core.reset(id);
    },
    ledger: () => core.ledger(id),
    force: (rule) => core.force(id, rule),
    rules: () => core.rules(id),
    unfired: () => core.unfired(id),
    disarm: (rule) => core.disarm(id, rule),
    requests: (query) => core.requests(id, query),
    explain: (debugId) => core.explain(id, debugId),
    verify: (expected) => core.verify(id, expected),
    verdict: (order) => core.verdict(id, order),
    verdictPage: () => core.verdictPage(id),
    coverage: () => core.coverage(id),
    waitFor: (query, settings) => core.waitFor(id, query, settings),
    scenario: (source) => core.playScenario(id, source),
    generateCards: (order) => core.generateCards(id, order),
    snapshot: (name) => core.snapshot(id, name),
    restore: (name) => {
      core.restore(id, name);
    },
    snapshots: () => core.snapshots(id),
    dropSnapshot: (name) => {
      core.dropSnapshot(id, name);
    },
    export: () => core.exportWorld(id),
    import: (document) => {
      core.importWorld(id, document);
    },
  };
}
