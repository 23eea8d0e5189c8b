/** Purchases as the buyer sees them: all attempts to pay for one thing, and the money they took. */
import { intentOf } from '../journal/intent.ts';
import { memberAt } from '../member.ts';
import type { Entry } from '../journal/entry.ts';
import type { Charge } from './charge.ts';
import { groupedBy } from './grouped.ts';
import { gapMs, type Trail } from './trail.ts';

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

/** Requests for the same card, amount and words this long after the last one are another purchase. */
const windowMs = 120_000;

/** Groups the requests to pay by what the buyer meant. */
export function purchasesOf(trail: Trail, charges: readonly Charge[]): readonly Purchase[] {
  const latest = new Map<string, Entry[]>();
  const groups: { readonly key: string; readonly attempts: Entry[] }[] = [];
  for (const entry of trail.of('payment.create')) {
    const intent = intentOfAttempt(trail, entry);
    // A request that was not read, or is none, is nobody's purchase.
    if (intent === undefined) continue;
    const group = latest.get(intent);
    const last = group?.at(-1);
    const isSame =
      last !== undefined &&
      (gapMs(last, entry) <= windowMs || invoiceOf(trail.bodyOf(entry)) !== undefined);
    if (group !== undefined && isSame) {
      group.push(entry);
      continue;
    }
    const attempts = [entry];
    latest.set(intent, attempts);
    groups.push({ key: group === undefined ? intent : `${intent}@${entry.seq}`, attempts });
  }
  const byPayment = groupedBy(charges, ({ paymentId }) => paymentId);
  return groups.map(({ key, attempts }) => purchaseOf(trail, key, attempts, byPayment));
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
  const at = (path: string): string | undefined => textAt(body, `transactions[0].${path}`);
  const total = at('amount.total');
  const currency = at('amount.currency');
  const invoiceNumber = invoiceOf(body);
  const custom = at('custom');
  const payments = attempts
    .flatMap(({ committed, subject, twin }) => (committed ? [subject, twin] : []))
    .filter((id) => id !== undefined);
  return {
    key,
    label:
      invoiceNumber ?? custom ?? at('description') ?? `${total ?? '?'} ${currency ?? ''}`.trim(),
    invoiceNumber,
    custom,
    amount: total === undefined || currency === undefined ? undefined : { total, currency },
    attempts,
    charges: payments.flatMap((id) => charges.get(id) ?? []),
  };
}

function invoiceOf(body: unknown): string | undefined {
  return textAt(body, 'transactions[0].invoice_number');
}

function textAt(body: unknown, path: string): string | undefined {
  const value = memberAt(body, path);
  return typeof value === 'string' && value !== '' ? value : undefined;
}
