/** Findings about timeouts. Each has a story that causes it and a close one that does not. */
import { expect, it } from 'vitest';
import { fired, see } from '../../forcing/tolerant-client.ts';
import { onEveryTransport, type Shop } from '../../../support/transports.ts';
import { findingOf, foundIn, namesOf } from '../support/findings.ts';
import { keyed, onTestTime, Checkout } from '../support/payment-attempts.ts';

/** How long a client waits for an answer before it disconnects, if it does. */
async function wait(till: Checkout, heldMs: number, then: 'leaves' | 'stays'): Promise<void> {
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
  // The sandbox needs a moment to notice that the client has disconnected.
  const open = () => shop.merchant.journal().entries.filter(({ overAtSeq }) => overAtSeq === 0);
  await expect.poll(open, { interval: 2 }).toEqual([]);
}

/** Hangs until the client disconnects, or for a moment of real time. */
const hangs = (till: Checkout, then: 'leaves' | 'stays') =>
  till.forceOutcome('hang-after-commit', 1, then === 'stays' ? { cap: '60ms' } : {});

onEveryTransport(
  'a client without a timeout',
  (transport) => {
    it.each([
      [60_000, 'stays', true],
      [59_000, 'stays', false],
      [60_000, 'leaves', false],
    ] as const)('is reported after %i ms if it %s: %s', async (heldMs, then, isFound) => {
      const till = await Checkout.at(transport.shop());
      hangs(till, then);
      await wait(till, heldMs, then);
      await till.pay({ key: 'a', afterMs: 700 });
      // A call without a socket can be given up without a sign.
      const severity = transport.name === 'socket' ? 'high' : 'medium';
      expect(await foundIn(till.shop)).toEqual(isFound ? [`${severity} no-deadline`] : []);
    });
  },
  onTestTime,
);

onEveryTransport(
  'a request that hangs for a minute',
  (transport) => {
    it.each([
      ['is reported if nothing else happens', undefined, true],
      ['shows that the client gave up if it sends the request again', 'again', false],
      ['is reported if the client pays for another order meanwhile', 'another order', true],
      ['is reported if the client reads a list meanwhile', 'a list', true],
      ['is reported if the same request comes after its end', 'later', true],
    ] as const)('%s', async (_, meanwhile, isFound) => {
      const till = await Checkout.at(transport.shop());
      const { shop } = till;
      hangs(till, 'stays');
      const hung = see(shop, 'payment.create', { body: till.body(), headers: keyed('a') });
      await fired(shop);
      if (meanwhile === 'again') await till.pay({ key: 'a', afterMs: 700 });
      if (meanwhile === 'another order') await till.pay({ key: 'b', custom: 'order-8' });
      if (meanwhile === 'a list') await shop.ask('payment.list', 200, {});
      shop.merchant.clock.advance(60_000);
      await hung;
      if (meanwhile === 'later') await till.pay({ key: 'a', afterMs: 700 });
      const found = (await foundIn(shop)).filter((one) => one.endsWith('no-deadline'));
      expect(found.length > 0).toBe(isFound);
    });
  },
  onTestTime,
);

onEveryTransport(
  'a read without an answer',
  (transport) => {
    it.each([
      ['is reported if the connection broke', 'stays', ['low gives-up-at-once']],
      ['is not reported if the client itself did not wait', 'leaves', []],
    ] as const)('that is not repeated %s', async (_, then, expected) => {
      const shop = transport.shop();
      const leave = new AbortController();
      shop.merchant.force({
        op: 'payment.list',
        outcome: { outcome: 'hang-before-commit', with: then === 'stays' ? { cap: '60ms' } : {} },
      });
      const seen = see(shop, 'payment.list', { signal: leave.signal });
      await fired(shop);
      if (then === 'leaves') leave.abort();
      await seen;
      const open = () => shop.merchant.journal().entries.filter(({ overAtSeq }) => overAtSeq === 0);
      await expect.poll(open, { interval: 2 }).toEqual([]);
      expect(await foundIn(shop)).toEqual(expected);
    });
  },
  onTestTime,
);

