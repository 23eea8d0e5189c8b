/** The journal entry of one exchange: request, response, and what the client received. */
import type { gatePoints, releaseCauses } from '../contract/constants.ts';
import type { warningKinds } from '../contract/control/inputs.ts';
import type { OperationName } from '../contract/service/operation-name.ts';

/**
 * The shared empty list: most lists of most entries are empty, and the journal keeps thousands of
 * entries.
 */
export const emptyList: readonly never[] = [];

export type DeliveryState =
  /** The response has not been sent completely yet. */
  | 'open'
  /** All bytes were sent. */
  | 'delivered'
  /** A part of the response was sent. */
  | 'cut'
  /** Nothing was sent. */
  | 'lost';

/** How much of the response left the sandbox. */
export interface Delivery {
  readonly state: DeliveryState;
  readonly bytesTotal: number;
  readonly bytesDelivered: number;
  /** The client disconnected before the end. */
  readonly clientLeft: boolean;
}

/** What a client can conclude about the operation from what it received. */
export type Conclusion = 'OK' | 'FAIL' | 'UNKNOWN';

/** An outcome that was forced on the exchange, with its trigger and rule. */
export interface ForcedOutcome {
  readonly id: string;
  readonly by: string;
  readonly rule?: string | undefined;
}

/** Where a gate holds a request: before its change is committed, or before its answer is sent. */
export type GatePoint = (typeof gatePoints)[number];

/** One stay of a request at a gate. */
export interface Hold {
  /** Name of the gate. */
  readonly gate: string;
  readonly at: GatePoint;
  /** The how many-th request the gate held. */
  readonly arrived: number;
  /** The how many-th request the gate released. */
  readonly released: number;
  readonly releasedBy: (typeof releaseCauses)[number];
}

/** A rule that was checked but did not fire, and the reason. */
export interface NearMiss {
  readonly rule: string;
  readonly why: string;
  /** The merchant of the rule, if it is another one. */
  readonly merchant?: string | undefined;
}

/** A fact about a request that redaction hides or that the journal does not keep. */
export type Sign =
  /** The request has a body but no Content-Type. */
  | 'content-type-missing'
  /** A header other than Authorization contains a card number that ends with these digits. */
  | `card-number-in-header:${string}`
  /**
   * The client itself sent masked text, so a mask in the entry does not prove that something was
   * hidden.
   */
  | 'mask-of-its-own';

/** Start and end of an exchange on the machine's clock; the merchant's clock may be frozen. */
export interface RealTime {
  readonly openedMs: number;
  /** 0 while the exchange is open. */
  readonly closedMs: number;
}

export type WarningKind = (typeof warningKinds)[number];

/** A warning for the developer of the client, independent of the response. */
export interface Warning {
  readonly kind: WarningKind;
  /**
   * The same text for every warning of its kind and mode. It contains nothing that the client sent.
   */
  readonly text: string;
}

/** What is known when an exchange opens. */
export interface Opening {
  /** Same as `debug_id` in an error body and the `Paypal-Debug-Id` header. */
  readonly debugId: string;
  /** Time on the merchant's clock. */
  readonly atMs: number;
  readonly method: string;
  /** Including the query. */
  readonly path: string;
  readonly operation: OperationName | undefined;
  readonly merchant: string;
  readonly requestId: string | undefined;
  /** Whether an earlier request used the same connection; absent without connections. */
  readonly reusedConnection: boolean | undefined;
  readonly signs: readonly Sign[];
}

/** What is known once the response is ready. */
export interface Answer {
  readonly status: number;
  /** Name of the error in the response. */
  readonly problem: string | undefined;
  /** Why the request was refused, for the person who runs the sandbox. */
  readonly reason: string | undefined;
  /** The response repeats that of an earlier request with the same PayPal-Request-Id. */
  readonly replayed: boolean;
  /** The request changed the merchant's records. */
  readonly committed: boolean;
  /** Key of the purchase that the request belongs to. */
  readonly intent: string | undefined;
  readonly cardId: string | undefined;
  /** Id of the record that the request created or read. */
  readonly subject: string | undefined;
  /** Id of the second record that the same request created. */
  readonly twin: string | undefined;
  /** The Retry-After header of the response. */
  readonly retryAfter: string | undefined;
  readonly outcomes: readonly ForcedOutcome[];
  /** The gates that held the request, in order. */
  readonly holds: readonly Hold[];
  /** Nearest first. */
  readonly nearMisses: readonly NearMiss[];
  readonly warnings: readonly Warning[];
  /** Bodies as text; absent if there was none. */
  readonly request: string | undefined;
  readonly response: string | undefined;
}

/**
 * One exchange in the journal. Text from the client is redacted, and bodies are limited in length.
 */
export interface Entry extends Opening, Answer {
  /** Counts up from 1 for the first exchange of a journal. */
  readonly seq: number;
  /**
   * `seq` of the next exchange when this one ended: exchanges between `seq` and here overlapped it.
   * 0 while it is open.
   */
  readonly overAtSeq: number;
  /** End on the merchant's clock; 0 while the exchange is open. */
  readonly overAtMs: number;
  /** `seq` of the next exchange when the client left, if a gate held the request then. The exchange ends later. */
  readonly leftAtSeq: number | undefined;
  /** The time when it left, on the merchant's clock. */
  readonly leftAtMs: number | undefined;
  readonly real: RealTime;
  /** How many near misses are not listed: `nearMisses` contains the nearest twenty. */
  readonly nearMissesLeftOut: number;
  readonly delivery: Delivery;
  readonly concludes: Conclusion;
}
