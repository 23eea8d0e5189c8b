/** Card payments: with a vaulted or a raw card, as a sale or an authorization. */
import { readBasket, type AmountDraft, type ItemDraft } from './amount.ts';
import { authorizationDays } from './authorization.ts';
import { scheduleEvents, adaptAvsCode, type PaymentOverrides } from './overrides.ts';
import { dayMs } from '../calendar.ts';
import { refuseRealCard, cardState, readCard, type CardDraft } from '../card/card.ts';
import { AppendList } from '../append-list.ts';
import { charge } from '../money/ledger.ts';
import { addRelated } from './related-resources.ts';
import type { Books, Change, Write } from '../ports.ts';
import { accept, refuse, refuseUnknown, type Result } from '../refusals.ts';
import type {
  Authorization,
  Card,
  Instrument,
  Intent,
  Payment,
  RelatedResource,
  Sale,
  Transaction,
  TransactionNotes,
} from '../records.ts';

export type InstrumentDraft =
  | {
      readonly kind: 'token';
      readonly cardId: string;
      readonly externalCustomerId: string | undefined;
      readonly payerId: string | undefined;
    }
  | { readonly kind: 'card'; readonly card: CardDraft };

export interface PaymentDraft {
  readonly intent: Intent;
  readonly instrument: InstrumentDraft;
  readonly amount: AmountDraft;
  readonly items: readonly ItemDraft[] | undefined;
  readonly notes: TransactionNotes;
}

export function findPayment(books: Books, id: string): Result<Payment> {
  const payment = books.payments.get(id);
  return payment === undefined ? refuseUnknown('payment') : accept(payment);
}

/** Pays: a sale takes the money at once, an authorization holds it. */
export function pay(
  books: Books,
  draft: PaymentDraft,
  given: PaymentOverrides = {},
): Result<Change> {
  const basket = readBasket(draft.amount, draft.items);
  if (!basket.ok) return basket;
  const instrument = readInstrument(books, draft.instrument);
  if (!instrument.ok) return instrument;
  const { invoiceNumber } = draft.notes;
  if (invoiceNumber !== undefined && books.paymentWithInvoice(invoiceNumber) !== undefined) {
    return refuse(
      'duplicate-invoice',
      'Another payment of this merchant has this invoice number. Check that payment before charging again.',
    );
  }
  if (draft.instrument.kind === 'card') {
    const refusal = refuseRealCard(books, draft.instrument.card.number, 'payment');
    if (refusal !== undefined) return refusal;
  }
  const overrides = { ...given, processor: adaptAvsCode(given.processor, countryOf(books, draft)) };
  const { amount, items } = basket.value;
  const nowMs = books.nowMs();
  const payment: Payment = {
    id: books.ids.payment(),
    intent: draft.intent,
    instrument: instrument.value,
    transaction: { amount, items, ...draft.notes },
    failed: overrides.sale === 'none',
    related: AppendList.empty,
    createdAtMs: nowMs,
    updatedAtMs: nowMs,
  };
  if (payment.failed || (draft.intent === 'sale' && overrides.sale === 'late')) {
    return accept({
      subject: payment.id,
      writes: [{ table: 'payments', record: payment }],
      transfers: [],
      scheduled: scheduleEvents(payment.id, nowMs, overrides.events),
    });
  }
  return accept(
    draft.intent === 'sale'
      ? takeMoney(books, payment, overrides)
      : holdMoney(books, payment, overrides),
  );
}

/** Records a payment with its sale. */
function takeMoney(books: Books, payment: Payment, overrides: PaymentOverrides): Change {
  const { id, createdAtMs } = payment;
  const sale = createSale(payment, books.ids.transaction(), createdAtMs, overrides);
  return {
    subject: id,
    writes: [
      writeWithPart(payment, { kind: 'sale', id: sale.id }),
      { table: 'sales', record: sale },
    ],
    transfers: sale.settlement === 'completed' ? [charge('sale', sale)] : [],
    scheduled: scheduleEvents(sale.id, createdAtMs, overrides.events),
  };
}

/** Records a payment with its authorization. */
function holdMoney(books: Books, payment: Payment, { processor }: PaymentOverrides): Change {
  const { id, createdAtMs, transaction } = payment;
  const { minor, currency, details } = transaction.amount;
  const authorization: Authorization = {
    id: books.ids.transaction(),
    paymentId: id,
    amount: { minor, currency },
    createdAtMs,
    updatedAtMs: createdAtMs,
    details,
    capturedMinor: 0,
    closed: false,
    voided: false,
    processor,
    validUntilMs: createdAtMs + authorizationDays * dayMs,
  };
  return {
    subject: id,
    writes: [
      writeWithPart(payment, { kind: 'authorization', id: authorization.id }),
      { table: 'authorizations', record: authorization },
    ],
    transfers: [],
  };
}

function writeWithPart(payment: Payment, part: RelatedResource): Write {
  return { table: 'payments', record: { ...payment, related: payment.related.append(part) } };
}

/** The buyer's country, from the card's billing address. */
function countryOf(books: Books, { instrument }: PaymentDraft): string | undefined {
  const card = instrument.kind === 'card' ? instrument.card : books.cards.get(instrument.cardId);
  return card?.billingAddress?.countryCode;
}

/** Creates the sale that a payment is still missing; `undefined` if it has one or has failed. */
export function makeLateSale(books: Books, paymentId: string): Change | undefined {
  const payment = books.payments.get(paymentId);
  if (payment === undefined || payment.failed || payment.related.length > 0) return undefined;
  const sale = createSale(payment, books.ids.transaction(), books.nowMs(), {});
  return {
    subject: sale.id,
    writes: [
      { table: 'sales', record: sale },
      ...addRelated(books, paymentId, { kind: 'sale', id: sale.id }),
    ],
    transfers: [charge('sale', sale)],
  };
}

