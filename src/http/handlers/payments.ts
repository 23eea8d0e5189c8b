/** The payments' operations. */
import { paymentPatchValues, type paymentRoutes } from '../../contract/service/payments.ts';
import { readShape } from '../../contract/shape.ts';
import { findPayment, pay, revisePayment } from '../../domain/payment/payment.ts';
import { accept, refuse, refuseFields, type Result } from '../../domain/refusals.ts';
import { listPayments } from '../../world/store/listing.ts';
import { paymentDraft, shippingAddressDraft } from '../../world/fixtures/request-drafts.ts';
import type { Handlers, Input } from '../operation.ts';
import { paymentView, shownPaymentState } from '../views/payment-view.ts';
import type { View } from '../views/view.ts';
import type { TransactionNotes } from '../../domain/records.ts';

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
      const notes = patchedNotes(body);
      if (!notes.ok) return notes;
      const open = shownPaymentState(view, payment.value) === 'created' && notes.value !== 'amount';
      return revisePayment(
        world,
        params.payment_id,
        notes.value === 'amount' ? {} : notes.value,
        open,
      );
    },
    show: showPayment,
  },
};

function showPayment(id: string, view: View) {
  const payment = findPayment(view.books, id);
  return payment.ok ? accept(paymentView(view, payment.value)) : payment;
}

type Patchable = Partial<Pick<TransactionNotes, 'custom' | 'invoiceNumber' | 'shippingAddress'>>;

/** What a patch sets; `amount` when it would touch what was charged. */
function patchedNotes(patch: Input<'payment.update'>['body']): Result<Patchable | 'amount'> {
  const notes: Patchable = {};
  for (const { path, value } of patch) {
    if (path === '/transactions/0/amount') return accept('amount');
    const set = patchedNote(path, value);
    if (!set.ok) return set;
    Object.assign(notes, set.value);
  }
  return accept(notes);
}

function patchedNote(path: keyof typeof paymentPatchValues, value: unknown): Result<Patchable> {
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
