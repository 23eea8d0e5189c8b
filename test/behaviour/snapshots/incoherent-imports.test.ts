/** An export whose parts contradict each other is refused with the place of the contradiction. */
import { beforeAll, describe, expect, it } from 'vitest';
import { mistakesAfterChanges, valueIn, exportMerchant } from './changed-export.ts';

let text = '';

beforeAll(async () => {
  text = await exportMerchant();
});

const textAt = (path: string): string => String(valueIn(text, path));

const mistakesWith = (changes: Readonly<Record<string, unknown>>) =>
  mistakesAfterChanges(text, changes);

/** The items of a list at these indexes. */
function picked(path: string, ...places: readonly number[]): unknown[] {
  return places.map((at) => valueIn(text, `${path}.${at}`));
}

describe('an import with wrong sums is refused for', () => {
  it.each<[string, Readonly<Record<string, unknown>>, string]>([
    [
      'a refunded amount above the refunds',
      { 'records.sales.0.refundedMinor': 3012 },
      'records.sales[0].refundedMinor: must be 3011, the sum of its refunds that have not failed.',
    ],
    [
      'a refunded amount that counts a failed refund',
      { 'records.refunds.0.settlement': 'failed', transfers: [] },
      'records.sales[0].refundedMinor: must be 0, the sum of its refunds that have not failed.',
    ],
    [
      'refunds above the sale',
      { 'records.refunds.0.amount.minor': 4000, 'records.sales.0.refundedMinor': 4000 },
      'records.sales[0].refundedMinor: must be at most 3011, its amount.',
    ],
    [
      'a captured amount below the captures',
      { 'records.authorizations.0.capturedMinor': 99 },
      'records.authorizations[0].capturedMinor: must be 100, the sum of its captures.',
    ],
    [
      'captures over the limit',
      { 'records.authorizations.0.capturedMinor': 3463, 'records.captures.0.amount.minor': 3463 },
      'records.authorizations[0].capturedMinor: must be at most 3462, the limit for its captures.',
    ],
    [
      'an open authorization that is captured in full',
      { 'records.authorizations.0.capturedMinor': 3011, 'records.captures.0.amount.minor': 3011 },
      'records.authorizations[0].closed: must be true, according to its captures.',
    ],
    [
      'an open authorization with a final capture',
      { 'records.captures.0.isFinal': true },
      'records.authorizations[0].closed: must be true, according to its captures.',
    ],
    [
      'a closed authorization without a final capture',
      { 'records.authorizations.0.closed': true },
      'records.authorizations[0].closed: must be false, according to its captures.',
    ],
    [
      'an authorization with another amount than its payment',
      { 'records.authorizations.0.amount.minor': 4000 },
      'records.authorizations[0].amount: must be 30.11 USD, the amount of its payment.',
    ],
    [
      'a sale in another currency than its payment',
      { 'records.sales.1.amount.currency': 'EUR' },
      'records.sales[1].amount: must be 30.11 USD, the amount of its payment.',
    ],
    [
      'a refund in another currency',
      { 'records.refunds.0.amount.currency': 'EUR' },
      'records.refunds[0].amount.currency: must be USD, the currency of its payment.',
    ],
    [
      'a sale of an authorize payment',
      { 'records.payments.rows.1.record.intent': 'authorize' },
      'records.sales[2].paymentId: "PAY-7QR90917BB6890464IFZG2EK" has the intent "authorize" and cannot have this record.',
    ],
    [
      'a sale of a failed payment',
      { 'records.payments.rows.1.record.failed': true },
      'records.sales[2].paymentId: "PAY-7QR90917BB6890464IFZG2EK" has failed, so it cannot have a sale or authorization.',
    ],
  ])('%s', (_, changes, words) => {
    expect(mistakesWith(changes)).toContain(`export ${words}`);
  });

  it('a payment with a second sale', () => {
    const second = Object(valueIn(text, 'records.sales.1'));
    const payment = valueIn(text, 'records.payments.rows.2.record.related');
    expect(
      mistakesWith({
        'records.sales.3': { ...second, id: 'SECOND' },
        'records.payments.rows.2.record.related': [
          ...(payment as unknown[]),
          { kind: 'sale', id: 'SECOND' },
        ],
      }),
    ).toContain(
      'export records.sales[3].paymentId: "PAY-3GI42106NB1846467SMKVJRI" already has a sale or authorization.',
    );
  });

  it.each([1_000_000_000, 2 ** 53 - 1])('an amount that no request can have: %d', (minor) => {
    const at = 'records.payments.rows.0.record.transaction.amount.minor';
    expect(mistakesWith({ [at]: minor })).toEqual([
      'export records.payments.rows[0].record.transaction.amount: is too large: amounts have up to 7 digits before the decimals.',
    ]);
  });
});

