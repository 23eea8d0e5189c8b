/** Money that a request in the journal took from a card, what became of it, and whether the client knows of it. */
import type { Money } from '../../domain/money/money.ts';
import { refundableState, saleState } from '../../domain/payment/sale.ts';
import type { Payment } from '../../domain/records.ts';
import type { StoredEntry } from '../../journal/stored-entry.ts';
import {
  disclosureKind,
  firstDisclosures,
  type DisclosureKind,
} from '../client-knowledge/disclosure.ts';
import { createdIds } from '../evidence/exchange-results.ts';
import { bySeq } from '../evidence/exchange-order.ts';
import { groupBy } from '../evidence/group-by.ts';
import type { JournalIndex } from '../evidence/journal-index.ts';
import type { Records } from '../evidence/records.ts';
import {
  hasTakenMoney,
  isReversedByBank,
  refundsOf,
  retainedMinorOf,
  type ChargeRecord,
} from './net-amount.ts';

/** One sale or capture. Its disclosure is computed on demand, because most charges are answered at once. */
export class Charge {
  /** The exchange that created it. */
  readonly entry: StoredEntry;
  readonly #record: ChargeRecord;
  readonly #instrument: Payment['instrument'] | undefined;
  readonly #all: Charges;

  constructor(
    entry: StoredEntry,
    record: ChargeRecord,
    instrument: Payment['instrument'] | undefined,
    all: Charges,
  ) {
    this.entry = entry;
    this.#record = record;
    this.#instrument = instrument;
    this.#all = all;
  }

  /** Id of the sale or capture. */
  get id(): string {
    return this.#record.id;
  }

  get paymentId(): string {
    return this.#record.paymentId;
  }

  get cardId(): string | undefined {
    const instrument = this.#instrument;
    return instrument?.kind === 'token' ? instrument.cardId : undefined;
  }

  get amount(): Money {
    return this.#record.amount;
  }

  /** The amount of the hold that it was captured from; `undefined` for a sale. */
  get authorized(): Money | undefined {
    const record = this.#record;
    return record.kind === 'capture'
      ? this.#all.records.authorizations.get(record.authorizationId)?.amount
      : undefined;
  }

  get refundedMinor(): number {
    return this.#record.refundedMinor;
  }

