/** One request and its answer. Journal, log and metrics are written from it. */
import type { OperationName } from '../contract/service/operation-name.ts';
import type { Hold, NearMiss, Warning } from '../journal/entry.ts';

/** The facts of one exchange. Of the request it holds only the method and the operation. */
export interface Exchange {
  /** Equal to `debug_id` in an error body and to the `Paypal-Debug-Id` header. */
  readonly debugId: string;
  readonly method: string;
  /** Absent if no operation has the path. */
  readonly operation: OperationName | undefined;
  merchant: string | undefined;
  /** Time of the merchant's world when the exchange opened. */
  readonly atMs: number;
  /** Status of the answer; 0 before the answer. */
  status: number;
  /** Name of the error in the answer, if it was one. */
  problem: string | undefined;
  /** Why the request was refused, for the person who runs the sandbox: what was expected, and what to change. */
  reason: string | undefined;
  /** Whether the answer repeats that of an earlier request with the same PayPal-Request-Id. */
  replayed: boolean;
  /** The forced outcomes, each with its trigger, and with its rule if the trigger is a rule. */
  outcomes: readonly {
    readonly id: string;
    readonly by: string;
    readonly rule: string | undefined;
  }[];
  /** The gates that held the request, in order. */
  holds: readonly Hold[];
  /** Whether a header names an outcome that does not exist or cannot apply. The near misses say why. */
  headerCannotApply: boolean;
  /** Rules for its operation that did not fire, and why. The nearest ones come first. */
  nearMisses: readonly NearMiss[];
  /** Warnings for the developer of the client. */
  warnings: readonly Warning[];
  /** The purchase, as a hash that discloses nothing that the client wrote. */
  intent: string | undefined;
  cardId: string | undefined;
  /** Id of the record that the request created or read. */
  subject: string | undefined;
  /** Id of the second record, if the request was carried out twice. */
  twin: string | undefined;
  /** Whether the request changed any record. */
  committed: boolean;
  /** The exception behind a 500: a bug of the sandbox or of a hook. */
  failure: unknown;
}

/**
 * Hooks into the pipeline, for tests of the sandbox itself. Tests of a client use `hold` instead.
 *
 * `beforeRead` runs before the request is read. `beforeCommit` runs once the request is valid,
 * before anything is written. `afterCommit` runs after the commit, before the answer. If a hook returns a promise, the
 * request waits for it.
 */
export interface Hooks {
  readonly beforeRead?: (exchange: Readonly<Exchange>) => Promise<void> | void;
  readonly beforeCommit?: (exchange: Readonly<Exchange>) => Promise<void> | void;
  readonly afterCommit?: (exchange: Readonly<Exchange>) => Promise<void> | void;
}

/** Called with every exchange once its answer was passed to the transport. */
export type ExchangeListener = (exchange: Readonly<Exchange>) => void;