describe('an import with a wrong ledger is refused for', () => {
  it('missing transfers of its records', () => {
    const mistakes = mistakesWith({ transfers: [] });
    expect(mistakes).toHaveLength(8);
    expect(mistakes).toEqual(
      expect.arrayContaining([
        'export records.sales[0]: its sale of 30.11 USD is missing from the transfers.',
        'export records.sales[0]: its chargeback of 30.11 USD is missing from the transfers.',
        'export records.captures[0]: its capture of 1.00 USD is missing from the transfers.',
        'export records.refunds[0]: its refund of 30.11 USD is missing from the transfers.',
      ]),
    );
  });

  it.each<[string, Readonly<Record<string, unknown>>, string]>([
    [
      'a transfer of a pending sale',
      { 'records.sales.2.settlement': 'pending', 'records.sales.2.dispute': undefined },
      'transfers[1]: the record "8IC41028UX6198916" has no such sale, or this one is repeated.',
    ],
    [
      'a chargeback without a dispute',
      { 'records.sales.2.dispute': undefined },
      'transfers[6]: the record "8IC41028UX6198916" has no such chargeback, or this one is repeated.',
    ],
    [
      'a won dispute without its transfer',
      { 'records.sales.2.dispute': 'won' },
      'records.sales[2]: its chargeback-won of 30.11 USD is missing from the transfers.',
    ],
    [
      'a reversal without its transfer',
      {
        'records.sales.2.settlement': 'reversed',
        'records.sales.2.dispute': undefined,
      },
      'records.sales[2]: its reversal of 30.11 USD is missing from the transfers.',
    ],
    [
      'a transfer of a pending refund',
      { 'records.refunds.0.settlement': 'pending' },
      'transfers[4]: the record "7AP86215LJ7525618" has no such refund, or this one is repeated.',
    ],
    [
      'a transfer with another amount',
      { 'transfers.3.amount.minor': 99 },
      'transfers[3]: the amount of "1HO02385BI0048965" is 1.00 USD.',
    ],
    [
      'a transfer with another payment',
      { 'transfers.3.payment': 'PAY-7QR90917BB6890464IFZG2EK' },
      'transfers[3]: "1HO02385BI0048965" belongs to "PAY-4BH47567QK9941549LU5DN65".',
    ],
    [
      'a transfer that debits the wrong account',
      { 'transfers.3.debit': 'merchant' },
      'transfers[3]: a capture debits cardholders and credits merchant.',
    ],
    [
      'a transfer that credits the wrong account',
      { 'transfers.4.credit': 'merchant' },
      'transfers[4]: a refund debits merchant and credits cardholders.',
    ],
  ])('%s', (_, changes, words) => {
    expect(mistakesWith(changes)).toContain(`export ${words}`);
  });

  it('a repeated transfer', () => {
    expect(mistakesWith({ transfers: picked('transfers', 0, 1, 2, 3, 4, 5, 6, 7, 3) })).toEqual([
      'export transfers[8]: the record "1HO02385BI0048965" has no such capture, or this one is repeated.',
    ]);
  });
});

describe('an import with wrong lists of ids is refused for', () => {
  it.each<[string, Readonly<Record<string, unknown>>, readonly string[]]>([
    [
      'a list with an unknown refund',
      { 'records.sales.1.refundIds': ['NOT-THERE'] },
      [
        'records.sales[1].refundIds[0]: this document has no refund with the id "NOT-THERE". Was something removed from it?',
      ],
    ],
    [
      'a list with a refund of another sale',
      { 'records.sales.1.refundIds': ['7AP86215LJ7525618'] },
      ['records.sales[1].refundIds[0]: "7AP86215LJ7525618" belongs to "0UG96086NN5651963".'],
    ],
    [
      'a list that repeats a refund',
      { 'records.sales.0.refundIds.1': '7AP86215LJ7525618' },
      ['records.sales[0].refundIds[1]: "7AP86215LJ7525618" is listed twice.'],
    ],
    [
      'a refund missing from its list',
      { 'records.sales.0.refundIds': [] },
      ['records.refunds[0].of.id: "0UG96086NN5651963" does not list "7AP86215LJ7525618".'],
    ],
    [
      'a refund with another payment than its sale',
      {
        'records.refunds.0.paymentId': 'PAY-7QR90917BB6890464IFZG2EK',
        'records.payments.rows.0.record.related': [{ kind: 'sale', id: '0UG96086NN5651963' }],
      },
      [
        'records.refunds[0].paymentId: "0UG96086NN5651963" belongs to "PAY-3QD83134LP1258292F4XXMKH".',
        'records.refunds[0].paymentId: "PAY-7QR90917BB6890464IFZG2EK" does not list "7AP86215LJ7525618".',
      ],
    ],
  ])('%s', (_, changes, lines) => {
    expect(mistakesWith(changes)).toEqual(lines.map((line) => `export ${line}`));
  });

  it('a record that its payment does not list', () => {
    const related = picked('records.payments.rows.3.record.related', 0);
    expect(mistakesWith({ 'records.payments.rows.3.record.related': related })).toEqual([
      `export records.captures[0].paymentId: "${textAt('records.captures.0.paymentId')}" does not list "1HO02385BI0048965".`,
    ]);
  });
});
