/** The facts of a verdict: every exchange in the journal, and the records and ledger as they are now. */
import { defaultServiceTimeMs } from '../../contract/constants.ts';
import type { OperationName } from '../../contract/service/operation-name.ts';
import {
  balancesOf,
  turnoverOf,
  type Account,
  type Transfer,
  type Turnover,
} from '../../domain/money/ledger.ts';
import type { StoredEntry } from '../../journal/stored-entry.ts';
import { restoreId } from '../../outcomes/effects/long-id-dialect.ts';
import type { MoneyRecords } from '../../world/settled-records.ts';
import type { World } from '../../world/world.ts';
import { EntriesByRecord } from './indexes/entries-by-record.ts';
import { groupBy } from './group-by.ts';
import type { Records } from './records.ts';
import {
  TextPrefilter,
  type BodyTrait,
  type KeyTrait,
  type PathTrait,
} from './indexes/text-prefilter.ts';

/** One merchant's journal and ledger at one moment. Costly lookups are computed on first use and kept. */
export class JournalIndex {
  readonly merchant: string;
  readonly atMs: number;
  /** How long the real service is assumed to take for a payment, where the order of requests does not tell. */
  readonly serviceTimeMs: number;
  /** Whether the merchant's clock is frozen, so that a simulated wait leaves no trace on it. */
  readonly isClockFrozen: boolean;
  /** Every exchange in the journal, oldest first. */
  readonly entries: readonly StoredEntry[];
  /** The exchanges on which an outcome was forced. */
  readonly forced: readonly StoredEntry[];
  /** The exchanges with a refusal, a warning, a sign of a bad habit, or no known operation. */
  readonly remarkable: readonly StoredEntry[];
  /** The exchanges with a request id. */
  readonly keyed: readonly StoredEntry[];
  /** How many exchanges are still open. */
  readonly open: number;
  /** How many exchanges the journal has dropped. With any, nothing can be concluded from an absence. */
  readonly dropped: number;
  /** Whether the journal is switched off. */
  readonly isJournalOff: boolean;
  readonly records: Records;
  readonly cardCount: number;
  /** Ids of the cards that the scenario provides, by their names in it. */
  readonly givenCards: ReadonlyMap<string, string>;
  readonly #parsed = new Map<string, unknown>();
  readonly #byOperation = new Map<OperationName, StoredEntry[]>();
  readonly #merged = new Map<string, readonly StoredEntry[]>();
  readonly #money: MoneyRecords;
  #transfers: ReadonlyMap<string, readonly Transfer[]> | undefined;
  #moved: readonly Transfer[] | undefined;
  readonly #prefilter = new TextPrefilter();
  readonly #byRecord = new EntriesByRecord();
  readonly #about = new Map<ReadonlySet<OperationName>, Map<string, readonly StoredEntry[]>>();

  /** @param money The records and transfers to judge. Default: those of the world as it is now. */
  constructor(
    world: World,
    money: MoneyRecords = world,
    serviceTimeMs: number = defaultServiceTimeMs,
  ) {
    this.#money = money;
    this.serviceTimeMs = serviceTimeMs;
    this.merchant = world.merchant;
    this.atMs = world.nowMs();
    this.isClockFrozen = world.clock.frozen;
    this.entries = world.journal.all();
    this.dropped = world.journal.dropped;
    this.isJournalOff = world.journal.isOff;
    this.records = money;
    this.cardCount = world.cards.size;
    this.givenCards = world.givenCards;
    const forced: StoredEntry[] = [];
    const remarkable: StoredEntry[] = [];
    const keyed: StoredEntry[] = [];
    let open = 0;
    // One pass for everything: with many exchanges, fetching them takes most of the time.
    for (const entry of this.entries) {
      this.#prefilter.add(entry);
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

  /** Whether no exchange is missing, so that an absence proves something. */
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
   * The exchanges of these operations whose path names a record, oldest first.
   *
   * Results are kept per set of operations, because one card may be read before each of thousands of purchases.
   */
  about(recordId: string, operations: ReadonlySet<OperationName>): readonly StoredEntry[] {
    if (!this.#hasAny(operations) || !this.#byRecord.has(recordId)) return [];
    let byRecord = this.#about.get(operations);
    if (byRecord === undefined) {
      byRecord = new Map();
      this.#about.set(operations, byRecord);
    }
    let entries = byRecord.get(recordId);
    if (entries === undefined) {
      entries = this.#byRecord
        .of(recordId)
        .filter(({ operation }) => operation !== undefined && operations.has(operation));
      byRecord.set(recordId, entries);
    }
    return entries;
  }

  #hasAny(operations: ReadonlySet<OperationName>): boolean {
    for (const operation of operations) if (this.#byOperation.has(operation)) return true;
    return false;
  }

  /** The balances of all accounts in minor units, one row for each currency. */
  get balances(): readonly Readonly<Record<Account, number>>[] {
    return [...balancesOf(this.#money.transfers()).values()];
  }

  /** The transfers since the merchant's world began, oldest first: without those of fixtures. */
  get movedTransfers(): readonly Transfer[] {
    return (this.#moved ??= this.#money.movedTransfers());
  }

  /** The transfers of a payment, oldest first. */
  transfersOf(paymentId: string): readonly Transfer[] {
    return this.#transfersByPayment.get(paymentId) ?? [];
  }

  /** What a payment charged and refunded, in minor units; `undefined` if it charged nothing. */
  turnoverOf(paymentId: string): Turnover | undefined {
    return turnoverOf(this.transfersOf(paymentId))[0];
  }

  /** Ids of all payments that moved money, including those of fixtures. */
  get paymentsWithTransfers(): Iterable<string> {
    return this.#transfersByPayment.keys();
  }

  get #transfersByPayment(): ReadonlyMap<string, readonly Transfer[]> {
    return (this.#transfers ??= groupBy(this.#money.transfers(), ({ payment }) => payment));
  }

  /** The exchanges whose path has a trait, oldest first. */
  wherePathHas(trait: PathTrait): readonly StoredEntry[] {
    return this.#prefilter.inPath(trait);
  }

  /** The exchanges whose request body has a trait, oldest first. */
  whereBodyHas(trait: BodyTrait): readonly StoredEntry[] {
    return this.#prefilter.inBody(trait);
  }

  /** The exchanges whose request id has a trait, oldest first. */
  whereKeyHas(trait: KeyTrait): readonly StoredEntry[] {
    return this.#prefilter.inKey(trait);
  }

  /** The redacted JSON body of a request; `undefined` if it is not JSON or was truncated. */
  bodyOf(entry: StoredEntry): unknown {
    return this.#parsedOnce(entry.request);
  }

  /** The fields that say what a request asks for: card, amount and names. The journal keeps them of long bodies too. */
  requestFieldsOf(entry: StoredEntry): unknown {
    return this.#parsedOnce(entry.requestSummary ?? entry.request);
  }

  /** The redacted JSON body of an answer; `undefined` if it is not JSON or was truncated. */
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

/** Merges two ordered lists. */
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

/** The id of the record in a request's path, in its stored form. */
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
