/** Findings about the pace of retries. Each has a story that causes it and a close one that does not. */
import { expect, it } from 'vitest';
import { see } from '../../forcing/tolerant-client.ts';
import { ShopCode } from '../../model-clients/zoo/shop-code.ts';
import { onEveryTransport, testNow, type Shop } from '../../../support/transports.ts';
import { storeCard } from '../../../support/purchases.ts';
import { cardBody, paymentBody } from '../../../support/samples.ts';
import { findingOf, foundIn } from '../support/findings.ts';
import { onTestTime, Checkout, keyed, type Attempt } from '../support/payment-attempts.ts';
import type { OutcomeId } from '../../../../src/outcomes/outcome-id.ts';

const crashes = 'error-500-before-commit';
const flat = 'medium retry-no-backoff';

function waiting(key: string, waitsMs: readonly number[]) {
  return [{ key }, ...waitsMs.map((afterMs) => ({ key, afterMs }))];
}

onEveryTransport(
  'pauses between attempts',
  (transport) => {
    it.each<[readonly number[], readonly string[]]>([
      [[0, 0, 0], [flat]],
      [[1_000, 2_000, 4_000], []],
      [[1_000, 2_000, 4_000, 8_000], []],
      [[1_000, 2_000, 4_000, 8_000, 16_000], ['low retry-storm']],
      [[1_000, 2_000, 40_000, 80_000, 160_000], []],
      [Array.from({ length: 20 }, (_, at) => 1_000 + 200 * at), ['high retry-storm']],
    ])('are judged if they take %j ms', async (waitsMs, expected) => {
      const shop = transport.shop();
      const till = await Checkout.at(shop);
      till.forceOutcome(crashes, waitsMs.length);
      await till.payAll(...waiting('a', waitsMs));
      expect(await foundIn(shop)).toEqual(expected);
    });

    it('without a wait after 429 are judged', async () => {
      const shop = transport.shop();
      const till = await Checkout.at(shop);
      till.forceOutcome('rate-limited-no-header', 3);
      await till.payAll(...waiting('a', [0, 0, 0]));
      expect(await foundIn(shop)).toEqual([flat]);
    });

    it.each<[number, readonly string[]]>([
      [600, ['high ignores-retry-after']],
      [26_000, ['high ignores-retry-after']],
      [27_500, []],
      [30_000, []],
    ])('are judged if they take %i ms after Retry-After: 30', async (afterMs, expected) => {
      const shop = transport.shop();
      const till = await Checkout.at(shop);
      till.forceOutcome('rate-limited-seconds', 1, { retryAfter: 30 });
      await till.payAll(...waiting('a', [afterMs]));
      expect(await foundIn(shop)).toEqual(expected);
    });

    it.each<[number, boolean]>([
      [0, true],
      [499, true],
      [500, false],
    ])('of %i ms after Retry-After: 30 get advice about fake timers: %s', async (waitMs, has) => {
      const shop = transport.shop();
      const till = await Checkout.at(shop);
      till.forceOutcome('rate-limited-seconds', 1, { retryAfter: 30 });
      await till.payAll(...waiting('a', [waitMs]));
      const { severity, remedy } = findingOf(await shop.merchant.verdict(), 'ignores-retry-after');
      expect(severity).toBe(has ? 'medium' : 'high');
      expect(remedy.includes("fake timers, move the merchant's clock")).toBe(has);
    });

    it('that are missing altogether get advice about fake timers', async () => {
      const shop = transport.shop();
      const till = await Checkout.at(shop);
      till.forceOutcome(crashes, 3);
      await till.payAll(...waiting('a', [0, 0, 0]));
      const { remedy } = findingOf(await shop.merchant.verdict(), 'retry-no-backoff');
      expect(remedy).toContain("fake timers, move the merchant's clock");
    });

    it.each<[string, string, Attempt, readonly string[]]>([
      ['a worker that received the 429', 'a', { custom: 'A-7' }, ['high ignores-retry-after']],
      ['a second worker that never saw the 429', 'b', { custom: 'A-7' }, []],
      ['a second worker for one invoice', 'b', { invoice: 'A-7' }, ['low ignores-retry-after']],
    ])('of %s are judged by what it knew', async (_, key, order, expected) => {
      const shop = transport.shop();
      const till = await Checkout.at(shop);
      till.forceOutcome('rate-limited-seconds', 1, { retryAfter: 30 });
      await till.payAll({ ...order, key: 'a' }, { ...order, key, afterMs: 600 });
      expect(await foundIn(shop)).toEqual(expected);
    });

    it.each<[string, readonly number[], readonly string[]]>([
      ['the first worker waited', [3_000, 27_500], ['low ignores-retry-after']],
      ['the last request came too early, too', [3_000, 10_000], ['high ignores-retry-after']],
      ['the last request came much later', [3_000, 300_000], ['high ignores-retry-after']],
      ['there is no later request', [3_000], ['high ignores-retry-after']],
    ])(
      'of a second worker with the same request id are a remark if %s',
      async (_, waitsMs, expected) => {
        const shop = transport.shop();
        const till = await Checkout.at(shop);
        till.forceOutcome('rate-limited-seconds', 1, { retryAfter: 30 });
        await till.payAll(...waiting('a', waitsMs));
        expect(await foundIn(shop)).toEqual(expected);
      },
    );

    it.each<[string, readonly OutcomeId[], readonly number[], readonly string[]]>([
      [
        'a remark if it was repeated until it succeeded before the first worker came back',
        ['rate-limited-seconds', 'reset-after-commit'],
        [3_000, 1_000, 27_000],
        ['low ignores-retry-after'],
      ],
      [
        'reported if it was repeated until it succeeded, and no request follows',
        ['rate-limited-seconds', 'reset-after-commit'],
        [3_000, 1_000],
        ['high ignores-retry-after'],
      ],
      [
        'a remark if both workers received Retry-After and came back',
        ['rate-limited-seconds', 'rate-limited-seconds', 'rate-limited-seconds'],
        [3_000, 27_000, 3_000],
        ['low ignores-retry-after'],
      ],
      [
        'a remark if both workers came back, one after a lost answer',
        ['rate-limited-seconds', 'reset-before-commit'],
        [3_000, 27_000, 1_000],
        ['low ignores-retry-after'],
      ],
      [
        'reported if only one came back in time',
        ['rate-limited-seconds', 'rate-limited-seconds', 'rate-limited-seconds'],
        [5_000, 25_000, 1_000],
        ['high ignores-retry-after'],
      ],
      [
        'reported if the second one did not come back',
        ['rate-limited-seconds', 'rate-limited-seconds'],
        [3_000, 27_000],
        ['high ignores-retry-after'],
      ],
      [
        'reported if a third request came before either wait was over',
        Array.from({ length: 4 }, () => 'rate-limited-seconds' as const),
        [3_000, 1_000, 28_000, 3_000],
        ['high ignores-retry-after'],
      ],
      [
        'reported if all waits are equal, as those of one worker are',
        ['rate-limited-seconds', 'rate-limited-seconds', 'rate-limited-seconds'],
        [15_000, 15_000, 15_000],
        ['high ignores-retry-after'],
      ],
    ])('of a second worker are %s', async (_, outcomes, waitsMs, expected) => {
      const shop = transport.shop();
      const till = await Checkout.at(shop);
      for (const outcome of outcomes) {
        const isLimit = outcome === 'rate-limited-seconds';
        till.forceOutcome(outcome, 1, isLimit ? { retryAfter: 30 } : {});
      }
      await till.payAll(...waiting('a', waitsMs));
      expect(await foundIn(shop)).toEqual(expected);
    });

    it.each<[string, boolean, number, number, readonly string[]]>([
      ['was started again with another token', true, 1, 0, ['low ignores-retry-after']],
      ['was started again after its first request', true, 0, 0, ['low ignores-retry-after']],
      ['was started again beside another one', true, 1, 1, ['low ignores-retry-after']],
      ['still has its token', false, 1, 0, ['high ignores-retry-after']],
      ['has sent nothing else with its token', false, 0, 0, ['high ignores-retry-after']],
      ['requests a token for each call', true, 0, 1, ['high ignores-retry-after']],
      ['requests a token for most calls', true, 1, 2, ['high ignores-retry-after']],
    ])('of a process that %s are judged', async (_, isNew, ownCalls, otherTokens, expected) => {
      const shop = transport.shop();
      // The card is stored with another token.
      const till = await Checkout.at(shop);
      const newToken = async (): Promise<string> => {
        const body = 'grant_type=client_credentials';
        return `Bearer ${(await shop.ask('token.create', 200, { body })).access_token}`;
      };
      const list = (authorization: string) => shop.ask('payment.list', 200, { authorization });
      till.forceOutcome('rate-limited-seconds', 1, { retryAfter: 30 });
      const sent = { body: till.body({ custom: 'A-7' }), headers: { 'PayPal-Request-Id': 'a' } };
      for (let count = 0; count < otherTokens; count++) await list(await newToken());
      let authorization = await newToken();
      for (let count = 0; count < ownCalls; count++) await list(authorization);
      await see(shop, 'payment.create', { ...sent, authorization });
      shop.merchant.clock.advance(600);
      if (isNew) authorization = await newToken();
      await see(shop, 'payment.create', { ...sent, authorization });
      const found = (await foundIn(shop)).filter((one) => one.endsWith('ignores-retry-after'));
      expect(found).toEqual(expected);
    });

    it('are told by the wait that the answer asked for: seconds or a date', async () => {
      const texts = [];
      for (const outcome of ['rate-limited-seconds', 'rate-limited-http-date'] as const) {
        const shop = transport.shop();
        const till = await Checkout.at(shop);
        till.forceOutcome(outcome, 1, { retryAfter: 30 });
        await till.payAll(...waiting('a', [600]));
        texts.push(findingOf(await shop.merchant.verdict(), 'ignores-retry-after').what);
      }
      expect(texts).toEqual([
        'The request for purchase "A test order" was sent again after 600 ms, although Retry-After asked for 30 s.',
        'The request for purchase "A test order" was sent again after 600 ms, at 07:08:09, although Retry-After asked to wait until 07:08:39.',
      ]);
    });

    it.each<[string, readonly number[], string]>([
      ['grow', [500, 1_000, 2_000, 4_000, 8_000, 16_000], 'low'],
      ['grow at random', [700, 400, 2_500, 3_000, 9_000, 14_000], 'low'],
      ['are short and do not grow', [1_000, 1_100, 900, 1_000, 1_200, 1_000], 'medium'],
    ])('of an invoice without a request id that %s are judged', async (_, waitsMs, severity) => {
      const shop = transport.shop();
      const till = await Checkout.at(shop);
      till.forceOutcome('rate-limited-no-header', waitsMs.length);
      await till.payAll(...[0, ...waitsMs].map((afterMs) => ({ invoice: 'INV-7', afterMs })));
      expect(await foundIn(shop)).toEqual([`${severity} retry-storm`]);
    });

    it.each<[string, readonly number[], string]>([
      ['grow', [500, 1_000, 2_000, 4_000, 8_000, 16_000], 'low'],
      ['do not grow', [1_000, 1_100, 900, 1_000, 1_200, 1_000], 'medium'],
    ])(
      'that %s are judged without the time in which requests hang',
      async (_, waitsMs, severity) => {
        const shop = transport.shop();
        const code = new ShopCode(shop);
        const order = { cardId: await code.card(), invoice: 'INV-7' };
        const times = waitsMs.length + 1;
        const outcome = 'hang-before-commit';
        shop.merchant.force({ op: 'payment.create', per: 'merchant', outcome, times });
        for (const afterMs of [0, ...waitsMs]) {
          await code.wait(afterMs);
          await code.pay(order);
          // The server may notice the end of a connection only after the client's clock went on.
          const areClosed = () =>
            shop.merchant.journal().entries.every(({ overAtSeq }) => overAtSeq > 0);
          await expect.poll(areClosed).toBe(true);
        }
        expect(await foundIn(shop)).toContain(`${severity} retry-storm`);
      },
    );

    it.each<[string, (at: number) => string, string]>([
      ['its own request id', () => 'a', 'low'],
      ['a new request id each time', (at) => `request ${at} of it`, 'medium'],
    ])('that do not grow, of an invoice with %s, are judged', async (_, keyAt, severity) => {
      const shop = transport.shop();
      const till = await Checkout.at(shop);
      const waitsMs = [0, 1_000, 1_100, 900, 1_000, 1_200, 1_000];
      till.forceOutcome('rate-limited-no-header', waitsMs.length - 1);
      await till.payAll(
        ...waitsMs.map((afterMs, at) => ({ key: keyAt(at), invoice: 'INV-7', afterMs })),
      );
      expect(await foundIn(shop)).toContain(`${severity} retry-storm`);
    });

    it.each<[string, Attempt, readonly string[]]>([
      ['an invoice without a request id', { invoice: 'INV-7' }, ['high ignores-retry-after']],
      ['a purchase without any name', {}, ['medium ignores-retry-after']],
    ])(
      'of 600 ms are judged by how sure it is that both are for %s',
      async (_, order, expected) => {
        const shop = transport.shop();
        const till = await Checkout.at(shop);
        till.forceOutcome('rate-limited-seconds', 1, { retryAfter: 30 });
        await till.payAll(order, { ...order, afterMs: 600 });
        expect(await foundIn(shop)).toEqual(expected);
      },
    );

    it.each<[number, number, readonly string[]]>([
      [0, 600, ['high ignores-retry-after']],
      [0, 29_000, []],
      // The date says nothing to a client whose clock shows another time than the merchant's.
      [3_600_000, 600, []],
    ])(
      'after a date, by a clock that is %i ms ahead, of %i ms are judged',
      async (aheadMs, afterMs, expected) => {
        const shop = transport.shop();
        shop.merchant.clock.advance(aheadMs);
        const till = await Checkout.at(shop);
        till.forceOutcome('rate-limited-http-date', 1, { retryAfter: 30 });
        await till.payAll(...waiting('a', [afterMs]));
        expect(await foundIn(shop)).toEqual(expected);
      },
    );

    it('are not required for another purchase, or with a frozen clock', async () => {
      const other = transport.shop();
      const till = await Checkout.at(other);
      till.forceOutcome('rate-limited-seconds', 1, { retryAfter: 30 });
      await till.payAll({ key: 'a', invoice: 'A' }, { key: 'b', invoice: 'B', afterMs: 600 });
      expect(await foundIn(other)).toEqual([]);
      const still = transport.shop();
      still.merchant.clock.freeze();
      const played = await Checkout.at(still);
      played.forceOutcome('rate-limited-seconds', 3, { retryAfter: 30 });
      await played.payAll(...waiting('a', [0, 0, 0]));
      expect(await foundIn(still)).toEqual([]);
    });
  },
  onTestTime,
);

