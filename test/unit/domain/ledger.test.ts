import { expect, it } from 'vitest';
import { balancesOf, charge, giveBack } from '../../../src/domain/money/ledger.ts';
import type { Currency } from '../../../src/domain/money/money.ts';

const atMs = Date.parse('2026-05-06T07:08:09.123Z');

function record(id: string, minor: number, currency: Currency = 'USD') {
  return { id, paymentId: 'PAY-1', amount: { minor, currency }, createdAtMs: atMs };
}

it.each(['sale', 'capture'] as const)(
  'a %s debits cardholders and credits the merchant',
  (cause) => {
    expect(charge(cause, record('T-1', 3011))).toEqual({
      cause,
      subject: 'T-1',
      payment: 'PAY-1',
      debit: 'cardholders',
      credit: 'merchant',
      amount: { minor: 3011, currency: 'USD' },
      atMs,
    });
  },
);

it('a refund debits the merchant and credits cardholders', () => {
  expect(giveBack(record('R-1', 1000))).toEqual({
    cause: 'refund',
    subject: 'R-1',
    payment: 'PAY-1',
    debit: 'merchant',
    credit: 'cardholders',
    amount: { minor: 1000, currency: 'USD' },
    atMs,
  });
});

it('balances follow each transfer by currency and sum to zero', () => {
  const transfers = [
    charge('sale', record('S-1', 3011)),
    giveBack(record('R-1', 1000)),
    charge('capture', record('C-1', 1500, 'JPY')),
    giveBack(record('R-2', 2011)),
  ];
  const seen = transfers.map((_, at) => Object.fromEntries(balancesOf(transfers.slice(0, at + 1))));
  expect(seen).toEqual([
    { USD: { cardholders: -3011, merchant: 3011 } },
    { USD: { cardholders: -2011, merchant: 2011 } },
    {
      USD: { cardholders: -2011, merchant: 2011 },
      JPY: { cardholders: -1500, merchant: 1500 },
    },
    { USD: { cardholders: 0, merchant: 0 }, JPY: { cardholders: -1500, merchant: 1500 } },
  ]);
});
