/** The public types of a sandbox in process and of its merchants. The client has the same methods, each with a promise. */
import type { Entry } from '../journal/entry.ts';
import type { Explanation } from '../journal/explain/explain.ts';
import type {
  JournalQuery,
  JournalReading,
  ExchangeMatch,
  VerifyOptions,
  WaitOptions,
} from '../journal/query/read-query.ts';
import type { Verification } from '../journal/query/verify.ts';
import type { OutcomeFilter } from '../outcomes/catalogue-queries.ts';
import type { OutcomeReading } from '../outcomes/outcome.ts';
import type { RuleStatus } from '../outcomes/rules/rule-status.ts';
import type { ScenarioSummary } from '../scenarios/load.ts';
import type { ForcedRule, SharedRule } from '../scenarios/rules/adhoc-rule.ts';
import type { GateDocument, ScenarioDocument } from '../scenarios/document.ts';
import type { Listening, ListenOptions } from '../transports/listen-options.ts';
import type { LedgerReading } from '../verdict/ledger.ts';
import type { VerdictOptions } from '../verdict/options.ts';
import type { Verdict } from '../verdict/verdict.ts';
import type { WorldExport } from '../world/export/document.ts';
import type { ClockReading } from '../world/time/clock.ts';
import type { SnapshotReading } from '../world/snapshots.ts';
import type { GenerateCardsOptions, TestCard } from '../world/test-cards.ts';
import type { ReleaseOrder } from '../world/gates/gates.ts';
import type { HeldRequest } from '../world/gates/held-request.ts';
import type { HeldWaitOptions } from './gate-input.ts';
import type { MerchantSelection } from './merchant-selection.ts';
import type { About, Coverage, Health } from './answers.ts';
import type { ScenarioListener } from './sandbox.ts';

/** The clock of one merchant. Each method returns the time that it shows afterwards. */
export interface MerchantClock {
  /** Reads the clock. */
  read(): ClockReading;
  /** Stops the clock. */
  freeze(): ClockReading;
  /** Lets the clock run from where it stands. */
  resume(): ClockReading;
  /**
   * Moves the clock to a later time: an RFC 3339 text or a `Date`. What is due by then has happened on return.
   *
   * @throws {ClockError} If the time cannot be read or lies in the past.
   */
  set(at: string | Date): ClockReading;
  /**
   * Moves the clock ahead by whole milliseconds, or by a duration such as `90s` or `P1D`.
   *
   * @throws {ClockError} If the duration cannot be read or is negative.
   */
  advance(by: number | string): ClockReading;
}

