/** Compares what a merchant's code believes about its purchases with the ledger. */
import type { Belief } from '../contract/control/verdict.ts';
import type { Money } from '../domain/money/money.ts';
import { authorizationState } from '../domain/payment/authorization.ts';
import { restoreId } from '../outcomes/effects/long-id-dialect.ts';
import { hideCardNumbers } from '../redaction/hide-card-numbers.ts';
import type { World } from '../world/world.ts';
import type { Evidence } from './evidence/evidence.ts';
import type { JournalIndex } from './evidence/journal-index.ts';
import { findOrdersByName, type NamedOrders } from './evidence/orders/orders-by-name.ts';
import { findCharge, idsWithRelated } from './evidence/records.ts';
import { orderNamesIn } from './evidence/orders/order-names.ts';
import { firstAnswerShowingReversal } from './client-knowledge/bank-reversal.ts';
import { describePurchase, formatCount, formatMoney } from './phrases.ts';
import {
  chargeRecordsOf,
  isReversedByBank,
  pendingRefundMinorOf,
  retainedMinorOf,
  type ChargeRecord,
} from './purchases/net-amount.ts';
import type { Purchase } from './purchases/purchase.ts';

/** A belief, and what the ledger has for it. */
export interface CheckedBelief {
  readonly belief: Belief;
  /** A phrase for its subject. */
  readonly description: string;
  /** Whether the journal or the records hold something by that name or id. */
  readonly isKnown: boolean;
  /** How many payment requests were refused for their tokens, so that their names are not known. */
  readonly unreadCount: number;
  /** What the merchant keeps of each charge after all refunds, pending ones included. */
  readonly retained: readonly Money[];
  /** What the ledger shows of these amounts now. The rest is pending, and will be completed. */
  readonly held: readonly Money[];
  /** Whether the bank took money back by a reversal or dispute that no answer has shown to the client. */
  readonly isTakenBackUnseen: boolean;
  /** Why nothing is left of charges that had taken money, if something took it back. */
  readonly takenBackBy: 'bank' | 'refund' | undefined;
  /** Whether all that the merchant keeps comes from requests that something on the way repeated, unseen by the client. */
  readonly isRetainedUnseen: boolean;
  /** What pending refunds will take. */
  readonly pendingRefunds: readonly Money[];
  /** A phrase for the latest payment, if it brought no money. */
  readonly unpaid: string | undefined;
}

interface NamedBelief {
  readonly belief: Belief;
  /** The name as reports show it. It comes from the client and may contain a card number. */
  readonly shown: string;
}

/** The purchase or record that a name or id refers to. */
type Subject = Pick<CheckedBelief, 'description' | 'isKnown'> & {
  readonly paymentIds: readonly string[];
  readonly charges: readonly ChargeRecord[];
};

/**
 * The beliefs of a merchant's code, by name or id.
 *
 * A name is an invoice number or `custom`. An id is that of a payment, authorization, sale or capture. Amounts come from
 * the records, so a dropped journal entry changes nothing.
 */
export class Beliefs {
  readonly #byName: ReadonlyMap<string, NamedBelief>;

