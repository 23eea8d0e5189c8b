/**
 * Did the client pay an order again with more or fewer words about it, while it could not know that the first payment had
 * succeeded?
 *
 * A retry that is built in another place may leave out the items or add the shipping. Purchases that say different things
 * in one field are two.
 */
import type { StoredEntry } from '../../../journal/stored-entry.ts';
import { memberOf } from '../../../shared/unknown-value.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import { consecutivePairs, gapMs } from '../../evidence/exchange-order.ts';
import { groupBy, keepWhere } from '../../evidence/group-by.ts';
import { omittedFields } from '../../evidence/omitted-fields.ts';
import { isNamedOrder } from '../../evidence/orders/order-names.ts';
import { hasSameBody, paymentsByIntent } from '../../evidence/request-content.ts';
import { cardAndAmountOf, payerOf, transactionOf } from '../../evidence/request-fields.ts';
import { maxRedeliveryMs, sameIntentWindowMs } from '../../evidence/time-windows.ts';
import { isKnownBefore } from '../disclosure.ts';
import { isReplacement } from '../reaction.ts';

/** Two payments for one order, of which one says more than the other. */
export interface RewordedAfterLoss {
  readonly first: StoredEntry;
  readonly again: StoredEntry;
  /** The fields that only one of both has. */
  readonly fields: readonly string[];
}

/** Finds the payments that were made again with more or fewer words. */
export function findRewordedAfterLoss(evidence: Evidence): RewordedAfterLoss[] {
  return [...paymentsByIntent(evidence).values()].flatMap((alike) => {
    const payments = keepWhere(alike, ({ committed }) => committed);
    // Most payments need not be read: they were answered, or are repeated with the same body.
    const isSuspicious =
      payments.some(({ concludes }) => concludes !== 'OK') &&
      !payments.every((entry) => hasSameBody(entry, payments[0]));
    if (!isSuspicious) return [];
    const byContent = groupBy(payments, (entry) =>
      JSON.stringify([cardAndAmountOf(evidence, entry), payerOf(evidence, entry)]),
    );
    return [...byContent.values()].flatMap((equal) => findIn(evidence, equal));
  });
}

function findIn(evidence: Evidence, payments: readonly StoredEntry[]): RewordedAfterLoss[] {
  return consecutivePairs(payments).flatMap(([first, again]): RewordedAfterLoss[] => {
    if (!isPaidAgain(evidence, first, again)) return [];
    const fields = fieldsOfOne(evidence, first, again);
    return fields === undefined || fields.length === 0 ? [] : [{ first, again, fields }];
  });
}

function isPaidAgain(evidence: Evidence, first: StoredEntry, again: StoredEntry): boolean {
  const withinMs = isNamedOrder(evidence, first) ? maxRedeliveryMs : sameIntentWindowMs;
  return (
    gapMs(first, again) <= withinMs &&
    !isKnownBefore(evidence, first, again) &&
    isReplacement(evidence, first, again)
  );
}

const parts: ReadonlySet<string> = new Set(['payer', 'transactions']);
const comparedElsewhere: ReadonlySet<string> = new Set(['amount', 'invoice_number', 'custom']);
const amountParts: ReadonlySet<string> = new Set(['total', 'currency']);

/** The fields that only one of two requests fills in; `undefined` if they fill in one field in different ways. */
function fieldsOfOne(
  evidence: Evidence,
  first: StoredEntry,
  again: StoredEntry,
): readonly string[] | undefined {
  const requests = [first, again].map((entry) => evidence.requestFieldsOf(entry));
  const transactions = [first, again].map((entry) => transactionOf(evidence, entry));
  const amounts = transactions.map((transaction) => memberOf(transaction, 'amount'));
  const found = [
    omittedFields(requests[0], requests[1], parts),
    omittedFields(transactions[0], transactions[1], comparedElsewhere),
    omittedFields(amounts[0], amounts[1], amountParts),
  ];
  return found.some((fields) => fields === undefined)
    ? undefined
    : found.flatMap((fields) => fields ?? []);
}
