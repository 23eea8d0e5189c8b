/** One merchant's world: all it knows, in one place. Dropping it is a reset. */
import type { Authorization } from '../domain/authorization.ts';
import type { Capture } from '../domain/capture.ts';
import type { Card } from '../domain/card.ts';
import { post, type Account, type Transfer } from '../domain/ledger.ts';
import type { Currency } from '../domain/money.ts';
import type { Payment } from '../domain/payment.ts';
import type { Books, Change, HouseRules, Ids } from '../domain/ports.ts';
import { befall } from '../domain/later.ts';
import type { Refund } from '../domain/refund.ts';
import { refuse, type Refusal } from '../domain/refusals.ts';
import type { Sale } from '../domain/sale.ts';
import { Journal, type JournalLimits } from '../journal/journal.ts';
import { checkedCatalogue } from '../outcomes/catalogue.ts';
import { askedByCard } from '../outcomes/magic.ts';
import { RuleBook } from '../outcomes/rule-book.ts';
import type { TimelineEntry } from '../scenarios/timeline.ts';
import { Agenda } from './agenda.ts';
import { WorldClock, type ClockStart } from './clock.ts';
import { stream } from './dice.ts';
import { RequestIds } from './idempotency.ts';
import { reach } from './play.ts';
import { appId, debugIds, recordIds } from './ids.ts';
import { Overlay, Table, type Indexes, type TableBase } from './table.ts';

export type CardIndex = 'customer' | 'externalCard' | 'merchantReference';

const cardIndexes: Indexes<Card, CardIndex> = {
  customer: (card) => card.externalCustomerId,
  externalCard: (card) => card.externalCardId,
  merchantReference: (card) => card.merchantReference,
};

/** What every world of a sandbox starts from: made once from the fixtures, shared, never changed. */
export interface WorldBase {
  readonly cards: TableBase<Card, CardIndex>;
  readonly payments: TableBase<Payment, never>;
  readonly sales: ReadonlyMap<string, Sale>;
  readonly authorizations: ReadonlyMap<string, Authorization>;
  readonly captures: ReadonlyMap<string, Capture>;
  readonly refunds: ReadonlyMap<string, Refund>;
  readonly invoices: ReadonlyMap<string, string>;
  readonly transfers: readonly Transfer[];
}

export interface WorldSettings {
  readonly seed: string;
  readonly rules: HouseRules;
  readonly clock: ClockStart;
  readonly realNowMs: () => number;
  /** The most records (cards, payments and what came of them) one world holds. */
  readonly maxRecords: number;
  readonly maxRequestIds: number;
  readonly journal: Partial<JournalLimits>;
}

export class World implements Books {
  readonly merchant: string;
  readonly rules: HouseRules;
  readonly clock: WorldClock;
  readonly ids: Ids;
  readonly nextDebugId: () => string;
  readonly appId: string;
  readonly requestIds: RequestIds;
  readonly ruleBook: RuleBook;
  readonly agenda = new Agenda();
  readonly journal: Journal;
  /** Aborted when another world takes this one's place: nothing more will come of it. */
  readonly ended = new AbortController();
  /** Ids of the cards a scenario has given, by what it calls them. */
  readonly givenCards = new Map<string, string>();
  /** Points of a scenario's timeline still to come, in order. */
  readonly stage: TimelineEntry[] = [];
  readonly cards: Table<Card, CardIndex>;
  readonly payments: Table<Payment, never>;
  readonly sales: Overlay<Sale>;
  readonly authorizations: Overlay<Authorization>;
  readonly captures: Overlay<Capture>;
  readonly refunds: Overlay<Refund>;
  readonly #invoices: Overlay<string>;
  readonly #baseTransfers: readonly Transfer[];
  readonly #transfers: Transfer[] = [];
  readonly #maxRecords: number;
  readonly #drawNonce: (from: number, to: number) => number;

