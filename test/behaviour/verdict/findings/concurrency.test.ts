/** Findings about parallel requests and connections. Each has a story that causes it and a close one that does not. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { see } from '../../forcing/tolerant-client.ts';
import { cardBody } from '../../../support/samples.ts';
import { TestTransport, onEveryTransport, type Shop } from '../../../support/transports.ts';
import type { OperationName } from '../../../../src/contract/service/operation-name.ts';
import { findingOf, foundIn, namesOf } from '../support/findings.ts';
import { sendOnNewConnection } from '../support/own-connection.ts';
import { keyed, onTestTime, Checkout, type Attempt } from '../support/payment-attempts.ts';

/** Requests overlap then, however slow the machine is. */
function holdUntilAllCame(shop: Shop, op: OperationName, count: number): void {
  shop.merchant.hold({ op, count, release: 'arrival', timeoutMs: 120_000 });
}

onEveryTransport('two requests for one purchase', (transport) => {
  const invoice = 'INV-7';

  async function payBoth(...both: readonly [Attempt, Attempt]): Promise<Shop> {
    const till = await Checkout.at(transport.shop());
    holdUntilAllCame(till.shop, 'payment.create', 2);
    await Promise.all(both.map((one) => till.pay(one)));
    return till.shop;
  }

  /** With one request id, the second request waits for the first, so that no gate can wait for both. */
  async function payBothAs(one: Attempt): Promise<Shop> {
    const till = await Checkout.at(transport.shop());
    const { merchant } = till.shop;
    merchant.hold({ op: 'payment.create', count: 1, timeoutMs: 120_000 });
    const first = till.pay(one);
    await merchant.waitForHeld({ timeoutMs: 120_000 });
    const second = till.pay(one);
    await till.shop.ask('card.list', 200);
    merchant.release();
    await Promise.all([first, second]);
    return till.shop;
  }

  it('are reported in parallel, less severely if the service refused one of them', async () => {
    const named = await payBoth({ key: 'a', invoice }, { key: 'b', invoice });
    // The service refused the second one, so no harm was done.
    expect(await foundIn(named)).toEqual(['low concurrent-duplicates']);
    const unnamed = await payBoth({ key: 'a' }, { key: 'b' });
    const finding = findingOf(await unnamed.merchant.verdict(), 'concurrent-duplicates');
    expect([finding.severity, finding.confidence]).toEqual(['medium', 'possible']);
    expect(finding.what).toContain('2 of them were executed');
    expect(finding.evidence.length).toBe(2);
  });

  const custom = 'ORDER-77';

  it.each<[string, Attempt | undefined, string[]]>([
    ['fail the verdict if no other payment has this custom', undefined, ['high', 'likely']],
    ['fail the verdict beside another order', { custom: 'ORDER-78' }, ['high', 'likely']],
    [
      'may be two in a shop that writes this word into every purchase',
      { custom, total: '7.00' },
      ['medium', 'possible'],
    ],
  ])('are judged with a custom, in parallel: they %s', async (_, other, found) => {
    const shop = await payBoth({ key: 'a', custom }, { key: 'b', custom });
    if (other !== undefined) {
      const { text } = await (await Checkout.at(shop)).pay({ ...other, key: 'c' });
      expect(text).toContain('"state":"completed"');
    }
    const verdict = await shop.merchant.verdict();
    for (const rule of ['double-charge', 'concurrent-duplicates']) {
      const { severity, confidence } = findingOf(verdict, rule);
      expect([severity, confidence]).toEqual(found);
    }
    expect(verdict.passed).toBe(found[0] !== 'high');
  });

  it.each<[string, string, string | undefined, string]>([
    [
      'pass it, and say so, once a list had shown both',
      'medium',
      '30.11',
      ' The client found this later, and refunded all but one payment at ',
    ],
    ['fail it without a look', 'high', undefined, 'of them were executed.'],
    ['fail it if only a part was refunded', 'high', '30.00', 'of them were executed.'],
  ])('of which the client refunds one are judged: they %s', async (_, severity, total, text) => {
    const shop = await payBoth({ key: 'a', custom }, { key: 'b', custom });
    if (total !== undefined) await shop.ask('payment.list', 200, {});
    const [transfer] = shop.merchant.ledger().transfers;
    const params = { sale_id: transfer?.subject ?? '' };
    const body = { amount: { total: total ?? '30.11', currency: 'USD' } };
    await shop.ask('sale.refund', 201, { params, body });
    const finding = findingOf(await shop.merchant.verdict(), 'concurrent-duplicates');
    expect([finding.severity, finding.confidence]).toEqual([severity, 'likely']);
    expect(finding.what).toContain(text);
  });

  it('pass the verdict with a custom if one was declined', async () => {
    const till = await Checkout.at(transport.shop());
    till.forceOutcome('decline-insufficient-funds');
    holdUntilAllCame(till.shop, 'payment.create', 2);
    await Promise.all(['a', 'b'].map((key) => till.pay({ key, custom })));
    const verdict = await till.shop.merchant.verdict();
    expect(findingOf(verdict, 'concurrent-duplicates').severity).toBe('medium');
    expect(verdict.passed).toBe(true);
  });

  it('are not reported with one request id, for two invoices, or one after the other', async () => {
    const same = await payBothAs({ key: 'a', invoice });
    const others = await payBoth({ key: 'a', invoice }, { key: 'b', invoice: 'INV-8' });
    const inTurn = await Checkout.at(transport.shop());
    await inTurn.payAll({ key: 'a', invoice }, { key: 'b', invoice });
    for (const shop of [same, others, inTurn.shop]) {
      expect(await foundIn(shop)).not.toContainEqual(
        expect.stringContaining('concurrent-duplicates'),
      );
    }
  });
});

