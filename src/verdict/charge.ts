/** Money that was taken from a card by a request in the journal, and what became of it. */
import type { Money } from '../domain/money.ts';
import { refundableState, saleState } from '../domain/sale.ts';
import type { Entry } from '../journal/entry.ts';
import { howTold, type HowTold, type Told } from './told.ts';
import type { Trail } from './trail.ts';
import type { Capture, Sale } from '../domain/records.ts';

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

/** Every sale and capture that an exchange in the journal made, oldest first. */
export function chargesOf(trail: Trail, told: Told): Charge[] {
  const { records } = trail;
  const charges: Charge[] = [];
  for (const entry of trail.of('payment.create', 'auth.capture')) {
    if (!entry.committed) continue;
    for (const subject of [entry.subject, entry.twin]) {
      if (subject === undefined) continue;
      const payment = records.payments.get(subject);
      const made =
        payment === undefined
          ? [records.captures.get(subject)]
          : payment.related
              .filter(({ kind }) => kind === 'sale')
              .map(({ id }) => records.sales.get(id));
      for (const one of made) {
        if (one !== undefined) charges.push(chargeOf(trail, told, entry, one));
      }
    }
  }
  return charges;
}

function chargeOf(
  { records, isWhole }: Trail,
  told: Told,
  entry: Entry,
  made: Sale | Capture,
): Charge {
  const { id, paymentId, amount, refundedMinor, createdAtMs } = made;
  const instrument = records.payments.get(paymentId)?.instrument;
  const dispute = made.kind === 'sale' ? made.dispute : undefined;
  const holds = made.kind === 'capture' || made.settlement === 'completed';
  const isTaken = dispute === 'open' || dispute === 'lost';
  const teller = firstTold(made, told);
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
    known: knownFrom(toldBy?.how, told.unsure || !isWhole),
  };
}

/** Whoever was told of a payment was told of its sale; a capture has an answer of its own. */
function firstTold(made: Sale | Capture, { by }: Told): Entry | undefined {
  const ids = made.kind === 'sale' ? [made.id, made.paymentId] : [made.id];
  return ids.flatMap((id) => by.get(id) ?? []).toSorted((a, b) => a.seq - b.seq)[0];
}

function knownFrom(how: HowTold | undefined, isUnsure: boolean): Charge['known'] {
  if (how === undefined) return isUnsure ? 'unsure' : 'never';
  return how === 'answer' || how === 'replay' ? 'answered' : 'read';
}
