/** What the journal keeps of one exchange: what was asked, what was answered, and what the client got of it. */
import type { warningKinds } from '../contract/control/journal-queries.ts';
import type { OperationName } from '../contract/service/operations.ts';

/** Stands for every list that is empty: most exchanges have nothing of most kinds, and the journal keeps thousands. */
export const none: readonly never[] = [];

export type DeliveryState =
  /** The answer is not out yet, or not all of it. */
  | 'open'
  /** Every byte was handed over. */
  | 'delivered'
  /** Some of it arrived. */
  | 'cut'
  /** None of it did. */
  | 'lost';

/** What of the answer left the sandbox. */
export interface Delivery {
  readonly state: DeliveryState;
  readonly bytesTotal: number;
  readonly bytesDelivered: number;
  /** The client hung up before the end. */
  readonly clientLeft: boolean;
}

/** What a client may conclude about the operation from what reached it. */
export type Conclusion = 'OK' | 'FAIL' | 'UNKNOWN';

/** An outcome that was forced on the exchange, by which trigger and rule. */
export interface ForcedOutcome {
  readonly id: string;
  readonly by: string;
  readonly rule?: string | undefined;
}

/** A rule that looked at the exchange and did not fire, and why. */
export interface NearMiss {
  readonly rule: string;
  readonly why: string;
}

/** What a request showed that redaction hides, or that the journal does not keep. */
export type Sign =
  /** A body came without a Content-Type. */
  | 'content-type-missing'
  /** A header other than Authorization held a card number that ends so. */
  | `card-number-in-header:${string}`
  /** The client wrote a mask of its own, so a mask in its texts need not hide anything. */
  | 'mask-of-its-own';

/** When an exchange was, on the machine's own clock: the merchant's may stand still. */
export interface RealTime {
  readonly openedMs: number;
  /** 0 while it is open. */
  readonly closedMs: number;
}

export type WarningKind = (typeof warningKinds)[number];

/** Something about a request that the person who runs the client should know, whatever was answered. */
export interface Warning {
  readonly kind: WarningKind;
  /** The same for every exchange of its kind and mode: it holds nothing that a client sent. */
  readonly text: string;
}

/** What is known of an exchange when it opens. */
export interface Opening {
  /** Equal to `debug_id` in an error body and to the `Paypal-Debug-Id` header. */
  readonly debugId: string;
  /** Time of the merchant's world. */
  readonly atMs: number;
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly operation: OperationName | undefined;
  readonly merchant: string;
  readonly requestId: string | undefined;
  /** Whether an earlier request came on the same connection; absent where there are no connections. */
  readonly reusedConnection: boolean | undefined;
  readonly signs: readonly Sign[];
}

/** What is known once the answer is made. */
export interface Answer {
  readonly status: number;
  /** Wire name of the error. */
  readonly problem: string | undefined;
  /** Why it was refused, for the person who runs the sandbox. */
  readonly reason: string | undefined;
  /** The answer was that of an earlier request with the same PayPal-Request-Id. */
  readonly replayed: boolean;
  /** The request changed the merchant's books. */
  readonly committed: boolean;
  /** One purchase as the buyer sees it. */
  readonly intent: string | undefined;
  readonly cardId: string | undefined;
  /** Id of the record that it made or showed. */
  readonly subject: string | undefined;
  /** Id of the record that the same request made a second time. */
  readonly twin: string | undefined;
  /** The Retry-After that the answer had. */
  readonly retryAfter: string | undefined;
  readonly outcomes: readonly ForcedOutcome[];
  /** The nearest first. */
  readonly nearMisses: readonly NearMiss[];
  readonly warnings: readonly Warning[];
  /** Bodies as text; absent where there was none. */
  readonly request: string | undefined;
  readonly response: string | undefined;
}

/** One exchange in the journal. Texts of the client's are redacted, bodies bounded as well. */
export interface Entry extends Opening, Answer {
  /** 1 for the first exchange of a journal, one more for each after it. */
  readonly seq: number;
  /** `seq` of the next exchange when this one was over: those from `seq` to here overlapped it. 0 while it is open. */
  readonly overAtSeq: number;
  /** Time of the merchant's world when it was over; 0 while it is open. */
  readonly overAtMs: number;
  readonly real: RealTime;
  /** How many rules missed that `nearMisses` does not name: it holds the nearest twenty. */
  readonly nearMissesLeftOut: number;
  readonly delivery: Delivery;
  readonly concludes: Conclusion;
}
