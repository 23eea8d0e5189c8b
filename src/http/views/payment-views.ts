/** Writes payments, sales, authorizations, captures and refunds for answers. */
import { formatMinor } from '../../domain/money/money.ts';
import type { Item } from '../../domain/payment/amount.ts';
import { authorizationState } from '../../domain/payment/authorization.ts';
import { paymentState } from '../../domain/payment/payment.ts';
import { refundableState, saleReasonCode, saleState } from '../../domain/payment/sale.ts';
import type {
  Authorization,
  Capture,
  Instrument,
  Payment,
  Refund,
  RelatedResource,
  Sale,
  ShippingAddress,
  Transaction,
} from '../../domain/records.ts';
import { cardFaceView } from './card-view.ts';
import {
  address,
  detailedMoney,
  link,
  money,
  paymentTime,
  paymentTimes,
  type View,
} from './view.ts';

/** Writes a payment with its related resources (contract.md §3.5, §3.7). */
export function paymentView(view: View, payment: Payment): object {
  return {
    id: payment.id,
    ...paymentTimes(view, payment),
    state: paymentState(payment, view.profile.vaultedPaymentState),
    failure_reason: payment.failed ? 'UNABLE_TO_COMPLETE_TRANSACTION' : undefined,
    intent: payment.intent,
    payer: {
      payment_method: 'credit_card',
      funding_instruments: [instrumentView(payment.instrument)],
    },
    transactions: [transactionView(view, payment)],
    links: [link(view, paymentPath(payment.id), 'self', 'GET')],
  };
}

/**
 * Writes the expiry as strings under both profiles. The seed gives a payment no such fields, recordings have strings, and
 * the Go SDK decodes nothing else (contract.md §3.5).
 */
function instrumentView(instrument: Instrument): object {
  if (instrument.kind === 'card') return { credit_card: cardFaceView(instrument.face, 'string') };
  return {
    credit_card_token: {
      credit_card_id: instrument.cardId,
      payer_id: instrument.payerId,
      external_customer_id: instrument.externalCustomerId,
      last4: instrument.last4,
      type: instrument.brand,
      expire_month: String(instrument.expireMonth),
      expire_year: String(instrument.expireYear),
    },
  };
}

function transactionView(view: View, payment: Payment): object {
  const { transaction } = payment;
  return {
    amount: detailedMoney(view, transaction.amount, transaction.amount.details),
    reference_id: transaction.referenceId,
    description: transaction.description,
    note_to_payee: transaction.noteToPayee,
    custom: transaction.custom,
    invoice_number: transaction.invoiceNumber,
    item_list: itemListView(transaction),
    related_resources: payment.related
      .toArray()
      .map((related) => relatedView(view, related))
      .filter((shown) => shown !== undefined),
  };
}

function itemListView({ items, shippingAddress, amount }: Transaction): object | undefined {
  if (items === undefined && shippingAddress === undefined) return undefined;
  return {
    items: items?.map((item) => itemView(item, amount.currency)),
    shipping_address: shippingAddressView(shippingAddress),
  };
}

function itemView(item: Item, currency: Transaction['amount']['currency']): object {
  return {
    name: item.name,
    sku: item.sku,
    description: item.description,
    price: formatMinor(item.priceMinor, currency),
    currency,
    tax: item.taxMinor === undefined ? undefined : formatMinor(item.taxMinor, currency),
    quantity: item.quantity,
  };
}

function shippingAddressView(of: ShippingAddress | undefined): object | undefined {
  return of === undefined ? undefined : { recipient_name: of.recipientName, ...address(of) };
}

function relatedView(view: View, { kind, id }: RelatedResource): object | undefined {
  const { books } = view;
  switch (kind) {
    case 'sale': {
      const sale = books.sales.get(id);
      return sale === undefined ? undefined : { sale: saleView(view, sale) };
    }
    case 'authorization': {
      const held = books.authorizations.get(id);
      return held === undefined ? undefined : { authorization: authorizationInPayment(view, held) };
    }
    case 'capture': {
      const capture = books.captures.get(id);
      return capture === undefined ? undefined : { capture: captureView(view, capture) };
    }
    case 'refund': {
      const refund = books.refunds.get(id);
      return refund === undefined ? undefined : { refund: refundView(view, refund) };
    }
  }
}

function paymentPath(id: string): string {
  return `/v1/payments/payment/${id}`;
}

