/** One merchant's world: all it knows, in one place. Dropping it is a reset. */
import type { Due } from '../domain/payment/overrides.ts';
import { post, type Account, type Transfer } from '../domain/money/ledger.ts';
import type { Currency } from '../domain/money/money.ts';
import type { Books, Change, HouseRules, Ids } from '../domain/ports.ts';
import { befall } from '../domain/payment/settlement-events.ts';
import { refuse, type Refusal } from '../domain/refusals.ts';
import type { CardGuard } from '../guard/card-guard.ts';
import { Journal, type JournalLimits } from '../journal/journal.ts';
import { EndOfWaits } from '../journal/query/wait.ts';
import type { Tally } from '../journal/counters.ts';
import { checkedCatalogue } from '../outcomes/catalogue.ts';
import { askedByCard } from '../outcomes/triggers/magic-values.ts';
import type { ChangeKind } from '../outcomes/outcome.ts';
import { RuleBook } from '../outcomes/rules/rule-book.ts';
import type { Expectations } from '../scenarios/expect.ts';
import type { MissedEvent, TimelineEntry } from '../scenarios/timeline.ts';
import { Agenda } from './time/scheduler.ts';
import { clockStart, WorldClock, type ClockStart } from './time/clock.ts';
import { stream } from './random/dice.ts';
import { Holdings, type ReadTables, type WorldBase } from './store/store.ts';
import { RecentChanges } from './store/change-log.ts';
import { RequestIds } from './idempotency.ts';
import { reach } from './time/timeline-event.ts';
import { appId, debugIds, recordIds } from './random/ids.ts';
import { TestCards } from './test-cards.ts';
import { statesOf, streamsFrom, type Streams } from './random/streams.ts';
import { freshState, type KeptWorld, type Origin } from './world-state.ts';

export interface WorldSettings {
  readonly seed: string;
  readonly rules: HouseRules;
  readonly clock: ClockStart;
  readonly realNowMs: () => number;
  /** The most records (cards, payments and what came of them) one world holds. */
  readonly maxRecords: number;
  readonly maxRequestIds: number;
  readonly journal: Partial<JournalLimits>;
  /** Counts the requests of every world that is given it. */
  readonly tally?: Tally | undefined;
  readonly guard: CardGuard;
}

/** What a read looks at: the books, with the orders that lists are cut from. */
export type ReadSide = Books & ReadTables;

export class World implements Books {
  readonly merchant: string;
  readonly rules: HouseRules;
  readonly clock: WorldClock;
  readonly ids: Ids;
  readonly nextDebugId: () => string;
  readonly requestIds: RequestIds;
  readonly ruleBook: RuleBook;
  readonly agenda: Agenda;
  readonly journal: Journal;
  /** Ends its waits when another world takes its place: nothing more will come of it. */
  readonly ended = new EndOfWaits();
  /** Ids of the cards a scenario has given, by what it calls them. */
  readonly givenCards: Map<string, string>;
  /** When the scenario that is played began, on this world's clock. */
  scenarioStartMs: number | undefined;
  /** What the scenario says should be true in the end. */
  expect: Expectations | undefined;
  readonly testCards: TestCards;
  /** Points of a scenario's timeline still to come, in order. */
  readonly stage: TimelineEntry[];
  /** Events of it that came and befell nothing. */
  readonly missed: MissedEvent[];
  readonly cards: Holdings['cards'];
  readonly payments: Holdings['payments'];
  readonly sales: Holdings['sales'];
  readonly authorizations: Holdings['authorizations'];
  readonly captures: Holdings['captures'];
  readonly refunds: Holdings['refunds'];
  /** What changed last: a read may be answered as if it had not. */
  readonly recent: RecentChanges;
  readonly #holdings: Holdings;
  readonly #origin: Origin;
  readonly #streams: Streams;
  readonly #maxRecords: number;
  readonly #guard: CardGuard;

