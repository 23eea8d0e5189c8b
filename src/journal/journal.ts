/** The journal of one merchant: its latest exchanges, limited in number and size. */
import type { OperationName } from '../contract/service/operation-name.ts';
import type { Arrival } from '../transport-port/arrival.ts';
import { conclusionOf, type BodyForm } from './conclusion.ts';
import { conditionsOf, matchEntry, type ReadQuery } from './query/condition.ts';
import type { Answer, Delivery, Entry, Opening, Sign } from './entry.ts';
import { EntryRing, type RingLimits } from './ring-buffer.ts';
import { summarizeRequest, keepOnlyIds } from './text/long-bodies.ts';
import { truncate } from './text/truncate.ts';
import { StoredEntry } from './stored-entry.ts';
import { RepeatedMisses } from './text/repeated-misses.ts';
import { Counters } from './counters.ts';
import { redactText, redactOptional } from '../redaction/redact.ts';
import { showAny, type Masking } from '../redaction/hide-card-numbers.ts';
import { digitsOf, containsMask } from '../redaction/secret.ts';

export interface JournalLimits extends RingLimits {
  /** The maximum length of a stored body, in characters. */
  readonly maxTextLength: number;
}

export const journalDefaults: JournalLimits = {
  maxEntries: 1_000,
  maxBytes: 4 * 1024 * 1024,
  maxTextLength: 16_384,
};

/** Called for an entry when its exchange opens and when it ends. */
export type JournalListener = (entry: StoredEntry) => void;

/** The latest exchanges. It counts the entries that were dropped. */
export class Journal {
  readonly limits: JournalLimits;
  /** How it masks card numbers. Queries mask theirs in the same way. */
  readonly masking: Masking;
  readonly #entries: EntryRing;
  readonly #listeners = new Set<JournalListener>();
  readonly #nearMisses: RepeatedMisses;
  readonly #realNowMs: () => number;
  /** Counts for this journal alone, including dropped entries. */
  readonly counters = new Counters();
  readonly #sharedCounters: Counters | undefined;
  #open = 0;

