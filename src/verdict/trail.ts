/** What was asked and answered, and the books as they stand: all that a verdict rests on. */
import type { OperationName } from '../contract/operations.ts';
import type { Account, Transfer } from '../domain/ledger.ts';
import type { Books } from '../domain/ports.ts';
import type { Entry } from '../journal/entry.ts';
import type { World } from '../world/world.ts';
import { ByRecord } from './by-record.ts';
import { Clues, type BodyClue, type KeyClue, type PathClue } from './clues.ts';
import { groupedBy } from './grouped.ts';

/** The records that findings are looked up in. */
export type Records = Pick<
  Books,
  'cards' | 'payments' | 'sales' | 'authorizations' | 'captures' | 'refunds'
>;

/** Of what many cards have in common, these tell enough. */
const cardsLookedAt = 50;

/** One merchant's journal and books at one instant. Nothing in it changes; what is costly is worked out once. */
export class Trail {
  readonly merchant: string;
  readonly atMs: number;
  /** The merchant's clock stands still: a wait that a client only plays leaves no trace on it. */
  readonly clockStands: boolean;
  /** Every exchange that the journal holds, oldest first. */
  readonly entries: readonly Entry[];
  /** Those that an outcome was forced on. */
  readonly forced: readonly Entry[];
  /** Those with something about them before anybody looks at the money: a refusal, a warning, a sign, no operation. */
  readonly remarkable: readonly Entry[];
  /** Those that carry a request id. */
  readonly keyed: readonly Entry[];
  /** How many are under way. */
  readonly open: number;
  /** Exchanges that are gone from the journal. What did not happen cannot be told where there are any. */
  readonly dropped: number;
  /** Nothing is kept of any exchange, as whoever started the sandbox wished. */
  readonly isBlind: boolean;
  readonly records: Records;
  readonly cardCount: number;
  /** Whether the merchant's cards carry customer ids, as far as some of them show. */
  readonly hasCustomers: boolean;
  /** Ids of the cards that a scenario has given, by what it calls them. */
  readonly givenCards: ReadonlyMap<string, string>;
  /** By their text: clients send the same one over and over. */
  readonly #parsed = new Map<string, unknown>();
  readonly #byOperation = new Map<OperationName, Entry[]>();
  readonly #merged = new Map<string, readonly Entry[]>();
  readonly #world: World;
  #transfers: ReadonlyMap<string, readonly Transfer[]> | undefined;
  readonly #clues = new Clues();
  readonly #byRecord = new ByRecord();
  readonly #about = new Map<ReadonlySet<OperationName>, Map<string, readonly Entry[]>>();