let machineMs = Date.parse(testNow);
const onMachine = (_: Shop, ms: number) => void (machineMs += ms);
const onMerchantsClock = ({ merchant }: Shop, ms: number) => void merchant.clock.advance(ms);
const onMachineTime = { clock: {}, systemClock: { nowMs: () => machineMs } } as const;

onEveryTransport(
  'retries after equal waits',
  (transport) => {
    it.each<[string, readonly number[], boolean, typeof onMachine, readonly string[]]>([
      ['three of the client', [1_000, 1_000, 1_000], false, onMachine, [flat]],
      ['three of the client on a frozen clock', [1_000, 1_000, 1_000], true, onMachine, [flat]],
      ['two of the client', [1_000, 1_000], false, onMachine, []],
      ['nearly equal ones of the client', [1_000, 900, 1_100], false, onMachine, []],
      ['three of a test', [1_000, 1_000, 1_000], false, onMerchantsClock, []],
      ['three of a test on a frozen clock', [1_000, 1_000, 1_000], true, onMerchantsClock, []],
      ['three days of a test', [86_400_000, 86_400_000, 86_400_000], false, onMerchantsClock, []],
      ['none, on a running clock', [0, 0, 0], false, onMachine, [flat]],
    ])('are judged by who chose them: %s', async (_, waitsMs, isFrozen, pass, expected) => {
      const shop = transport.shop();
      if (isFrozen) shop.merchant.clock.freeze();
      const till = await Checkout.at(shop);
      till.forceOutcome(crashes, waitsMs.length);
      await till.pay({ key: 'a' });
      for (const ms of waitsMs) {
        pass(shop, ms);
        await till.pay({ key: 'a' });
      }
      expect((await foundIn(shop)).filter((name) => name.includes('backoff'))).toEqual(expected);
    });

    it('are the work of the test if it moved the clock during one of them', async () => {
      const shop = transport.shop();
      const till = await Checkout.at(shop);
      till.forceOutcome(crashes, 3);
      await till.pay({ key: 'a' });
      for (const pass of [onMachine, onMerchantsClock, onMachine]) {
        pass(shop, 1_000);
        await till.pay({ key: 'a' });
      }
      expect(await foundIn(shop)).toEqual([]);
    });
  },
  onMachineTime,
);

