/** Findings about how long a client waits, with the story that makes each, and the nearest that does not. */
import { expect, it } from 'vitest';
import { fired, see } from '../../forcing/tolerant-client.ts';
import { throughEveryDoor, type Shop } from '../../../support/transports.ts';
import { findingOf, foundIn, namesOf } from '../support/findings.ts';
import { keyed, onTestTime, Till } from '../support/payment-attempts.ts';

/** Waits so long for an answer, and then leaves, or stays for whatever comes. */
async function wait(till: Till, heldMs: number, then: 'leaves' | 'stays'): Promise<void> {
  const leave = new AbortController();
  const { shop } = till;
  const seen = see(shop, 'payment.create', {
    body: till.body(),
    headers: keyed('a'),
    signal: leave.signal,
  });
  await fired(shop);
  shop.merchant.clock.advance(heldMs);
  if (then === 'leaves') leave.abort();
  await seen;
  // It takes the sandbox a moment to notice that somebody has left.
  const open = () => shop.merchant.journal().entries.filter(({ overAtSeq }) => overAtSeq === 0);
  await expect.poll(open, { interval: 2 }).toEqual([]);
}

/** Hangs until the client leaves, or for a moment of this machine's time. */
const hangs = (till: Till, then: 'leaves' | 'stays') =>
  till.meets('hang-after-commit', 1, then === 'stays' ? { cap: '60ms' } : {});

throughEveryDoor(
  'a client without a deadline',
  (door) => {
    it.each([
      [60_000, 'stays', true],
      [59_000, 'stays', false],
      [60_000, 'leaves', false],
    ] as const)('that holds for %i ms and %s: %s', async (heldMs, then, isFound) => {
      const till = await Till.at(door.shop());
      hangs(till, then);
      await wait(till, heldMs, then);
      await till.pay({ key: 'a', afterMs: 700 });
      // A call without a socket can be given up without a sign.
      const severity = door.name === 'socket' ? 'high' : 'medium';
      expect(await foundIn(till.shop)).toEqual(isFound ? [`${severity} no-deadline`] : []);
    });
  },
  onTestTime,
);

throughEveryDoor(
  'a client that leaves a payment',
  (door) => {
    it.each([
      [2_000, true],
      [9_000, true],
      [10_000, false],
      // Tests are in a hurry.
      [100, false],
    ])('after %i ms and asks again: %s', async (heldMs, isFound) => {
      const till = await Till.at(door.shop());
      hangs(till, 'leaves');
      await wait(till, heldMs, 'leaves');
      await till.pay({ key: 'a', afterMs: 700 });
      expect(await foundIn(till.shop)).toEqual(isFound ? ['medium deadline-too-short'] : []);
    });

    it('is surer to be hasty where an answer was on its way', async () => {
      const till = await Till.at(door.shop());
      till.meets('slow-first-byte', 1, { delay: '20s' });
      await wait(till, 2_000, 'leaves');
      await till.pay({ key: 'a', afterMs: 700 });
      const verdict = await till.shop.merchant.verdict();
      expect(namesOf(verdict)).toEqual(['medium deadline-too-short']);
      expect(findingOf(verdict, 'deadline-too-short').confidence).toBe('likely');
    });
  },
  onTestTime,
);

throughEveryDoor(
  'an idle timer',
  (door) => {
    async function hangThenDribble(shop: Shop, hungMs: number, dribbledMs: number): Promise<void> {
      const till = await Till.at(shop);
      hangs(till, 'leaves');
      await wait(till, hungMs, 'leaves');
      await till.pay({ key: 'a', afterMs: 700 });
      till.meets('slow-dribble', 1, { chunkBytes: 200, gap: '5ms' });
      await wait(till, dribbledMs, 'stays');
    }

    it.each([
      [11_000, 34_000, true],
      [11_000, 32_000, false],
      [400, 5_000, false],
    ])('leaves after %i ms, and stays for %i ms of drops: %s', async (hung, dribbled, isFound) => {
      const shop = door.shop();
      await hangThenDribble(shop, hung, dribbled);
      const found = (await foundIn(shop)).filter((one) => one.endsWith('idle-timer-only'));
      expect(found).toEqual(isFound ? ['medium idle-timer-only'] : []);
    });
  },
  onTestTime,
);
