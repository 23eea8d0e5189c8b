/** What was asked and answered, and the books as they stand: all that a verdict rests on. */
import type { OperationName } from '../../contract/service/operations.ts';
import {
  turnoverOf,
  type Account,
  type Transfer,
  type Turnover,
} from '../../domain/money/ledger.ts';
import type { Books } from '../../domain/ports.ts';
import type { StoredEntry } from '../../journal/stored-entry.ts';
import { restoreId } from '../../outcomes/effects/long-id-dialect.ts';
import type { World } from '../../world/world.ts';
import { groupBy } from './group-by.ts';
import { TextPrefilter, type BodyTrait, type KeyTrait, type PathTrait } from './text-prefilter.ts';

/** The records that findings are looked up in. */
export type Records = Pick<
  Books,
  'cards' | 'payments' | 'sales' | 'authorizations' | 'captures' | 'refunds'
>;

/** One merchant's journal and books, for as long as nothing else happens. What is costly is worked out once. */
export class JournalIndex {
  readonly merchant: string;
  readonly atMs: number;
  /** The merchant's clock stands still: a wait that a client only plays leaves no trace on it. */
  readonly isClockFrozen: boolean;
  /** Every exchange that the journal holds, oldest first. */
  readonly entries: readonly StoredEntry[];
  /** Those that an outcome was forced on. */
  readonly forced: readonly StoredEntry[];
  /** Those with something about them before anybody looks at the money: a refusal, a warning, a sign, no operation. */
  readonly remarkable: readonly StoredEntry[];
  /** Those that carry a request id. */
  readonly keyed: readonly StoredEntry[];
  /** How many are under way. */
  readonly open: number;
  /** Exchanges that are gone from the journal. What did not happen cannot be told where there are any. */
  readonly dropped: number;
  /** Nothing is kept of any exchange, as whoever started the sandbox wished. */
  readonly isJournalOff: boolean;
  readonly records: Records;
  readonly cardCount: number;
  /** Ids of the cards that a scenario has given, by what it calls them. */
  readonly givenCards: ReadonlyMap<string, string>;
  readonly #parsed = new Map<string, unknown>();
  readonly #byOperation = new Map<OperationName, StoredEntry[]>();
  readonly #merged = new Map<string, readonly StoredEntry[]>();
  readonly #world: World;
  #transfers: ReadonlyMap<string, readonly Transfer[]> | undefined;
  readonly #clues = new TextPrefilter();
  readonly #byRecord = new EntriesByRecord();
  readonly #about = new Map<ReadonlySet<OperationName>, Map<string, readonly StoredEntry[]>>();

  constructor(world: World) {
    this.#world = world;
    this.merchant = world.merchant;
    this.atMs = world.nowMs();
    this.isClockFrozen = world.clock.frozen;
    this.entries = world.journal.all();
    this.dropped = world.journal.dropped;
    this.isJournalOff = world.journal.isOff;
    this.records = world;
    this.cardCount = world.cards.size;
    this.givenCards = world.givenCards;
    const forced: StoredEntry[] = [];
    const remarkable: StoredEntry[] = [];
    const keyed: StoredEntry[] = [];
    let open = 0;
    // One walk for all of it: with many exchanges most of the time goes into fetching them.
    for (const entry of this.entries) {
      this.#clues.add(entry);
      const record = recordIdIn(entry);
      if (record !== undefined) this.#byRecord.add(record, entry);
      if (entry.overAtSeq === 0) open++;
      if (entry.outcomes.length > 0) forced.push(entry);
      if (isRemarkable(entry)) remarkable.push(entry);
      if (entry.requestId !== undefined) keyed.push(entry);
      if (entry.operation === undefined) continue;
      const others = this.#byOperation.get(entry.operation);
      if (others === undefined) this.#byOperation.set(entry.operation, [entry]);
      else others.push(entry);
    }
    this.forced = forced;
    this.remarkable = remarkable;
    this.keyed = keyed;
    this.open = open;
  }

  /** Whether nothing is missing, so that an absence is one. */
  get isComplete(): boolean {
    return this.dropped === 0;
  }

  /** The exchanges of these operations, oldest first. */
  of(...operations: readonly OperationName[]): readonly StoredEntry[] {
    const lists = operations.flatMap((operation): (readonly StoredEntry[])[] => {
      const list = this.#byOperation.get(operation);
      return list === undefined ? [] : [list];
    });
    const [only] = lists;
    if (only === undefined || lists.length === 1) return only ?? [];
    const name = operations.join(' ');
    const known = this.#merged.get(name);
    if (known !== undefined) return known;
    const merged = lists.reduce(mergeBySeq);
    this.#merged.set(name, merged);
    return merged;
  }

