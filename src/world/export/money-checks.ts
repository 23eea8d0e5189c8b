/** Checks the money of an export: every sum and transfer must match the records. */
import { captureCapMinor } from '../../domain/payment/authorization.ts';
import type { Transfer } from '../../domain/money/ledger.ts';
import { formatMinor, type Money } from '../../domain/money/money.ts';
import {
  captureMovements,
  refundMovements,
  saleMovements,
  type Movement,
} from '../../domain/money/movements.ts';
import type { Authorization, Intent, Payment, Sale } from '../../domain/records.ts';
import type { Path } from '../../documents/source.ts';
import type { Records, WorldDocument } from './document.ts';
import type { ExportIssue } from '../errors.ts';
import type { JsonRecord } from './schema-helpers.ts';

/**
 * Finds sums and transfers that do not match. Requires that `findReferenceIssues` found nothing.
 */
export function findMoneyIssues({ records, transfers }: WorldDocument): ExportIssue[] {
  return [
    ...findPaidIssues(records),
    ...findRefundIssues(records),
    ...findCaptureIssues(records),
    ...findTransferIssues(records, transfers),
  ];
}

/**
 * A payment has one sale or authorization with its full amount. Captures and refunds have its
 * currency.
 */
function findPaidIssues({
  payments,
  sales,
  authorizations,
  captures,
  refunds,
}: Records): ExportIssue[] {
  const paymentsById = new Map(payments.rows.map(({ record }) => [record.id, record]));
  const claimedPayments = new Set<string>();
  const first = (
    intent: Intent,
    of: JsonRecord<Sale> | Authorization,
    path: Path,
  ): ExportIssue[] => {
    const payment = paymentsById.get(of.paymentId);
    if (payment === undefined) return [];
    const why = explainConflict(payment, intent, claimedPayments);
    claimedPayments.add(payment.id);
    if (why !== undefined) return [[[...path, 'paymentId'], why]];
    const { amount } = payment.transaction;
    return isSame(amount, of.amount)
      ? []
      : [[[...path, 'amount'], `must be ${wordsOf(amount)}, the amount of its payment.`]];
  };
  return [
    ...sales.flatMap((sale, at) => first('sale', sale, ['records', 'sales', at])),
    ...authorizations.flatMap((one, at) =>
      first('authorize', one, ['records', 'authorizations', at]),
    ),
    ...Object.entries({ captures, refunds }).flatMap(([table, list]) =>
      list.flatMap(({ paymentId, amount }, at): ExportIssue[] => {
        const currency =
          paymentsById.get(paymentId)?.transaction.amount.currency ?? amount.currency;
        if (currency === amount.currency) return [];
        return [
          [
            ['records', table, at, 'amount', 'currency'],
            `must be ${currency}, the currency of its payment.`,
          ],
        ];
      }),
    ),
  ];
}

/** Why a payment cannot have this sale or authorization. */
function explainConflict(
  { id, intent, failed }: JsonRecord<Payment>,
  wanted: Intent,
  spent: ReadonlySet<string>,
): string | undefined {
  if (failed) return `"${id}" has failed, so it cannot have a sale or authorization.`;
  if (intent !== wanted) return `"${id}" has the intent "${intent}" and cannot have this record.`;
  return spent.has(id) ? `"${id}" already has a sale or authorization.` : undefined;
}

/** A failed refund does not count as refunded. */
function findRefundIssues({ sales, captures, refunds }: Records): ExportIssue[] {
  const kept = refunds.filter(({ settlement }) => settlement !== 'failed');
  const sums = sumsBy(kept, ({ of }) => of.id);
  return Object.entries({ sales, captures }).flatMap(([table, list]) =>
    list.flatMap(({ id, amount, refundedMinor }, at): ExportIssue[] => {
      const path = ['records', table, at, 'refundedMinor'];
      const sum = sums.get(id) ?? 0;
      if (refundedMinor !== sum) {
        return [[path, `must be ${sum}, the sum of its refunds that have not failed.`]];
      }
      return sum > amount.minor ? [[path, `must be at most ${amount.minor}, its amount.`]] : [];
    }),
  );
}

