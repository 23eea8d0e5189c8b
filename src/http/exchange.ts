/** One request and its answer, as it walks the hall. Journal, log and accounting are written from it. */
import type { OperationName } from '../contract/service/operations.ts';
import type { Warning } from '../journal/entry.ts';

/** What happened in one exchange. Holds nothing that a client sent beyond method and operation. */
export interface Exchange {
  /** Equal to `debug_id` in an error body and to the `Paypal-Debug-Id` header. */
  readonly debugId: string;
  readonly method: string;
  /** Absent for a path that no operation has. */
  readonly operation: OperationName | undefined;
  merchant: string | undefined;
  /** Time of the merchant's world when the exchange opened. */
  readonly atMs: number;
  /** Status of the answer; 0 until there is one. */
  status: number;
  /** Wire name of the error, if the answer was one. */
  problem: string | undefined;
  /** Why it was refused, for the person who runs the sandbox: what was expected and what to change. */
  reason: string | undefined;
  /** The answer was that of an earlier request with the same PayPal-Request-Id. */
  replayed: boolean;
  /** What was forced on it: outcome, what asked for it, and the rule if one did. */
  outcomes: readonly {
    readonly id: string;
    readonly by: string;
    readonly rule: string | undefined;
  }[];
  /** A header of it asked for what there is not; the near misses say why. */
  askedInVain: boolean;
  /** Rules that looked at it and did not fire, and why; the nearest first. */
  nearMisses: readonly { readonly rule: string; readonly why: string }[];
  /** What the person who runs the client should know of it, whatever was answered. */
  warnings: readonly Warning[];
  /** One purchase as the buyer sees it; a name that holds nothing a client wrote. */
  intent: string | undefined;
  cardId: string | undefined;
  /** Id of the record it made or showed. */
  subject: string | undefined;
  /** Id of the record the same request made a second time. */
  twin: string | undefined;
  /** Whether it changed anything. */
  committed: boolean;
  /** An exception of our own that became a 500. */
  failure: unknown;
}

/**
 * Points of the hall where something may step in, each after the last and before the next:
 * `beforeRead` when the exchange is open and nothing was read, `beforeCommit` when the request is known to be valid
 * and nothing was done, `afterCommit` when it was done and nothing was answered. A promise holds the request there.
 */
export interface Hooks {
  readonly beforeRead?: (exchange: Readonly<Exchange>) => Promise<void> | void;
  readonly beforeCommit?: (exchange: Readonly<Exchange>) => Promise<void> | void;
  readonly afterCommit?: (exchange: Readonly<Exchange>) => Promise<void> | void;
}

/** Told of every exchange when its answer has been handed to the door. */
export type ExchangeListener = (exchange: Readonly<Exchange>) => void;
