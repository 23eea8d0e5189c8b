/** Money that was taken from a card by a request in the journal, and what became of it. */
import type { Money } from '../domain/money.ts';
import { refundableState, saleState } from '../domain/sale.ts';
import type { Entry } from '../journal/entry.ts';
import { placeAfter } from './first-after.ts';
import { groupedBy } from './grouped.ts';
import { howTold, toldOf, type HowTold, type Told } from './told.ts';
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
  #all: readonly Charge[] | undefined;
  #captures: ReadonlyMap<string, readonly Charge[]> | undefined;

  constructor(trail: Trail) {
    this.#trail = trail;
  }

  /** Oldest first. */
  get all(): readonly Charge[] {
    return (this.#all ??= chargesOf(this.#trail));
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

/** A record of money taken, and the exchange that made it. */
interface Taking {
  readonly entry: Entry;
  readonly made: Sale | Capture;
  readonly instrument: Payment['instrument'] | undefined;
}

function chargesOf(trail: Trail): Charge[] {
  const takings = takingsIn(trail);
  const doubtful = takings.filter((taking) => !wasAnswered(taking));
  const ids = new Set(doubtful.flatMap(({ made }) => idsOf(made)));
  const haveCaptures = doubtful.some(({ made }) => made.kind === 'capture');
  const told = toldOf({ ids, haveCaptures }, trail);
  return takings.map((taking) => chargeOf(taking, told, trail));
}

/** Oldest first. */
function takingsIn(trail: Trail): Taking[] {
  const { records } = trail;
  const takings: Taking[] = [];
  for (const entry of trail.of('payment.create', 'auth.capture')) {
    if (!entry.committed) continue;
    for (const subject of [entry.subject, entry.twin]) {
      if (subject === undefined) continue;
      const payment = records.payments.get(subject);
      if (payment === undefined) {
        const made = records.captures.get(subject);
        if (made === undefined) continue;
        const { instrument } = records.payments.get(made.paymentId) ?? {};
        takings.push({ entry, made, instrument });
        continue;
      }
      const { related, instrument } = payment;
      for (const { kind, id } of related) {
        const made = kind === 'sale' ? records.sales.get(id) : undefined;
        if (made !== undefined) takings.push({ entry, made, instrument });
      }
    }
  }
  return takings;
}

/** Ids that tell of it: whoever was told of a payment was told of its sale; a capture has an answer of its own. */
function idsOf({ kind, id, paymentId }: Sale | Capture): string[] {
  return kind === 'sale' ? [id, paymentId] : [id];
}

/** Whether the answer to the very request arrived: nobody is told of anything before it is asked for. */
function wasAnswered({ entry: { concludes, subject }, made }: Taking): boolean {
  return (
    concludes === 'OK' &&
    (subject === made.id || (made.kind === 'sale' && subject === made.paymentId))
  );
}

function firstTold(taking: Taking, { by }: Told): Entry | undefined {
  if (wasAnswered(taking)) return taking.entry;
  const tellers = idsOf(taking.made).flatMap((id) => by.get(id) ?? []);
  return tellers.toSorted((a, b) => a.seq - b.seq)[0];
}

function chargeOf(taking: Taking, told: Told, { isWhole }: Trail): Charge {
  const { entry, made, instrument } = taking;
  const { id, paymentId, amount, refundedMinor, createdAtMs } = made;
  const dispute = made.kind === 'sale' ? made.dispute : undefined;
  const holds = made.kind === 'capture' || made.settlement === 'completed';
  const isTaken = dispute === 'open' || dispute === 'lost';
  const teller = firstTold(taking, told);
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
