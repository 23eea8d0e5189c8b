/** One merchant's world: all it knows, in one place. Dropping it is a reset. */
import type { ScheduledEvent } from '../domain/payment/overrides.ts';
import { postTransfer, type Account, type Transfer } from '../domain/money/ledger.ts';
import type { Currency } from '../domain/money/money.ts';
import type { Books, Change, MerchantPolicy, Ids } from '../domain/ports.ts';
import { planEvent } from '../domain/payment/settlement-events.ts';
import { refuse, type Refusal } from '../domain/refusals.ts';
import type { CardGuard } from '../guard/card-guard.ts';
import { Journal, type JournalLimits } from '../journal/journal.ts';
import { WaitCanceller } from '../journal/query/wait.ts';
import type { Counters } from '../journal/counters.ts';
import { checkedCatalogue } from '../outcomes/catalogue.ts';
import { findOutcomeByCardNumber } from '../outcomes/triggers/magic-values.ts';
import type { ChangeKind } from '../outcomes/outcome.ts';
import { RuleBook } from '../outcomes/rules/rule-book.ts';
import type { Expectations } from '../scenarios/expect.ts';
import type { IneffectiveEvent, TimelineEntry } from '../scenarios/timeline.ts';
import { Scheduler } from './time/scheduler.ts';
import { clockStart, WorldClock, type ClockStart } from './time/clock.ts';
import { createDraw } from './random/dice.ts';
import { RecordStore, type RecordTables, type WorldBase } from './store/store.ts';
import { ChangeLog } from './store/change-log.ts';
import { RequestIds } from './idempotency.ts';
import { runTimelineEntry } from './time/timeline-event.ts';
import { appId, debugIds, recordIds } from './random/ids.ts';
import { TestCards } from './test-cards.ts';
import { streamStates, createStreams, type RandomStreams } from './random/streams.ts';
import { freshState, type SavedWorld, type Origin } from './world-state.ts';

export interface WorldSettings {
  readonly seed: string;
  readonly policy: MerchantPolicy;
  readonly clock: ClockStart;
  readonly realNowMs: () => number;
  /** The most records (cards, payments and what came of them) one world holds. */
  readonly maxRecords: number;
  readonly maxRequestIds: number;
  readonly journal: Partial<JournalLimits>;
  /** Counts the requests of every world that is given it. */
  readonly counters?: Counters | undefined;
  readonly guard: CardGuard;
}

/** What a read looks at: the books, with the orders that lists are cut from. */
export type ReadModel = Books & RecordTables;

export class World implements Books {
  readonly merchant: string;
  readonly policy: MerchantPolicy;
  readonly clock: WorldClock;
  readonly ids: Ids;
  readonly nextDebugId: () => string;
  readonly requestIds: RequestIds;
  readonly ruleBook: RuleBook;
  readonly scheduler: Scheduler;
  readonly journal: Journal;
  /** Ends its waits when another world takes its place: nothing more will come of it. */
  readonly waits = new WaitCanceller();
  /** Ids of the cards a scenario has given, by what it calls them. */
  readonly givenCards: Map<string, string>;
  /** When the scenario that is played began, on this world's clock. */
  scenarioStartMs: number | undefined;
  /** What the scenario says should be true in the end. */
  expect: Expectations | undefined;
  readonly testCards: TestCards;
  /** Points of a scenario's timeline still to come, in order. */
  readonly timeline: TimelineEntry[];
  /** Events of it that came and befell nothing. */
  readonly missed: IneffectiveEvent[];
  readonly cards: RecordStore['cards'];
  readonly payments: RecordStore['payments'];
  readonly sales: RecordStore['sales'];
  readonly authorizations: RecordStore['authorizations'];
  readonly captures: RecordStore['captures'];
  readonly refunds: RecordStore['refunds'];
  /** What changed last: a read may be answered as if it had not. */
  readonly changeLog: ChangeLog;
  readonly #store: RecordStore;
  readonly #origin: Origin;
  readonly #streams: RandomStreams;
  readonly #maxRecords: number;
  readonly #guard: CardGuard;