  constructor(merchant: string, settings: WorldSettings, base?: WorldBase) {
    this.merchant = merchant;
    this.rules = settings.rules;
    this.clock = new WorldClock(settings.realNowMs, settings.clock);
    this.ids = recordIds(settings.seed, merchant, (id) => this.#holds(id));
    this.nextDebugId = debugIds(settings.seed, merchant);
    this.appId = appId(settings.seed, merchant);
    this.#drawNonce = stream(settings.seed, merchant, 'nonce');
    this.requestIds = new RequestIds(settings.maxRequestIds);
    this.journal = new Journal(settings.journal);
    this.ruleBook = new RuleBook(
      checkedCatalogue,
      `${settings.seed} ${merchant}`,
      settings.realNowMs,
    );
    this.cards = new Table(cardIndexes, base?.cards);
    this.payments = new Table({}, base?.payments);
    this.sales = new Overlay(base?.sales ?? new Map());
    this.authorizations = new Overlay(base?.authorizations ?? new Map());
    this.captures = new Overlay(base?.captures ?? new Map());
    this.refunds = new Overlay(base?.refunds ?? new Map());
    this.#invoices = new Overlay(base?.invoices ?? new Map());
    this.#baseTransfers = base?.transfers ?? [];
    this.#maxRecords = settings.maxRecords;
  }

  nowMs(): number {
    return this.clock.nowMs();
  }

  askedBy(pan: string): string | undefined {
    return askedByCard(pan);
  }

  /** A random word for one token. */
  nextNonce(): string {
    return (
      this.#drawNonce(0, 0x7fff_ffff).toString(36) + this.#drawNonce(0, 0x7fff_ffff).toString(36)
    );
  }

  paymentWithInvoice(invoiceNumber: string): string | undefined {
    return this.#invoices.get(invoiceNumber);
  }

  /** Every movement of money in this world, oldest first. */
  transfers(): readonly Transfer[] {
    return [...this.#baseTransfers, ...this.#transfers];
  }

  /** What the accounts hold, by currency, in minor units. */
  balances(): ReadonlyMap<Currency, Readonly<Record<Account, number>>> {
    const balances = new Map<Currency, Record<Account, number>>();
    for (const transfer of this.transfers()) post(balances, transfer);
    return balances;
  }

  /** How many records this world holds. */
  get records(): number {
    return (
      this.cards.size +
      this.payments.size +
      this.sales.size +
      this.authorizations.size +
      this.captures.size +
      this.refunds.size
    );
  }

  /** Why a change cannot be taken in, if it cannot: the memory of a world is bounded. */
  roomFor(change: Change): Refusal | undefined {
    if (this.records < this.#maxRecords) return undefined;
    const grows = change.writes.some(
      (write) => !('removed' in write) && !this.#holds(write.record.id),
    );
    if (!grows) return undefined;
    return refuse(
      'records-full',
      `This merchant holds ${this.#maxRecords} records, the most it may (--max-records).`,
    ).refusal;
  }

  /** Applies a change. One synchronous step: nobody ever sees half of it. */
  commit(change: Change): void {
    for (const write of change.writes) {
      if ('removed' in write) {
        this.cards.remove(write.removed);
        continue;
      }
      switch (write.table) {
        case 'cards':
          this.cards.put(write.record);
          break;
        case 'payments':
          this.#putPayment(write.record);
          break;
        case 'sales':
          this.sales.set(write.record.id, write.record);
          break;
        case 'authorizations':
          this.authorizations.set(write.record.id, write.record);
          break;
        case 'captures':
          this.captures.set(write.record.id, write.record);
          break;
        case 'refunds':
          this.refunds.set(write.record.id, write.record);
          break;
      }
    }
    this.#transfers.push(...change.transfers);
    for (const due of change.due ?? []) this.agenda.note(due);
  }

  /** Lets everything happen that has fallen due by now, each at its own instant. */
  settle(): void {
    const nowMs = this.clock.nowMs();
    for (;;) {
      const [point] = this.stage;
      const dueMs = this.agenda.nextMs ?? Number.POSITIVE_INFINITY;
      if (point !== undefined && point.atMs <= nowMs && point.atMs <= dueMs) {
        this.stage.shift();
        reach(this, point);
        continue;
      }
      const due = this.agenda.take(nowMs);
      if (due === undefined) return;
      const change = befall(this.#booksAt(due.atMs), due.event);
      if (change !== undefined) this.commit(change);
    }
  }

  /** These books as they are, read at another instant. */
  #booksAt(atMs: number): Books {
    const { ids, rules, cards, payments, sales, authorizations, captures, refunds } = this;
    return {
      ids,
      rules,
      cards,
      payments,
      sales,
      authorizations,
      captures,
      refunds,
      nowMs: () => atMs,
      askedBy: (pan) => this.askedBy(pan),
      paymentWithInvoice: (invoiceNumber) => this.paymentWithInvoice(invoiceNumber),
    };
  }

  /** Ids of sales in the order they were made; only those with a card where one is named. */
  salesInOrder(cardId: string | undefined): string[] {
    const { byCreation } = this.payments;
    return this.payments.resolve(byCreation.slice(0, byCreation.size)).flatMap((payment) => {
      const { instrument, related } = payment;
      if (cardId !== undefined && !(instrument.kind === 'token' && instrument.cardId === cardId)) {
        return [];
      }
      return related.filter(({ kind }) => kind === 'sale').map(({ id }) => id);
    });
  }

  /** What this world holds, to be the beginning of others. */
  asBase(): WorldBase {
    return {
      cards: this.cards.asBase(),
      payments: this.payments.asBase(),
      sales: new Map(this.sales.entries()),
      authorizations: new Map(this.authorizations.entries()),
      captures: new Map(this.captures.entries()),
      refunds: new Map(this.refunds.entries()),
      invoices: new Map(this.#invoices.entries()),
      transfers: this.transfers(),
    };
  }

  #putPayment(payment: Payment): void {
    const { invoiceNumber } = payment.transaction;
    const before = this.payments.get(payment.id)?.transaction.invoiceNumber;
    if (before !== undefined && before !== invoiceNumber) this.#invoices.delete(before);
    if (invoiceNumber !== undefined) this.#invoices.set(invoiceNumber, payment.id);
    this.payments.put(payment);
  }

  #holds(id: string): boolean {
    return (
      this.cards.get(id) !== undefined ||
      this.payments.get(id) !== undefined ||
      this.sales.get(id) !== undefined ||
      this.authorizations.get(id) !== undefined ||
      this.captures.get(id) !== undefined ||
      this.refunds.get(id) !== undefined
    );
  }
}
