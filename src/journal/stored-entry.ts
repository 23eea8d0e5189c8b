/** An entry as the journal stores it, during and after its exchange. */
import type { Arrival } from '../transport-port/arrival.ts';
import { emptyList, type Delivery, type Entry, type Opening, type RealTime } from './entry.ts';
import { noNearMisses } from './text/repeated-misses.ts';
import { findIds } from './text/long-bodies.ts';

const notDelivered: Delivery = {
  state: 'open',
  bytesTotal: 0,
  bytesDelivered: 0,
  clientLeft: false,
};

/** The fields that a verdict reads in many entries come first. */
export class StoredEntry implements Entry {
  readonly seq: number;
  overAtSeq = 0;
  /** Size of this entry, for the limit of the ring buffer. */
  bytes = 0;
  readonly operation: Entry['operation'];
  status = 0;
  concludes: Entry['concludes'] = 'UNKNOWN';
  committed = false;
  replayed = false;
  readonly requestId: string | undefined;
  problem: string | undefined = undefined;
  cardId: string | undefined = undefined;
  subject: string | undefined = undefined;
  intent: string | undefined = undefined;
  request: string | undefined = undefined;
  response: string | undefined = undefined;
  /** What a request asks for, if its body is too long to keep. */
  requestSummary: string | undefined = undefined;
  /** The ids in a response that is too long to keep. */
  responseIds: string | undefined = undefined;
  delivery: Delivery = notDelivered;
  readonly path: string;
  readonly atMs: number;
  /** How far the machine's clock was ahead of the merchant's at the start. */
  readonly #realAheadMs: number;
  #tookMs = 0;
  #tookRealMs = 0;
  /** When the client left a request that a gate held. */
  #left:
    | { readonly atMs: number; readonly realMs: number; readonly beforeSeq: number }
    | undefined = undefined;
  twin: string | undefined = undefined;
  retryAfter: string | undefined = undefined;
  outcomes: Entry['outcomes'] = emptyList;
  holds: Entry['holds'] = emptyList;
  warnings: Entry['warnings'] = emptyList;
  signs: Entry['signs'];
  misses = noNearMisses;
  reason: string | undefined = undefined;
  readonly debugId: string;
  readonly method: string;
  readonly merchant: string;
  readonly reusedConnection: boolean | undefined;
  /** Tells the card of the request from others. For the verdict alone; it is in no answer. */
  cardMark: string | undefined = undefined;
  /** Tells the token of the request from others. For the verdict alone; it is in no answer. */
  tokenMark: string | undefined = undefined;
  /** For the verdict alone; it is in no answer. */
  readonly arrival: Arrival | undefined;

  constructor(seq: number, opening: Opening, openedRealMs: number, arrival: Arrival | undefined) {
    this.seq = seq;
    this.operation = opening.operation;
    this.requestId = opening.requestId;
    this.path = opening.path;
    this.atMs = opening.atMs;
    this.#realAheadMs = openedRealMs - opening.atMs;
    this.signs = opening.signs;
    this.debugId = opening.debugId;
    this.method = opening.method;
    this.merchant = opening.merchant;
    this.reusedConnection = opening.reusedConnection;
    this.arrival = arrival;
  }

  get overAtMs(): number {
    return this.overAtSeq === 0 ? 0 : this.atMs + this.#tookMs;
  }

  /** On the machine's clock. */
  get openedRealMs(): number {
    return this.atMs + this.#realAheadMs;
  }

  /** On the machine's clock; 0 while the exchange is open. */
  get closedRealMs(): number {
    return this.overAtSeq === 0 ? 0 : this.openedRealMs + this.#tookRealMs;
  }

  /** Ends the entry: merchant's time, machine's time, and the next `seq`. */
  end(atMs: number, realMs: number, beforeSeq: number): void {
    this.overAtSeq = beforeSeq;
    this.#tookMs = atMs - this.atMs;
    this.#tookRealMs = realMs - this.openedRealMs;
  }

  /** The client left while a gate held its request: merchant's time, machine's time, and the next `seq`. */
  leave(atMs: number, realMs: number, beforeSeq: number): void {
    this.#left ??= { atMs, realMs, beforeSeq };
  }

  get leftAtSeq(): number | undefined {
    return this.#left?.beforeSeq;
  }

  get leftAtMs(): number | undefined {
    return this.#left?.atMs;
  }

  /** `seq` of the next exchange when the client stopped waiting: it left, or this ended. 0 while it waits. */
  get waitedUntilSeq(): number {
    return this.#left?.beforeSeq ?? this.overAtSeq;
  }

  /** How long the client waited, on the clock on which it was longer; 0 while it waits. */
  get waitedMs(): number {
    const left = this.#left;
    if (left === undefined) return Math.max(0, this.#tookMs, this.#tookRealMs);
    return Math.max(0, left.atMs - this.atMs, left.realMs - this.openedRealMs);
  }

  get real(): RealTime {
    return { openedMs: this.openedRealMs, closedMs: this.closedRealMs };
  }

  get nearMisses(): Entry['nearMisses'] {
    return this.misses.list;
  }

  get nearMissesLeftOut(): number {
    return this.misses.leftOut;
  }

  /** All ids in the response, however long it is. */
  get shownIds(): readonly string[] {
    return findIds(this.responseIds ?? this.response ?? '');
  }

  /** A plain copy that never changes. */
  plain(): Entry {
    return {
      seq: this.seq,
      debugId: this.debugId,
      atMs: this.atMs,
      method: this.method,
      path: this.path,
      operation: this.operation,
      merchant: this.merchant,
      requestId: this.requestId,
      reusedConnection: this.reusedConnection,
      signs: this.signs,
      overAtSeq: this.overAtSeq,
      overAtMs: this.overAtMs,
      leftAtSeq: this.leftAtSeq,
      leftAtMs: this.leftAtMs,
      real: this.real,
      status: this.status,
      problem: this.problem,
      reason: this.reason,
      replayed: this.replayed,
      committed: this.committed,
      intent: this.intent,
      cardId: this.cardId,
      subject: this.subject,
      twin: this.twin,
      retryAfter: this.retryAfter,
      outcomes: this.outcomes,
      holds: this.holds,
      nearMisses: this.nearMisses,
      nearMissesLeftOut: this.nearMissesLeftOut,
      warnings: this.warnings,
      request: this.request,
      response: this.response,
      delivery: this.delivery,
      concludes: this.concludes,
    };
  }
}
