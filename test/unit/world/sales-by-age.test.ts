/** The sales of a world from either end on. Counted, not timed. */
import { expect, it, vi } from 'vitest';
import { openTill, payInto } from '../../support/till.ts';

it('is all of them in the order they were made, or the other way round', () => {
  const world = openTill();
  const made = ['1.00', '2.00', '3.00'].map((total) => {
    payInto(world, 'authorize', total);
    return payInto(world, 'sale', total);
  });
  expect([...world.salesByAge('first', undefined)]).toEqual(made);
  expect([...world.salesByAge('last', undefined)]).toEqual(made.toReversed());
  expect([...world.salesByAge('last', 'CARD-1')]).toEqual([]);
});

it.each(['first', 'last'] as const)('looks at one payment for the %s one', (end) => {
  const world = openTill();
  for (let at = 0; at < 100; at++) payInto(world, 'sale', '1.00');
  const looks = vi.spyOn(world.payments, 'get');
  expect(world.salesByAge(end, undefined).next().value).toBeTypeOf('string');
  expect(looks).toHaveBeenCalledOnce();
});