/** One merchant: a client id with its own cards, clock, rules, journal and ledger. */
export interface Merchant {
  /** The client id. */
  readonly id: string;
  /** A bearer token that works without a token call, while the option `auth` is `open`. */
  readonly token: string;
  /**
   * Sends a request in process with this merchant's token, unless the request has an `Authorization` header.
   *
   * Pass it to the code under test as its `fetch`.
   */
  readonly fetch: typeof globalThis.fetch;
  readonly clock: MerchantClock;
  /** Returns to the initial state. Snapshots stay. */
  reset(): void;
  /** Reads what moved, in minor units, with totals by card, by customer and by purchase. */
  ledger(): LedgerReading;
  /**
   * Forces an outcome on requests of this merchant. A rule fires once unless `times` says otherwise. It
   * expires only if `ttlMs` says so. `nth` and `sequence` count requests of the operation.
   *
   * @returns The ids of the armed rules.
   * @throws {RuleError} If the rule is invalid or its name is taken. `error.issues` lists every problem.
   * @example merchant.force({ op: 'payment.create', outcome: 'reset-after-commit' })
   */
  force(rule: ForcedRule): string[];
  /** Lists the rules, how often each matched and fired, and why it last did not. */
  rules(): RuleStatus[];
  /** Lists the rules that should have fired and never did. */
  unfired(): RuleStatus[];
  /**
   * Removes the armed rule with this id, or every armed rule of this merchant. Returns how many it removed.
   *
   * @throws {ArgumentError} If the merchant has no armed rule of that id. `error.nearest` is the likeliest id.
   */
  clearRules(id?: string): number;
  /**
   * Holds the next `count` requests that match, until `release` lets them continue in the order you choose.
   *
   * Without another request for `timeoutMs` (real time, default 3,000) the gate releases what it holds. A verdict fails
   * if fewer requests came.
   *
   * @returns The name of the gate.
   * @throws {GateError} If the gate is invalid. `error.issues` lists every problem.
   * @example merchant.hold({ op: 'payment.create', count: 2 })
   */
  hold(gate: GateDocument): string;
  /** Lists the requests that are held, in order of arrival. A card number in a PayPal-Request-Id is masked. */
  held(): HeldRequest[];
  /**
   * Waits until gates hold `times` requests. Default: all that the gates can hold.
   *
   * @throws {GateError} If the gates cannot hold so many.
   * @throws {WaitTimeoutError} If fewer requests are held in time, or a gate has released before.
   * @throws {WaitEndedError} If the merchant is reset or the sandbox closes.
   */
  waitForHeld(options?: HeldWaitOptions): Promise<readonly HeldRequest[]>;
  /**
   * Releases held requests one after the other, and returns them in that order.
   *
   * `arrival` (the default) and `reverse` release all. A list releases those it names, by debug id, PayPal-Request-Id or
   * number in order of arrival. A PayPal-Request-Id with a card number is masked, so use the debug id then. Each request
   * continues as far as it can before the next one is released.
   *
   * @throws {GateError} If the list names a request that is not held. Nothing is released then.
   */
  release(order?: ReleaseOrder): HeldRequest[];
  /**
   * Lists requests and answers, redacted, oldest first.
   *
   * @throws {QueryError} If the query is invalid.
   */
  journal(query?: JournalQuery): JournalReading;
  /**
   * Explains one answer by its debug id: its reason, forced outcomes, rules that did not fire, delivery.
   *
   * @returns `undefined` if the journal holds no such answer.
   * @throws {QueryError} For `null`, which a missing `Paypal-Debug-Id` header reads as.
   */
  explain(debugId: string | null): Explanation | undefined;
  /** Counts exchanges or checks their order. The result is `unsure` if the journal has dropped what would decide. */
  verify(expected: VerifyOptions): Verification;
  /**
   * Judges what happened to the money, and what the client did that can go wrong.
   *
   * @throws {VerdictOptionsError} If the options are invalid. `error.issues` lists every problem.
   * @example expect((await merchant.verdict()).passed).toBe(true)
   */
  verdict(options?: VerdictOptions): Promise<Verdict>;
  /** Writes the verdict as an HTML page that opens without a server. */
  verdictPage(): Promise<string>;
  /** Counts the outcomes that requests met, by operation. */
  coverage(): Coverage;
  /**
   * Waits until matching exchanges have arrived, including those already in the journal.
   *
   * @throws {WaitTimeoutError} If they do not arrive in time. `error.seen` lists those that did.
   * @throws {WaitEndedError} If the merchant is reset or the sandbox closes.
   * @throws {WaitLimitError} If 1,000 calls wait already.
   */
  waitFor(match: ExchangeMatch, options?: WaitOptions): Promise<readonly Entry[]>;
  /**
   * Resets the merchant and plays a scenario: a shipped one by name, a file by path, or a document. Returns its name.
   *
   * @throws {ScenarioError} If the scenario is invalid. Nothing has changed then.
   */
  playScenario(source: string | URL | ScenarioDocument): string;
  /**
   * Generates card numbers for tests, each a different one. With an outcome, their cards trigger it when they pay.
   *
   * @throws {ArgumentError} If there are no such cards.
   */
  generateCards(options?: GenerateCardsOptions): TestCard[];
  /**
   * Keeps the whole world except the journal. An existing snapshot of the same name is replaced. Returns the name.
   *
   * @throws {SnapshotError} If the name is not allowed, or there is no room for another snapshot.
   */
  snapshot(name?: string): string;
  /**
   * Returns to a snapshot, as often as wanted. Later requests are answered as they were after the snapshot.
   *
   * @throws {SnapshotError} If there is no snapshot of that name.
   */
  restore(name: string): void;
  /** Lists the snapshots, the newest last. */
  snapshots(): SnapshotReading[];
  /**
   * Deletes a snapshot.
   *
   * @throws {SnapshotError} If there is no snapshot of that name.
   */
  dropSnapshot(name: string): void;
  /**
   * Exports the world as a JSON document without card numbers and secrets.
   *
   * @throws {ExportError} If a rule waits for a card number or a secret.
   */
  export(): WorldExport;
  /**
   * Continues from an exported world, of this process or another. With the same seed and options and a frozen clock,
   * later answers are the same as they would have been there.
   *
   * @throws {ExportError} If the document is invalid. Nothing has changed then.
   */
  import(document: WorldExport): void;
}

