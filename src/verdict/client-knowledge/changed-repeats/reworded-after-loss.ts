/**
 * Did the client pay an order again with more or fewer words about it, or with the same words in another form, while it
 * could not know that the first payment had succeeded?
 *
 * A retry that is built in another place may leave out the items or add the shipping. It may also count the attempts, or
 * write the items in other lines. Purchases that say different things in one field are two.
 */
import type { StoredEntry } from '../../../journal/stored-entry.ts';
import { memberOf } from '../../../shared/unknown-value.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import { gapMs } from '../../evidence/exchange-order.ts';
import { groupBy, keepWhere } from '../../evidence/group-by.ts';
import { omittedFields } from '../../evidence/omitted-fields.ts';
import { withoutTimes } from '../../evidence/orders/attempt-marks.ts';
import { isNamedOrder, orderNamesOf } from '../../evidence/orders/order-names.ts';
import { haveSameItems } from '../../evidence/orders/written-forms.ts';
import { hasSameBody } from '../../evidence/request-content.ts';
import { cardAndAmountOf, payerOf, textOf, transactionOf } from '../../evidence/request-fields.ts';
import { maxRedeliveryMs, sameIntentWindowMs } from '../../evidence/time-windows.ts';
import { isKnownBefore } from '../disclosure.ts';
import { isReplacement } from '../reaction.ts';
import { meaningOf } from './order-texts.ts';

/** Two payments for one order that do not say the same about it. */
export interface RewordedAfterLoss {
  readonly first: StoredEntry;
  readonly again: StoredEntry;
  /** The fields that only one of both has. */
  readonly omitted: readonly string[];
  /** The fields in which both say the same in another form. */
  readonly rewritten: readonly string[];
  /** The fields in which only the time differs. It may tell two purchases apart. */
  readonly stamped: readonly string[];
}

/** With how many later payments of its card one is compared. Tests pay for all orders with one card. */
const mostLater = 100;

/** Words for an attempt, and signs of escapes, JSON and queries: what one name may have in another form. */
const mayBeRewritten = /attempt|retry|(?<![a-z])try|versuch|[&%\\]/i;

/** Finds the payments that were made again with more or fewer words, or in another form. */
export function findRewordedAfterLoss(evidence: Evidence): RewordedAfterLoss[] {
  const paid = keepWhere(evidence.of('payment.create'), ({ committed }) => committed);
  // Most answers arrive, and then no payment need be read.
  if (paid.every(isAnswered)) return [];
  const byCard = groupBy(paid, ({ cardId, cardMark }) => cardId ?? cardMark);
  const rewritable = new Set(paid.filter(({ request }) => mayBeRewritten.test(request ?? '')));
  const contents = new Map<StoredEntry, string>();
  const contentOf = (entry: StoredEntry): string => {
    const content = contents.get(entry) ?? contentOfPayment(evidence, entry);
    contents.set(entry, content);
    return content;
  };
  return [...byCard.values()].flatMap((payments) =>
    payments.flatMap((first, at) => {
      if (isAnswered(first)) return [];
      for (let later = at + 1; later <= at + mostLater; later++) {
        const again = payments[later];
        if (again === undefined) return [];
        const mayBeOneOrder =
          first.intent === again.intent || rewritable.has(first) || rewritable.has(again);
        if (!mayBeOneOrder) continue;
        // Most retries have the same body, and then no payment need be read.
        if (hasSameBody(first, again)) return [];
        if (contentOf(first) === contentOf(again)) return compare(evidence, first, again);
      }
      return [];
    }),
  );
}

function isAnswered({ concludes }: StoredEntry): boolean {
  return concludes === 'OK';
}

/** Card, amount, payer and name of a payment, as a key. */
function contentOfPayment(evidence: Evidence, entry: StoredEntry): string {
  return JSON.stringify([
    cardAndAmountOf(evidence, entry),
    payerOf(evidence, entry),
    nameOf(evidence, entry),
  ]);
}

function compare(
  evidence: Evidence,
  first: StoredEntry,
  again: StoredEntry,
): readonly RewordedAfterLoss[] {
  if (!isPaidAgain(evidence, first, again)) return [];
  const difference = differenceOf(evidence, first, again);
  return difference === undefined ? [] : [{ first, again, ...difference }];
}

/** What names the order of a payment: its invoice number, or what `custom` or else the description mean. */
function nameOf(evidence: Evidence, entry: StoredEntry): readonly string[] {
  const transaction = transactionOf(evidence, entry);
  const { invoiceNumber, custom } = orderNamesOf(transaction);
  if (invoiceNumber !== undefined) return ['invoice', invoiceNumber];
  return custom === undefined
    ? ['description', meaningOf(textOf(memberOf(transaction, 'description')) ?? '')]
    : ['custom', meaningOf(custom)];
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
const comparedElsewhere: ReadonlySet<string> = new Set(['amount', 'invoice_number']);
const amountParts: ReadonlySet<string> = new Set(['total', 'currency']);

/** How the texts of two requests differ; `undefined` if they are equal, or say different things in one field. */
function differenceOf(
  evidence: Evidence,
  first: StoredEntry,
  again: StoredEntry,
): Pick<RewordedAfterLoss, 'omitted' | 'rewritten' | 'stamped'> | undefined {
  const rewritten: string[] = [];
  const stamped: string[] = [];
  const areAlike = (value: unknown, other: unknown, name: string): boolean => {
    const saySame = name === 'item_list' ? areSameCarts(value, other) : meanSame(value, other);
    if (saySame) rewritten.push(name);
    else if (areStampedAlike(value, other)) stamped.push(name);
    else return false;
    return true;
  };
  const requests = [first, again].map((entry) => evidence.requestFieldsOf(entry));
  const transactions = [first, again].map((entry) => transactionOf(evidence, entry));
  const amounts = transactions.map((transaction) => memberOf(transaction, 'amount'));
  const found = [
    omittedFields(requests[0], requests[1], parts),
    omittedFields(transactions[0], transactions[1], comparedElsewhere, areAlike),
    omittedFields(amounts[0], amounts[1], amountParts),
  ];
  if (found.some((fields) => fields === undefined)) return undefined;
  const omitted = found.flatMap((fields) => fields ?? []);
  return omitted.length + rewritten.length + stamped.length === 0
    ? undefined
    : { omitted, rewritten, stamped };
}

function meanSame(one: unknown, other: unknown): boolean {
  return (
    typeof one === 'string' && typeof other === 'string' && meaningOf(one) === meaningOf(other)
  );
}

/** Whether two texts are equal but for the time. */
function areStampedAlike(one: unknown, other: unknown): boolean {
  return (
    typeof one === 'string' &&
    typeof other === 'string' &&
    withoutTimes(one) === withoutTimes(other)
  );
}

/** Whether two carts hold the same items, perhaps in other lines, and say nothing else. */
function areSameCarts(one: unknown, other: unknown): boolean {
  const [items, otherItems] = [one, other].map((cart): readonly unknown[] | undefined => {
    const isOnlyItems = Object.keys(Object(cart)).every((name) => name === 'items');
    const list = memberOf(cart, 'items');
    return isOnlyItems && Array.isArray(list) ? list : undefined;
  });
  return haveSameItems(items, otherItems);
}
