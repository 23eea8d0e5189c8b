/**
 * Why the domain refuses a request.
 *
 * A refusal is a value, not an exception: the domain throws only for our own bugs.
 * `contract/problems.ts` gives each kind its status, wire name and message.
 */

/** One invalid field, named as in the wire format (`transactions[0].amount.total`). */
export interface FieldIssue {
  readonly field: string;
  readonly issue: string;
}

export type Resource = 'card' | 'payment' | 'sale' | 'authorization' | 'capture' | 'refund';

export type RefusalKind =
  | 'invalid-fields'
  | 'not-found'
  | 'owner-missing'
  | 'owner-mismatch'
  | 'card-token-expired'
  | 'currency-not-allowed'
  | 'duplicate-invoice'
  | 'payment-state-invalid'
  | 'payment-already-done'
  | 'already-refunded'
  | 'refund-exceeds-transaction'
  | 'full-refund-after-partial'
  | 'refund-too-late'
  | 'transaction-not-refundable'
  | 'currency-mismatch'
  | 'authorization-expired'
  | 'authorization-voided'
  | 'authorization-completed'
  | 'authorization-cannot-be-voided'
  | 'capture-over-limit'
  | 'reauthorize-not-allowed'
  | 'records-full';

/**
 * Why a request is refused.
 *
 * `reason` is private to the person who runs the sandbox: what was expected and what to change. It
 * never contains a value that the client sent. `issues` are public and go to `details`. `public`
 * fills the placeholder of the public message.
 */
export interface Refusal {
  readonly kind: RefusalKind;
  readonly reason: string;
  readonly issues?: readonly FieldIssue[];
  readonly public?: string;
}

export type Result<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly refusal: Refusal };

export function accept<T>(value: T): Result<T> {
  return { ok: true, value };
}

export function refuse(
  kind: RefusalKind,
  reason: string,
  extra: { readonly issues?: readonly FieldIssue[]; readonly public?: string } = {},
): { readonly ok: false; readonly refusal: Refusal } {
  return { ok: false, refusal: { kind, reason, ...extra } };
}

/** Refuses invalid fields. The client sees `issues` in this order. */
export function refuseFields(...issues: readonly FieldIssue[]): {
  readonly ok: false;
  readonly refusal: Refusal;
} {
  return refuse('invalid-fields', issues.map((one) => `${one.field}: ${one.issue}`).join('; '), {
    issues,
  });
}

export function refuseUnknown(resource: Resource): {
  readonly ok: false;
  readonly refusal: Refusal;
} {
  return refuse(
    'not-found',
    `This merchant has no ${resource} with that id. Ids of other merchants, and ids from before a reset or delete, are unknown too.`,
  );
}