onEveryTransport(
  'the wait before the first retry of each purchase',
  (transport) => {
    it.each<[string, readonly number[], typeof onMachine, readonly string[]]>([
      ['is judged', [1_000, 1_005, 1_010, 1_015], onMachine, ['low retry-no-jitter']],
      ['is judged only if there are four', [1_000, 1_005, 1_010], onMachine, []],
      ['may differ', [1_000, 1_005, 1_010, 1_400], onMachine, []],
      ['is silent if a test moved the clock', [1_000, 1_000, 1_000, 1_000], onMerchantsClock, []],
    ])('%s: %j ms', async (_, waitsMs, pass, expected) => {
      const shop = transport.shop();
      const till = await Checkout.at(shop);
      for (const [at, ms] of waitsMs.entries()) {
        till.forceOutcome(crashes);
        const attempt = { key: `key of ${'abcd'.charAt(at)}`, invoice: `I-${at}` };
        await till.pay(attempt);
        pass(shop, ms);
        await till.pay(attempt);
      }
      expect(await foundIn(shop)).toEqual(expected);
    });

    it.each<[string, boolean, typeof onMachine, readonly string[]]>([
      ['is silent if a test moved the clock once', false, onMerchantsClock, []],
      ['is judged if all waited as long', false, onMachine, ['low retry-no-jitter']],
      ['is judged on a frozen clock', true, onMachine, ['low retry-no-jitter']],
      ['is silent on a frozen clock that a test moves', true, onMerchantsClock, []],
    ])('of several workers %s', async (_, isFrozen, pass, expected) => {
      const shop = transport.shop();
      if (isFrozen) shop.merchant.clock.freeze();
      const till = await Checkout.at(shop);
      const attempts = ['a', 'b', 'c', 'd'].map((name) => ({
        key: `key of ${name}`,
        invoice: `I-${name}`,
      }));
      till.forceOutcome(crashes, attempts.length);
      for (let round = 0; round < 2; round++) {
        await Promise.all(attempts.map((attempt) => till.pay(attempt)));
        pass(shop, 1_000);
      }
      expect((await foundIn(shop)).filter((name) => name.includes('jitter'))).toEqual(expected);
    });
  },
  onMachineTime,
);

