/** One merchant's world: all of its state in one place. A reset replaces it. */
import type { ScheduledEvent } from '../domain/payment/overrides.ts';
import { balancesOf, type Account, type Transfer } from '../domain/money/ledger.ts';
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
import { Gates, noGates } from './gates/gates.ts';
import { Scheduler } from './time/scheduler.ts';
import { clockStart, WorldClock, type ClockStart } from './time/clock.ts';
import { createDraw } from './random/dice.ts';
import { RecordStore, type RecordTables, type WorldBase } from './store/store.ts';
import { ChangeLog } from './store/change-log.ts';
import { showAny, type Masking } from '../redaction/hide-card-numbers.ts';
import { NumberMarks } from './number-marks.ts';
import { redactFreeText } from '../redaction/redact.ts';
import { RequestIds, requestName } from './idempotency.ts';
import { runTimelineEntry } from './time/timeline-event.ts';
import { appId, debugIds, recordIds } from './random/ids.ts';
import { isSettlement, settle, type MoneyRecords, type RecordsById } from './settled-records.ts';
import { TestCards } from './test-cards.ts';
import { streamStates, createStreams, type RandomStreams } from './random/streams.ts';
import { freshState, type SavedWorld, type Origin } from './world-state.ts';

export interface WorldSettings {
  readonly seed: string;
  readonly policy: MerchantPolicy;
  readonly clock: ClockStart;
  readonly realNowMs: () => number;
  /** The most records one world may hold, of all kinds together. */
  readonly maxRecords: number;
  readonly maxRequestIds: number;
  readonly journal: Partial<JournalLimits>;
  /** Counts the requests of all worlds that share it. */
  readonly counters?: Counters | undefined;
  readonly guard: CardGuard;
  /** Called after each change of a merchant's records. */
  readonly onCommit?: ((merchant: string) => void) | undefined;
}

/** All records for reading, with the orders that lists are cut from. */
export type ReadModel = Books & RecordTables;

export class World implements Books {
  readonly merchant: string;
  readonly policy: MerchantPolicy;
  readonly clock: WorldClock;
  readonly ids: Ids;
  readonly nextDebugId: () => string;
  readonly requestIds: RequestIds;
  /** Masks card numbers in the texts that records keep. */
  readonly textMasking: Masking;
  /** Ids that answers have shown in a longer form. They keep it, because a record has one id. */
  readonly longIds: Set<string>;
  readonly ruleBook: RuleBook;
  /** They hold requests. */
  readonly gates: Gates;
  readonly scheduler: Scheduler;
  readonly journal: Journal;
  /** Ends all waits when another world replaces this one. */
  readonly waits = new WaitCanceller();
  /** Ids of the scenario's cards, by their names in the scenario. */
  readonly givenCards: Map<string, string>;
  /** Start of the scenario, on this world's clock. */
  scenarioStartMs: number | undefined;
  /** The scenario's expectations. */
  expect: Expectations | undefined;
  readonly testCards: TestCards;
  /** Future entries of the scenario's timeline, in order. */
  readonly timeline: TimelineEntry[];
  /** Timeline events that had no effect. */
  readonly missed: IneffectiveEvent[];
  readonly cards: RecordStore['cards'];
  readonly payments: RecordStore['payments'];
  readonly sales: RecordStore['sales'];
  readonly authorizations: RecordStore['authorizations'];
  readonly captures: RecordStore['captures'];
  readonly refunds: RecordStore['refunds'];
  /** The latest changes, for stale reads. */
  readonly changeLog: ChangeLog;
  readonly #store: RecordStore;
  readonly #origin: Origin;
  readonly #streams: RandomStreams;
  readonly #transfersBefore: number;
  readonly #maxRecords: number;
  readonly #guard: CardGuard;
  readonly #numberMarks: NumberMarks;
  readonly #onCommit: WorldSettings['onCommit'];