/** Verbs that act on every merchant at once. */
export interface EveryMerchant {
  /**
   * Forces an outcome on requests of all merchants, or of those whose id starts with `merchants.prefix`. It applies to
   * present and future merchants. Each counts by itself, and a reset of a merchant arms the rule again.
   *
   * @returns The ids of the armed rules.
   * @throws {RuleError} If the rule is invalid or its name is taken. `error.issues` lists every problem.
   * @example sandbox.all.force({ op: 'payment.create', outcome: 'decline-generic', merchants: { prefix: 'ci-' } })
   */
  force(rule: SharedRule): string[];
  /** Lists the rules for several merchants, with their counts over all of them. */
  rules(): RuleStatus[];
  /** Lists those that never fired for any merchant. */
  unfired(): RuleStatus[];
  /**
   * Removes one rule for several merchants, or all such rules. Returns how many. Other rules stay.
   *
   * @throws {ArgumentError} If no rule for several merchants has that id. `error.nearest` is the likeliest id.
   */
  clearRules(id?: string): number;
  /** Returns every merchant to the initial state, and removes the rules for several merchants. Snapshots stay. */
  reset(): void;
  /**
   * Counts the outcomes of all requests since the sandbox started, including those of reset and deleted merchants. With a
   * prefix it counts those of the merchants that exist and whose id starts with it.
   *
   * @throws {ArgumentError} If no id can start with the prefix.
   */
  coverage(selection?: MerchantSelection): Coverage;
  /**
   * Judges every merchant, or those whose id starts with `prefix`. Failed verdicts come first.
   *
   * If no id starts with the prefix, the one verdict fails, because nothing was tested.
   *
   * @throws {ArgumentError} If no id can start with the prefix.
   * @throws {VerdictOptionsError} If the options are invalid. `error.issues` lists every problem.
   * @example const verdicts = await sandbox.all.verdict({ prefix: 'ci-' })
   */
  verdict(options?: VerdictOptions & MerchantSelection): Promise<Verdict[]>;
  /**
   * Writes the verdicts of all merchants, or of those whose id starts with `prefix`, as one HTML page.
   *
   * @throws {ArgumentError} If no id can start with the prefix.
   */
  verdictPage(selection?: MerchantSelection): Promise<string>;
}

/** Anything that answers `fetch` requests, as servers of fetch handlers expect it. */
export interface SandboxApp {
  fetch(request: Request): Response | Promise<Response>;
  /** Sends a request to a path. */
  request(path: string, init?: RequestInit): Response | Promise<Response>;
}

/** Verbs of the sandbox itself, whichever merchant it acts on. */
export type SandboxVerb =
  | 'merchants'
  | 'deleteMerchant'
  | 'outcomes'
  | 'outcome'
  | 'scenarios'
  | 'about'
  | 'health'
  | 'metrics';

/** A sandbox in this process. Its own merchant verbs act on the merchant `default`. */
export interface Sandbox extends Merchant {
  /** The seed of all ids and chances. */
  readonly seed: string;
  /** The app behind both transports, for a server of your own. That server decides when it stops, so it answers after `close`. */
  readonly app: SandboxApp;
  /**
   * Answers requests in this process, whatever their host. It adds no token.
   *
   * A redirect to another host rejects as if that host did not exist.
   */
  readonly fetch: typeof globalThis.fetch;
  /** Sends a request to a path in this process. Redirects are returned, not followed. */
  request(path: string, init?: RequestInit): Promise<Response>;
  /**
   * Opens a socket, on a free port unless `port` is given. Resolves once it is listening.
   *
   * @throws {ListenError} If the address cannot be used, or the sandbox is closed.
   */
  listen(options?: ListenOptions): Promise<Listening>;
  /**
   * Another merchant of this sandbox. Its world is created on first use.
   *
   * @throws {ArgumentError} If no client can have this id.
   */
  merchant(id: string): Merchant;
  /** Verbs that act on every merchant at once. */
  readonly all: EveryMerchant;
  /** Lists the merchants that have a world, and those that were refused one. */
  merchants(): string[];
  /**
   * Deletes a merchant with its world and frees its place.
   *
   * @throws {MerchantError} If there is no such merchant.
   */
  deleteMerchant(id: string): void;
  /** Lists every outcome, or those of one operation or tier. */
  outcomes(filter?: OutcomeFilter): readonly OutcomeReading[];
  /**
   * Finds an outcome by its id.
   *
   * @throws {ArgumentError} If there is no such outcome. `error.nearest` is the likeliest id.
   */
  outcome(id: string): OutcomeReading;
  /** Lists the scenarios that can be played by name. */
  scenarios(): ScenarioSummary[];
  /**
   * Reads the file of the option `scenario` again whenever it changes. Merchants that play it get its new rules and
   * keep everything else. Returns a function that stops watching.
   */
  watchScenario(listener: ScenarioListener): () => void;
  /** Describes the sandbox: its version and its settings. */
  about(): About;
  /** Says whether the sandbox is ready. */
  health(): Health;
  /** Writes the counters in the text format of Prometheus. */
  metrics(): Promise<string>;
  /**
   * Closes every socket and ends held requests. Both may continue for up to `graceMs` (default 0). Later requests are
   * refused, in process too. The verbs still answer, so a verdict can be read afterwards.
   */
  close(graceMs?: number): Promise<void>;
  /** Closes the sandbox at the end of an `await using` block. */
  [Symbol.asyncDispose](): Promise<void>;
}