onEveryTransport(
  'a final refusal',
  (transport) => {
    it.each<[OutcomeId, readonly number[], readonly string[]]>([
      ['decline-generic', [1_000, 2_000], ['high retry-of-final-4xx']],
      ['decline-generic', [1_000], []],
      ['decline-generic', [6_000, 6_000], []],
      [crashes, [1_000, 2_000], []],
    ])('is judged by %s, retried after %j ms', async (outcome, waitsMs, expected) => {
      const shop = transport.shop();
      const till = await Checkout.at(shop);
      till.forceOutcome(outcome, 5);
      await till.payAll(...waiting('a', waitsMs));
      const found = await foundIn(shop);
      expect(found.filter((one) => one.endsWith('retry-of-final-4xx'))).toEqual(expected);
    });

    it('is counted with all its repeats', async () => {
      const shop = transport.shop();
      const till = await Checkout.at(shop);
      till.forceOutcome('decline-generic', 5);
      await till.payAll(...waiting('a', [1_000, 2_000, 20_000]));
      const { what, evidence } = findingOf(await shop.merchant.verdict(), 'retry-of-final-4xx');
      expect(what).toContain('was sent 4 times unchanged');
      expect(evidence).toHaveLength(4);
    });
  },
  onTestTime,
);

onEveryTransport(
  'a payment whose card is not found',
  (transport) => {
    const again = ['high retry-of-final-4xx'];

    it.each<[string, number, readonly number[], readonly string[]]>([
      ['stored just before', 0, [4_000, 4_000], []],
      ['stored a minute before', 60_000, [1_000, 1_000], []],
      ['stored longer before', 60_001, [1_000, 1_000], again],
      ['stored just before, and the client does not stop', 58_000, Array(5).fill(1_000), again],
      ['stored just before, six times in a row', 0, Array(5).fill(500), ['low retry-storm']],
      ['stored just before, without an end', 0, Array(19).fill(100), ['high retry-storm']],
    ])('is judged: %s', async (_, afterMs, waitsMs, found) => {
      const shop = transport.shop();
      const till = await Checkout.at(shop);
      shop.merchant.clock.advance(afterMs);
      till.forceOutcome('card-unknown', waitsMs.length + 1);
      await till.payAll(...waiting('a', waitsMs));
      expect(await foundIn(shop)).toEqual(found);
    });

    it('is judged by who deleted the new card', async () => {
      for (const isDeletedByClient of [false, true]) {
        const shop = transport.shop();
        const cardId = await storeCard(shop);
        const remove = () => see(shop, 'card.delete', { path: `/v1/vault/credit-cards/${cardId}` });
        if (isDeletedByClient) await remove();
        else shop.merchant.force({ op: 'payment.create', outcome: 'card-deleted-during-payment' });
        for (let tries = 0; tries < 3; tries++) {
          await see(shop, 'payment.create', { body: paymentBody({ cardId }), headers: keyed('a') });
          shop.merchant.clock.advance(4_000);
        }
        await remove();
        expect(await foundIn(shop)).toEqual(isDeletedByClient ? again : []);
      }
    });
  },
  onTestTime,
);