  /** A fresh world over a base, or one that goes on where another was kept. */
  constructor(merchant: string, settings: WorldSettings, from?: WorldBase | KeptWorld) {
    const { realNowMs } = settings;
    const { holdings, state, recent } =
      from !== undefined && 'state' in from
        ? { ...from, holdings: from.holdings.copy() }
        : {
            holdings: new Holdings(from),
            state: freshState(
              { seed: settings.seed, merchant },
              clockStart(settings.clock, realNowMs()),
            ),
            recent: [],
          };
    const { seed, merchant: namesake } = state.origin;
    this.merchant = merchant;
    this.rules = settings.rules;
    this.#origin = state.origin;
    this.#streams = streamsFrom(state.streams);
    this.clock = new WorldClock(realNowMs, state.clock);
    this.ids = recordIds(this.#streams, {
      card: (id) => holdings.cards.get(id) !== undefined,
      payment: (id) => holdings.payments.get(id) !== undefined,
      transaction: (id) => holdings.hasTransaction(id),
    });
    this.nextDebugId = debugIds(this.#streams.debug.draw);
    this.requestIds = new RequestIds(settings.maxRequestIds, state.requestIds);
    this.testCards = new TestCards(
      (deck) => stream(seed, namesake, 'test-cards', deck),
      state.dealtCards,
    );
    this.#guard = settings.guard;
    this.journal = new Journal(settings.journal, realNowMs, settings.tally, (number) =>
      settings.guard.admits(number),
    );
    this.ruleBook = new RuleBook(
      checkedCatalogue,
      `${seed} ${namesake}`,
      realNowMs,
      state.ruleBook,
    );
    this.agenda = new Agenda(state.agenda);
    this.givenCards = new Map(state.givenCards);
    this.scenarioStartMs = state.scenarioStartMs;
    this.expect = state.expect;
    this.stage = [...state.timeline];
    this.missed = [...state.missed];
    this.cards = holdings.cards;
    this.payments = holdings.payments;
    this.sales = holdings.sales;
    this.authorizations = holdings.authorizations;
    this.captures = holdings.captures;
    this.refunds = holdings.refunds;
    this.recent = new RecentChanges(recent);
    this.#holdings = holdings;
    this.#maxRecords = settings.maxRecords;
  }