onEveryTransport(
  'two requests for one purchase, the first of them held',
  (transport) => {
    it.each([
      [
        'were sent at once if the client waits for both',
        false,
        'Both requests were open at the same time, sent ',
      ],
      ['are a retry if the client left the first', true, 'stopped waiting for the first answer'],
    ])('%s', async (_, leaves, why) => {
      const shop = transport.shop();
      const till = await Checkout.at(shop);
      holdUntilAllCame(shop, 'payment.create', 2);
      const client = new AbortController();
      const body = till.body({ custom: 'ORDER-77' });
      const headers = keyed('a');
      const first = see(shop, 'payment.create', { body, headers, signal: client.signal });
      await shop.merchant.waitForHeld({ times: 1, timeoutMs: 120_000 });
      if (leaves) {
        client.abort();
        await expect.poll(() => shop.merchant.held()[0]?.clientLeft).toBe(true);
      }
      await Promise.all([first, till.pay({ key: 'b', custom: 'ORDER-77' })]);
      await shop.merchant.waitFor(
        { requestId: 'a', delivery: leaves ? 'lost' : 'delivered' },
        { timeoutMs: 120_000 },
      );
      const verdict = await shop.merchant.verdict();
      expect(findingOf(verdict, 'double-charge').what).toContain(why);
      expect(namesOf(verdict).includes('high concurrent-duplicates')).toBe(!leaves);
    });
  },
  onTestTime,
);

onEveryTransport('one card stored twice at once', (transport) => {
  it.each([
    ['stays in the vault twice', 0, ['medium concurrent-duplicates']],
    ['is removed once', 1, ['low concurrent-duplicates']],
    ['is removed twice', 2, ['low concurrent-duplicates']],
  ])('is judged by the copies that stay: it %s', async (_, removed, expected) => {
    const shop = transport.shop();
    holdUntilAllCame(shop, 'card.create', 2);
    const body = cardBody({ external_customer_id: 'ada' });
    const store = (key: string) => see(shop, 'card.create', { body, headers: keyed(key) });
    await Promise.all(['a', 'b'].map(store));
    const { items } = await shop.ask('card.list', 200);
    expect(items.length).toBe(2);
    for (const { id } of items.slice(0, removed)) {
      await shop.ask('card.delete', 204, { params: { card_id: id } });
    }
    expect(await foundIn(shop)).toEqual(expected);
  });
});