onEveryTransport(
  'one order that is declined three times',
  (transport) => {
    it.each([
      ['decline-lost-or-stolen', ['a', 'b', 'c'], true],
      ['decline-lost-or-stolen', ['a', 'a', 'a'], true],
      ['decline-generic', ['a', 'b', 'c'], false],
      ['decline-generic', ['a', 'a', 'a'], true],
    ] as const)('for %s, with request ids %j, is reported: %s', async (outcome, keys, isFound) => {
      const shop = transport.shop();
      const till = await Checkout.at(shop);
      till.forceOutcome(outcome, 3);
      for (const key of keys) await till.pay({ key, invoice: 'INV-7', afterMs: 1_000 });
      const found = await foundIn(shop);
      expect(found.includes('high retry-of-final-4xx'), found.join()).toBe(isFound);
    });

    const declines = [
      'decline-suspected-fraud',
      'decline-restricted-card',
      'decline-compliance',
    ] as const;

    it.each([
      ['each by a rule of its own, as in tests', 'rules', ['a', 'b', 'c'], 'medium'],
      ['each by a rule of its own, with one request id', 'rules', ['a', 'a', 'a'], 'high'],
      ['by one rule, as in a test of retries', 'sequence', ['a', 'b', 'c'], 'high'],
      ['by equal rules', 'equal', ['a', 'b', 'c'], 'high'],
    ])('for other reasons, %s, is judged', async (_, by, keys, severity) => {
      const shop = transport.shop();
      const till = await Checkout.at(shop);
      const rule = { op: 'payment.create', per: 'merchant' } as const;
      if (by === 'sequence') shop.merchant.force({ ...rule, sequence: declines });
      for (const [at, key] of keys.entries()) {
        const outcome = declines[by === 'equal' ? 0 : at] ?? declines[0];
        if (by !== 'sequence') shop.merchant.force({ ...rule, outcome });
        await till.pay({ key, invoice: 'INV-7', afterMs: 1_000 });
      }
      const found = findingOf(await shop.merchant.verdict(), 'retry-of-final-4xx');
      expect(found.severity).toBe(severity);
    });

    it.each([
      ['order-7', true],
      ['till-7', false],
    ])('under the `custom` %s with new request ids is reported: %s', async (custom, isFound) => {
      const shop = transport.shop();
      const till = await Checkout.at(shop);
      till.forceOutcome('decline-suspected-fraud', 3);
      for (const key of ['a', 'b', 'c']) await till.pay({ key, custom, afterMs: 1_000 });
      const found = await foundIn(shop);
      expect(found.includes('high retry-of-final-4xx'), found.join()).toBe(isFound);
    });
  },
  onTestTime,
);