  constructor(world: World) {
    this.#world = world;
    this.merchant = world.merchant;
    this.atMs = world.nowMs();
    this.clockStands = world.clock.frozen;
    this.entries = world.journal.find();
    this.dropped = world.journal.dropped;
    this.isBlind = world.journal.isOff;
    this.records = world;
    this.cardCount = world.cards.size;
    this.hasCustomers = world.cards
      .resolve(world.cards.byCreation.slice(0, cardsLookedAt))
      .some(({ externalCustomerId }) => externalCustomerId !== undefined);
    this.givenCards = world.givenCards;
    const forced: Entry[] = [];
    const remarkable: Entry[] = [];
    const keyed: Entry[] = [];
    let open = 0;
    // One walk for all of it: with many exchanges most of the time goes into fetching them.
    for (const entry of this.entries) {
      this.#clues.lookAt(entry);
      const record = recordIn(entry);
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
  get isWhole(): boolean {
    return this.dropped === 0;
  }

  /** The exchanges of these operations, oldest first. */
  of(...operations: readonly OperationName[]): readonly Entry[] {
    const lists = operations.flatMap((operation): (readonly Entry[])[] => {
      const list = this.#byOperation.get(operation);
      return list === undefined ? [] : [list];
    });
    const [only] = lists;
    if (only === undefined || lists.length === 1) return only ?? [];
    const name = operations.join(' ');
    const known = this.#merged.get(name);
    if (known !== undefined) return known;
    const merged = lists.reduce(inOneOrder);
    this.#merged.set(name, merged);
    return merged;
  }

  /**
   * The exchanges of these operations whose path names a record, oldest first. Asked with the same set again, it costs
   * nothing: one card may be read before each of thousands of purchases.
   */
  about(record: string, operations: ReadonlySet<OperationName>): readonly Entry[] {
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

  /** What went back to the cardholder of what a payment took, in minor units; more than it took is a loss. */
  wentBackOf(paymentId: string): number {
    this.#transfers ??= groupedBy(this.#world.transfers(), ({ payment }) => payment);
    const back = this.#transfers.get(paymentId) ?? [];
    return back.reduce((sum, { cause, amount }) => sum + signOf(cause) * amount.minor, 0);
  }

  /** The exchanges whose request holds this in its address, oldest first. */
  withInPath(clue: PathClue): readonly Entry[] {
    return this.#clues.inPath(clue);
  }

  /** The exchanges whose request holds this in its body, oldest first. */
  withInBody(clue: BodyClue): readonly Entry[] {
    return this.#clues.inBody(clue);
  }

  /** The exchanges whose request id holds this, oldest first. */
  withInKey(clue: KeyClue): readonly Entry[] {
    return this.#clues.inKey(clue);
  }

  /** A request's JSON body as the journal keeps it, redacted; absent where it is none, or was cut. */
  bodyOf(entry: Entry): unknown {
    return this.#parsedOnce(entry.request);
  }

  /** The same for a body that redaction has broken: a card number that was sent as a JSON number is now a bare mask. */
  quotedBodyOf({ request = '' }: Entry): unknown {
    return parsedJson(request.replaceAll(/([:[,]\s*)(x{12}\d{0,4})(?=\s*[,}\]])/g, '$1"$2"'));
  }

  /** The same for an answer. */
  answerOf(entry: Entry): unknown {
    return this.#parsedOnce(entry.response);
  }

  #parsedOnce(text: string | undefined): unknown {
    if (text === undefined || text === '') return undefined;
    const known = this.#parsed.get(text);
    if (known !== undefined) return known;
    const parsed = parsedJson(text);
    this.#parsed.set(text, parsed);
    return parsed;
  }
}

/** Both lists in one, as they came. */
function inOneOrder(one: readonly Entry[], other: readonly Entry[]): Entry[] {
  const merged: Entry[] = [];
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

function isRemarkable({ operation, problem, warnings, signs }: Entry): boolean {
  return (
    operation === undefined || problem !== undefined || warnings.length > 0 || signs.length > 0
  );
}

/** Time between the beginnings of two exchanges: on whichever clock more of it has passed. */
export function gapMs(earlier: Entry, later: Entry): number {
  return Math.max(later.atMs - earlier.atMs, later.real.openedMs - earlier.real.openedMs);
}

/** Whether two exchanges were under way at the same time. */
export function overlap(earlier: Entry, later: Entry): boolean {
  return earlier.overAtSeq === 0 || later.seq < earlier.overAtSeq;
}

/** A client may come again before the end of the connection it left, or lost, is noticed here. */
const lateNewsMs = 50;

/** Whether a client had two exchanges at once: not where the first broke, or was left, just before the second. */
export function atOnce(earlier: Entry, later: Entry): boolean {
  return overlap(earlier, later) && later.real.openedMs < brokeAtMs(earlier);
}

/** When a client may have known that an exchange broke, on the machine's clock; never, where it did not. */
export function brokeAtMs({ delivery, real }: Entry): number {
  const broke = delivery.state === 'lost' || delivery.state === 'cut';
  return broke ? real.closedMs - lateNewsMs : Number.POSITIVE_INFINITY;
}

/** How long an exchange was open, on whichever clock that was longer; 0 while it is. */
export function heldMs({ atMs, overAtMs, real }: Entry): number {
  return Math.max(0, overAtMs - atMs, real.closedMs - real.openedMs);
}

/** Id of the record in a request's path. */
export function recordIn({ path }: Entry): string | undefined {
  return /^\/v1\/[a-z]+\/[a-z-]+\/([\w-]+)/.exec(path)?.[1];
}

/** What was won back is no loss any more. */
function signOf(cause: Transfer['cause']): number {
  if (cause === 'sale' || cause === 'capture') return 0;
  return cause === 'chargeback-won' ? -1 : 1;
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
