/** What was asked and answered, and the books as they stand: all that a verdict rests on. */
import type { OperationName } from '../contract/operations.ts';
import type { Account, Transfer } from '../domain/ledger.ts';
import type { Books } from '../domain/ports.ts';
import type { Entry } from '../journal/entry.ts';
import type { World } from '../world/world.ts';
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
  /** Exchanges that are gone from the journal. What did not happen cannot be told where there are any. */
  readonly dropped: number;
  readonly records: Records;
  readonly cardCount: number;
  /** Whether the merchant's cards carry customer ids, as far as some of them show. */
  readonly hasCustomers: boolean;
  /** Ids of the cards that a scenario has given, by what it calls them. */
  readonly givenCards: ReadonlyMap<string, string>;
  /** What the accounts hold, one row for each currency, in minor units. */
  readonly balances: readonly Readonly<Record<Account, number>>[];
  readonly #bodies = new Map<Entry, unknown>();
  readonly #answers = new Map<Entry, unknown>();
  readonly #byOperation = new Map<OperationName, Entry[]>();
  readonly #merged = new Map<string, readonly Entry[]>();
  readonly #transfers: ReadonlyMap<string, readonly Transfer[]>;

  constructor(world: World) {
    this.merchant = world.merchant;
    this.atMs = world.nowMs();
    this.clockStands = world.clock.frozen;
    this.entries = world.journal.find();
    this.dropped = world.journal.dropped;
    this.records = world;
    this.cardCount = world.cards.size;
    this.hasCustomers = world.cards
      .resolve(world.cards.byCreation.slice(0, cardsLookedAt))
      .some(({ externalCustomerId }) => externalCustomerId !== undefined);
    this.givenCards = world.givenCards;
    this.balances = [...world.balances().values()];
    this.#transfers = groupedBy(world.transfers(), ({ payment }) => payment);
    for (const entry of this.entries) {
      if (entry.operation === undefined) continue;
      const others = this.#byOperation.get(entry.operation);
      if (others === undefined) this.#byOperation.set(entry.operation, [entry]);
      else others.push(entry);
    }
  }

  /** Whether nothing is missing, so that an absence is one. */
  get isWhole(): boolean {
    return this.dropped === 0;
  }

  /** The exchanges of these operations, oldest first. */
  of(...operations: readonly OperationName[]): readonly Entry[] {
    const [only, ...others] = operations;
    if (only === undefined) return [];
    const first = this.#byOperation.get(only) ?? [];
    if (others.length === 0) return first;
    const name = operations.join(' ');
    const known = this.#merged.get(name);
    if (known !== undefined) return known;
    const merged = [first, ...others.map((one) => this.#byOperation.get(one) ?? [])]
      .flat()
      .toSorted((a, b) => a.seq - b.seq);
    this.#merged.set(name, merged);
    return merged;
  }

  /** What went back to the cardholder of what a payment took, in minor units; more than it took is a loss. */
  wentBackOf(paymentId: string): number {
    const back = this.#transfers.get(paymentId) ?? [];
    return back.reduce((sum, { cause, amount }) => sum + signOf(cause) * amount.minor, 0);
  }

  /** A request's JSON body as the journal keeps it, redacted; absent where it is none, or was cut. */
  bodyOf(entry: Entry): unknown {
    return parsedOnce(this.#bodies, entry, entry.request);
  }

  /** The same for a body that redaction has broken: a card number that was sent as a JSON number is now a bare mask. */
  quotedBodyOf({ request = '' }: Entry): unknown {
    return parsedJson(request.replaceAll(/([:[,]\s*)(x{12}\d{0,4})(?=\s*[,}\]])/g, '$1"$2"'));
  }

  /** The same for an answer. */
  answerOf(entry: Entry): unknown {
    return parsedOnce(this.#answers, entry, entry.response);
  }
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
  if (!overlap(earlier, later)) return false;
  const { delivery, real } = earlier;
  const broke = delivery.state === 'lost' || delivery.state === 'cut';
  return !broke || real.closedMs - later.real.openedMs > lateNewsMs;
}

/** How long an exchange was open, on whichever clock that was longer; 0 while it is. */
export function heldMs({ atMs, overAtMs, real }: Entry): number {
  return Math.max(0, overAtMs - atMs, real.closedMs - real.openedMs);
}

/** Many rules ask it of the same exchanges, and entries of the journal do not change once they are over. */
const recordIds = new WeakMap<Entry, { readonly id: string | undefined }>();

/** Id of the record in a request's path. */
export function recordIn(entry: Entry): string | undefined {
  const known = recordIds.get(entry);
  if (known !== undefined) return known.id;
  const id = /^\/v1\/[a-z]+\/[a-z-]+\/([\w-]+)/.exec(entry.path)?.[1];
  recordIds.set(entry, { id });
  return id;
}

/** What was won back is no loss any more. */
function signOf(cause: Transfer['cause']): number {
  if (cause === 'sale' || cause === 'capture') return 0;
  return cause === 'chargeback-won' ? -1 : 1;
}

function parsedOnce(known: Map<Entry, unknown>, entry: Entry, text: string | undefined): unknown {
  if (text === undefined || text === '') return undefined;
  if (known.has(entry)) return known.get(entry);
  const parsed = parsedJson(text);
  known.set(entry, parsed);
  return parsed;
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