onEveryTransport(
  'a client that stops',
  (transport) => {
    it('is reported after an unknown outcome unless it reads', async () => {
      const [forgets, looks] = [transport.shop(), transport.shop()];
      for (const shop of [forgets, looks]) {
        const till = await Checkout.at(shop);
        till.forceOutcome('reset-before-commit');
        await till.pay({ key: 'a' });
      }
      await looks.ask('payment.list', 200, {});
      expect(await foundIn(forgets)).toEqual(['medium no-read-after-unknown']);
      expect(await foundIn(looks)).toEqual([]);
    });

    it('is not reported after an unknown outcome if it reads the payment by its id', async () => {
      const shop = transport.shop();
      const till = await Checkout.at(shop);
      till.forceOutcome('reset-after-commit');
      await till.pay({ key: 'a' });
      const [transfer] = shop.merchant.ledger().transfers;
      await shop.ask('payment.get', 200, { params: { payment_id: transfer?.payment ?? '' } });
      expect(await foundIn(shop)).toEqual([]);
    });

    it('is reported after a card whose answer was lost, unless it reads the list', async () => {
      for (const isRead of [false, true]) {
        const shop = transport.shop();
        shop.merchant.force({ op: 'card.create', outcome: 'reset-after-commit' });
        await see(shop, 'card.create', { body: cardBody() });
        if (isRead) await shop.ask('card.list', 200, {});
        expect(await foundIn(shop)).toEqual(isRead ? [] : ['low no-read-after-unknown']);
      }
    });

    it('is not reported after a read that failed twice', async () => {
      const shop = transport.shop();
      shop.merchant.force({ op: 'payment.list', outcome: 'rate-limited-no-header', times: 2 });
      for (let reads = 0; reads < 2; reads++) {
        await see(shop, 'payment.list', {});
        shop.merchant.clock.advance(1_000);
      }
      expect(await foundIn(shop)).toEqual([]);
    });

    it('is not reported after a read that was refused for good', async () => {
      const shop = transport.shop();
      shop.merchant.force({ op: 'payment.list', outcome: 'token-revoked' });
      await see(shop, 'payment.list', {});
      expect(await foundIn(shop)).toEqual([]);
    });

    it.each([
      ['rate-limited-seconds', 29_000, []],
      ['rate-limited-seconds', 30_000, ['low gives-up-at-once']],
      ['rate-limited-http-date', 28_000, []],
      ['rate-limited-http-date', 31_000, ['low gives-up-at-once']],
    ] as const)('may still wait after %s, but not %i ms later', async (outcome, ms, expected) => {
      const shop = transport.shop();
      shop.merchant.force({
        op: 'payment.list',
        outcome: { outcome, with: { retryAfter: 30 } },
      });
      await see(shop, 'payment.list', {});
      shop.merchant.clock.advance(ms);
      expect(await foundIn(shop)).toEqual(expected);
    });

    it('is reported after a failed read unless it reads again', async () => {
      const [once, again] = [transport.shop(), transport.shop()];
      for (const shop of [once, again]) {
        shop.merchant.force({ op: 'payment.list', outcome: 'rate-limited-no-header' });
        expect((await see(shop, 'payment.list', {})).status).toBe(429);
      }
      again.merchant.clock.advance(1_000);
      await again.ask('payment.list', 200, {});
      expect(await foundIn(once)).toEqual(['low gives-up-at-once']);
      expect(await foundIn(again)).toEqual([]);
    });
  },
  onTestTime,
);
