/** What was done under which PayPal-Request-Id (contract.md §6). */
import { hash } from 'node:crypto';
import { dayMs } from '../domain/calendar.ts';

/** Kept for 30 days of the merchant's time. */
export const requestIdRetentionDays = 30;

/** What is under way stays so however the clock is moved, and however many there are. */
type Entry =
  | { readonly state: 'running'; readonly fingerprint: string; readonly untilMs: number }
  | ({ readonly state: 'done' } & CompletedRequest);

/** What is remembered of a request that was carried out. */
interface CompletedRequest {
  /** Absent where another process took it: its key is not known here, so any body passes for the same. */
  readonly fingerprint: string | undefined;
  readonly untilMs: number;
  readonly subject: string;
}

/** What a merchant's request ids remember, in the order they were claimed. Those under way are nobody else's. */
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
 * One merchant's request ids. A name is the method, the path with its ids, and the request id: several SDKs send
 * one request id to many endpoints, so a wider scope would break their chains. It is kept folded: a request id is free
 * text, and nothing that a client wrote there is to be read in an export.
 */
export class RequestIds {
  readonly #entries = new Map<string, Entry>();
  readonly #max: number;
  /** How many entries were forgotten before their time because there were too many. */
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

  /** Claims a name for a request, or says what an earlier request did with it. */
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
      // The first repeat says what all later ones are held against.
      this.#entries.set(key, { ...entry, fingerprint });
      return { kind: 'repeat', subject: entry.subject };
    }
    if (entry.fingerprint !== fingerprint) return { kind: 'other-body' };
    return entry.state === 'running'
      ? { kind: 'in-progress' }
      : { kind: 'repeat', subject: entry.subject };
  }

  /** The claimed request was carried out: repeats are answered with its subject. */
  complete(name: string, subject: string): void {
    const key = hashName(name);
    const entry = this.#entries.get(key);
    if (entry === undefined) return;
    const { fingerprint, untilMs } = entry;
    this.#entries.set(key, { state: 'done', fingerprint, untilMs, subject });
  }

  /** The claimed request was refused or failed: nothing is remembered of it (contract.md §6). */
  release(name: string): void {
    this.#entries.delete(hashName(name));
  }

  /** Entries stand in the order they were claimed, so the oldest come first. */
  #dropOldest(nowMs: number): void {
    for (const [key, entry] of this.#entries) {
      // Whoever claimed it will settle or release it, which must not befall the claim of another.
      if (entry.state === 'running') continue;
      const expired = isPast(entry, nowMs);
      if (!expired && this.#entries.size < this.#max) return;
      this.#entries.delete(key);
      if (!expired) this.dropped++;
    }
  }
}

function isPast(entry: Entry, nowMs: number): boolean {
  return entry.state === 'done' && nowMs >= entry.untilMs;
}

function hashName(name: string): string {
  return hash('sha256', name, 'base64url').slice(0, 22);
}
