/**
 * The money of several merchants stays correct, whatever is forced on their requests and clocks.
 */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { throughEveryDoor, type Shop } from '../../support/transports.ts';
import { dayMs } from '../../support/purchases.ts';
import { Life, lives, type Deed } from './forced-history.ts';
import {
  changeFaults,
  effectsBetween,
  faultsIn,
  leftBy,
  newPaymentFaults,
  type Books,
} from './money-rules.ts';
import { runsAt } from '../support/own-transport.ts';

const booksOf = (shop: Shop): Books => {
  const { records, transfers, clock } = shop.merchant.export();
  return { records, transfers, clock };
};

/** Plays an event and checks all invariants. Ignores what others did since `before`. */
async function doAndHold(life: Life, deed: Deed, before: Books): Promise<Books> {
  const { merchant } = life.shop;
  const heard = life.heard.length;
  await life.do(deed);
  const after = booksOf(life.shop);
  const faults = [...faultsIn(after), ...changeFaults(before, after)];
  expect(faults, JSON.stringify(deed)).toEqual([]);
  if (deed.ask === 'wait' || life.heard.length === heard) return after;
  // A response is recorded before its client receives it, and a broken connection before it breaks.
  const { entries: requests } = merchant.journal();
  const entry = requests.at(-1);
  const twice = entry?.outcomes.some(({ id }) => id === 'executed-twice-by-proxy') === true;
  if (entry?.committed !== true) {
    expect([after.records, after.transfers], JSON.stringify(entry)).toEqual([
      leftBy(entry, before.records),
      before.transfers,
    ]);
  }
  expect(newPaymentFaults(before, after)).toEqual([]);
  expect(effectsBetween(before, after)).toBeLessThanOrEqual(twice ? 2 : 1);
  return after;
}

throughEveryDoor(
  'the money of merchants on whom anything is forced',
  (door) => {
    it(
      'stays correct after every event and settles in the end',
      () =>
        fc.assert(
          fc.asyncProperty(lives(18), lives(18), async (one, other) => {
            const [left, right] = [new Life(door.shop()), new Life(door.shop())];
            let [mine, theirs] = [booksOf(left.shop), booksOf(right.shop)];
            for (let at = 0; at < Math.max(one.length, other.length); at++) {
              const [deed, neighbours] = [one[at], other[at]];
              if (deed !== undefined) mine = await doAndHold(left, deed, mine);
              if (neighbours !== undefined) theirs = await doAndHold(right, neighbours, theirs);
            }
            // After a year everything has settled, and a second year changes nothing.
            const rest = [400, 400].map((days) => {
              left.shop.merchant.clock.advance(days * dayMs);
              return booksOf(left.shop);
            });
            expect(rest.flatMap(faultsIn)).toEqual([]);
            expect(rest[1]?.transfers).toEqual(rest[0]?.transfers);
            expect(left.shop.merchant.export().agenda).toEqual([]);
          }),
          runsAt(door.name, 30),
        ),
      60_000,
    );
  },
  { baseUrl: 'https://sandbox.test' },
);