  constructor(beliefs: Readonly<Record<string, Belief>>, world: Pick<World, 'maskText'>) {
    this.#byName = new Map(
      // The ledger has no name with a card number: it knows the purchase by the masked one.
      Object.entries(beliefs).map(([name, belief]) => [
        world.maskText(restoreId(name)),
        { belief, shown: hideCardNumbers(restoreId(name)) },
      ]),
    );
  }

  /** The belief about a purchase, by the first of its names or of the ids that belong to it. */
  ofPurchase(journal: JournalIndex, { attempts, payments }: Purchase): Belief | undefined {
    if (this.#byName.size === 0) return undefined;
    const names = [
      ...attempts.flatMap((entry) => {
        const { invoiceNumber, custom } = orderNamesIn(journal, entry);
        return [invoiceNumber, custom];
      }),
      ...payments.flatMap((id) => idsWithRelated(id, journal.records)),
    ];
    const name = names.find((candidate) => candidate !== undefined && this.#byName.has(candidate));
    return name === undefined ? undefined : this.#byName.get(name)?.belief;
  }

  /**
   * Checks all beliefs against the ledger, in the order in which they were given.
   *
   * @param pending Ids of the sales and refunds that are still pending, although the evidence has them as settled.
   */
  check(evidence: Evidence, pending: ReadonlySet<string>): readonly CheckedBelief[] {
    if (this.#byName.size === 0) return [];
    const { records } = evidence;
    const unreadCount = evidence
      .of('payment.create')
      .filter(({ status, request }) => status === 401 && request === undefined).length;
    return [...findOrdersByName(evidence, this.#byName.keys())].map(
      ([name, orders]): CheckedBelief => {
        const named = this.#byName.get(name) ?? { belief: 'unknown', shown: name };
        const { description, isKnown, paymentIds, charges } =
          findById(name, evidence) ?? findByName(named, orders, evidence);
        const amountsOf = (minorOf: (charge: ChargeRecord) => number): Money[] =>
          charges
            .map((charge) => ({ minor: minorOf(charge), currency: charge.amount.currency }))
            .filter(({ minor }) => minor > 0);
        return {
          belief: named.belief,
          description,
          isKnown,
          unreadCount,
          retained: amountsOf(retainedMinorOf),
          held: amountsOf((charge) => (pending.has(charge.id) ? 0 : retainedMinorOf(charge))),
          isTakenBackUnseen: charges.some((charge) => wasTakenBackUnseen(charge, evidence)),
          takenBackBy: takenBackBy(charges),
          isRetainedUnseen: isRetainedUnseen(charges, evidence),
          pendingRefunds: amountsOf((charge) => pendingRefundMinorOf(charge, records, pending)),
          unpaid: describeUnpaid(evidence, paymentIds.at(-1), pending),
        };
      },
    );
  }
}

function findById(id: string, { records, purchaseLookup }: Evidence): Subject | undefined {
  const charge = findCharge(records, id);
  const authorization = records.authorizations.get(id);
  const paymentId = records.payments.get(id)?.id ?? authorization?.paymentId ?? charge?.paymentId;
  if (paymentId === undefined) return undefined;
  const kind = charge?.kind ?? (authorization === undefined ? 'payment' : 'authorization');
  const purchase = purchaseLookup.byPayment(paymentId);
  const suffix = purchase === undefined ? '' : ` (${describePurchase(purchase)})`;
  return {
    description: `${kind} ${id}${suffix}`,
    isKnown: true,
    paymentIds: [paymentId],
    charges: charge === undefined ? chargeRecordsOf(paymentId, records) : [charge],
  };
}

/**
 * Finds the purchases of a name. It counts as paid if any of them is, because attempts may fail and many purchases may
 * share a `custom`. An invoice number takes precedence over a `custom` with the same text.
 */
function findByName(
  { belief, shown }: NamedBelief,
  { invoice, custom }: NamedOrders,
  { records }: Evidence,
): Subject {
  const isInvoiceAlone = invoice.exist && belief === 'not-paid';
  const paymentIds = isInvoiceAlone
    ? [...invoice.paymentIds]
    : [...new Set([...invoice.paymentIds, ...custom.paymentIds])];
  return {
    description: invoice.exist
      ? `invoice ${shown}`
      : `${custom.exist ? 'purchase ' : ''}"${shown}"`,
    isKnown: invoice.exist || custom.exist,
    paymentIds,
    charges: paymentIds.flatMap((id) => chargeRecordsOf(id, records)),
  };
}

function takenBackBy(charges: readonly ChargeRecord[]): CheckedBelief['takenBackBy'] {
  if (charges.some(isReversedByBank)) return 'bank';
  return charges.some(({ refundedMinor }) => refundedMinor > 0) ? 'refund' : undefined;
}

/** Whether the bank took money back, and the client could not see it in any answer it received. */
function wasTakenBackUnseen(charge: ChargeRecord, evidence: Evidence): boolean {
  return (
    charge.kind === 'sale' &&
    isReversedByBank(charge) &&
    charge.refundedMinor < charge.amount.minor &&
    firstAnswerShowingReversal(evidence, charge) === undefined
  );
}

/**
 * Whether the client could not know of any charge that still holds money. Each is the second record of a request: the
 * client received the answer to the first one, and something on the way repeated the request unseen.
 */
function isRetainedUnseen(charges: readonly ChargeRecord[], { charges: all }: Evidence): boolean {
  const kept = new Set(charges.filter((one) => retainedMinorOf(one) > 0).map(({ id }) => id));
  if (kept.size === 0) return false;
  const unseen = all.filter(
    ({ id, isTwin, entry, known }) =>
      kept.has(id) && isTwin && entry.concludes === 'OK' && known === 'never',
  );
  return unseen.length === kept.size;
}

/**
 * Whether the code believes that something is paid although the merchant keeps no money for it. A client that was not
 * shown that the bank took the money back cannot know it.
 */
export function isPaidWithoutMoney({
  belief,
  retained,
  isTakenBackUnseen,
}: CheckedBelief): boolean {
  return belief === 'paid' && retained.length === 0 && !isTakenBackUnseen;
}

/** Explains why a belief is wrong; `undefined` if it is right. The belief `unknown` is never wrong. */
export function explainWrongBelief(checked: CheckedBelief): string | undefined {
  const { belief, description, retained, held, isRetainedUnseen: isUnseen } = checked;
  if (isPaidWithoutMoney(checked)) {
    const fact = explainMissingMoney(checked);
    return `Your code reports ${description} as paid; ${fact}.`;
  }
  if (belief === 'not-paid' && retained.length > 0 && !isUnseen) {
    const fact =
      held.length > 0
        ? `the ledger shows ${formatAmounts(held)} for it`
        : `a sale of ${formatAmounts(retained)} for it is pending, and will be completed`;
    return `Your code reports ${description} as not paid; ${fact}.`;
  }
  return undefined;
}

function explainMissingMoney(checked: CheckedBelief): string {
  const { isKnown, unreadCount, pendingRefunds, takenBackBy: by, unpaid } = checked;
  if (!isKnown) {
    const refused = `; ${formatCount(unreadCount, 'payment request')} ${unreadCount === 1 ? 'was' : 'were'} refused with 401`;
    return `no purchase in the journal has this name${unreadCount === 0 ? '' : refused}`;
  }
  if (pendingRefunds.length > 0) return `a refund of ${formatAmounts(pendingRefunds)} is pending`;
  if (by === 'bank') return 'the ledger shows that the bank took the money back';
  return by === 'refund'
    ? 'the ledger shows that it was refunded'
    : (unpaid ?? 'the ledger shows no payment for it');
}

/** Says what became of a payment that brought no money: of its sale, its authorization, or itself if it has neither. */
function describeUnpaid(
  { records, atMs }: Evidence,
  paymentId: string | undefined,
  pending: ReadonlySet<string>,
): string | undefined {
  const payment = records.payments.get(paymentId ?? '');
  if (payment === undefined) return undefined;
  const id = payment.related.first?.id ?? '';
  const sale = records.sales.get(id);
  if (sale !== undefined) {
    const what = `a sale of ${formatMoney(sale.amount)} for it`;
    if (sale.settlement === 'pending') return `${what} is pending`;
    return pending.has(id) ? `${what} is pending, and will be denied` : `${what} was denied`;
  }
  const authorization = records.authorizations.get(id);
  if (authorization !== undefined) {
    const amount = formatMoney(authorization.amount);
    const state = authorizationState(authorization, atMs);
    return state === 'authorized'
      ? `${amount} for it is on hold, and was not captured`
      : `the authorization of ${amount} for it ${state === 'voided' ? 'was voided' : 'has expired'}`;
  }
  const what = `a payment of ${formatMoney(payment.transaction.amount)} for it`;
  return payment.failed ? `${what} failed` : `${what} has no sale`;
}

function formatAmounts(amounts: readonly Money[]): string {
  return amounts.map(formatMoney).join(' and ');
}