  constructor(
    limits: Partial<JournalLimits> = {},
    realNowMs: () => number = Date.now,
    sharedCounters?: Counters,
    masking = showAny,
  ) {
    this.#sharedCounters = sharedCounters;
    this.#realNowMs = realNowMs;
    this.limits = { ...journalDefaults, ...limits };
    this.masking = masking;
    this.#nearMisses = new RepeatedMisses((text) => redactText(text, masking));
    this.#entries = new EntryRing(this.limits, (entry) => {
      sharedCounters?.countDropped();
      if (entry?.overAtSeq === 0) this.#open--;
    });
  }

  /** Whether nothing is kept. Exchanges then only count as dropped. */
  get isOff(): boolean {
    return this.limits.maxEntries === 0;
  }

  get size(): number {
    return this.#entries.size;
  }

  /** `seq` of the next exchange. */
  get nextSeq(): number {
    return this.#entries.nextSeq;
  }

  get openCount(): number {
    return this.#open;
  }

  get waiting(): number {
    return this.#listeners.size;
  }

  /** The size of all entries. */
  get bytes(): number {
    return this.#entries.bytes;
  }

  /** The number of entries dropped to make space for newer ones. */
  get dropped(): number {
    return this.#entries.dropped;
  }

  /** Time of the latest dropped entry. */
  get droppedUntilMs(): number {
    return this.#entries.droppedUntilMs;
  }

  /** Whether the last four digits of a card number may be kept, in any notation. */
  mayShow(number: string): boolean {
    return this.masking.mayShow(digitsOf(number));
  }

  /** Opens an entry. Pass the result to `answer` and `close`. */
  open(opening: Opening, arrival?: Arrival): StoredEntry {
    const entry = new StoredEntry(
      this.#entries.nextSeq,
      {
        debugId: opening.debugId,
        atMs: opening.atMs,
        method: opening.method,
        path: this.#pathOf(opening.path),
        operation: opening.operation,
        merchant: opening.merchant,
        requestId: this.#redact(opening.requestId),
        reusedConnection: opening.reusedConnection,
        signs: addMaskSign(opening.path, opening.signs),
      },
      this.#realNowMs(),
      arrival,
    );
    this.#open++;
    this.#entries.add(entry);
    this.#notify(entry);
    return entry;
  }

  /** Counts an exchange without an entry, and the outcomes forced on it. */
  countUnrecorded(
    atMs: number,
    operation: OperationName | undefined,
    outcomes: Answer['outcomes'],
  ): void {
    this.#entries.skip(atMs);
    this.#count(operation, outcomes);
  }

  /** Adds the response to an entry, before its first byte is sent. */
  answer(entry: StoredEntry, answer: Answer): void {
    this.#count(entry.operation, answer.outcomes);
    entry.status = answer.status;
    entry.problem = answer.problem;
    entry.reason = this.#redact(answer.reason);
    entry.replayed = answer.replayed;
    entry.committed = answer.committed;
    entry.intent = this.#redact(answer.intent);
    entry.cardId = this.#redact(answer.cardId);
    entry.subject = this.#redact(answer.subject);
    entry.twin = answer.twin;
    entry.retryAfter = answer.retryAfter;
    entry.outcomes = answer.outcomes;
    entry.holds = answer.holds;
    entry.misses = this.#nearMisses.store(answer.nearMisses, entry.seq);
    entry.warnings = answer.warnings;
    entry.signs = addMaskSign(answer.request, entry.signs);
    // If sending fails, a second response follows, and the request is no longer available then.
    const { request, response } = answer;
    const latest = this.#entries.latestAt(entry.path);
    entry.request ??= this.#bodyOf(request, latest?.request);
    if (this.#isLong(request)) entry.requestSummary ??= this.#bodyOf(summarizeRequest(request));
    entry.response = this.#bodyOf(response, latest?.response);
    entry.responseIds = this.#isLong(response) ? this.#redact(keepOnlyIds(response)) : undefined;
    this.#entries.updateAnswered(entry);
  }

  /** Notes that the client left while a gate held its request. The exchange goes on. */
  leave(entry: StoredEntry, atMs: number): void {
    entry.leave(atMs, this.#realNowMs(), this.#entries.nextSeq);
    if (!this.#entries.wasCleared(entry)) this.#notify(entry);
  }

  /**
   * Ends an entry: its time, what the client received, and what it can conclude from the form of
   * the body.
   */
  close(entry: StoredEntry, atMs: number, delivery: Delivery, form: BodyForm): void {
    if (this.#entries.holds(entry)) this.#open--;
    entry.delivery = delivery;
    entry.end(atMs, this.#realNowMs(), this.#entries.nextSeq);
    entry.concludes = conclusionOf({
      status: entry.status,
      problem: entry.problem,
      form,
      delivery,
    });
    if (!this.#entries.wasCleared(entry)) this.#notify(entry);
  }

  /** The entries that match a query, oldest first. With a `limit`, the latest ones. */
  find(query: ReadQuery = {}): Entry[] {
    const conditions = conditionsOf(query, this.masking);
    const { limit = Number.POSITIVE_INFINITY } = query;
    const found: Entry[] = [];
    for (const entry of this.#entries.fromLatest()) {
      if (found.length >= limit) break;
      if (matchEntry(entry, conditions) === 'meets') found.push(entry.plain());
    }
    return found.reverse();
  }

  /** All entries as stored, oldest first. Entries of open exchanges will still change. */
  all(): readonly StoredEntry[] {
    return this.#entries.all();
  }

  /** The exchange with this debug id. */
  get(debugId: string): Entry | undefined {
    return this.find({ debugId, limit: 1 })[0];
  }

  /**
   * Removes all entries and resets the count of dropped ones. Open exchanges leave the journal too.
   */
  clear(): void {
    this.#entries.clear();
    this.#open = 0;
    this.#nearMisses.clear();
  }

  /** Adds a listener. Call the returned function to remove it. */
  listen(listener: JournalListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Whether only the beginning is kept. */
  #isLong(text: string | undefined): text is string {
    return text !== undefined && text.length > this.limits.maxTextLength;
  }

  #count(operation: OperationName | undefined, outcomes: Answer['outcomes']): void {
    if (operation === undefined) return;
    this.counters.count(operation, outcomes);
    this.#sharedCounters?.count(operation, outcomes);
  }

  #notify(entry: StoredEntry): void {
    for (const listener of this.#listeners) listener(entry);
  }

  /** A path that equals a stored one is already redacted and needs no second copy. */
  #pathOf(path: string): string {
    return this.#entries.latestAt(path)?.path ?? redactText(path, this.masking);
  }

  /**
   * A body without secrets, and within the limit. If it equals `latest`, the last body of the same
   * path, the client polls or retries: the text is stored once and needs no redaction.
   */
  #bodyOf(text: string | undefined, latest?: string): string | undefined {
    if (text === undefined) return undefined;
    if (text === latest) return latest;
    const kept = truncate(text, this.limits.maxTextLength, this.masking);
    return kept === latest ? latest : kept;
  }

  #redact(text: string | undefined): string | undefined {
    return redactOptional(text, this.masking);
  }
}

/** After redaction it is unknown whether the client or the journal wrote a mask. */
function addMaskSign(text: string | undefined, signs: readonly Sign[]): readonly Sign[] {
  if (text === undefined || !containsMask(text) || signs.includes('mask-of-its-own')) return signs;
  return [...signs, 'mask-of-its-own'];
}