onEveryTransport('tokens', (transport) => {
  const body = 'grant_type=client_credentials';

  it.each([
    [3, ['medium token-stampede']],
    [2, ['low token-stampede']],
    [1, []],
  ])('requested by %i parallel requests', async (count, expected) => {
    const shop = transport.shop();
    holdUntilAllCame(shop, 'token.create', count);
    await Promise.all(Array.from({ length: count }, () => see(shop, 'token.create', { body })));
    expect(await foundIn(shop)).toEqual(expected);
  });

  it.each([
    ['goes on with its own', 2, 1, ['low token-stampede']],
    ['goes on with its own, but for one that ends', 1, 1, ['low token-stampede']],
    ['ends', 0, 0, ['low token-stampede']],
    ['ends, but for the last one', 0, 2, ['low token-stampede']],
    ['goes on with the last one', 0, 3, ['medium token-stampede']],
  ] as const)(
    'requested by three processes are judged by their later calls: each %s',
    async (_, own, more, found) => {
      const shop = transport.shop();
      holdUntilAllCame(shop, 'token.create', 3);
      const tokens = await Promise.all(
        [1, 2, 3].map(async () => {
          const { access_token: token } = await shop.ask('token.create', 200, { body });
          return `Bearer ${token}`;
        }),
      );
      for (const authorization of tokens) await shop.ask('card.list', 200, { authorization });
      const last = tokens.at(-1) ?? '';
      const later = Array.from({ length: more }, () => last);
      for (const authorization of [...tokens.slice(0, own), ...later]) {
        await shop.ask('payment.list', 200, { authorization });
      }
      expect(await foundIn(shop)).toEqual(found);
    },
  );

  it('is reported if some of the tokens are never used', async () => {
    const shop = transport.shop();
    holdUntilAllCame(shop, 'token.create', 3);
    const answers = await Promise.all([1, 2, 3].map(() => shop.ask('token.create', 200, { body })));
    for (const { access_token: token } of answers.slice(1)) {
      await shop.ask('card.list', 200, { authorization: `Bearer ${token}` });
    }
    expect(await foundIn(shop)).toEqual(['medium token-stampede']);
  });

  it.each([
    ['none of which was answered', [3], 3, 'low', 3],
    ['one of which was not answered', [4], 1, 'medium', 3],
    ['two of which were not answered', [4], 2, 'low', 4],
    ['after more were requested and none came', [4, 3], 4, 'medium', 3],
  ] as const)(
    'requested by parallel requests, %s, are judged by those that came',
    async (_, groups, lostTimes, severity, count) => {
      const shop = transport.shop();
      shop.merchant.force({
        op: 'token.create',
        outcome: 'truncated-json',
        times: lostTimes,
        per: 'merchant',
      });
      for (const size of groups) {
        holdUntilAllCame(shop, 'token.create', size);
        await Promise.all(Array.from({ length: size }, () => see(shop, 'token.create', { body })));
      }
      const finding = findingOf(await shop.merchant.verdict(), 'token-stampede');
      expect([finding.severity, finding.what]).toEqual([
        severity,
        `${count} tokens were requested at the same time.`,
      ]);
    },
  );

  it('requested before, or used for repeats of one call, are no sign of processes', async () => {
    const shop = transport.shop();
    const before = (await shop.ask('token.create', 200, { body })).access_token;
    holdUntilAllCame(shop, 'token.create', 3);
    const answers = await Promise.all([1, 2, 3].map(() => shop.ask('token.create', 200, { body })));
    await shop.ask('card.list', 200, { authorization: `Bearer ${before}` });
    await shop.ask('payment.list', 200, { authorization: `Bearer ${before}` });
    for (const { access_token: token } of [...answers, ...answers]) {
      const sent = { body: cardBody(), headers: { 'PayPal-Request-Id': token.slice(-9) } };
      await shop.ask('card.create', 201, { ...sent, authorization: `Bearer ${token}` });
    }
    // Each may be a process that repeated its only call.
    expect(await foundIn(shop)).toContain('low token-stampede');
    const authorization = `Bearer ${answers.at(-1)?.access_token ?? ''}`;
    for (const count of ['1', '2', '3']) {
      await shop.ask('payment.list', 200, { authorization, query: { count } });
    }
    expect(await foundIn(shop)).toContain('medium token-stampede');
  });

  it('requested one after the other are no stampede', async () => {
    const shop = transport.shop();
    for (let asked = 0; asked < 3; asked++) await shop.ask('token.create', 200, { body });
    expect(await foundIn(shop)).toEqual([]);
  });
});

