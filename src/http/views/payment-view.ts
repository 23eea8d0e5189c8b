/** Payments as answers show them, with all that came of them (contract.md §3.5, §3.7). */
import { formatMinor } from '../../domain/money/money.ts';
import type { Item } from '../../domain/payment/amount.ts';
import { cardFaceView } from './card-view.ts';
import {
  authorizationInPayment,
  captureView,
  paymentPath,
  refundView,
  saleView,
} from './transaction-views.ts';
import { address, detailedMoney, expiry, link, paymentTimes, type View } from './view.ts';
import type {
  Instrument,
  Payment,
  RelatedResource,
  ShippingAddress,
  Transaction,
} from '../../domain/records.ts';

/**
 * `created` or `approved`, as this merchant sees it: the point where seed and recordings differ most. One that failed is
 * `failed` (contract.md §3.6), and one without anything that came of it is only created.
 */
export function shownPaymentState(view: View, payment: Payment): 'created' | 'approved' | 'failed' {
  if (payment.failed) return 'failed';
  if (payment.related.length === 0) return 'created';
  return payment.instrument.kind === 'token' ? view.profile.vaultedPaymentState : 'approved';
}

export function paymentView(view: View, payment: Payment): object {
  return {
    id: payment.id,
    ...paymentTimes(view, payment),
    state: shownPaymentState(view, payment),
    failure_reason: payment.failed ? 'UNABLE_TO_COMPLETE_TRANSACTION' : undefined,
    intent: payment.intent,
    payer: {
      payment_method: 'credit_card',
      funding_instruments: [instrumentView(view, payment.instrument)],
    },
    transactions: [transactionView(view, payment)],
    links: [link(view, paymentPath(payment.id), 'self', 'GET')],
  };
}

function instrumentView(view: View, instrument: Instrument): object {
  if (instrument.kind === 'card') return { credit_card: cardFaceView(view, instrument.face) };
  return {
    credit_card_token: {
      credit_card_id: instrument.cardId,
      payer_id: instrument.payerId,
      external_customer_id: instrument.externalCustomerId,
      last4: instrument.last4,
      type: instrument.brand,
      expire_month: expiry(view, instrument.expireMonth),
      expire_year: expiry(view, instrument.expireYear),
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