  /** Its balance in the ledger, in minor units; negative if it was refunded and then charged back completely. */
  get netMinor(): number {
    if (!this.hasTakenMoney) return 0;
    let minor = isReversedByBank(this.#record) ? 0 : this.amount.minor;
    for (const refund of refundsOf(this.#record, this.#all.records)) {
      if (refund.settlement === 'completed') minor -= refund.amount.minor;
    }
    return minor;
  }

  /** What the merchant keeps after all refunds, pending ones included, in minor units. Never negative. */
  get retainedMinor(): number {
    return retainedMinorOf(this.#record);
  }

  /** Whether the money arrived, whatever happened to it later. */
  get hasTakenMoney(): boolean {
    return hasTakenMoney(this.#record);
  }

  get state(): ReturnType<typeof saleState> {
    const record = this.#record;
    return record.kind === 'sale' ? saleState(record) : refundableState(record);
  }

  get isPending(): boolean {
    const record = this.#record;
    return record.kind === 'sale' && record.settlement === 'pending';
  }

  get atMs(): number {
    return this.#record.createdAtMs;
  }

  /** Ids whose disclosure discloses the charge: a payment also discloses its sale; a capture has its own answer. */
  get disclosingIds(): readonly string[] {
    const { kind, id, paymentId } = this.#record;
    return kind === 'sale' ? [id, paymentId] : [id];
  }

  /** Whether it is the second record of a request that was executed twice. */
  get isTwin(): boolean {
    return this.entry.twin === this.paymentId;
  }

  get isCapture(): boolean {
    return this.#record.kind === 'capture';
  }

  /** Whether the answer to its own request arrived. Nothing is disclosed before that request. */
  get wasAnswered(): boolean {
    const { concludes, subject } = this.entry;
    const { kind, id, paymentId } = this.#record;
    return concludes === 'OK' && (subject === id || (kind === 'sale' && subject === paymentId));
  }

  /** The first exchange that disclosed it to the client, and how. */
  get disclosedBy(): { readonly entry: StoredEntry; readonly how: DisclosureKind } | undefined {
    const { entry } = this;
    if (this.wasAnswered) return { entry, how: 'answer' };
    const { disclosures } = this.#all;
    if (disclosures.size === 0) return undefined;
    const disclosing = this.disclosingIds.flatMap((id) => disclosures.get(id) ?? []);
    const [first] = disclosing.toSorted(bySeq);
    return first && { entry: first, how: disclosureKind(first, entry) };
  }

  /** Whether the client learned of it; `unsure` if the journal has dropped exchanges. */
  get known(): 'answered' | 'read' | 'never' | 'unsure' {
    if (this.wasAnswered) return 'answered';
    const { disclosedBy } = this;
    if (disclosedBy === undefined) return this.#all.isJournalComplete ? 'never' : 'unsure';
    return disclosedBy.how === 'answer' || disclosedBy.how === 'replay' ? 'answered' : 'read';
  }
}

/** Every sale and capture that requests in the journal created. Indexed on first use. */
export class Charges {
  readonly #journal: JournalIndex;
  #all: FoundCharges | undefined;
  #captures: ReadonlyMap<string, readonly Charge[]> | undefined;

  constructor(journal: JournalIndex) {
    this.#journal = journal;
  }

  /** Oldest first. */
  get all(): readonly Charge[] {
    return this.#found.charges;
  }

  /** The requests that put money on hold, oldest first. */
  get authorizing(): ReadonlySet<StoredEntry> {
    return this.#found.authorizing;
  }

  get #found(): FoundCharges {
    return (this.#all ??= findCharges(this.#journal, this));
  }

  /** The first disclosure of each charge beside its own answer, by record id. */
  get disclosures(): ReadonlyMap<string, StoredEntry> {
    return firstDisclosures(this.#journal);
  }

  get records(): Records {
    return this.#journal.records;
  }

  /** Whether the journal is complete, so that a missing disclosure is a fact. */
  get isJournalComplete(): boolean {
    return this.#journal.isComplete;
  }

  /** The sales or captures that a request itself created. */
  by(entry: StoredEntry): readonly Charge[] {
    return this.#found.byEntry.get(entry) ?? [];
  }

  /** The sale that a request to pay created, and the captures of its authorization. */
  ofPayment(attempt: StoredEntry): readonly Charge[] {
    const captures = this.#capturesByPayment();
    if (captures.size === 0) return this.by(attempt);
    const own = createdIds(attempt).flatMap((paymentId) => captures.get(paymentId) ?? []);
    return own.length === 0 ? this.by(attempt) : [...this.by(attempt), ...own];
  }

  #capturesByPayment(): ReadonlyMap<string, readonly Charge[]> {
    return (this.#captures ??= groupBy(
      this.all.filter(({ entry }) => entry.operation === 'auth.capture'),
      ({ paymentId }) => paymentId,
    ));
  }
}

interface FoundCharges {
  readonly charges: readonly Charge[];
  readonly byEntry: ReadonlyMap<StoredEntry, readonly Charge[]>;
  readonly authorizing: ReadonlySet<StoredEntry>;
}

function findCharges(journal: JournalIndex, all: Charges): FoundCharges {
  const { payments, sales, captures } = journal.records;
  const charges: Charge[] = [];
  const authorizing = new Set<StoredEntry>();
  for (const entry of journal.of('payment.create', 'auth.capture')) {
    for (const createdId of createdIds(entry)) {
      const payment = payments.get(createdId);
      if (payment === undefined) {
        const capture = captures.get(createdId);
        if (capture === undefined) continue;
        const { instrument } = payments.get(capture.paymentId) ?? {};
        charges.push(new Charge(entry, capture, instrument, all));
        continue;
      }
      // A payment has one sale or authorization, and what follows from it comes after it.
      const { kind, id = '' } = payment.related.first ?? {};
      const sale = kind === 'sale' ? sales.get(id) : undefined;
      if (sale !== undefined) charges.push(new Charge(entry, sale, payment.instrument, all));
      if (kind === 'authorization') authorizing.add(entry);
    }
  }
  return { charges, byEntry: groupBy(charges, ({ entry }) => entry), authorizing };
}
