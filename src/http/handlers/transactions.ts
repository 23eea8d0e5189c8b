/** The operations of sales, refunds, authorizations and captures. */
import type { z } from '@hono/zod-openapi';
import type { authorizationRoutes } from '../../contract/service/authorizations.ts';
import type { captureRoutes } from '../../contract/service/captures.ts';
import type { RefundIn, saleRoutes } from '../../contract/service/sales.ts';
import {
  captureAuthorization,
  findAuthorization,
  reauthorize,
  voidAuthorization,
  findCapture,
} from '../../domain/payment/authorization.ts';
import {
  findRefund,
  refundCapture,
  refundSale,
  type RefundDraft,
} from '../../domain/payment/refund.ts';
import { accept, type Result } from '../../domain/refusals.ts';
import { findSale } from '../../domain/payment/sale.ts';
import type { Handlers } from '../operation.ts';
import {
  authorizationView,
  captureView,
  refundListView,
  refundView,
  saleView,
} from '../views/payment-views.ts';
import type { View } from '../views/view.ts';

export const saleHandlers: Handlers<keyof typeof saleRoutes> = {
  'sale.get': {
    kind: 'read',
    read: ({ params }, books, view) =>
      showRecord(findSale(books, params.sale_id), (sale) => saleView(view, sale)),
  },
  'sale.refund': {
    kind: 'write',
    status: 201,
    repeatStatus: 200,
    idempotent: true,
    plan: ({ params, body }, world, _view, overrides) =>
      refundSale(world, params.sale_id, refundDraft(body), overrides.refund),
    show: showRefund,
  },
  'sale.refunds': {
    kind: 'read',
    read: ({ params }, books, view) =>
      showRecord(findSale(books, params.sale_id), (sale) => refundListView(view, sale)),
  },
  'refund.get': {
    kind: 'read',
    read: ({ params }, _books, view) => showRefund(params.refund_id, view),
  },
};

export const authorizationHandlers: Handlers<keyof typeof authorizationRoutes> = {
  'auth.get': {
    kind: 'read',
    read: ({ params }, _books, view) => showAuthorization(params.authorization_id, view),
  },
  'auth.capture': {
    kind: 'write',
    status: 200,
    idempotent: true,
    plan: ({ params, body }, world) =>
      captureAuthorization(world, params.authorization_id, {
        amount: body.amount,
        isFinal: body.is_final_capture ?? false,
        invoiceNumber: body.invoice_number,
      }),
    show: (id, view) =>
      showRecord(findCapture(view.books, id), (capture) => captureView(view, capture, 'new')),
  },
  'auth.void': {
    kind: 'write',
    status: 200,
    idempotent: true,
    plan: ({ params }, world) => voidAuthorization(world, params.authorization_id),
    show: showAuthorization,
  },
  'auth.reauthorize': {
    kind: 'write',
    status: 201,
    idempotent: true,
    plan: ({ params }, world) => reauthorize(world, params.authorization_id),
    show: showAuthorization,
  },
};

export const captureHandlers: Handlers<keyof typeof captureRoutes> = {
  'capture.get': {
    kind: 'read',
    read: ({ params }, books, view) =>
      showRecord(findCapture(books, params.capture_id), (capture) => captureView(view, capture)),
  },
  'capture.refund': {
    kind: 'write',
    status: 201,
    repeatStatus: 200,
    idempotent: true,
    plan: ({ params, body }, world, _view, overrides) =>
      refundCapture(world, params.capture_id, refundDraft(body), overrides.refund),
    show: showRefund,
  },
};

function showRecord<T>(found: Result<T>, show: (record: T) => object): Result<object> {
  return found.ok ? accept(show(found.value)) : found;
}

function showRefund(id: string, view: View): Result<object> {
  return showRecord(findRefund(view.books, id), (refund) => refundView(view, refund));
}

function showAuthorization(id: string, view: View): Result<object> {
  return showRecord(findAuthorization(view.books, id), (held) => authorizationView(view, held));
}

function refundDraft(body: z.output<typeof RefundIn>): RefundDraft {
  return {
    amount: body.amount,
    description: body.description,
    reason: body.reason,
    invoiceNumber: body.invoice_number,
  };
}
