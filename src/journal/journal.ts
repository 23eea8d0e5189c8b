/** The exchanges of one merchant, the latest so many of them. */
import type { OperationName } from '../contract/service/operations.ts';
import { conclusionOf, type BodyForm } from './conclusion.ts';
import { conditionsOf, matchEntry, type ReadQuery } from './query/condition.ts';
import type { Answer, Delivery, Entry, Opening, Sign } from './entry.ts';
import { EntryRing, type RingLimits } from './ring-buffer.ts';
import { summarizeRequest, keepOnlyIds } from './text/long-bodies.ts';
import { truncate } from './text/truncate.ts';
import { StoredEntry } from './stored-entry.ts';
import { RepeatedMisses } from './text/repeated-misses.ts';
import { Counters } from './counters.ts';
import { redactText, redactOptional, type LastFourPolicy } from '../redaction/redact.ts';
import { digitsOf, containsMask } from '../redaction/secret.ts';

export interface JournalLimits extends RingLimits {
  /** Characters kept of one body. */
  readonly maxTextLength: number;
}

export const journalDefaults: JournalLimits = {
  maxEntries: 1_000,
  maxBytes: 4 * 1024 * 1024,
  maxTextLength: 16_384,
};

/** Told of an entry when its exchange opens and when it is over. */
export type JournalListener = (entry: StoredEntry) => void;

/** What was asked and answered. It knows how many of its entries are gone. */
export class Journal {
  readonly limits: JournalLimits;
  readonly #entries: EntryRing;
  readonly #mayShow: LastFourPolicy | undefined;
  readonly #listeners = new Set<JournalListener>();
  readonly #nearMisses: RepeatedMisses;
  readonly #realNowMs: () => number;
  /** Of this journal alone, whatever it has dropped since. */
  readonly counters = new Counters();
  readonly #sharedCounters: Counters | undefined;
  #open = 0;

  /** `mayShow` says of which card numbers the last four digits may be kept; of any, when left out. */
  constructor(
    limits: Partial<JournalLimits> = {},
    realNowMs: () => number = Date.now,
    sharedCounters?: Counters,
    mayShow?: LastFourPolicy,
  ) {
    this.#sharedCounters = sharedCounters;
    this.#realNowMs = realNowMs;
    this.limits = { ...journalDefaults, ...limits };
    this.#mayShow = mayShow;
    this.#nearMisses = new RepeatedMisses((text) => redactText(text, mayShow));
    this.#entries = new EntryRing(this.limits, (entry) => {
      sharedCounters?.countDropped();
      if (entry?.overAtSeq === 0) this.#open--;
    });
  }

  /** It keeps nothing: exchanges pass by it, counted as dropped. */
  get isOff(): boolean {
    return this.limits.maxEntries === 0;
  }

  get size(): number {
    return this.#entries.size;
  }

  /** Exchanges in it that are under way. */
  get openCount(): number {
    return this.#open;
  }

  /** How many listen, to be told of what is waited for. */
  get waiting(): number {
    return this.#listeners.size;
  }

  /** What the entries take. */
  get bytes(): number {
    return this.#entries.bytes;
  }

  /** Entries that made room for newer ones. */
  get dropped(): number {
    return this.#entries.dropped;
  }

  /** Time of the latest entry that was dropped. */
  get droppedUntilMs(): number {
    return this.#entries.droppedUntilMs;
  }

  /** Whether the last four digits of a card number, however it is written, may be kept. */
  mayShow(number: string): boolean {
    return this.#mayShow?.(digitsOf(number)) ?? true;
  }

  /** Writes down that an exchange has begun. What it returns is handed back to `answer` and `close`. */
  open(opening: Opening): StoredEntry {
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
    );
    this.#open++;
    this.#entries.add(entry);
    this.#notify(entry);
    return entry;
  }

  /** Counts an exchange of which nothing is kept, and what was forced on it. */
  countUnrecorded(
    atMs: number,
    operation: OperationName | undefined,
    outcomes: Answer['outcomes'],
  ): void {
    this.#entries.skip(atMs);
    this.#count(operation, outcomes);
  }

  /** Writes down what was answered, before the first byte of it leaves. */
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
    entry.misses = this.#nearMisses.store(answer.nearMisses, entry.seq);
    entry.warnings = answer.warnings;
    entry.signs = addMaskSign(answer.request, entry.signs);
    // One that fails once its answer is written down is answered again, when its request has been let go of.
    const { request, response } = answer;
    const latest = this.#entries.latestAt(entry.path);
    entry.request ??= this.#bodyOf(request, latest?.request);
    if (this.#isLong(request)) entry.requestSummary ??= this.#bodyOf(summarizeRequest(request));
    entry.response = this.#bodyOf(response, latest?.response);
    entry.responseIds = this.#isLong(response) ? this.#redact(keepOnlyIds(response)) : undefined;
    this.#entries.updateAnswered(entry);
  }

  /** Writes down when it was over, what reached the client, and, by the form of the body, what that tells it. */
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

  /** The entries that meet a query, oldest first; with a `limit`, the latest so many. */
  find(query: ReadQuery = {}): Entry[] {
    const conditions = conditionsOf(query);
    const { limit = Number.POSITIVE_INFINITY } = query;
    const found: Entry[] = [];
    for (const entry of this.#entries.fromLatest()) {
      if (found.length >= limit) break;
      if (matchEntry(entry, conditions) === 'meets') found.push(entry.plain());
    }
    return found.reverse();
  }

  /** All entries as they are kept, oldest first: those of exchanges that go on will change. */
  all(): readonly StoredEntry[] {
    return this.#entries.all();
  }

  /** The exchange with this debug id. */
  get(debugId: string): Entry | undefined {
    return this.find({ debugId, limit: 1 })[0];
  }

  /** Forgets every entry, and that some were dropped. Exchanges still open are no longer in the journal. */
  clear(): void {
    this.#entries.clear();
    this.#open = 0;
    this.#nearMisses.clear();
  }

  /** Calls `listener` from now on, until what it returns is called. */
  listen(listener: JournalListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Whether only its beginning is kept. */
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

  /** What reads like a path that was kept holds nothing that would have to be taken out, and need not be kept again. */
  #pathOf(path: string): string {
    return this.#entries.latestAt(path)?.path ?? redactText(path, this.#mayShow);
  }

  /**
   * A body without secrets, and no longer than the limit. `latest` is the body kept last at the same path. Where both
   * are the same, a client polls or retries: the text is kept once, and needs no redaction.
   */
  #bodyOf(text: string | undefined, latest?: string): string | undefined {
    if (text === undefined) return undefined;
    if (text === latest) return latest;
    const kept = truncate(text, this.limits.maxTextLength, this.#mayShow);
    return kept === latest ? latest : kept;
  }

  #redact(text: string | undefined): string | undefined {
    return redactOptional(text, this.#mayShow);
  }
}

/** Once a text is redacted, nobody can tell whose mask stands in it. */
function addMaskSign(text: string | undefined, signs: readonly Sign[]): readonly Sign[] {
  if (text === undefined || !containsMask(text) || signs.includes('mask-of-its-own')) return signs;
  return [...signs, 'mask-of-its-own'];
}
