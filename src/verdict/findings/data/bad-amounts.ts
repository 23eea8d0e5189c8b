/** Did a client send a bad amount on purpose, or correct it once the service had refused it? */
import type { OperationName } from '../../../contract/service/operation-name.ts';
import {
  currencyDecimals,
  formatMinor,
  isCurrency,
  parseMinor,
} from '../../../domain/money/money.ts';
import { canonicalAmount } from '../../../journal/query/canonical-amount.ts';
import type { StoredEntry } from '../../../journal/stored-entry.ts';
import { memoize } from '../../../shared/memoize.ts';
import { memberAt, memberOf, textOf } from '../../../shared/unknown-value.ts';
import type { JournalIndex } from '../../evidence/journal-index.ts';
import { orderNamesIn } from '../../evidence/orders/order-names.ts';
import { cardOf, detailsOf, payerOf } from '../../evidence/request-fields.ts';

/** Requests that say how much money to move. */
export const moneyOperations = [
  'payment.create',
  'sale.refund',
  'capture.refund',
  'auth.capture',
  'auth.reauthorize',
] as const satisfies readonly OperationName[];

/** The amount in a request to pay, refund or capture. */
export function amountIn(journal: JournalIndex, entry: StoredEntry): unknown {
  const body = journal.bodyOf(entry);
  return memberAt(body, 'transactions[0].amount') ?? memberOf(body, 'amount');
}

/** Whether a later request for the same thing succeeded with the same amount, written as the service takes it. */
export function isCorrected(journal: JournalIndex, entry: StoredEntry): boolean {
  const amount = amountIn(journal, entry);
  const currency = textOf(memberOf(amount, 'currency'));
  const value = Number(textOf(memberOf(amount, 'total')));
  if (!isCurrency(currency) || !Number.isFinite(value)) return false;
  const minor = value * 10 ** currencyDecimals[currency];
  return [Math.round(minor), Math.floor(minor)].some((whole) => {
    const amountKey = [formatMinor(whole, currency), currency];
    const doneSeq = lastDoneSeqs(journal).get(
      JSON.stringify([purposeOf(journal, entry), amountKey]),
    );
    return doneSeq !== undefined && doneSeq > entry.seq;
  });
}

/** `seq` of the last request that succeeded, for each purpose and amount. */
const lastDoneSeqs = memoize((journal: JournalIndex): ReadonlyMap<string, number> => {
  const done = journal.of(...moneyOperations).filter(({ committed }) => committed);
  return new Map(
    done.map((entry) => [
      JSON.stringify([purposeOf(journal, entry), canonicalAmount(amountIn(journal, entry))]),
      entry.seq,
    ]),
  );
});

/** All that a request is for beside its amount, as a key. */
function purposeOf(journal: JournalIndex, entry: StoredEntry): string {
  const { invoiceNumber, custom } = orderNamesIn(journal, entry);
  return JSON.stringify([
    entry.path,
    invoiceNumber,
    custom,
    cardOf(journal, entry),
    detailsOf(journal, entry),
    payerOf(journal, entry),
  ]);
}

/** Fewer bad amounts of other kinds show no test. */
const minOtherKinds = 2;

/** Whether a client tests which amounts are refused: it also sent some that are no numbers, zero or negative. */
export const testsBadAmounts = memoize((journal: JournalIndex): boolean => {
  const bad = journal
    .of(...moneyOperations)
    .filter(({ concludes, outcomes }) => concludes === 'FAIL' && outcomes.length === 0)
    .map((entry) => amountIn(journal, entry))
    .filter(isNoAmount)
    .map((amount) => textOf(memberOf(amount, 'total')));
  return new Set(bad).size >= minOtherKinds;
});

/** Whether a text is no amount of money, as only a test sends it. */
function isNoAmount(amount: unknown): boolean {
  const total = memberOf(amount, 'total');
  const currency = textOf(memberOf(amount, 'currency'));
  if (typeof total !== 'string' || !isCurrency(currency)) return false;
  return /^-|^\D*$/.test(total)
    ? !/^-?(?:NaN|Infinity)$/.test(total)
    : parseMinor(total, currency) === 0;
}
