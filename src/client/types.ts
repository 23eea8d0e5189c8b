/** The public types of the client: the methods of a sandbox in process, each with a promise. */
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
import type { GateDocument } from '../scenarios/document.ts';
import type { ScenarioDocument } from '../scenarios/schema.ts';
import type { LedgerReading } from '../verdict/ledger.ts';
import type { VerdictOptions } from '../verdict/options.ts';
import type { Verdict } from '../verdict/verdict.ts';
import type { WorldExport } from '../world/export/document.ts';
import type { ClockReading } from '../world/time/clock.ts';
import type { SnapshotReading } from '../world/snapshots.ts';
import type { GenerateCardsOptions, TestCard } from '../world/test-cards.ts';
import type { ReleaseOrder } from '../world/gates/gates.ts';
import type { HeldRequest } from '../world/gates/held-request.ts';
import type { HeldWaitOptions } from '../sandbox/gate-input.ts';
import type { MerchantSelection } from '../sandbox/merchant-selection.ts';
import type { About, Coverage, Health } from '../sandbox/sandbox.ts';

/** The clock of one merchant. Each method returns the time that it shows afterwards. */
export interface RemoteClock {
  /** Reads the clock. */
  read(): Promise<ClockReading>;
  /** Stops the clock. */
  freeze(): Promise<ClockReading>;
  /** Lets the clock run from where it stands. */
  resume(): Promise<ClockReading>;
  /**
   * Moves the clock to a later time: an RFC 3339 text or a `Date`. What is due by then has happened on
   * return.
   */
  set(at: string | Date): Promise<ClockReading>;
  /** Moves the clock ahead by whole milliseconds or an ISO 8601 duration such as `P1D`. */
  advance(by: number | string): Promise<ClockReading>;
}

/**
 * One merchant of a running sandbox: a client id with its own cards, clock, rules, journal and ledger. Its methods are
 * those of `Merchant`, and reject with the errors that those throw.
 */
export interface RemoteMerchant {
  /** The client id. */
  readonly id: string;
  /** A bearer token that works without a token call, while the option `auth` is `open`. */
  readonly token: string;
  /**
   * Sends a request to the sandbox with this merchant's token, unless the request has an `Authorization`
   * header.
   */
  readonly fetch: typeof globalThis.fetch;
  readonly clock: RemoteClock;
  /** Returns to the initial state. Snapshots stay. */
  reset(): Promise<void>;
  /** Reads what moved, in minor units, with totals by card, by customer and by purchase. */
  ledger(): Promise<LedgerReading>;
  /**
   * Forces an outcome on requests of this merchant. A rule fires once unless `times` says otherwise. It
   * expires only if `ttlMs` says so. `nth` and `sequence` count requests of the operation.
   */
  force(rule: ForcedRule): Promise<string[]>;
  /** Lists the rules, how often each matched and fired, and why it last did not. */
  rules(): Promise<RuleStatus[]>;
  /** Lists the rules that should have fired and never did. */
  unfired(): Promise<RuleStatus[]>;
  /** Removes the armed rule with this id, or every armed rule of this merchant. Returns how many it removed. */
  clearRules(id?: string): Promise<number>;
  /**
   * Holds the next `count` requests that match, until `release` lets them continue in the order you choose.
   */
  hold(gate: GateDocument): Promise<string>;
  /** Lists the requests that are held, in order of arrival. */
  held(): Promise<HeldRequest[]>;
  /** Waits until gates hold `times` requests. Default: all that the gates can hold. */
  waitForHeld(options?: HeldWaitOptions): Promise<readonly HeldRequest[]>;
  /** Releases held requests one after the other, and returns them in that order. */
  release(order?: ReleaseOrder): Promise<HeldRequest[]>;
  /** Lists requests and answers, redacted, oldest first. */
  journal(query?: JournalQuery): Promise<JournalReading>;
  /** Explains one answer by its debug id: its reason, forced outcomes, rules that did not fire, delivery. */
  explain(debugId: string | null): Promise<Explanation | undefined>;
  /** Counts exchanges or checks their order. The result is `unsure` if the journal has dropped what would decide. */
  verify(expected: VerifyOptions): Promise<Verification>;
  /** Judges what happened to the money, and what the client did that can go wrong. */
  verdict(options?: VerdictOptions): Promise<Verdict>;
  /** Writes the verdict as an HTML page that opens without a server. */
  verdictPage(): Promise<string>;
  /** Counts the outcomes that requests met, by operation. */
  coverage(): Promise<Coverage>;
  /** Waits until matching exchanges have arrived, including those already in the journal. */
  waitFor(match: ExchangeMatch, options?: WaitOptions): Promise<readonly Entry[]>;
  /**
   * Resets the merchant and plays a scenario: a shipped one by name, a document, or a file of this machine
   * by path, which is read here and sent. Returns its name.
   */
  playScenario(source: string | URL | ScenarioDocument): Promise<string>;
  /**
   * Generates card numbers for tests, each a different one. With an outcome, their cards trigger it when
   * they pay.
   */
  generateCards(options?: GenerateCardsOptions): Promise<TestCard[]>;
  /**
   * Keeps the whole world except the journal. An existing snapshot of the same name is replaced. Returns
   * the name.
   */
  snapshot(name?: string): Promise<string>;
  /**
   * Returns to a snapshot, as often as wanted. Later requests are answered as they were after the snapshot.
   */
  restore(name: string): Promise<void>;
  /** Lists the snapshots, the newest last. */
  snapshots(): Promise<SnapshotReading[]>;
  /** Deletes a snapshot. */
  dropSnapshot(name: string): Promise<void>;
  /** Exports the world as a JSON document without card numbers and secrets. */
  export(): Promise<WorldExport>;
  /**
   * Continues from an exported world, of this process or another. With the same seed and options and a
   * frozen clock, later answers are the same as they would have been there.
   */
  import(document: WorldExport): Promise<void>;
}

