/** Sales, refunds, authorizations and captures as answers show them (contract.md §4, §11). */
import { authorizationState } from '../../domain/payment/authorization.ts';
import { refundableState, saleState } from '../../domain/payment/sale.ts';
import { detailedMoney, link, money, paymentTime, paymentTimes, type View } from './view.ts';
import type { Authorization, Capture, Refund, Sale } from '../../domain/records.ts';

export function paymentPath(id: string): string {
  return `/v1/payments/payment/${id}`;
}

function pathOf(kind: 'sale' | 'refund' | 'authorization' | 'capture', id: string): string {
  return `/v1/payments/${kind}/${id}`;
}

export function saleView(view: View, sale: Sale): object {
  const path = pathOf('sale', sale.id);
  return {
    id: sale.id,
    ...paymentTimes(view, sale),
    state: saleState(sale),
    reason_code: sale.reasonCode,
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

/** `Seed silent:` a sale's refunds have no recorded list; this one exists so that the GET refund link can be followed. */
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

/** A voided authorization has no `valid_until` and can no more be captured or voided (contract.md §4.3). */
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

/** Inside a payment `state` stands before `amount` (contract.md §4.3). */
export function authorizationInPayment(view: View, of: Authorization): object {
  const state = authorizationState(of, view.books.nowMs());
  return { id: of.id, ...paymentTimes(view, of), state, ...authorizationView(view, of) };
}

/**
 * A capture. The answer to the capture itself also says whether it was final and links back to its authorization;
 * later answers do neither (contract.md §4.3).
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
