/** The exchanges of one merchant, the latest so many of them. */
import { conclusionOf, type BodyForm } from './conclusion.ts';
import { conditionsOf, judge, type ReadQuery } from './condition.ts';
import type { Answer, Delivery, Entry, NearMiss, Opening } from './entry.ts';
import { keptText } from './kept-text.ts';
import { redactText, redactWord } from './redact.ts';

export interface JournalLimits {
  readonly maxEntries: number;
  /** Of all entries together, counted as one byte a character. */
  readonly maxBytes: number;
  /** Characters kept of one body. */
  readonly maxTextLength: number;
}

export const journalDefaults: JournalLimits = {
  maxEntries: 1_000,
  maxBytes: 4 * 1024 * 1024,
  maxTextLength: 16_384,
};

/** What an entry takes beside its texts. */
const entryBytes = 700;

type Writable = { -readonly [K in keyof Entry]: Entry[K] };

/** Told of an entry when its exchange opens and when it is over. */
export type JournalListener = (entry: Entry) => void;

const notDelivered: Delivery = {
  state: 'open',
  bytesTotal: 0,
  bytesDelivered: 0,
  clientLeft: false,
};

/** A bounded ring: the newest entry takes the place of the oldest, and the journal knows how many are gone. */
export class Journal {
  readonly limits: JournalLimits;
  readonly #listeners = new Set<JournalListener>();
  #ring: (Writable | undefined)[] = [];
  /** `seq` of the entry in the ring's first place, of the oldest one still there, and of the next one. */
  #base = 1;
  #oldest = 1;
  #next = 1;
  #bytes = 0;
  #dropped = 0;
  #droppedUntilMs = Number.NEGATIVE_INFINITY;

  constructor(limits: Partial<JournalLimits> = {}) {
    this.limits = { ...journalDefaults, ...limits };
  }

  get size(): number {
    return this.#next - this.#oldest;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Entries that made room for newer ones. */
  get dropped(): number {
    return this.#dropped;
  }

  /** Time of the latest entry that was dropped. */
  get droppedUntilMs(): number {
    return this.#droppedUntilMs;
  }

  /** Writes down that an exchange has begun. What it returns is handed back to `answer` and `close`. */
  open(opening: Opening): Entry {
    const entry: Writable = {
      seq: this.#next++,
      debugId: opening.debugId,
      atMs: opening.atMs,
      method: opening.method,
      path: redactText(opening.path),
      operation: opening.operation,
      merchant: opening.merchant,
      requestId: redactWord(opening.requestId),
      status: 0,
      problem: undefined,
      reason: undefined,
      replayed: false,
      committed: false,
      intent: undefined,
      cardId: undefined,
      subject: undefined,
      outcomes: [],
      nearMisses: [],
      request: undefined,
      response: undefined,
      delivery: notDelivered,
      concludes: 'UNKNOWN',
    };
    if (this.size > this.limits.maxEntries) this.#drop();
    this.#ring[this.#placeOf(entry.seq)] = entry;
    this.#bytes += bytesOf(entry);
    this.#makeRoom();
    this.#tell(entry);
    return entry;
  }

  /** Writes down what was answered, before the first byte of it leaves. */
  answer(opened: Entry, answer: Answer): void {
    const entry: Writable = opened;
    const bytesBefore = bytesOf(entry);
    entry.status = answer.status;
    entry.problem = answer.problem;
    entry.reason = redactWord(answer.reason);
    entry.replayed = answer.replayed;
    entry.committed = answer.committed;
    entry.intent = redactWord(answer.intent);
    entry.cardId = redactWord(answer.cardId);
    entry.subject = redactWord(answer.subject);
    entry.outcomes = answer.outcomes;
    entry.nearMisses = answer.nearMisses.length === 0 ? [] : answer.nearMisses.map(redactedMiss);
    entry.request = this.#kept(answer.request);
    entry.response = this.#kept(answer.response);
    if (!this.#holds(entry)) return;
    this.#bytes += bytesOf(entry) - bytesBefore;
    this.#makeRoom();
  }

  /** Writes down what reached the client, and what it can make of it. `form` is what it finds in the body. */
  close(opened: Entry, delivery: Delivery, form: BodyForm): void {
    const entry: Writable = opened;
    entry.delivery = delivery;
    entry.concludes = conclusionOf({
      status: entry.status,
      problem: entry.problem,
      form,
      delivery,
    });
    const wasCleared = entry.seq < this.#base;
    if (!wasCleared) this.#tell(entry);
  }

  /** The entries that meet a query, oldest first; with a `limit`, the latest so many. */
  find(query: ReadQuery = {}): Entry[] {
    const conditions = conditionsOf(query);
    const { limit = Number.POSITIVE_INFINITY } = query;
    const found: Entry[] = [];
    for (let seq = this.#next - 1; seq >= this.#oldest && found.length < limit; seq--) {
      const entry = this.#at(seq);
      if (entry !== undefined && judge(entry, conditions) === 'meets') found.push(shown(entry));
    }
    return found.reverse();
  }

  /** The exchange with this debug id. */
  get(debugId: string): Entry | undefined {
    return this.find({ debugId, limit: 1 })[0];
  }

  /** Forgets every entry, and that some were dropped. Exchanges still open are no longer in the journal. */
  clear(): void {
    this.#ring = [];
    this.#base = this.#next;
    this.#oldest = this.#next;
    this.#bytes = 0;
    this.#dropped = 0;
    this.#droppedUntilMs = Number.NEGATIVE_INFINITY;
  }

  /** Calls `listener` from now on, until what it returns is called. */
  listen(listener: JournalListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #placeOf(seq: number): number {
    return (seq - this.#base) % this.limits.maxEntries;
  }

  #at(seq: number): Writable | undefined {
    return this.#ring[this.#placeOf(seq)];
  }

  #holds(entry: Entry): boolean {
    return entry.seq >= this.#oldest;
  }

  #makeRoom(): void {
    while (this.#bytes > this.limits.maxBytes && this.size > 1) this.#drop();
  }

  #drop(): void {
    const place = this.#placeOf(this.#oldest++);
    const entry = this.#ring[place];
    if (entry === undefined) return;
    this.#ring[place] = undefined;
    this.#bytes -= bytesOf(entry);
    this.#dropped++;
    this.#droppedUntilMs = Math.max(this.#droppedUntilMs, entry.atMs);
  }

  #tell(entry: Entry): void {
    if (this.#listeners.size === 0) return;
    const told = shown(entry);
    for (const listener of this.#listeners) listener(told);
  }

  #kept(text: string | undefined): string | undefined {
    return text === undefined ? undefined : keptText(text, this.limits.maxTextLength);
  }
}

/** An entry that is over never changes again; one that is open is handed out as it is now. */
function shown(entry: Entry): Entry {
  return entry.delivery.state === 'open' ? { ...entry } : entry;
}

function bytesOf({ path, request, response, requestId, reason }: Entry): number {
  return (
    entryBytes +
    path.length +
    (request?.length ?? 0) +
    (response?.length ?? 0) +
    (requestId?.length ?? 0) +
    (reason?.length ?? 0)
  );
}

function redactedMiss({ rule, why }: NearMiss): NearMiss {
  return { rule, why: redactText(why) };
}
