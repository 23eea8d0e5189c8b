/** From records of a fixture document to what the domain reads. */
import type { CaptureDraft } from '../domain/authorization.ts';
import type { CardDraft, Expiry } from '../domain/card.ts';
import type { PaymentDraft } from '../domain/payment.ts';
import type { RefundDraft } from '../domain/refund.ts';
import { addDuration } from '../fixtures/duration.ts';
import { addressDraft } from './draft.ts';
import type { ReadCapture, ReadCard, ReadPayment, ReadRefund } from '../fixtures/schema.ts';
import type { Card } from '../domain/records.ts';

export function cardDraft(of: ReadCard, startMs: number): CardDraft {
  return {
    number: of.number,
    brand: of.type,
    ...expiry(of, startMs),
    cvv: undefined,
    firstName: of.first_name,
    lastName: of.last_name,
    billingAddress: of.billing_address && addressDraft(of.billing_address),
  };
}

export function paymentDraft(of: ReadPayment, card: Card | undefined): PaymentDraft {
  return {
    intent: of.intent,
    instrument: {
      kind: 'token',
      cardId: of.card,
      externalCustomerId: card?.externalCustomerId,
      payerId: card?.payerId,
    },
    amount: { total: of.amount.total, currency: of.amount.currency, details: of.amount.details },
    items: undefined,
    notes: {
      referenceId: undefined,
      description: of.description,
      noteToPayee: undefined,
      custom: of.custom,
      invoiceNumber: of.invoice_number,
      shippingAddress: undefined,
    },
  };
}

export function refundDraft(of: ReadRefund): RefundDraft {
  return {
    amount: of.amount,
    description: of.description,
    reason: of.reason,
    invoiceNumber: of.invoice_number,
  };
}

export function captureDraft(of: ReadCapture): CaptureDraft {
  return {
    amount: of.amount,
    isFinal: of.is_final_capture ?? false,
    invoiceNumber: undefined,
  };
}

/** The schema lets either a duration through, or both a month and a year. */
function expiry(of: ReadCard, startMs: number): Expiry {
  if (of.expires !== undefined) {
    const at = new Date(addDuration(startMs, of.expires));
    return { expireMonth: at.getUTCMonth() + 1, expireYear: at.getUTCFullYear() };
  }
  if (of.expire_month === undefined || of.expire_year === undefined) {
    throw new Error('A card passed the schema without an expiry.');
  }
  return { expireMonth: of.expire_month, expireYear: of.expire_year };
}
