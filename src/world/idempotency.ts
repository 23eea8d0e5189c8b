/** Remembers what was done for each PayPal-Request-Id (contract.md §6). */
import { hash } from 'node:crypto';
import { dayMs } from '../domain/calendar.ts';

/** Days on the merchant's clock. */
export const requestIdRetentionDays = 30;

/** Running requests are never dropped, neither by age nor by number. */
type Entry =
  | { readonly state: 'running'; readonly fingerprint: string; readonly untilMs: number }
  | ({ readonly state: 'done' } & CompletedRequest);

/** What is remembered of a completed request. */
interface CompletedRequest {
  /**
   * Absent if another process completed the request: its hash key is unknown here, so any body
   * counts as equal.
   */
  readonly fingerprint: string | undefined;
  readonly untilMs: number;
  readonly subject: string;
}

/**
 * A merchant's completed requests in the order of their claims. Running ones are not part of the
 * state.
 */
export interface RequestIdsState {
  readonly dropped: number;
  readonly settled: readonly (CompletedRequest & { readonly key: string })[];
}

export type Claim =
  | { readonly kind: 'first' }
  | { readonly kind: 'repeat'; readonly subject: string }
  | { readonly kind: 'other-body' }
  | { readonly kind: 'in-progress' };

/**
 * One merchant's request ids.
 *
 * A name consists of method, path and request id. Several SDKs send one request id to many
 * endpoints, so a wider scope would break them. Names are stored as hashes: a request id is free
 * text from the client and must not appear in an export.
 */
export class RequestIds {
  readonly #entries = new Map<string, Entry>();
  readonly #max: number;
  /** How many entries were dropped before they expired, because there were too many. */
  dropped: number;

  constructor(max: number, state: RequestIdsState) {
    this.#max = max;
    for (const { key, ...settled } of state.settled) {
      this.#entries.set(key, { state: 'done', ...settled });
    }
    this.dropped = state.dropped;
  }

  get size(): number {
    return this.#entries.size;
  }

  get state(): RequestIdsState {
    const settled = [...this.#entries].flatMap(([key, entry]) => {
      if (entry.state === 'running') return [];
      const { fingerprint, untilMs, subject } = entry;
      return [{ key, fingerprint, untilMs, subject }];
    });
    return { dropped: this.dropped, settled };
  }

  /** Claims a name for a request, or reports what an earlier request with that name did. */
  claim(name: string, fingerprint: string, nowMs: number): Claim {
    const key = hashName(name);
    const entry = this.#entries.get(key);
    if (entry === undefined || isPast(entry, nowMs)) {
      this.#entries.delete(key);
      this.#dropOldest(nowMs);
      const untilMs = nowMs + requestIdRetentionDays * dayMs;
      this.#entries.set(key, { state: 'running', fingerprint, untilMs });
      return { kind: 'first' };
    }
    if (entry.state === 'done' && entry.fingerprint === undefined) {
      // Later requests are compared with the first repeat.
      this.#entries.set(key, { ...entry, fingerprint });
      return { kind: 'repeat', subject: entry.subject };
    }
    if (entry.fingerprint !== fingerprint) return { kind: 'other-body' };
    return entry.state === 'running'
      ? { kind: 'in-progress' }
      : { kind: 'repeat', subject: entry.subject };
  }

  /** The record that a completed request made or changed; `undefined` if no such request is remembered. */
  subjectOf(name: string): string | undefined {
    const entry = this.#entries.get(hashName(name));
    return entry?.state === 'done' ? entry.subject : undefined;
  }

  /** Completes a claimed request. Repeats receive its subject. */
  complete(name: string, subject: string): void {
    const key = hashName(name);
    const entry = this.#entries.get(key);
    if (entry === undefined) return;
    const { fingerprint, untilMs } = entry;
    this.#entries.set(key, { state: 'done', fingerprint, untilMs, subject });
  }

  /**
   * Releases a claim whose request was refused or failed. Nothing is remembered (contract.md §6).
   */
  release(name: string): void {
    this.#entries.delete(hashName(name));
  }

  /** Entries are in the order of their claims, so the oldest come first. */
  #dropOldest(nowMs: number): void {
    for (const [key, entry] of this.#entries) {
      // Keep it: its request still has to complete or release its own claim.
      if (entry.state === 'running') continue;
      const expired = isPast(entry, nowMs);
      if (!expired && this.#entries.size < this.#max) return;
      this.#entries.delete(key);
      if (!expired) this.dropped++;
    }
  }
}

/**
 * The name of a request: the same operation on the same record with the same request id.
 *
 * @param requestId With any card number masked, because names are kept and exported.
 */
export function requestName(operation: string, params: unknown, requestId: string): string {
  return `${operation} ${JSON.stringify(params)} ${requestId}`;
}

function isPast(entry: Entry, nowMs: number): boolean {
  return entry.state === 'done' && nowMs >= entry.untilMs;
}

function hashName(name: string): string {
  return hash('sha256', name, 'base64url').slice(0, 22);
}
