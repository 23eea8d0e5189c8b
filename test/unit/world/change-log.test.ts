/** The change log is limited in number. Counted, not timed. */
import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { refundSale } from '../../../src/domain/payment/refund.ts';
import { World } from '../../../src/world/world.ts';
import { settings } from '../fixtures/build-world.ts';
import { collectGarbage } from '../../properties/secrets/heap.ts';
import { commit, openTill, payInto } from '../../support/worlds/till.ts';

const penny = {
  amount: { total: '0.01', currency: 'USD' },
  description: undefined,
  reason: undefined,
  invoiceNumber: undefined,
};

const refundOften = (world: World, saleId: string, times: number) => {
  for (let at = 0; at < times; at++) commit(world, refundSale(world, saleId, penny));
};

it('keeps the latest thousand changes', () => {
  const world = openTill();
  for (let at = 0; at < 800; at++) payInto(world, 'sale', '1.00');
  expect(world.save().changeLog).toHaveLength(1000);
});

it('keeps no record from before them', async () => {
  const world = openTill();
  const saleId = payInto(world, 'sale', '100.00');
  const first = new WeakRef(world.sales.get(saleId) ?? world);
  refundOften(world, saleId, 800);
  await setImmediate(); // Until a turn ends, whatever was looked up in it stays.
  collectGarbage();
  expect(first.deref()).toBe(undefined);
});

it('stays the same in a world that continues from a snapshot', () => {
  const world = openTill();
  const saleId = payInto(world, 'sale', '100.00');
  refundOften(world, saleId, 1300);
  const other = new World('shop', settings, world.save());
  for (const one of [world, other]) refundOften(one, saleId, 20);
  expect(other.save().changeLog).toEqual(world.save().changeLog);
});