function findCaptureIssues({ authorizations, captures }: Records): ExportIssue[] {
  const sums = sumsBy(captures, ({ authorizationId }) => authorizationId);
  const finals = new Set(
    captures.flatMap(({ isFinal, authorizationId }) => (isFinal ? [authorizationId] : [])),
  );
  return authorizations.flatMap(({ id, amount, capturedMinor, closed }, at): ExportIssue[] => {
    const path = ['records', 'authorizations', at];
    const sum = sums.get(id) ?? 0;
    const most = captureCapMinor(amount);
    if (capturedMinor !== sum) {
      return [[[...path, 'capturedMinor'], `must be ${sum}, the sum of its captures.`]];
    }
    if (sum > most)
      return [[[...path, 'capturedMinor'], `must be at most ${most}, the limit for its captures.`]];
    const isClosed = finals.has(id) || sum >= amount.minor;
    return closed === isClosed
      ? []
      : [[[...path, 'closed'], `must be ${String(isClosed)}, according to its captures.`]];
  });
}

/** Transfers have no ids, but a record causes each kind of transfer at most once. */
function findTransferIssues(records: Records, transfers: readonly Transfer[]): ExportIssue[] {
  const missing = new Map(expectedOf(records).map((one) => [nameOf(one.movement), one]));
  const odd = transfers.flatMap((transfer, at): ExportIssue[] => {
    const name = nameOf(transfer);
    const expected = missing.get(name)?.movement;
    missing.delete(name);
    const words =
      expected === undefined
        ? `the record "${transfer.subject}" has no such ${transfer.cause}, or this one is repeated.`
        : differenceOf(transfer, expected);
    return words === undefined ? [] : [[['transfers', at], words]];
  });
  const absent = [...missing.values()].map(({ path, movement: { cause, amount } }): ExportIssue => [
    path,
    `its ${cause} of ${wordsOf(amount)} is missing from the transfers.`,
  ]);
  return [...odd, ...absent];
}

interface ExpectedMovement {
  readonly path: Path;
  readonly movement: Movement;
}

function expectedOf({ sales, captures, refunds }: Records): ExpectedMovement[] {
  return [
    ...sales.flatMap((sale, at) => expectedAt(['records', 'sales', at], saleMovements(sale))),
    ...captures.flatMap((one, at) =>
      expectedAt(['records', 'captures', at], captureMovements(one)),
    ),
    ...refunds.flatMap((one, at) => expectedAt(['records', 'refunds', at], refundMovements(one))),
  ];
}

function expectedAt(path: Path, movements: readonly Movement[]): ExpectedMovement[] {
  return movements.map((movement) => ({ path, movement }));
}

function nameOf({ cause, subject }: Movement): string {
  return `${cause} ${subject}`;
}

function differenceOf(transfer: Movement, expected: Movement): string | undefined {
  const { cause, subject, payment, debit, credit, amount } = expected;
  if (!isSame(transfer.amount, amount)) return `the amount of "${subject}" is ${wordsOf(amount)}.`;
  if (transfer.payment !== payment) return `"${subject}" belongs to "${payment}".`;
  return transfer.debit === debit && transfer.credit === credit
    ? undefined
    : `a ${cause} debits ${debit} and credits ${credit}.`;
}

function isSame(one: Money, other: Money): boolean {
  return one.minor === other.minor && one.currency === other.currency;
}

function wordsOf({ minor, currency }: Money): string {
  return `${formatMinor(minor, currency)} ${currency}`;
}

function sumsBy<T extends { readonly amount: Money }>(
  records: readonly T[],
  idOf: (record: T) => string,
): ReadonlyMap<string, number> {
  const sums = new Map<string, number>();
  for (const record of records) {
    const id = idOf(record);
    sums.set(id, (sums.get(id) ?? 0) + record.amount.minor);
  }
  return sums;
}
