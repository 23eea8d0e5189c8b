/** Money that was taken from a card by a request in the journal, and what became of it. */
import type { Money } from '../../domain/money/money.ts';
import { refundableState, saleState } from '../../domain/payment/sale.ts';
import type { StoredEntry } from '../../journal/stored-entry.ts';
import type { Capture, Payment, Sale } from '../../domain/records.ts';
import {
  disclosureKind,
  firstDisclosures,
  type DisclosureKind,
} from '../client-knowledge/disclosure.ts';
import { indexAfterSeq } from '../evidence/exchange-order.ts';
import { createdIds } from '../evidence/exchange-results.ts';
import { groupBy } from '../evidence/group-by.ts';
import type { JournalIndex, Records } from '../evidence/journal-index.ts';
import { hasTakenMoney, isReversedByBank, refundsOf, retainedMinorOf } from './net-amount.ts';

/** What is told of it is looked up when somebody asks: most were answered, and nobody asks further. */
export class Charge {
  /** The exchange that made it. */
  readonly entry: StoredEntry;
  readonly #made: Sale | Capture;
  readonly #instrument: Payment['instrument'] | undefined;
  readonly #all: Charges;

  constructor(
    entry: StoredEntry,
    made: Sale | Capture,
    instrument: Payment['instrument'] | undefined,
    all: Charges,
  ) {
    this.entry = entry;
    this.#made = made;
    this.#instrument = instrument;
    this.#all = all;
  }

  /** Of the sale or capture. */
  get id(): string {
    return this.#made.id;
  }

  get paymentId(): string {
    return this.#made.paymentId;
  }

  get cardId(): string | undefined {
    const instrument = this.#instrument;
    return instrument?.kind === 'token' ? instrument.cardId : undefined;
  }

  get amount(): Money {
    return this.#made.amount;
  }

  get refundedMinor(): number {
    return this.#made.refundedMinor;
  }

  /** What it comes to in the ledger; less than nothing where it was refunded, and then taken back as a whole. */
  get netMinor(): number {
    if (!this.hasTakenMoney) return 0;
    let minor = isReversedByBank(this.#made) ? 0 : this.amount.minor;
    for (const refund of refundsOf(this.#made, this.#all.records)) {
      if (refund.settlement === 'completed') minor -= refund.amount.minor;
    }
    return minor;
  }

  /** What is left to the merchant once refunds that are under way have settled; never less than nothing. */
  get retainedMinor(): number {
    return retainedMinorOf(this.#made);
  }

  /** Money came, whatever happened to it later. */
  get hasTakenMoney(): boolean {
    return hasTakenMoney(this.#made);
  }

  get state(): ReturnType<typeof saleState> {
    const made = this.#made;
    return made.kind === 'sale' ? saleState(made) : refundableState(made);
  }

  get atMs(): number {
    return this.#made.createdAtMs;
  }

  /**
   * Ids that tell of it: whoever was told of a payment was told of its sale, once there was one; a capture has an answer
   * of its own.
   */
  get disclosingIds(): readonly string[] {
    const { kind, id, paymentId } = this.#made;
    return kind === 'sale' ? [id, paymentId] : [id];
  }

  get isCapture(): boolean {
    return this.#made.kind === 'capture';
  }

  /** Whether the answer to the very request arrived: nobody is told of anything before it is asked for. */
  get wasAnswered(): boolean {
    const { concludes, subject } = this.entry;
    const { kind, id, paymentId } = this.#made;
    return concludes === 'OK' && (subject === id || (kind === 'sale' && subject === paymentId));
  }

  /** The first exchange that told the client of it, and how. */
  get disclosedBy(): { readonly entry: StoredEntry; readonly how: DisclosureKind } | undefined {
    const { entry } = this;
    if (this.wasAnswered) return { entry, how: 'answer' };
    const { disclosures } = this.#all;
    const tellers = this.disclosingIds.flatMap((id) => disclosures.get(id) ?? []);
    const [teller] = tellers.toSorted((a, b) => a.seq - b.seq);
    return teller && { entry: teller, how: disclosureKind(teller, entry) };
  }

  /** Whether the client came to know of it; `unsure` where the journal cannot tell. */
  get known(): 'answered' | 'read' | 'never' | 'unsure' {
    if (this.wasAnswered) return 'answered';
    const { disclosedBy } = this;
    if (disclosedBy === undefined) return this.#all.isJournalComplete ? 'never' : 'unsure';
    return disclosedBy.how === 'answer' || disclosedBy.how === 'replay' ? 'answered' : 'read';
  }
}

/** Every sale and capture that an exchange in the journal made, and which purchase they belong to; read once asked. */
export class Charges {
  readonly #journal: JournalIndex;
  #all: readonly Charge[] | undefined;
  #told: ReadonlyMap<string, StoredEntry> | undefined;
  #captures: ReadonlyMap<string, readonly Charge[]> | undefined;

  constructor(journal: JournalIndex) {
    this.#journal = journal;
  }

  /** Oldest first. */
  get all(): readonly Charge[] {
    return (this.#all ??= chargesIn(this.#journal, this));
  }

  /** Who told of those that were not answered. */
  get disclosures(): ReadonlyMap<string, StoredEntry> {
    return (this.#told ??= this.#toldOf(this.all.filter(({ wasAnswered }) => !wasAnswered)));
  }

  get records(): Records {
    return this.#journal.records;
  }

  /** Whether nobody was told of what no answer in the journal tells of. */
  get isJournalComplete(): boolean {
    return this.#journal.isComplete;
  }

  /** What a request to pay took, and what was captured of what it authorized. */
  ofPayment(attempt: StoredEntry): Charge[] {
    const found: Charge[] = [];
    const { all } = this;
    const from = indexAfterSeq(all, attempt.seq - 1, seqOf);
    for (let at = from; at < all.length; at++) {
      const charge = all[at];
      if (charge?.entry !== attempt) break;
      found.push(charge);
    }
    for (const payment of createdIds(attempt)) {
      found.push(...(this.#capturesByPayment().get(payment) ?? []));
    }
    return found;
  }

  #toldOf(doubtful: readonly Charge[]): ReadonlyMap<string, StoredEntry> {
    const ids = new Set(doubtful.flatMap(({ disclosingIds }) => disclosingIds));
    const includesCaptures = doubtful.some(({ isCapture }) => isCapture);
    return firstDisclosures({ ids, includesCaptures }, this.#journal);
  }

  #capturesByPayment(): ReadonlyMap<string, readonly Charge[]> {
    return (this.#captures ??= groupBy(
      this.all.filter(({ entry }) => entry.operation === 'auth.capture'),
      ({ paymentId }) => paymentId,
    ));
  }
}

function seqOf({ entry }: Charge): number {
  return entry.seq;
}

/** Oldest first. */
function chargesIn(journal: JournalIndex, all: Charges): Charge[] {
  const { payments, sales, captures } = journal.records;
  const charges: Charge[] = [];
  for (const entry of journal.of('payment.create', 'auth.capture')) {
    for (const subject of createdIds(entry)) {
      const payment = payments.get(subject);
      if (payment === undefined) {
        const made = captures.get(subject);
        if (made === undefined) continue;
        const { instrument } = payments.get(made.paymentId) ?? {};
        charges.push(new Charge(entry, made, instrument, all));
        continue;
      }
      const { related, instrument } = payment;
      for (const { kind, id } of related) {
        const made = kind === 'sale' ? sales.get(id) : undefined;
        if (made !== undefined) charges.push(new Charge(entry, made, instrument, all));
      }
    }
  }
  return charges;
}
