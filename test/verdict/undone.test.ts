/** Whoever gives back what a lost request did, and begins anew, knows what was done. */
import { expect, it } from 'vitest';
import type { OperationName } from '../../src/contract/operations.ts';
import { see } from '../forcing/client.ts';
import { throughEveryDoor, type Shop } from '../support/doors.ts';
import { authorizationOf, capture, saleOf, storeCard } from '../support/purchases.ts';
import { paymentBody } from '../support/samples.ts';
import { foundIn } from './found.ts';
import { keyed, onTestTime } from './tries.ts';

type Intent = 'sale' | 'authorize';

const back = (total: string) => ({ amount: { total, currency: 'USD' } });

/** Pays, loses the answer, finds the payment in a list, undoes it in these steps, and pays anew. */
async function paidUndoneAndPaid(
  shop: Shop,
  intent: Intent,
  steps: readonly (Readonly<Record<string, unknown>> | 'lost')[],
): Promise<string[]> {
  const body = paymentBody({
    cardId: await storeCard(shop),
    intent,
    transaction: { custom: 'order-77' },
  });
  shop.merchant.force({ op: 'payment.create', outcome: 'reset-after-commit' });
  await see(shop, 'payment.create', { body, headers: keyed('one') });
  const [payment] = (await shop.ask('payment.list', 200, {})).payments;
  if (payment === undefined) throw new Error('The list is empty.');
  const [op, path]: [OperationName, string] =
    intent === 'sale'
      ? ['sale.refund', `sale/${saleOf(payment).id}/refund`]
      : ['auth.void', `authorization/${authorizationOf(payment).id}/void`];
  for (const [at, step] of steps.entries()) {
    if (step === 'lost') shop.merchant.force({ op, outcome: 'reset-after-commit' });
    await see(shop, op, {
      path: `/v1/payments/${path}`,
      body: step === 'lost' ? {} : step,
      headers: keyed(`undo-${at}`),
    });
  }
  await see(shop, 'payment.create', { body, headers: keyed('two') });
  return (await foundIn(shop)).filter((name) => name.endsWith('new-key-on-retry'));
}

/** Authorizes, loses the answer, finds it in a list, captures this much, then refunds or voids, and authorizes anew. */
async function capturedAndHeldAnew(
  shop: Shop,
  total: string,
  steps: readonly ('refund' | 'void')[],
): Promise<string[]> {
  const body = paymentBody({
    cardId: await storeCard(shop),
    intent: 'authorize',
    transaction: { custom: 'order-77' },
  });
  shop.merchant.force({ op: 'payment.create', outcome: 'reset-after-commit' });
  await see(shop, 'payment.create', { body, headers: keyed('one') });
  const [payment] = (await shop.ask('payment.list', 200, {})).payments;
  if (payment === undefined) throw new Error('The list is empty.');
  const held = authorizationOf(payment);
  const taken = await capture(shop, held.id, total);
  for (const step of steps) {
    if (step === 'void') {
      await shop.ask('auth.void', 200, { params: { authorization_id: held.id } });
    } else {
      await shop.ask('capture.refund', 201, { params: { capture_id: taken.id }, body: {} });
    }
  }
  await see(shop, 'payment.create', { body, headers: keyed('two') });
  return (await foundIn(shop)).filter((name) => name.endsWith('new-key-on-retry'));
}

throughEveryDoor(
  'a payment that is made anew after one whose answer was lost',
  (door) => {
    it.each([
      ['refunded', 'sale', [{}]],
      ['refunded in parts', 'sale', [back('30.00'), back('0.11')]],
      ['voided', 'authorize', [{}]],
    ] as const)('is no retry once the first was %s', async (_, intent, steps) => {
      expect(await paidUndoneAndPaid(door.shop(), intent, steps)).toEqual([]);
    });

    it.each([
      ['not at all', 'sale', []],
      ['in part', 'sale', [back('30.00')]],
      ['without an answer', 'sale', ['lost']],
    ] as const)('is one where the first was given back %s', async (_, intent, steps) => {
      const found = await paidUndoneAndPaid(door.shop(), intent, steps);
      expect(found).toEqual(['critical new-key-on-retry']);
    });

    it.each<[string, string, readonly ('refund' | 'void')[]]>([
      ['captured and refunded', '30.11', ['refund']],
      ['captured in part and refunded, and the rest voided', '10.00', ['void', 'refund']],
    ])('is no retry once the first was %s', async (_, total, steps) => {
      expect(await capturedAndHeldAnew(door.shop(), total, steps)).toEqual([]);
    });

    it.each<[string, string, readonly ('refund' | 'void')[]]>([
      ['captured', '30.11', []],
      ['captured in part and refunded, and the rest is held', '10.00', ['refund']],
      ['captured in part, and the rest voided', '10.00', ['void']],
    ])('is one where the first was %s', async (_, total, steps) => {
      const found = await capturedAndHeldAnew(door.shop(), total, steps);
      expect(found).toEqual(['critical new-key-on-retry']);
    });
  },
  onTestTime,
);
