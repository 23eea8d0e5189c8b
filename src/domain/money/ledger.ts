/**
 * The double-entry ledger: every transfer debits one account and credits another by the same
 * amount.
 */
import type { Currency, Money } from './money.ts';

/**
 * The two accounts: `cardholders` holds what was charged to cards, `merchant` what the merchant
 * received.
 *
 * An authorization holds money but moves none, so it is not a transfer.
 */
export type Account = 'cardholders' | 'merchant';

export type TransferCause =
  | 'sale'
  | 'capture'
  | 'refund'
  | 'reversal'
  | 'chargeback'
  | 'chargeback-won';

/** One transfer of money. `subject` is the sale, capture or refund that caused it. */
export interface Transfer {
  readonly cause: TransferCause;
  readonly subject: string;
  readonly payment: string;
  readonly debit: Account;
  readonly credit: Account;
  readonly amount: Money;
  readonly atMs: number;
}

/** Transfers money from the cardholder to the merchant for a sale or a capture. */
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

/** Transfers money from the merchant back to the cardholder. */
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
 * Transfers all of a sale back to the cardholder, whatever the merchant wants.
 *
 * This includes any part already refunded. That is how a merchant pays twice.
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

/** Balances in minor units by currency. In each currency the accounts sum to zero. */
export type Balances = Readonly<Partial<Record<Currency, Readonly<Record<Account, number>>>>>;

/** The balances after these transfers, in minor units by currency. Only this function does arithmetic on accounts. */
export function balancesOf(
  transfers: readonly Transfer[],
): ReadonlyMap<Currency, Readonly<Record<Account, number>>> {
  const balances = new Map<Currency, Record<Account, number>>();
  for (const { debit, credit, amount } of transfers) {
    const { currency, minor } = amount;
    let accounts = balances.get(currency);
    if (accounts === undefined) {
      accounts = { cardholders: 0, merchant: 0 };
      balances.set(currency, accounts);
    }
    accounts[debit] -= minor;
    accounts[credit] += minor;
  }
  return balances;
}

/** The totals of all transfers of one currency, in minor units. */
export interface Turnover {
  readonly currency: Currency;
  /** Sales and captures. */
  readonly chargedMinor: number;
  readonly refundedMinor: number;
  readonly reversedMinor: number;
  /** Chargebacks minus those that the merchant won. */
  readonly chargedBackMinor: number;
  /** What the merchant received minus what went back. */
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

/** Sums up transfers, one row for each currency, in the order of first appearance. */
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