  /** All of this world but its journal, to go on from. It costs what was written since the base. */
  keep(): KeptWorld {
    return {
      holdings: this.#holdings.copy(),
      state: {
        origin: this.#origin,
        clock: this.clock.state,
        streams: statesOf(this.#streams),
        requestIds: this.requestIds.state,
        ruleBook: this.ruleBook.written(),
        dealtCards: this.testCards.dealt,
        agenda: this.agenda.state,
        timeline: [...this.stage],
        missed: [...this.missed],
        givenCards: [...this.givenCards],
        scenarioStartMs: this.scenarioStartMs,
        expect: this.expect,
      },
      recent: this.recent.state,
    };
  }

  /** The `app_id` in token answers. Drawn anew for each, as few worlds are asked for a token. */
  get appId(): string {
    return appId(this.#origin.seed, this.#origin.merchant);
  }

  nowMs(): number {
    return this.clock.nowMs();
  }

  askedBy(pan: string): string | undefined {
    return askedByCard(pan);
  }

  admits(pan: string): boolean {
    return this.#guard.admits(pan);
  }

  /** A random word for one token. */
  nextNonce(): string {
    const { draw } = this.#streams.nonce;
    return draw(0, 0x7fff_ffff).toString(36) + draw(0, 0x7fff_ffff).toString(36);
  }

  paymentWithInvoice(invoiceNumber: string): string | undefined {
    return this.#holdings.paymentWithInvoice(invoiceNumber);
  }

  /** Every movement of money in this world, oldest first. */
  transfers(): readonly Transfer[] {
    return this.#holdings.transfers();
  }

  /** What the accounts hold, by currency, in minor units. */
  balances(): ReadonlyMap<Currency, Readonly<Record<Account, number>>> {
    const balances = new Map<Currency, Record<Account, number>>();
    for (const transfer of this.transfers()) post(balances, transfer);
    return balances;
  }

  /** How many records this world holds. */
  get records(): number {
    return this.#holdings.size;
  }

  /** Why a change cannot be taken in, if it cannot: the memory of a world is bounded. */
  roomFor(change: Change): Refusal | undefined {
    const { writes } = change;
    // All that is written may be new, which is far from the bound mostly.
    if (this.records + writes.length <= this.#maxRecords) return undefined;
    const more = writes.filter(
      (write) => !('removed' in write) && !this.#holdings.has(write.record.id),
    ).length;
    if (more === 0 || this.records + more <= this.#maxRecords) return undefined;
    return refuse(
      'records-full',
      `This merchant holds ${this.records} records, and with ${more} more it would hold more than the ${this.#maxRecords} it may (--max-records).`,
    ).refusal;
  }

  /** Applies a change. One synchronous step: nobody ever sees half of it. */
  commit(change: Change, atMs = this.nowMs()): void {
    this.recent.note(this.#holdings, change.writes, atMs);
    this.#holdings.apply(change.writes, change.transfers);
    for (const due of change.due ?? []) this.agenda.note(due);
  }

  /** Lets everything happen that has fallen due by now, each at its own instant. */
  settle(): void {
    // Asked by every request, mostly of a world in which nothing will ever fall due.
    if (this.stage.length === 0 && this.agenda.size === 0) return;
    const nowMs = this.clock.nowMs();
    for (;;) {
      const [point] = this.stage;
      const dueMs = this.agenda.nextMs ?? Number.POSITIVE_INFINITY;
      // What falls due at the same instant was there before: a point of the timeline finds it done.
      if (point !== undefined && point.atMs <= nowMs && point.atMs < dueMs) {
        this.stage.shift();
        reach(this, point);
        continue;
      }
      const due = this.agenda.take(nowMs);
      if (due === undefined) return;
      this.befall(due);
    }
  }

  /** Lets something happen at its instant; whether it changed anything. */
  befall({ atMs, event }: Due): boolean {
    const change = befall(this.#booksAt(atMs), event);
    if (change !== undefined) this.commit(change, atMs);
    return change !== undefined;
  }

  /** These books as they are, read at another instant. */
  #booksAt(atMs: number): Books {
    return this.#booksOf(this, () => atMs);
  }

  /** These books as a replica has them that has not heard of what befell records within `lagMs`. */
  replica(unheard: ChangeKind, lagMs: number): ReadSide {
    const held = this.recent.without(unheard, this.nowMs() - lagMs, this.#holdings);
    return this.#booksOf(held, () => this.nowMs());
  }

  #booksOf(records: ReadTables, nowMs: () => number): ReadSide {
    const { ids, rules } = this;
    const { cards, payments, sales, authorizations, captures, refunds } = records;
    return {
      ids,
      rules,
      cards,
      payments,
      sales,
      authorizations,
      captures,
      refunds,
      nowMs,
      askedBy: (pan: string) => this.askedBy(pan),
      admits: (pan: string) => this.admits(pan),
      paymentWithInvoice: (invoiceNumber: string) => this.paymentWithInvoice(invoiceNumber),
    };
  }

  /** Ids of sales, from the first or the last that was made on; only those with a card where one is named. */
  *salesFrom(end: 'first' | 'last', cardId: string | undefined): Generator<string, undefined> {
    const { byCreation } = this.payments;
    for (let rank = 0; rank < byCreation.size; rank++) {
      const place = byCreation.at(end === 'first' ? rank : byCreation.size - 1 - rank);
      const payment = place && this.payments.get(place.id);
      if (payment === undefined) continue;
      const { instrument, related } = payment;
      if (cardId !== undefined && !(instrument.kind === 'token' && instrument.cardId === cardId)) {
        continue;
      }
      // A payment has one sale or none, and all else came of that.
      if (related.first?.kind === 'sale') yield related.first.id;
    }
  }

  /** What this world holds, to be the beginning of others. */
  asBase(): WorldBase {
    return this.#holdings.asBase();
  }
}
