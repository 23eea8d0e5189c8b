/** The append-only list: appending never changes or copies an existing list. Counted, not timed. */
import { expect, it, vi } from 'vitest';
import { AppendList } from '../../../src/domain/append-list.ts';
import { refundSale } from '../../../src/domain/payment/refund.ts';
import { captureAuthorization } from '../../../src/domain/payment/authorization.ts';
import { commit, openTill, payInto } from '../../support/worlds/till.ts';

it('keeps a list unchanged when items are appended to it twice', () => {
  const none: AppendList<number> = AppendList.empty;
  const two = none.append(1).append(2);
  const [three, other] = [two.append(3), two.append(4)];
  expect([none, two, three, other].map((list) => [...list])).toEqual([
    [],
    [1, 2],
    [1, 2, 3],
    [1, 2, 4],
  ]);
  expect([none, two, three].map(({ first, length }) => [first, length])).toEqual([
    [undefined, 0],
    [1, 2],
    [1, 3],
  ]);
});

it('builds the same list from an iterable', () => {
  const all = Array.from({ length: 100_000 }, (_, at) => at);
  expect(AppendList.of(all).toArray()).toEqual(all);
});

it.each([
  ['refunds of a sale', 'sale', refundSale],
  ['captures of an authorization', 'authorize', captureAuthorization],
] as const)('never iterates over existing items for %s', (_, intent, take) => {
  const world = openTill();
  const id = payInto(world, intent, '100.00');
  const walks = vi.spyOn(AppendList.prototype, 'toArray');
  const draft = {
    amount: { total: '0.01', currency: 'USD' },
    isFinal: false,
    description: undefined,
    reason: undefined,
    invoiceNumber: undefined,
  };
  for (let at = 0; at < 100; at++) commit(world, take(world, id, draft));
  expect(walks).not.toHaveBeenCalled();
  walks.mockRestore();
});