onEveryTransport(
  'a client that abandons a payment',
  (transport) => {
    it.each([
      [2_000, true],
      [9_000, true],
      [10_000, false],
      // Tests are in a hurry.
      [100, false],
    ])('gets a remark after %i ms if it retries: %s', async (heldMs, isFound) => {
      const till = await Checkout.at(transport.shop());
      hangs(till, 'leaves');
      await wait(till, heldMs, 'leaves');
      await till.pay({ key: 'a', afterMs: 700 });
      expect(await foundIn(till.shop)).toEqual(isFound ? ['low deadline-too-short'] : []);
    });

    it('may abort the slower one of two requests with one request id', async () => {
      const till = await Checkout.at(transport.shop());
      const { shop } = till;
      const leave = new AbortController();
      till.forceOutcome('slow-first-byte', 1, { delay: '20s' });
      const sent = { body: till.body({}), headers: keyed('a') };
      const slow = see(shop, 'payment.create', { ...sent, signal: leave.signal });
      await fired(shop);
      shop.merchant.clock.advance(300);
      await shop.ask('payment.create', 201, sent);
      shop.merchant.clock.advance(1_000);
      leave.abort();
      await slow;
      const open = () => shop.merchant.journal().entries.filter(({ overAtSeq }) => overAtSeq === 0);
      await expect.poll(open, { interval: 2 }).toEqual([]);
      expect(await foundIn(shop)).toEqual([]);
    });

    it('is more than a remark if an answer was on its way', async () => {
      const till = await Checkout.at(transport.shop());
      till.forceOutcome('slow-first-byte', 1, { delay: '20s' });
      await wait(till, 2_000, 'leaves');
      await till.pay({ key: 'a', afterMs: 700 });
      const verdict = await till.shop.merchant.verdict();
      expect(namesOf(verdict)).toEqual(['medium deadline-too-short']);
      expect(findingOf(verdict, 'deadline-too-short').confidence).toBe('likely');
    });

    it('waited at most until the sandbox noticed, on a clock that tests move', async () => {
      const till = await Checkout.at(transport.shop());
      hangs(till, 'leaves');
      await wait(till, 2_000, 'leaves');
      await till.pay({ key: 'a', afterMs: 700 });
      const { what } = findingOf(await till.shop.merchant.verdict(), 'deadline-too-short');
      expect(what).toContain(
        `1 payment after ${transport.name === 'socket' ? 'at most 2 s' : '2 s'} and sent it again`,
      );
    });
  },
  onTestTime,
);

onEveryTransport(
  'an idle timeout',
  (transport) => {
    async function hangThenDribble(shop: Shop, hungMs: number, dribbledMs: number): Promise<void> {
      const till = await Checkout.at(shop);
      hangs(till, 'leaves');
      await wait(till, hungMs, 'leaves');
      await till.pay({ key: 'a', afterMs: 700 });
      till.forceOutcome('slow-dribble', 1, { chunkBytes: 200, gap: '5ms' });
      await wait(till, dribbledMs, 'stays');
    }

    it('is judged by the longest of several waits', async () => {
      const till = await Checkout.at(transport.shop());
      for (const [heldMs, key] of [
        [2_000, 'a'],
        [11_000, 'b'],
        [2_000, 'c'],
      ] as const) {
        hangs(till, 'leaves');
        await wait(till, heldMs, 'leaves');
        await till.pay({ key, afterMs: 700 });
      }
      till.forceOutcome('slow-dribble', 1, { chunkBytes: 200, gap: '5ms' });
      await wait(till, 20_000, 'stays');
      expect(await foundIn(till.shop)).not.toContain('medium idle-timer-only');
    });

    it.each([
      [11_000, 34_000, true],
      [11_000, 32_000, false],
      [400, 5_000, false],
    ])(
      'is reported if it ends after %i ms, but not during %i ms of slow data: %s',
      async (hung, dribbled, isFound) => {
        const shop = transport.shop();
        await hangThenDribble(shop, hung, dribbled);
        const found = (await foundIn(shop)).filter((one) => one.endsWith('idle-timer-only'));
        expect(found).toEqual(isFound ? ['medium idle-timer-only'] : []);
      },
    );
  },
  onTestTime,
);
