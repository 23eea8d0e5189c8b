/** One request and its answer. Journal, log and metrics are written from it. */
import type { OperationName } from '../contract/service/operations.ts';
import { emptyList, type Warning } from '../journal/entry.ts';

/** What happened in one exchange. It holds the method and operation of the request, and nothing else that the client sent. */
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
  /** Name of the error in the answer, if it was one. */
  problem: string | undefined;
  /** Why it was refused, for the person who runs the sandbox: what was expected and what to change. */
  reason: string | undefined;
  /** The answer was that of an earlier request with the same PayPal-Request-Id. */
  replayed: boolean;
  /** What was forced: the outcome, its trigger, and the rule if a rule was the trigger. */
  outcomes: readonly {
    readonly id: string;
    readonly by: string;
    readonly rule: string | undefined;
  }[];
  /** A header asked for an outcome that does not exist or cannot apply; the near misses say why. */
  headerCannotApply: boolean;
  /** Rules for its operation that did not fire, and why; the nearest first. */
  nearMisses: readonly { readonly rule: string; readonly why: string }[];
  /** What the person who runs the client should know about the request. */
  warnings: readonly Warning[];
  /** The purchase, as a hash that shows nothing a client wrote. */
  intent: string | undefined;
  cardId: string | undefined;
  /** Id of the record that the request made or showed. */
  subject: string | undefined;
  /** Id of the second record, where the request was carried out twice. */
  twin: string | undefined;
  /** Whether it changed anything. */
  committed: boolean;
  /** An exception of our own that became a 500. */
  failure: unknown;
}

/** A new exchange: only its start is known. */
export function openExchange({
  debugId,
  method,
  operation,
  merchant,
  atMs,
}: Pick<Exchange, 'debugId' | 'method' | 'operation' | 'merchant' | 'atMs'>): Exchange {
  return {
    debugId,
    method,
    operation,
    merchant,
    atMs,
    status: 0,
    problem: undefined,
    reason: undefined,
    replayed: false,
    outcomes: emptyList,
    headerCannotApply: false,
    nearMisses: emptyList,
    warnings: emptyList,
    intent: undefined,
    cardId: undefined,
    subject: undefined,
    twin: undefined,
    committed: false,
    failure: undefined,
  };
}

/**
 * Hooks into the pipeline. `beforeRead` runs before anything of the request is read, `beforeCommit` when the request
 * is known to be valid and before anything is done, `afterCommit` when it is done and before it is answered. A promise
 * holds the request there.
 */
export interface Hooks {
  readonly beforeRead?: (exchange: Readonly<Exchange>) => Promise<void> | void;
  readonly beforeCommit?: (exchange: Readonly<Exchange>) => Promise<void> | void;
  readonly afterCommit?: (exchange: Readonly<Exchange>) => Promise<void> | void;
}

/** Called with every exchange once its answer has been handed to the transport. */
export type ExchangeListener = (exchange: Readonly<Exchange>) => void;
