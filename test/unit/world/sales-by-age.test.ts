/** Sales in the order of creation, from either end. Counted, not timed. */
import { expect, it, vi } from 'vitest';
import { openTill, payInto } from '../../support/worlds/till.ts';

it('lists all sales from the first to the last, or the reverse', () => {
  const world = openTill();
  const made = ['1.00', '2.00', '3.00'].map((total) => {
    payInto(world, 'authorize', total);
    return payInto(world, 'sale', total);
  });
  expect([...world.salesByAge('first', undefined)]).toEqual(made);
  expect([...world.salesByAge('last', undefined)]).toEqual(made.toReversed());
  expect([...world.salesByAge('last', 'CARD-1')]).toEqual([]);
});

it.each(['first', 'last'] as const)('reads one payment to find the %s sale', (end) => {
  const world = openTill();
  for (let at = 0; at < 100; at++) payInto(world, 'sale', '1.00');
  const looks = vi.spyOn(world.payments, 'get');
  expect(world.salesByAge(end, undefined).next().value).toBeTypeOf('string');
  expect(looks).toHaveBeenCalledOnce();
});
