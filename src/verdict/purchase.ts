/** Purchases as the buyer sees them: all attempts to pay for one thing, and the money they took. */
import { intentOf } from '../journal/intent.ts';
import { memberAlong, memberOf, stepsOf } from '../member.ts';
import type { Entry } from '../journal/entry.ts';
import type { Charge } from './charge.ts';
import { groupedBy } from './grouped.ts';
import { seriesOf } from './series.ts';
import type { Trail } from './trail.ts';

export interface Purchase {
  /** Unlike that of any other purchase of the merchant. */
  readonly key: string;
  /** Its invoice number, or what was bought. */
  readonly label: string;
  /** The invoice number it carries: two requests with the same one are the same purchase whatever lies between. */
  readonly invoiceNumber: string | undefined;
  /** `custom`, for merchants who name purchases there. */
  readonly custom: string | undefined;
  /** As it was first asked for. */
  readonly amount: { readonly total: string; readonly currency: string } | undefined;
  /** Requests to pay, oldest first. */
  readonly attempts: readonly Entry[];
  /** Sales, and captures of what was authorized, oldest first. */
  readonly charges: readonly Charge[];
}

/** Groups the requests to pay by what the buyer meant. */
export function purchasesOf(trail: Trail, charges: readonly Charge[]): readonly Purchase[] {
  const groups = seriesOf(trail.of('payment.create'), (entry) => {
    const key = intentOfAttempt(trail, entry);
    // A request that was not read, or is none, is nobody's purchase.
    if (key === undefined) return undefined;
    return { key, isNamed: () => invoiceOf(trail.bodyOf(entry)) !== undefined };
  });
  const byPayment = groupedBy(charges, ({ paymentId }) => paymentId);
  return groups.map(({ key, entries }) => purchaseOf(trail, key, entries, byPayment));
}

/** Ids of the payments that its attempts made. */
export function paymentsOf({ attempts }: Pick<Purchase, 'attempts'>): string[] {
  return attempts
    .flatMap(({ committed, subject, twin }) => (committed ? [subject, twin] : []))
    .filter((id) => id !== undefined);
}

/** A request that was turned away before it was understood has no intent, but may have left its body. */
function intentOfAttempt(trail: Trail, entry: Entry): string | undefined {
  if (entry.intent !== undefined) return entry.intent;
  const body = trail.bodyOf(entry);
  return body === undefined ? undefined : intentOf('payment.create', {}, body);
}

function purchaseOf(
  trail: Trail,
  key: string,
  attempts: readonly Entry[],
  charges: ReadonlyMap<string, readonly Charge[]>,
): Purchase {
  const [first] = attempts;
  const body = first === undefined ? undefined : trail.bodyOf(first);
  const transaction = memberAlong(body, transactionSteps);
  const at = (name: string): string | undefined => textOf(memberOf(transaction, name));
  const amount = memberOf(transaction, 'amount');
  const [total, currency] = ['total', 'currency'].map((name) => textOf(memberOf(amount, name)));
  const invoiceNumber = invoiceOf(body);
  const custom = at('custom');
  return {
    key,
    label:
      invoiceNumber ?? custom ?? at('description') ?? `${total ?? '?'} ${currency ?? ''}`.trim(),
    invoiceNumber,
    custom,
    amount: total === undefined || currency === undefined ? undefined : { total, currency },
    attempts,
    charges: paymentsOf({ attempts }).flatMap((id) => charges.get(id) ?? []),
  };
}

const transactionSteps = stepsOf('transactions[0]');

function invoiceOf(body: unknown): string | undefined {
  return textOf(memberOf(memberAlong(body, transactionSteps), 'invoice_number'));
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
