/** Double entry: every movement of money debits one account and credits another by the same amount. */
import type { Currency, Money } from './money.ts';

/**
 * `cardholders` is all that was taken from cards, `merchant` all that the merchant was given.
 * An authorization holds money and moves none, so it is no transfer.
 */
export type Account = 'cardholders' | 'merchant';

export type TransferCause =
  'sale' | 'capture' | 'refund' | 'reversal' | 'chargeback' | 'chargeback-won';

/** One movement of money. `subject` is the sale, capture or refund that caused it. */
export interface Transfer {
  readonly cause: TransferCause;
  readonly subject: string;
  readonly payment: string;
  readonly debit: Account;
  readonly credit: Account;
  readonly amount: Money;
  readonly atMs: number;
}

/** Money from the cardholder to the merchant: a sale or a capture. */
export function charge(
  cause: 'sale' | 'capture',
  of: {
    readonly id: string;
    readonly paymentId: string;
    readonly amount: Money;
    readonly createdAtMs: number;
  },
): Transfer {
  return {
    cause,
    subject: of.id,
    payment: of.paymentId,
    debit: 'cardholders',
    credit: 'merchant',
    amount: of.amount,
    atMs: of.createdAtMs,
  };
}

/** Money back from the merchant to the cardholder. */
export function giveBack(of: {
  readonly id: string;
  readonly paymentId: string;
  readonly amount: Money;
  readonly createdAtMs: number;
}): Transfer {
  return {
    cause: 'refund',
    subject: of.id,
    payment: of.paymentId,
    debit: 'merchant',
    credit: 'cardholders',
    amount: of.amount,
    atMs: of.createdAtMs,
  };
}

/**
 * All of a sale goes back to the cardholder, whether the merchant likes it or not; also what was refunded of it before,
 * which is how one pays twice.
 */
export function takeBack(
  cause: 'reversal' | 'chargeback',
  of: {
    readonly id: string;
    readonly paymentId: string;
    readonly amount: Money;
  },
  atMs: number,
): Transfer {
  return { ...giveBack({ ...of, createdAtMs: atMs }), cause };
}

/** Balances in minor units by currency; in each currency the accounts sum to zero. */
export type Balances = Readonly<Partial<Record<Currency, Readonly<Record<Account, number>>>>>;

/** Adds transfers to balances in place; the one function that does arithmetic on accounts. */
export function postTransfer(
  balances: Map<Currency, Record<Account, number>>,
  transfer: Transfer,
): void {
  const { currency, minor } = transfer.amount;
  let accounts = balances.get(currency);
  if (accounts === undefined) {
    accounts = { cardholders: 0, merchant: 0 };
    balances.set(currency, accounts);
  }
  accounts[transfer.debit] -= minor;
  accounts[transfer.credit] += minor;
}

/** What transfers of one currency come to, in minor units. */
export interface Turnover {
  readonly currency: Currency;
  /** Sales and captures. */
  readonly chargedMinor: number;
  readonly refundedMinor: number;
  readonly reversedMinor: number;
  /** Chargebacks, less those that were won. */
  readonly chargedBackMinor: number;
  /** What the merchant was given, less what went back. */
  readonly netMinor: number;
}

type Column = Exclude<keyof Turnover, 'currency' | 'netMinor'>;

const columns = {
  sale: 'chargedMinor',
  capture: 'chargedMinor',
  refund: 'refundedMinor',
  reversal: 'reversedMinor',
  chargeback: 'chargedBackMinor',
  'chargeback-won': 'chargedBackMinor',
} as const satisfies Record<TransferCause, Column>;

/** Sums transfers up, a row for each currency, in the order they came. */
export function turnoverOf(transfers: Iterable<Transfer>): Turnover[] {
  const rows = new Map<Currency, Record<Column | 'netMinor', number>>();
  for (const { cause, credit, amount } of transfers) {
    let row = rows.get(amount.currency);
    if (row === undefined) {
      row = {
        chargedMinor: 0,
        refundedMinor: 0,
        reversedMinor: 0,
        chargedBackMinor: 0,
        netMinor: 0,
      };
      rows.set(amount.currency, row);
    }
    row[columns[cause]] += cause === 'chargeback-won' ? -amount.minor : amount.minor;
    row.netMinor += credit === 'merchant' ? amount.minor : -amount.minor;
  }
  return [...rows].map(([currency, row]) => ({ currency, ...row }));
}
