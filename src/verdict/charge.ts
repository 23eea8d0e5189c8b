/** Money that was taken from a card by a request in the journal, and what became of it. */
import type { Money } from '../domain/money.ts';
import { refundableState, saleState } from '../domain/sale.ts';
import type { Entry } from '../journal/entry.ts';
import { placeAfter } from './first-after.ts';
import { groupedBy } from './grouped.ts';
import { howTold, type HowTold, type Told } from './told.ts';
import type { Trail } from './trail.ts';
import type { Capture, Payment, Sale } from '../domain/records.ts';

export interface Charge {
  /** Of the sale or capture. */
  readonly id: string;
  readonly paymentId: string;
  readonly cardId: string | undefined;
  readonly amount: Money;
  readonly refundedMinor: number;
  /** What the merchant has of it: nothing of one that is pending, denied or taken back. */
  readonly netMinor: number;
  readonly state: ReturnType<typeof saleState>;
  readonly dispute: Sale['dispute'];
  readonly atMs: number;
  /** The exchange that made it. */
  readonly entry: Entry;
  /** The first exchange that told the client of it, and how. */
  readonly toldBy: { readonly entry: Entry; readonly how: HowTold } | undefined;
  /** Whether the client came to know of it; `unsure` where the journal cannot tell. */
  readonly known: 'answered' | 'read' | 'never' | 'unsure';
}

/** Every sale and capture that an exchange in the journal made, and which purchase they belong to; read once asked. */
export class Charges {
  readonly #trail: Trail;
  readonly #told: Told;
  #all: readonly Charge[] | undefined;
  #captures: ReadonlyMap<string, readonly Charge[]> | undefined;

  constructor(trail: Trail, told: Told) {
    this.#trail = trail;
    this.#told = told;
  }

  /** Oldest first. */
  get all(): readonly Charge[] {
    return (this.#all ??= chargesOf(this.#trail, this.#told));
  }

  /** What a request to pay took, and what was captured of what it authorized. */
  ofPayment(attempt: Entry): Charge[] {
    const found: Charge[] = [];
    const { all } = this;
    const from = placeAfter(all, attempt.seq - 1, seqOf);
    for (let at = from; at < all.length; at++) {
      const charge = all[at];
      if (charge?.entry !== attempt) break;
      found.push(charge);
    }
    for (const payment of [attempt.subject, attempt.twin]) {
      if (payment !== undefined) found.push(...(this.#capturesByPayment().get(payment) ?? []));
    }
    return found;
  }

  #capturesByPayment(): ReadonlyMap<string, readonly Charge[]> {
    return (this.#captures ??= groupedBy(
      this.all.filter(({ entry }) => entry.operation === 'auth.capture'),
      ({ paymentId }) => paymentId,
    ));
  }
}

function seqOf({ entry }: Charge): number {
  return entry.seq;
}

function chargesOf(trail: Trail, told: Told): Charge[] {
  const { records } = trail;
  const charges: Charge[] = [];
  for (const entry of trail.of('payment.create', 'auth.capture')) {
    if (!entry.committed) continue;
    for (const subject of [entry.subject, entry.twin]) {
      if (subject === undefined) continue;
      const payment = records.payments.get(subject);
      if (payment === undefined) {
        const capture = records.captures.get(subject);
        if (capture === undefined) continue;
        const paid = records.payments.get(capture.paymentId);
        charges.push(chargeOf(trail, told, entry, capture, paid?.instrument));
        continue;
      }
      for (const { kind, id } of payment.related) {
        const sale = kind === 'sale' ? records.sales.get(id) : undefined;
        if (sale !== undefined)
          charges.push(chargeOf(trail, told, entry, sale, payment.instrument));
      }
    }
  }
  return charges;
}

function chargeOf(
  { isWhole }: Trail,
  told: Told,
  entry: Entry,
  made: Sale | Capture,
  instrument: Payment['instrument'] | undefined,
): Charge {
  const { id, paymentId, amount, refundedMinor, createdAtMs } = made;
  const dispute = made.kind === 'sale' ? made.dispute : undefined;
  const holds = made.kind === 'capture' || made.settlement === 'completed';
  const isTaken = dispute === 'open' || dispute === 'lost';
  // Whoever was told of a payment was told of its sale; a capture has an answer of its own.
  const teller = told.firstTold(entry, id, made.kind === 'sale' ? paymentId : id);
  const toldBy = teller && { entry: teller, how: howTold(teller, entry) };
  return {
    id,
    paymentId,
    cardId: instrument?.kind === 'token' ? instrument.cardId : undefined,
    amount,
    refundedMinor,
    netMinor: holds && !isTaken ? amount.minor - refundedMinor : 0,
    state: made.kind === 'sale' ? saleState(made) : refundableState(made),
    dispute,
    atMs: createdAtMs,
    entry,
    toldBy,
    known: toldBy === undefined ? unknownAs(told, isWhole) : knownFrom(toldBy.how),
  };
}

function knownFrom(how: HowTold): Charge['known'] {
  return how === 'answer' || how === 'replay' ? 'answered' : 'read';
}

function unknownAs(told: Told, isWhole: boolean): Charge['known'] {
  return isWhole && !told.isUnsure ? 'never' : 'unsure';
}