  /** A fresh world over a base, or one that goes on where another was kept. */
  constructor(merchant: string, settings: WorldSettings, from?: WorldBase | SavedWorld) {
    const { realNowMs } = settings;
    const { store, state, changeLog } =
      from !== undefined && 'state' in from
        ? { ...from, store: from.store.copy() }
        : {
            store: new RecordStore(from),
            state: freshState(
              { seed: settings.seed, merchant },
              clockStart(settings.clock, realNowMs()),
            ),
            changeLog: [],
          };
    const { seed, merchant: originMerchant } = state.origin;
    this.merchant = merchant;
    this.policy = settings.policy;
    this.#origin = state.origin;
    this.#streams = createStreams(state.streams);
    this.clock = new WorldClock(realNowMs, state.clock);
    this.ids = recordIds(this.#streams, {
      card: (id) => store.cards.get(id) !== undefined,
      payment: (id) => store.payments.get(id) !== undefined,
      transaction: (id) => store.hasTransaction(id),
    });
    this.nextDebugId = debugIds(this.#streams.debug.draw);
    this.requestIds = new RequestIds(settings.maxRequestIds, state.requestIds);
    this.testCards = new TestCards(
      (deck) => createDraw(seed, originMerchant, 'test-cards', deck),
      state.dealtCards,
    );
    this.#guard = settings.guard;
    this.journal = new Journal(settings.journal, realNowMs, settings.counters, (number) =>
      settings.guard.accepts(number),
    );
    this.ruleBook = new RuleBook(
      checkedCatalogue,
      `${seed} ${originMerchant}`,
      realNowMs,
      state.ruleBook,
    );
    this.scheduler = new Scheduler(state.agenda);
    this.givenCards = new Map(state.givenCards);
    this.scenarioStartMs = state.scenarioStartMs;
    this.expect = state.expect;
    this.timeline = [...state.timeline];
    this.missed = [...state.missed];
    this.cards = store.cards;
    this.payments = store.payments;
    this.sales = store.sales;
    this.authorizations = store.authorizations;
    this.captures = store.captures;
    this.refunds = store.refunds;
    this.changeLog = new ChangeLog(changeLog);
    this.#store = store;
    this.#maxRecords = settings.maxRecords;
  }

