/** The operations of payments. */
import { paymentPatchValues, type paymentRoutes } from '../../contract/service/payments.ts';
import { readShape } from '../../contract/shape.ts';
import {
  executePayment,
  findPayment,
  pay,
  revisePayment,
  type PaymentRevision,
} from '../../domain/payment/payment.ts';
import { accept, refuse, refuseFields, type Result } from '../../domain/refusals.ts';
import { listPayments } from '../../world/store/listing.ts';
import { paymentDraft, shippingAddressDraft } from '../../world/request-drafts.ts';
import type { Handlers, Input } from '../operation.ts';
import { paymentView } from '../views/payment-views.ts';
import type { View } from '../views/view.ts';

const defaultCount = 10;

export const paymentHandlers: Handlers<keyof typeof paymentRoutes> = {
  'payment.create': {
    kind: 'write',
    status: 201,
    idempotent: true,
    plan: ({ body }, world, _view, overrides) => pay(world, paymentDraft(body), overrides.payment),
    show: showPayment,
  },
  'payment.list': {
    kind: 'read',
    read: ({ query }, books, view, shift) => {
      const page = listPayments(books, {
        shift,
        count: query.count ?? defaultCount,
        startIndex: query.start_index ?? 0,
        startId: query.start_id,
        fromMs: query.start_time,
        toMs: query.end_time,
        descending: query.sort_order !== 'asc',
      });
      if (page === undefined) {
        return refuseFields({ field: 'start_id', issue: 'Must be the id of a payment' });
      }
      return accept({
        payments: page.payments.map((payment) => paymentView(view, payment)),
        count: page.payments.length,
        next_id: page.nextId,
      });
    },
  },
  'payment.get': {
    kind: 'read',
    read: ({ params }, _books, view) => showPayment(params.payment_id, view),
  },
  'payment.update': {
    kind: 'write',
    status: 200,
    idempotent: false,
    plan: ({ params, body }, world, view) => {
      const payment = findPayment(world, params.payment_id);
      if (!payment.ok) return payment;
      const revision = readRevision(body);
      if (!revision.ok) return revision;
      const { vaultedPaymentState } = view.profile;
      return revisePayment(world, payment.value, revision.value, vaultedPaymentState);
    },
    show: showPayment,
  },
  'payment.execute': {
    kind: 'write',
    status: 200,
    idempotent: true,
    plan: ({ params }, world) => executePayment(world, params.payment_id),
    show: showPayment,
  },
};

function showPayment(id: string, view: View) {
  const payment = findPayment(view.books, id);
  return payment.ok ? accept(paymentView(view, payment.value)) : payment;
}

type Notes = PaymentRevision['notes'];

/** Reads the changes of a patch. It stops at an operation on the amount, because the patch is then refused. */
function readRevision(patch: Input<'payment.update'>['body']): Result<PaymentRevision> {
  const notes: Notes = {};
  for (const { path, value } of patch) {
    if (path === '/transactions/0/amount') return accept({ notes: {}, changesAmount: true });
    const note = readNote(path, value);
    if (!note.ok) return note;
    Object.assign(notes, note.value);
  }
  return accept({ notes, changesAmount: false });
}

function readNote(path: keyof typeof paymentPatchValues, value: unknown): Result<Notes> {
  if (path === '/transactions/0/item_list/shipping_address') {
    const shaped = readShape(paymentPatchValues[path], value);
    if (!shaped.ok) return refuseValue(path, shaped);
    return accept({ shippingAddress: shippingAddressDraft(shaped.value) });
  }
  const shaped = readShape(paymentPatchValues[path], value);
  if (!shaped.ok) return refuseValue(path, shaped);
  return accept(
    path === '/transactions/0/custom' ? { custom: shaped.value } : { invoiceNumber: shaped.value },
  );
}

function refuseValue(
  path: string,
  shaped: Exclude<ReturnType<typeof readShape>, { readonly ok: true }>,
) {
  const issues =
    'issues' in shaped
      ? shaped.issues.map(({ field, issue }) => ({
          field: field === '' ? path : `${path}/${field}`,
          issue,
        }))
      : [{ field: path, issue: 'Value is invalid' }];
  return refuse('invalid-fields', `The value for ${path} does not fit.`, { issues });
}