function pathOf(kind: 'sale' | 'refund' | 'authorization' | 'capture', id: string): string {
  return `/v1/payments/${kind}/${id}`;
}

/** Writes a sale (contract.md §4.1). */
export function saleView(view: View, sale: Sale): object {
  const path = pathOf('sale', sale.id);
  return {
    id: sale.id,
    ...paymentTimes(view, sale),
    state: saleState(sale),
    reason_code: saleReasonCode(sale),
    payment_hold_status: sale.hold === 'held' ? 'HELD' : undefined,
    amount: money(sale.amount),
    processor_response: sale.processor,
    parent_payment: sale.paymentId,
    links: [
      link(view, path, 'self', 'GET'),
      link(view, `${path}/refund`, 'refund', view.profile.refundLinkMethod),
      link(view, paymentPath(sale.paymentId), 'parent_payment', 'GET'),
    ],
  };
}

export function refundView(view: View, refund: Refund): object {
  const { kind, id } = refund.of;
  return {
    id: refund.id,
    ...paymentTimes(view, refund),
    state: refund.settlement,
    amount: money(refund.amount),
    [`${kind}_id`]: id,
    parent_payment: refund.paymentId,
    description: refund.description,
    reason: refund.reason,
    invoice_number: refund.invoiceNumber,
    links: [
      link(view, pathOf('refund', refund.id), 'self', 'GET'),
      link(view, paymentPath(refund.paymentId), 'parent_payment', 'GET'),
      link(view, pathOf(kind, id), kind, 'GET'),
    ],
  };
}

/**
 * `Seed silent:` a sale's refunds have no recorded list; this one exists so that a client can follow the GET refund
 * link.
 */
export function refundListView(view: View, sale: Sale): object {
  const refunds = sale.refundIds.toArray().flatMap((id) => view.books.refunds.get(id) ?? []);
  return {
    refunds: refunds.map((refund) => refundView(view, refund)),
    count: refunds.length,
    links: [
      link(view, `${pathOf('sale', sale.id)}/refund`, 'self', 'GET'),
      link(view, pathOf('sale', sale.id), 'sale', 'GET'),
    ],
  };
}

/**
 * Writes an authorization. A voided one has no `valid_until` and can no longer be captured or voided (contract.md
 * §4.3).
 */
export function authorizationView(view: View, of: Authorization): object {
  const { voided } = of;
  const path = pathOf('authorization', of.id);
  const self = link(view, path, 'self', 'GET');
  const parent = link(view, paymentPath(of.paymentId), 'parent_payment', 'GET');
  return {
    id: of.id,
    ...paymentTimes(view, of),
    amount: detailedMoney(view, of.amount, of.details),
    state: authorizationState(of, view.books.nowMs()),
    processor_response: of.processor,
    parent_payment: of.paymentId,
    valid_until: voided ? undefined : paymentTime(view, of.validUntilMs),
    links: voided
      ? [self, parent]
      : [
          self,
          link(view, `${path}/capture`, 'capture', 'POST'),
          link(view, `${path}/void`, 'void', 'POST'),
          parent,
        ],
  };
}

/** Writes an authorization inside a payment, where `state` comes before `amount` (contract.md §4.3). */
function authorizationInPayment(view: View, of: Authorization): object {
  const state = authorizationState(of, view.books.nowMs());
  return { id: of.id, ...paymentTimes(view, of), state, ...authorizationView(view, of) };
}

/**
 * Writes a capture. Only the answer to the capture itself says whether it was final and links to its authorization
 * (contract.md §4.3).
 */
export function captureView(view: View, capture: Capture, as: 'new' | 'shown' = 'shown'): object {
  const path = pathOf('capture', capture.id);
  const back = link(view, pathOf('authorization', capture.authorizationId), 'authorization', 'GET');
  return {
    id: capture.id,
    ...paymentTimes(view, capture),
    amount: money(capture.amount),
    is_final_capture: as === 'new' ? capture.isFinal : undefined,
    state: refundableState(capture),
    parent_payment: capture.paymentId,
    invoice_number: capture.invoiceNumber,
    links: [
      link(view, path, 'self', 'GET'),
      link(view, `${path}/refund`, 'refund', 'POST'),
      ...(as === 'new' ? [back] : []),
      link(view, paymentPath(capture.paymentId), 'parent_payment', 'GET'),
    ],
  };
}
