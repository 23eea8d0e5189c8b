/** What can be done with a running sandbox: the verbs of one in process, each of which now takes a round trip. */
import type { z } from '@hono/zod-openapi';
import type { AboutOut, ClockReading, Health } from '../contract/control/routes.ts';
import type {
  CardOrder,
  OutcomeFilter,
  RuleReading,
  ShippedScenario,
  TestCard,
} from '../contract/control/forcing.ts';
import type { SnapshotReading } from '../contract/control/worlds.ts';
import type { Coverage } from '../contract/control/coverage.ts';
import type { Verdict, VerdictOrder } from '../contract/control/verdict.ts';
import type { OperationName } from '../contract/service/operations.ts';
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
import type { Outcome } from '../outcomes/outcome.ts';
import type { ForcedRule } from '../scenarios/rules/adhoc-rule.ts';
import type { ExpectationsInput } from '../scenarios/expect.ts';
import type { ScenarioDocument } from '../scenarios/schema.ts';
import type { LedgerReading } from '../verdict/ledger.ts';
import type { WorldExport } from '../world/export/document.ts';

/** How a verdict is asked for. */
export type VerdictInput = Omit<z.input<typeof VerdictOrder>, 'expect'> & {
  readonly expect?: ExpectationsInput | undefined;
};

/** A merchant's clock. Each call answers with where it stands afterwards. */
export interface RemoteClock {
  read(): Promise<z.output<typeof ClockReading>>;
  freeze(): Promise<z.output<typeof ClockReading>>;
  resume(): Promise<z.output<typeof ClockReading>>;
  /** Moves it to a later time (RFC 3339 or a Date). */
  set(at: string | Date): Promise<z.output<typeof ClockReading>>;
  /** Moves it ahead by whole milliseconds, or by an ISO 8601 duration such as `P1D`. */
  advance(by: number | string): Promise<z.output<typeof ClockReading>>;
}

/** One merchant of a running sandbox. */
export interface RemoteMerchant {
  readonly id: string;
  /** A bearer token that needs no token call (while `auth` is `open`). */
  readonly token: string;
  readonly clock: RemoteClock;
  /** Puts it back to how it began; snapshots stay. */
  reset(): Promise<void>;
  /** What moved, in minor units, and what it comes to by card, by customer and by purchase. */
  ledger(): Promise<LedgerReading>;
  /**
   * Judges what happened to the money: was anyone charged twice, charged and not told, refunded too much? Asked at
   * the end of a test.
   */
  verdict(order?: VerdictInput): Promise<z.output<typeof Verdict>>;
  /** What `verdict()` says as a page for people: an HTML document to keep, that opens without a server. */
  verdictPage(): Promise<string>;
  /** Which outcomes its requests met, by operation. */
  coverage(): Promise<z.output<typeof Coverage>>;
  /** Arms a rule: `force({ op: 'payment.create', outcome: 'reset-after-commit' })`. */
  force(rule: ForcedRule): Promise<string[]>;
  /** The rules in force, how often each was met and fired, and why it last did not. */
  rules(): Promise<z.output<typeof RuleReading>[]>;
  /** Rules that should have fired and never did. */
  unfired(): Promise<z.output<typeof RuleReading>[]>;
  /** Takes armed rules away; gives how many. */
  disarm(id?: string): Promise<number>;
  /** What was asked and answered, redacted, oldest first; and how many older ones are gone. */
  requests(query?: JournalQueryInput): Promise<RequestsReading>;
  /**
   * One exchange by the debug id of its answer: why it was refused, what was forced, what arrived. Rejects with a
   * `QueryError` for `null`, which is what an answer of somebody else's has as its id.
   */
  explain(debugId: string | null): Promise<Explanation | undefined>;
  /** Counts exchanges, or looks for them in order; `unsure` where the journal no longer holds what would decide it. */
  verify(expected: VerifyInput): Promise<Verification>;
  /**
   * Resolves once the exchanges have come; the sandbox is asked once and answers then. Rejects with a `WaitTimeoutError`
   * that shows what came instead, with a `WaitEndedError` when they can no longer come, and with a `WaitLimitError` where 1,000
   * wait already.
   */
  waitFor(query: MatchInput, settings?: WaitInput): Promise<readonly Entry[]>;
  /**
   * Begins anew and plays a scenario: one that ships by its name, a document, or a file of this machine, which is
   * read here and sent. Gives its name.
   */
  scenario(source: string | ScenarioDocument): Promise<string>;
  /** Card numbers for tests, each another one; with an outcome, their cards ask for it when they pay. */
  generateCards(order?: z.input<typeof CardOrder>): Promise<z.output<typeof TestCard>[]>;
  /**
   * Keeps its whole world as it is now, all but the journal, in the sandbox. Gives the name; one of the same name is
   * replaced. Snapshots outlive a reset and go with their merchant.
   */
  snapshot(name?: string): Promise<string>;
  /** Goes on where a snapshot was taken, as often as wanted. */
  restore(name: string): Promise<void>;
  /** The snapshots it keeps, the newest last. */
  snapshots(): Promise<z.output<typeof SnapshotReading>[]>;
  dropSnapshot(name: string): Promise<void>;
  /** Its world as a plain JSON document, without card numbers and secrets. */
  export(): Promise<WorldExport>;
  /** Goes on where a world was exported, here or elsewhere. Nothing changes where the document is wrong. */
  import(document: WorldExport): Promise<void>;
}

/** Which outcomes are wanted; all where nothing is said. */
export interface RemoteFilter {
  readonly operation?: OperationName | undefined;
  readonly tier?: z.output<typeof OutcomeFilter>['tier'];
}

/** A running sandbox. */
export interface Remote extends RemoteMerchant {
  /** Where it is, without a trailing slash. */
  readonly url: string;
  /** Asks the sandbox whatever host the code under test calls: give it to that code as its `fetch`. */
  readonly fetch: typeof globalThis.fetch;
  /** The same for a path: `sandbox.request('/v1/vault/credit-cards', …)`. */
  request(path: string, init?: RequestInit): Promise<Response>;
  /** Throws an `ArgumentError` for an id that no client can have. */
  merchant(id: string): RemoteMerchant;
  /** Which outcomes the requests of all merchants met since the sandbox started, whatever was reset meanwhile. */
  coverageOfAll(): Promise<z.output<typeof Coverage>>;
  /** The verdicts of all merchants as one page. */
  verdictPageOfAll(): Promise<string>;
  /** Every merchant that has a world, or asked for one while there was no room. */
  merchants(): Promise<string[]>;
  deleteMerchant(id: string): Promise<void>;
  /** Puts every merchant back to how it began; snapshots stay. */
  resetAll(): Promise<void>;
  /** Every outcome there is, or those of one operation or tier. */
  outcomes(filter?: RemoteFilter): Promise<readonly Outcome[]>;
  /** One outcome by its id. */
  outcome(id: string): Promise<Outcome>;
  /** The scenarios that are known by name: those that ship, and the sandbox's own. */
  scenarios(): Promise<z.output<typeof ShippedScenario>[]>;
  about(): Promise<z.output<typeof AboutOut>>;
  health(): Promise<z.output<typeof Health>>;
  /** What was counted since the sandbox started, in the text format of Prometheus. */
  metrics(): Promise<string>;
  /** Ends nothing: the sandbox was started by somebody else. Here so that a test closes either kind. */
  close(): Promise<void>;
}