  /**
   * The exchanges of these operations whose path names a record, oldest first. Asked with the same set again, it costs
   * nothing: one card may be read before each of thousands of purchases.
   */
  about(record: string, operations: ReadonlySet<OperationName>): readonly StoredEntry[] {
    let known = this.#about.get(operations);
    if (known === undefined) this.#about.set(operations, (known = new Map()));
    let found = known.get(record);
    if (found === undefined) {
      found = this.#byRecord
        .of(record)
        .filter(({ operation }) => operation !== undefined && operations.has(operation));
      known.set(record, found);
    }
    return found;
  }

  /** What the accounts hold, one row for each currency, in minor units. */
  get balances(): readonly Readonly<Record<Account, number>>[] {
    return [...this.#world.balances().values()];
  }

  /** What moved of a payment, oldest first. */
  transfersOf(paymentId: string): readonly Transfer[] {
    return this.#transfersByPayment.get(paymentId) ?? [];
  }

  /** What a payment took of the cardholder and gave back, in minor units of its currency; `undefined` where it took nothing. */
  turnoverOf(paymentId: string): Turnover | undefined {
    return turnoverOf(this.transfersOf(paymentId))[0];
  }

  /** Ids of the payments that money moved of, whoever made them. */
  get paymentsWithTransfers(): Iterable<string> {
    return this.#transfersByPayment.keys();
  }

  get #transfersByPayment(): ReadonlyMap<string, readonly Transfer[]> {
    return (this.#transfers ??= groupBy(this.#world.transfers(), ({ payment }) => payment));
  }

  /** The exchanges whose request holds this in its address, oldest first. */
  wherePathHas(clue: PathTrait): readonly StoredEntry[] {
    return this.#clues.inPath(clue);
  }

  /** The exchanges whose request holds this in its body, oldest first. */
  whereBodyHas(clue: BodyTrait): readonly StoredEntry[] {
    return this.#clues.inBody(clue);
  }

  /** The exchanges whose request id holds this, oldest first. */
  whereKeyHas(clue: KeyTrait): readonly StoredEntry[] {
    return this.#clues.inKey(clue);
  }

  /** A request's JSON body as the journal keeps it, redacted; absent where it is none, or was cut. */
  bodyOf(entry: StoredEntry): unknown {
    return this.#parsedOnce(entry.request);
  }

  /** As much of it as says what is asked for, which is there of a long one too: the card, the money and its names. */
  requestFieldsOf(entry: StoredEntry): unknown {
    return this.#parsedOnce(entry.requestSummary ?? entry.request);
  }

  /** An answer's body, as far as a request's is there. */
  answerOf(entry: StoredEntry): unknown {
    return this.#parsedOnce(entry.response);
  }

  #parsedOnce(text: string | undefined): unknown {
    if (text === undefined || text === '') return undefined;
    const known = this.#parsed.get(text);
    if (known !== undefined) return known;
    const parsed = parseJson(text);
    this.#parsed.set(text, parsed);
    return parsed;
  }
}

/** Both lists in one, as they came. */
function mergeBySeq(one: readonly StoredEntry[], other: readonly StoredEntry[]): StoredEntry[] {
  const merged: StoredEntry[] = [];
  let at = 0;
  for (const entry of one) {
    for (let next = other[at]; next !== undefined && next.seq < entry.seq; next = other[++at]) {
      merged.push(next);
    }
    merged.push(entry);
  }
  for (; at < other.length; at++) {
    const left = other[at];
    if (left !== undefined) merged.push(left);
  }
  return merged;
}

function isRemarkable({ operation, problem, warnings, signs }: StoredEntry): boolean {
  return (
    operation === undefined || problem !== undefined || warnings.length > 0 || signs.length > 0
  );
}

/** Id of the record in a request's path, as it is stored. */
export function recordIdIn({ path }: StoredEntry): string | undefined {
  const id = /^\/v1\/[a-z]+\/[a-z-]+\/([\w-]+)/.exec(path)?.[1];
  return id && restoreId(id);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Nearly every record is named once or twice: a chain from the latest to the first takes less than a list for each. */
export class EntriesByRecord {
  readonly #entries: StoredEntry[] = [];
  readonly #latest = new Map<string, number>();
  /** For each, the place of the one before that names the same record; -1 where there is none. */
  readonly #before: number[] = [];

  add(record: string, entry: StoredEntry): void {
    const place = this.#entries.push(entry) - 1;
    this.#before.push(this.#latest.get(record) ?? -1);
    this.#latest.set(record, place);
  }

  /** Those that name it, oldest first. */
  of(record: string): StoredEntry[] {
    const found: StoredEntry[] = [];
    let place = this.#latest.get(record) ?? -1;
    while (place >= 0) {
      const entry = this.#entries[place];
      if (entry !== undefined) found.push(entry);
      place = this.#before[place] ?? -1;
    }
    return found.reverse();
  }
}

/** The same function, which asks only once about the same evidence, or journal. */
export function memoize<From extends object, T>(of: (from: From) => T): (from: From) => T {
  const known = new WeakMap<From, { readonly value: T }>();
  return (from) => {
    const found = known.get(from) ?? { value: of(from) };
    known.set(from, found);
    return found.value;
  };
}