describe('connections', () => {
  const transport = new TestTransport('socket', onTestTime);
  beforeAll(() => transport.open());
  afterAll(() => transport.close());

  async function list(count: number): Promise<Shop> {
    const shop = transport.shop();
    for (let asked = 0; asked < count; asked++) {
      expect(await sendOnNewConnection(shop, 'card.list')).toBe(200);
    }
    return shop;
  }

  it('are reported as new for each request unless there were few or one was reused', async () => {
    expect(await foundIn(await list(21))).toEqual(['info connection-per-request']);
    expect(await foundIn(await list(20))).toEqual([]);
    const shop = await list(21);
    // This machine's fetch keeps a few open and takes them in turn.
    for (let asked = 0; asked < 8; asked++) await shop.ask('card.list', 200, {});
    expect(await foundIn(shop)).toEqual([]);
  });

  it.each([
    [0, ['high hidden-transport-retry']],
    [200, ['high hidden-transport-retry']],
    [300, []],
  ])(
    'are judged if they break before a POST is repeated after %i ms',
    async (afterMs, expected) => {
      const till = await Checkout.at(transport.shop());
      till.forceOutcome('reset-before-commit');
      const body = till.body();
      expect(await sendOnNewConnection(till.shop, 'payment.create', body)).toBe('ECONNRESET');
      till.shop.merchant.clock.advance(afterMs);
      expect(await sendOnNewConnection(till.shop, 'payment.create', body)).toBe(201);
      const found = (await foundIn(till.shop)).filter((one) => one.includes('hidden'));
      expect(found).toEqual(expected);
    },
  );

  it('are judged from the moment at which they break, however long the service took', async () => {
    const till = await Checkout.at(transport.shop());
    const { merchant } = till.shop;
    till.forceOutcome('reset-after-commit');
    merchant.hold({ op: 'payment.create', count: 1, timeoutMs: 120_000 });
    const body = till.body();
    const first = sendOnNewConnection(till.shop, 'payment.create', body);
    await merchant.waitForHeld({ timeoutMs: 120_000 });
    merchant.clock.advance(5_000);
    merchant.release();
    expect(await first).toBe('ECONNRESET');
    expect(await sendOnNewConnection(till.shop, 'payment.create', body)).toBe(201);
    expect(await foundIn(till.shop)).toContain('high hidden-transport-retry');
  });

  it('are not reported as sent again by a library if the client did something else in between', async () => {
    const till = await Checkout.at(transport.shop());
    till.forceOutcome('reset-before-commit');
    const body = till.body();
    expect(await sendOnNewConnection(till.shop, 'payment.create', body)).toBe('ECONNRESET');
    expect(await sendOnNewConnection(till.shop, 'card.list')).toBe(200);
    expect(await sendOnNewConnection(till.shop, 'payment.create', body)).toBe(201);
    const found = (await foundIn(till.shop)).filter((one) => one.includes('hidden'));
    expect(found).toEqual([]);
  });
});