/** Verbs that act on every merchant at once. */
export interface RemoteEveryMerchant {
  /**
   * Forces an outcome on requests of all merchants, or of those whose id starts with `merchants.prefix`. It
   * applies to present and future merchants. Each counts by itself, and a reset of a merchant arms the rule
   * again.
   */
  force(rule: SharedRule): Promise<string[]>;
  /** Lists the rules for several merchants, with their counts over all of them. */
  rules(): Promise<RuleStatus[]>;
  /** Lists those that never fired for any merchant. */
  unfired(): Promise<RuleStatus[]>;
  /** Removes one rule for several merchants, or all such rules. Returns how many. Other rules stay. */
  clearRules(id?: string): Promise<number>;
  /** Returns every merchant to the initial state, and removes the rules for several merchants. Snapshots stay. */
  reset(): Promise<void>;
  /**
   * Counts the outcomes of all requests since the sandbox started, including those of reset and deleted merchants. With a
   * prefix it counts those of the merchants that exist and whose id starts with it.
   *
   * @throws {ArgumentError} If no id can start with the prefix.
   */
  coverage(selection?: MerchantSelection): Promise<Coverage>;
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

/** A running sandbox. Its own merchant verbs act on the merchant of the options. */
export interface Remote extends RemoteMerchant {
  /** Its address, without a trailing slash. */
  readonly url: string;
  /** Sends a request to the sandbox, whatever its host. It adds no token. */
  readonly fetch: typeof globalThis.fetch;
  /** Sends a request to a path of the sandbox. */
  request(path: string, init?: RequestInit): Promise<Response>;
  /** Another merchant of this sandbox. */
  merchant(id: string): RemoteMerchant;
  /** Verbs that act on every merchant at once. */
  readonly all: RemoteEveryMerchant;
  /** Lists the merchants that have a world, and those that were refused one. */
  merchants(): Promise<string[]>;
  /** Deletes a merchant with its world and frees its place. */
  deleteMerchant(id: string): Promise<void>;
  /** Lists every outcome, or those of one operation or tier. */
  outcomes(filter?: OutcomeFilter): Promise<readonly OutcomeReading[]>;
  /** Finds an outcome by its id. */
  outcome(id: string): Promise<OutcomeReading>;
  /** Lists the scenarios that can be played by name. */
  scenarios(): Promise<ScenarioSummary[]>;
  /** Describes the sandbox: its version and its settings. */
  about(): Promise<About>;
  /** Says whether the sandbox is ready. */
  health(): Promise<Health>;
  /** Writes the counters in the text format of Prometheus. */
  metrics(): Promise<string>;
  /** Does nothing, because another program started the sandbox. Tests can close either kind. */
  close(): Promise<void>;
  /** The same, at the end of an `await using` block. */
  [Symbol.asyncDispose](): Promise<void>;
}