  /** Creates a fresh world over a base, or a world that continues a saved one. */
  constructor(merchant: string, settings: WorldSettings, from?: WorldBase | SavedWorld) {
    const { realNowMs } = settings;
    const { store, state, changeLog, gates, numberMarks } =
      from !== undefined && 'state' in from
        ? { ...from, store: from.store.copy() }
        : {
            store: new RecordStore(from),
            state: freshState(
              { seed: settings.seed, merchant },
              clockStart(settings.clock, realNowMs()),
            ),
            changeLog: [],
            gates: noGates,
            numberMarks: undefined,
          };
    const { seed, merchant: originMerchant } = state.origin;
    this.merchant = merchant;
    this.policy = settings.policy;
    this.#origin = state.origin;
    this.#streams = createStreams(state.streams);
    this.clock = new WorldClock(realNowMs, state.clock);
    this.#store = store;
    this.ids = this.#recordIds(this.#streams);
    this.nextDebugId = debugIds(this.#streams.debug.draw);
    this.requestIds = new RequestIds(settings.maxRequestIds, state.requestIds);
    this.longIds = new Set(state.longIds);
    this.testCards = new TestCards(
      (deck) => createDraw(seed, originMerchant, 'test-cards', deck),
      state.dealtCards,
    );
    this.#guard = settings.guard;
    this.#onCommit = settings.onCommit;
    this.#numberMarks = new NumberMarks(numberMarks);
    const accepts = (number: string): boolean => settings.guard.accepts(number);
    this.textMasking = {
      ...showAny,
      // Of a number that is refused nothing may stay, not even a hash.
      markOf: (number, mask) => (accepts(number) ? this.#numberMarks.markOf(number, mask) : ''),
    };
    this.journal = new Journal(settings.journal, realNowMs, settings.counters, {
      ...this.textMasking,
      mayShow: accepts,
    });
    this.ruleBook = new RuleBook(
      checkedCatalogue,
      `${seed} ${originMerchant}`,
      { realNowMs, nowMs: () => this.clock.nowMs() },
      state.ruleBook,
    );
    this.gates = new Gates(gates);
    this.scheduler = new Scheduler(state.scheduledEvents);
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
    this.#transfersBefore = store.transferCount;
    this.#maxRecords = settings.maxRecords;
  }

  /** Saves this world without its journal. It costs what was written since the base. */
  save(): SavedWorld {
    return {
      store: this.#store.copy(),
      state: {
        origin: this.#origin,
        clock: this.clock.state,
        streams: streamStates(this.#streams),
        requestIds: this.requestIds.state,
        longIds: this.longIds.size === 0 ? undefined : [...this.longIds],
        ruleBook: this.ruleBook.exportState(),
        dealtCards: this.testCards.dealt,
        scheduledEvents: this.scheduler.state,
        timeline: [...this.timeline],
        missed: [...this.missed],
        givenCards: [...this.givenCards],
        scenarioStartMs: this.scenarioStartMs,
        expect: this.expect,
      },
      changeLog: this.changeLog.state,
      gates: this.gates.state,
      numberMarks: this.#numberMarks.state,
    };
  }

  /** The `app_id` in token responses. Computed on demand, because few worlds issue tokens. */
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

  /**
   * Masks the card numbers in a text that is kept, such as the name of an order. Texts that differ in a number alone stay
   * different.
   */
  maskText(text: string): string {
    return redactFreeText(text, this.textMasking);
  }

  /** A random part for one token. */
  nextNonce(): string {
    const { draw } = this.#streams.nonce;
    return draw(0, 0x7fff_ffff).toString(36) + draw(0, 0x7fff_ffff).toString(36);
  }

  paymentWithInvoice(invoiceNumber: string): string | undefined {
    return this.#store.paymentWithInvoice(invoiceNumber);
  }

  /** All transfers in this world, oldest first. */
  transfers(): readonly Transfer[] {
    return this.#store.transfers();
  }

  /** The id of the payment that a request with this PayPal-Request-Id made. */
  paymentOfRequest(requestId: string): string | undefined {
    return this.requestIds.subjectOf(requestName('payment.create', {}, this.maskText(requestId)));
  }

  /** The transfers since this world began: without those of fixtures, of a snapshot or of an import. */
  movedTransfers(): readonly Transfer[] {
    return this.transfers().slice(this.#transfersBefore);
  }

  /** The balances of the accounts by currency, in minor units. */
  balances(): ReadonlyMap<Currency, Readonly<Record<Account, number>>> {
    return balancesOf(this.transfers());
  }

  /** The number of records in this world. */
  get records(): number {
    return this.#store.size;
  }

  /** Why a change does not fit into the limit of records, if it does not. */
  checkCapacity(change: Change): Refusal | undefined {
    const { writes } = change;
    // Fast path: assume that every write adds a record.
    if (this.records + writes.length <= this.#maxRecords) return undefined;
    const more = writes.filter(
      (write) => !('removed' in write) && !this.#store.has(write.record.id),
    ).length;
    if (more === 0 || this.records + more <= this.#maxRecords) return undefined;
    return refuse(
      'records-full',
      `This merchant has ${this.records} records; ${more} more would exceed the limit of ${this.#maxRecords} (--max-records).`,
    ).refusal;
  }

  /** Commits a change in one synchronous step, so that a partial change is never visible. */
  commit(change: Change, atMs = this.nowMs()): void {
    this.changeLog.record(this.#store, change.writes, atMs);
    this.#store.apply(change.writes, change.transfers);
    for (const due of change.scheduled ?? []) this.scheduler.add(due);
    this.#onCommit?.(this.merchant);
  }

  /** Runs all events that are due, each at its own time. */
  runDueEvents(): void {
    // Every request calls this, and most worlds have no events.
    if (this.timeline.length === 0 && this.scheduler.size === 0) return;
    const nowMs = this.clock.nowMs();
    for (;;) {
      const [point] = this.timeline;
      const dueMs = this.scheduler.nextMs ?? Number.POSITIVE_INFINITY;
      // At the same time, scheduled events run before timeline entries.
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

  /** Runs an event at its own time; returns whether it changed anything. */
  runEvent({ atMs, event }: ScheduledEvent): boolean {
    const change = planEvent(this.#booksAt(atMs), event);
    if (change !== undefined) this.commit(change, atMs);
    return change !== undefined;
  }

  /**
   * The records and transfers as they will be once pending sales and refunds have settled, as far as they do within this
   * time. This world does not change.
   */
  afterSettlement(withinMs: number): MoneyRecords {
    const untilMs = this.nowMs() + withinMs;
    const due = this.scheduler.state.filter(
      (event) => event.atMs <= untilMs && isSettlement(event),
    );
    if (due.length === 0) return this;
    // A late sale gets the id that it will have, and the world gives that id again.
    const ids = this.#recordIds(createStreams(streamStates(this.#streams)));
    return settle(this, due, (records, nowMs) => this.#booksOf(records, nowMs, ids));
  }

  /** The records of this world, read at another time. */
  #booksAt(atMs: number): Books {
    return this.#booksOf(this, () => atMs);
  }

  /**
   * The records as a lagging replica shows them: without changes of one kind from the last `lagMs`.
   */
  replica(missing: ChangeKind, lagMs: number): ReadModel {
    const records = this.changeLog.viewWithout(missing, this.nowMs() - lagMs, this.#store);
    return this.#booksOf(records, () => this.nowMs());
  }

  #recordIds(streams: RandomStreams): Ids {
    return recordIds(streams, {
      card: (id) => this.cards.get(id) !== undefined,
      payment: (id) => this.payments.get(id) !== undefined,
      transaction: (id) => this.#store.hasTransaction(id),
    });
  }

  #booksOf<R extends RecordsById>(
    records: R,
    nowMs: () => number,
    ids = this.ids,
  ): Books & Pick<R, keyof RecordsById> {
    const { policy } = this;
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

  /** Ids of sales from the first or the last one, optionally of one card only. */
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
      // A payment has at most one sale, and it comes before all other related resources.
      if (related.first?.kind === 'sale') yield related.first.id;
    }
  }

  /** The records of this world, as the base of others. */
  toBase(): WorldBase {
    return this.#store.toBase();
  }
}