  /** All of this world but its journal, to go on from. It costs what was written since the base. */
  save(): SavedWorld {
    return {
      store: this.#store.copy(),
      state: {
        origin: this.#origin,
        clock: this.clock.state,
        streams: streamStates(this.#streams),
        requestIds: this.requestIds.state,
        ruleBook: this.ruleBook.exportState(),
        dealtCards: this.testCards.dealt,
        agenda: this.scheduler.state,
        timeline: [...this.timeline],
        missed: [...this.missed],
        givenCards: [...this.givenCards],
        scenarioStartMs: this.scenarioStartMs,
        expect: this.expect,
      },
      changeLog: this.changeLog.state,
    };
  }

  /** The `app_id` in token answers. Drawn anew for each, as few worlds are asked for a token. */
  get appId(): string {
    return appId(this.#origin.seed, this.#origin.merchant);
  }

  nowMs(): number {
    return this.clock.nowMs();
  }

  outcomeOfNumber(pan: string): string | undefined {
    return findOutcomeByCardNumber(pan);
  }

  acceptsNumber(pan: string): boolean {
    return this.#guard.accepts(pan);
  }

  /** A random word for one token. */
  nextNonce(): string {
    const { draw } = this.#streams.nonce;
    return draw(0, 0x7fff_ffff).toString(36) + draw(0, 0x7fff_ffff).toString(36);
  }

  paymentWithInvoice(invoiceNumber: string): string | undefined {
    return this.#store.paymentWithInvoice(invoiceNumber);
  }

  /** Every movement of money in this world, oldest first. */
  transfers(): readonly Transfer[] {
    return this.#store.transfers();
  }

  /** What the accounts hold, by currency, in minor units. */
  balances(): ReadonlyMap<Currency, Readonly<Record<Account, number>>> {
    const balances = new Map<Currency, Record<Account, number>>();
    for (const transfer of this.transfers()) postTransfer(balances, transfer);
    return balances;
  }

  /** How many records this world holds. */
  get records(): number {
    return this.#store.size;
  }

  /** Why a change cannot be taken in, if it cannot: the memory of a world is bounded. */
  checkCapacity(change: Change): Refusal | undefined {
    const { writes } = change;
    // All that is written may be new, which is far from the bound mostly.
    if (this.records + writes.length <= this.#maxRecords) return undefined;
    const more = writes.filter(
      (write) => !('removed' in write) && !this.#store.has(write.record.id),
    ).length;
    if (more === 0 || this.records + more <= this.#maxRecords) return undefined;
    return refuse(
      'records-full',
      `This merchant holds ${this.records} records, and with ${more} more it would hold more than the ${this.#maxRecords} it may (--max-records).`,
    ).refusal;
  }

  /** Applies a change. One synchronous step: nobody ever sees half of it. */
  commit(change: Change, atMs = this.nowMs()): void {
    this.changeLog.record(this.#store, change.writes, atMs);
    this.#store.apply(change.writes, change.transfers);
    for (const due of change.scheduled ?? []) this.scheduler.add(due);
  }

  /** Lets everything happen that has fallen due by now, each at its own instant. */
  runDueEvents(): void {
    // Asked by every request, mostly of a world in which nothing will ever fall due.
    if (this.timeline.length === 0 && this.scheduler.size === 0) return;
    const nowMs = this.clock.nowMs();
    for (;;) {
      const [point] = this.timeline;
      const dueMs = this.scheduler.nextMs ?? Number.POSITIVE_INFINITY;
      // What falls due at the same instant was there before: a point of the timeline finds it done.
      if (point !== undefined && point.atMs <= nowMs && point.atMs < dueMs) {
        this.timeline.shift();
        runTimelineEntry(this, point);
        continue;
      }
      const due = this.scheduler.takeDue(nowMs);
      if (due === undefined) return;
      this.runEvent(due);
    }
  }

  /** Lets something happen at its instant; whether it changed anything. */
  runEvent({ atMs, event }: ScheduledEvent): boolean {
    const change = planEvent(this.#booksAt(atMs), event);
    if (change !== undefined) this.commit(change, atMs);
    return change !== undefined;
  }

  /** These books as they are, read at another instant. */
  #booksAt(atMs: number): Books {
    return this.#booksOf(this, () => atMs);
  }

  /** These books as a replica has them that has not heard of what befell records within `lagMs`. */
  replica(missing: ChangeKind, lagMs: number): ReadModel {
    const records = this.changeLog.viewWithout(missing, this.nowMs() - lagMs, this.#store);
    return this.#booksOf(records, () => this.nowMs());
  }

  #booksOf(records: RecordTables, nowMs: () => number): ReadModel {
    const { ids, policy } = this;
    const { cards, payments, sales, authorizations, captures, refunds } = records;
    return {
      ids,
      policy,
      cards,
      payments,
      sales,
      authorizations,
      captures,
      refunds,
      nowMs,
      outcomeOfNumber: (pan: string) => this.outcomeOfNumber(pan),
      acceptsNumber: (pan: string) => this.acceptsNumber(pan),
      paymentWithInvoice: (invoiceNumber: string) => this.paymentWithInvoice(invoiceNumber),
    };
  }

  /** Ids of sales, from the first or the last that was made on; only those with a card where one is named. */
  *salesByAge(end: 'first' | 'last', cardId: string | undefined): Generator<string, undefined> {
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
  toBase(): WorldBase {
    return this.#store.toBase();
  }
}