function createSale(
  payment: Payment,
  id: string,
  nowMs: number,
  overrides: PaymentOverrides,
): Sale {
  const { minor, currency } = payment.transaction.amount;
  return {
    kind: 'sale',
    id,
    paymentId: payment.id,
    amount: { minor, currency },
    createdAtMs: nowMs,
    updatedAtMs: nowMs,
    settlement:
      overrides.sale === 'pending' || overrides.sale === 'denied' ? overrides.sale : 'completed',
    reasonCode: overrides.reasonCode,
    processor: overrides.processor,
    hold: overrides.sale === 'held' ? 'held' : undefined,
    dispute: undefined,
    refundedMinor: 0,
    refundIds: AppendList.empty,
  };
}

export type PaymentState = 'created' | 'approved' | 'failed';

/**
 * The state of a payment.
 *
 * `vaulted` is the state of a payment with a vaulted card, which is the main difference between seed and recordings. A
 * payment with a raw card is approved. One that failed is `failed` (contract.md §3.6), and one without a sale or
 * authorization is only created.
 */
export function paymentState(payment: Payment, vaulted: 'created' | 'approved'): PaymentState {
  if (payment.failed) return 'failed';
  if (payment.related.length === 0) return 'created';
  return payment.instrument.kind === 'token' ? vaulted : 'approved';
}

/** What a revision of a payment would change. */
export interface PaymentRevision {
  readonly notes: Partial<Pick<TransactionNotes, 'custom' | 'invoiceNumber' | 'shippingAddress'>>;
  readonly changesAmount: boolean;
}

/**
 * Changes a payment's notes while its state is `created`. The amount never changes.
 *
 * `Seed silent:` the seed shows `created` for a payment whose sale is completed. In that state the
 * invoice number, `custom` and the shipping address can be set.
 */
export function revisePayment(
  books: Books,
  payment: Payment,
  { notes, changesAmount }: PaymentRevision,
  vaultedState: 'created' | 'approved',
): Result<Change> {
  if (changesAmount || paymentState(payment, vaultedState) !== 'created') {
    return refuse(
      'payment-state-invalid',
      'The payment is approved or failed. Only a payment in state created can be patched, and never its amount.',
    );
  }
  const { invoiceNumber } = notes;
  const holder = invoiceNumber === undefined ? undefined : books.paymentWithInvoice(invoiceNumber);
  if (holder !== undefined && holder !== payment.id) {
    return refuse('duplicate-invoice', 'Another payment of this merchant has this invoice number.');
  }
  const transaction: Transaction = { ...payment.transaction, ...notes };
  const record: Payment = { ...payment, transaction, updatedAtMs: books.nowMs() };
  return accept({ subject: payment.id, writes: [{ table: 'payments', record }], transfers: [] });
}

/**
 * Refuses to execute: a wallet payment is executed once the buyer has approved it, but a card payment is made when it is
 * created (contract.md §3.7).
 */
export function executePayment(books: Books, id: string): Result<Change> {
  const payment = books.payments.get(id);
  if (payment === undefined) return refuseUnknown('payment');
  const isDone = !payment.failed && payment.related.length > 0;
  return refuse(
    isDone ? 'payment-already-done' : 'payment-state-invalid',
    'Only wallet payments are executed. A card payment is made when it is created, so leave this call out.',
  );
}

function readInstrument(books: Books, draft: InstrumentDraft): Result<Instrument> {
  if (draft.kind === 'card') {
    const face = readCard(draft.card, 'payment', books);
    return face.ok ? accept({ kind: 'card', face: face.value }) : face;
  }
  const card = books.cards.get(draft.cardId);
  if (card === undefined) return refuseUnknown('card');
  const owner = checkOwner(books, card, draft);
  if (!owner.ok) return owner;
  if (cardState(card, books.nowMs()) === 'expired') {
    return refuse(
      'card-token-expired',
      "The card's valid_until has passed on this merchant's clock. Store the card again.",
    );
  }
  return accept({
    kind: 'token',
    cardId: card.id,
    externalCustomerId: draft.externalCustomerId,
    payerId: draft.payerId,
    firstName: card.firstName,
    lastName: card.lastName,
    triggeredOutcome: card.triggeredOutcome,
    last4: card.last4,
    brand: card.brand,
    expireMonth: card.expireMonth,
    expireYear: card.expireYear,
  });
}

/**
 * Checks the customer id of a payment with a vaulted card.
 *
 * If the card was stored with a customer id, every payment must send it (the seed). `payer_id` is
 * the older name of the same field, and either can replace the other (contract.md §5.4). A card
 * stored without a customer id requires none and ignores any.
 */
function checkOwner(
  books: Books,
  card: Card,
  draft: { readonly externalCustomerId: string | undefined; readonly payerId: string | undefined },
): Result<null> {
  if (card.externalCustomerId === undefined && card.payerId === undefined) return accept(null);
  const { externalCustomerId, payerId } = draft;
  if (externalCustomerId === undefined && payerId === undefined) {
    if (books.policy.ownerCheck === 'lenient') return accept(null);
    return refuse(
      'owner-missing',
      'The card was stored with a customer id. Send the same value as external_customer_id in credit_card_token.',
    );
  }
  const isOwner =
    (externalCustomerId ?? card.externalCustomerId ?? card.payerId) ===
      (card.externalCustomerId ?? card.payerId) &&
    (payerId ?? card.payerId ?? card.externalCustomerId) ===
      (card.payerId ?? card.externalCustomerId);
  if (!isOwner) {
    return refuse(
      'owner-mismatch',
      'The customer id differs from the one that the card was stored with. Check which customer owns this card.',
    );
  }
  return accept(null);
}
