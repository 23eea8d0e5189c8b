/** Authorizations: money held for 29 days, taken by captures, released by a void. */
import { amountFormatIssue, zeroAmountIssue } from './amount.ts';
import { AppendList } from '../append-list.ts';
import { charge } from '../money/ledger.ts';
import { formatMinor, parseMinor, type Money } from '../money/money.ts';
import { addRelated } from './related-resources.ts';
import type { Books, Change } from '../ports.ts';
import { accept, refuse, refuseFields, refuseUnknown, type Result } from '../refusals.ts';
import type { Authorization, Capture } from '../records.ts';

export type AuthorizationState =
  | 'authorized'
  | 'partially_captured'
  | 'captured'
  | 'voided'
  | 'expired';

export interface CaptureDraft {
  readonly amount: { readonly total: string; readonly currency: string };
  readonly isFinal: boolean;
  readonly invoiceNumber: string | undefined;
}

/** How many days an authorization is valid (contract.md §4.3). */
export const authorizationDays = 29;

/**
 * The state of an authorization at a given time. A void or final capture takes precedence over
 * expiry.
 */
export function authorizationState(of: Authorization, nowMs: number): AuthorizationState {
  if (of.voided) return 'voided';
  if (of.closed) return 'captured';
  if (nowMs >= of.validUntilMs) return 'expired';
  return of.capturedMinor > 0 ? 'partially_captured' : 'authorized';
}

/** What an authorization still holds, in minor units of its amount. */
export function heldMinor(of: Authorization, nowMs: number): number {
  const state = authorizationState(of, nowMs);
  const isOpen = state === 'authorized' || state === 'partially_captured';
  return isOpen ? Math.max(0, of.amount.minor - of.capturedMinor) : 0;
}

/**
 * The most that can be captured: 115 % of the amount, but at most 75 USD more (contract.md §4.3).
 *
 * `Seed silent:` there are no exchange rates here, so for other currencies only the 115 % apply.
 */
export function captureCapMinor(amount: Money): number {
  const byShare = Math.floor((amount.minor * 115) / 100);
  return amount.currency === 'USD' ? Math.min(byShare, amount.minor + 7500) : byShare;
}

export function findAuthorization(books: Books, id: string): Result<Authorization> {
  const authorization = books.authorizations.get(id);
  return authorization === undefined ? refuseUnknown('authorization') : accept(authorization);
}

export function findCapture(books: Books, id: string): Result<Capture> {
  const capture = books.captures.get(id);
  return capture === undefined ? refuseUnknown('capture') : accept(capture);
}

/** Captures held money in part or in full. A final capture releases the rest. */
export function captureAuthorization(
  books: Books,
  id: string,
  draft: CaptureDraft,
): Result<Change> {
  const authorization = books.authorizations.get(id);
  if (authorization === undefined) return refuseUnknown('authorization');
  const amount = captureAmount(books, authorization, draft);
  if (!amount.ok) return amount;
  const nowMs = books.nowMs();
  const capture: Capture = {
    kind: 'capture',
    id: books.ids.transaction(),
    paymentId: authorization.paymentId,
    authorizationId: id,
    amount: amount.value,
    isFinal: draft.isFinal,
    invoiceNumber: draft.invoiceNumber,
    refundedMinor: 0,
    refundIds: AppendList.empty,
    createdAtMs: nowMs,
    updatedAtMs: nowMs,
  };
  const capturedMinor = authorization.capturedMinor + capture.amount.minor;
  const closed = draft.isFinal || capturedMinor >= authorization.amount.minor;
  const after: Authorization = { ...authorization, capturedMinor, closed, updatedAtMs: nowMs };
  return accept({
    subject: capture.id,
    writes: [
      { table: 'captures', record: capture },
      { table: 'authorizations', record: after },
      ...addRelated(books, authorization.paymentId, { kind: 'capture', id: capture.id }),
    ],
    transfers: [charge('capture', capture)],
  });
}

/**
 * Releases held money. Allowed before the first capture and after a capture that was not final
 * (contract.md §4.3).
 */
export function voidAuthorization(books: Books, id: string): Result<Change> {
  const authorization = books.authorizations.get(id);
  if (authorization === undefined) return refuseUnknown('authorization');
  const state = authorizationState(authorization, books.nowMs());
  if (state !== 'authorized' && state !== 'partially_captured') {
    return refuse(
      'authorization-cannot-be-voided',
      `Only an authorized or partially captured authorization can be voided; this one is ${state}.`,
      { public: state },
    );
  }
  const voided: Authorization = { ...authorization, voided: true, updatedAtMs: books.nowMs() };
  return accept({
    subject: id,
    writes: [{ table: 'authorizations', record: voided }],
    transfers: [],
  });
}

/**
 * Refuses to renew: only PayPal account authorizations can be renewed, not card ones (contract.md
 * §4.3).
 */
export function reauthorize(books: Books, id: string): Result<Change> {
  if (books.authorizations.get(id) === undefined) return refuseUnknown('authorization');
  return refuse(
    'reauthorize-not-allowed',
    'Card authorizations cannot be renewed. Create a new payment.',
  );
}

function captureAmount(
  books: Books,
  authorization: Authorization,
  draft: CaptureDraft,
): Result<Money> {
  const { currency } = authorization.amount;
  const state = authorizationState(authorization, books.nowMs());
  if (draft.amount.currency !== currency) {
    return refuse(
      'currency-mismatch',
      `The authorization is in ${currency}; capture it in ${currency}.`,
    );
  }
  const minor = parseMinor(draft.amount.total, currency);
  if (minor === undefined) return refuseFields({ field: 'amount.total', issue: amountFormatIssue });
  if (minor === 0) return refuseFields({ field: 'amount.total', issue: zeroAmountIssue });
  if (state === 'voided') {
    return refuse('authorization-voided', 'The authorization was voided and holds no money.');
  }
  if (state === 'captured') {
    return refuse(
      'authorization-completed',
      'A final capture was made, or the full amount was captured.',
    );
  }
  if (state === 'expired') {
    return refuse(
      'authorization-expired',
      `An authorization is valid for ${authorizationDays} days on this merchant's clock.`,
    );
  }
  const leftMinor = captureCapMinor(authorization.amount) - authorization.capturedMinor;
  if (minor > leftMinor) {
    return refuse(
      'capture-over-limit',
      `At most ${formatMinor(leftMinor, currency)} ${currency} can still be captured.`,
    );
  }
  return accept({ minor, currency });
}
