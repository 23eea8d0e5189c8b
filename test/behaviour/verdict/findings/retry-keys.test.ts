/** Findings about request ids. Each has a story that causes it and a close one that does not. */
import { expect, it } from 'vitest';
import type { OutcomeId } from '../../../../src/outcomes/outcome-id.ts';
import type { StepDocument } from '../../../../src/scenarios/document.ts';
import { see } from '../../forcing/tolerant-client.ts';
import { testNow, onEveryTransport, type Shop } from '../../../support/transports.ts';
import { findingOf, foundIn } from '../support/findings.ts';
import { authorize, dayMs, sell, storeCard } from '../../../support/purchases.ts';
import { cardBody, pans, paymentBody } from '../../../support/samples.ts';
import { keyed, onTestTime, Checkout, type Attempt } from '../support/payment-attempts.ts';

const startMs = Date.parse(testNow);
const later = { afterMs: 700 };

onEveryTransport(
  'a retry after a lost answer',
  (transport) => {
    it.each<[string, OutcomeId, Attempt, Attempt, string | undefined]>([
      ['without a request id', 'reset-after-commit', {}, {}, 'critical retry-without-key'],
      [
        'with a request id on one attempt only',
        'reset-after-commit',
        {},
        { key: 'k' },
        'critical retry-without-key',
      ],
      [
        'after a request that was not carried out',
        'reset-before-commit',
        {},
        {},
        'high retry-without-key',
      ],
      [
        'with another request id',
        'reset-after-commit',
        { key: 'a' },
        { key: 'b' },
        'critical new-key-on-retry',
      ],
      [
        'with another request id and one invoice number',
        'reset-after-commit',
        { key: 'a', invoice: 'INV-7' },
        { key: 'b', invoice: 'INV-7' },
        // The service refuses the second request for an invoice number.
        'low new-key-on-retry',
      ],
      [
        'with the request id of another attempt',
        'reset-after-commit',
        { key: 'o7-try-1' },
        { key: 'o7-try-2' },
        'critical new-key-on-retry',
      ],
      [
        'for another item of the order',
        'reset-after-commit',
        { key: 'o7-item-1' },
        { key: 'o7-item-2' },
        undefined,
      ],
      ['with the same request id', 'reset-after-commit', { key: 'a' }, { key: 'a' }, undefined],
      [
        'for another invoice',
        'reset-before-commit',
        { key: 'a', invoice: 'INV-7' },
        { key: 'b', invoice: 'INV-8' },
        undefined,
      ],
    ])('%s (%s) is judged', async (_how, outcome, first, second, expected) => {
      const shop = transport.shop();
      const till = await Checkout.at(shop);
      till.forceOutcome(outcome);
      await till.payAll(first, { ...second, ...later });
      const found = (await foundIn(shop)).filter((one) => /-key\b|new-key/.test(one));
      expect(found).toEqual(expected === undefined ? [] : [expected]);
    });

    it.each<[string, Readonly<Record<string, unknown>>, string]>([
      ['a part', {}, 'high new-key-on-retry'],
      ['a last part', { is_final_capture: true }, 'low new-key-on-retry'],
      ['the whole amount', { amount: { total: '30.11', currency: 'USD' } }, 'low new-key-on-retry'],
    ])('with another request id is judged for a capture of %s', async (_, change, expected) => {
      const shop = transport.shop();
      const { id } = await authorize(shop);
      shop.merchant.force({ op: 'auth.capture', outcome: 'reset-after-commit' });
      const path = `/v1/payments/authorization/${id}/capture`;
      const body = { amount: { total: '10.00', currency: 'USD' }, ...change };
      for (const key of ['a', 'b']) {
        await see(shop, 'auth.capture', { path, body, headers: keyed(key) });
        shop.merchant.clock.advance(700);
      }
      expect(await foundIn(shop)).toContain(expected);
    });

    it.each([
      ['is reported for another body if the service ignored the request id', '31.00', true],
      ['is not reported for the same body', '30.11', false],
    ])('with the same request id %s', async (_, total, isFound) => {
      const shop = transport.shop();
      const till = await Checkout.at(shop);
      await till.pay({ key: 'a' });
      till.forceOutcome('request-id-ignored');
      await till.pay({ key: 'a', total, afterMs: 700 });
      const found = await foundIn(shop);
      expect(found.includes('high key-reused-for-other-intent'), found.join()).toBe(isFound);
    });

    it.each<[string, boolean, 'first' | 'second' | undefined, boolean]>([
      ['is reported if no twin was deleted', true, undefined, true],
      ['is safe if a list showed both and the second was deleted', true, 'second', false],
      ['is safe if a list showed both and the first was deleted', true, 'first', false],
      ['is reported if the second was deleted without a look', false, 'second', true],
    ])('of a card, with another request id, %s', async (_, isListed, deleted, isFound) => {
      const shop = transport.shop();
      shop.merchant.force({ op: 'card.create', outcome: 'reset-after-commit' });
      await see(shop, 'card.create', { body: cardBody(), headers: keyed('a') });
      await see(shop, 'card.create', { body: cardBody(), headers: keyed('b') });
      if (isListed) await shop.ask('card.list', 200, {});
      const { entries } = shop.merchant.journal({ operation: 'card.create' });
      const [first, second] = entries.map(({ subject = '' }) => subject);
      if (deleted !== undefined) {
        const id = deleted === 'first' ? first : second;
        await shop.ask('card.delete', 204, { params: { card_id: id ?? '' } });
      }
      const found = await foundIn(shop);
      expect(found.includes('medium new-key-on-retry'), found.join()).toBe(isFound);
    });

    it('of a card, without a request id, is safe if a list showed both and the second was deleted', async () => {
      const shop = transport.shop();
      shop.merchant.force({ op: 'card.create', outcome: 'reset-after-commit' });
      for (const key of ['a', undefined]) {
        await see(shop, 'card.create', { body: cardBody(), headers: keyed(key) });
      }
      await shop.ask('card.list', 200, {});
      const [, second] = shop.merchant.journal({ operation: 'card.create' }).entries;
      await shop.ask('card.delete', 204, { params: { card_id: second?.subject ?? '' } });
      expect((await foundIn(shop)).filter((one) => one.includes('retry-without-key'))).toEqual([]);
    });

    it.each([
      ['is safe if the twin that its repeat stored was deleted', true],
      ['is reported if that twin was kept', false],
    ])('of a card, with another request id that failed at first, %s', async (_, isDeleted) => {
      const shop = transport.shop();
      for (const outcome of ['reset-after-commit', 'reset-before-commit'] as const) {
        shop.merchant.force({ op: 'card.create', outcome });
      }
      for (const key of ['a', 'b', 'b']) {
        await see(shop, 'card.create', { body: cardBody(), headers: keyed(key) });
      }
      await shop.ask('card.list', 200, {});
      const { entries } = shop.merchant.journal({ operation: 'card.create' });
      const twin = entries.at(-1)?.subject ?? '';
      if (isDeleted) await shop.ask('card.delete', 204, { params: { card_id: twin } });
      const found = await foundIn(shop);
      expect(found.includes('medium new-key-on-retry'), found.join()).toBe(!isDeleted);
    });

    it('after a 500 says so', async () => {
      const shop = transport.shop();
      const till = await Checkout.at(shop);
      till.forceOutcome('error-500-after-commit');
      await till.payAll({ key: 'a', custom: 'A-7' }, { key: 'b', custom: 'A-7', afterMs: 700 });
      const { what } = findingOf(await shop.merchant.verdict(), 'double-charge');
      expect(what).toContain('The first answer was 500, and the retry used a new');
    });

    const lost = 'reset-after-commit';
    const undone = 'reset-before-commit';

    it.each<[string, readonly OutcomeId[], readonly string[], RegExp | undefined]>([
      [
        'is weighed by the first try, which succeeded',
        [lost, lost],
        ['a', 'a', 'b'],
        /It had succeeded/,
      ],
      [
        'is weighed by the repeat, which succeeded',
        [undone, lost],
        ['a', 'a', 'b'],
        /It had succeeded/,
      ],
      [
        'is unsafe if neither succeeded',
        [undone, undone],
        ['a', 'a', 'b'],
        /could not know.*succeeded\.$/,
      ],
      [
        'is safe once the repeat was declined',
        [undone, 'decline-generic'],
        ['a', 'a', 'b'],
        undefined,
      ],
      [
        'is unsafe if the repeat was refused at once',
        [lost, 'rate-limited-no-header'],
        ['a', 'a', 'b'],
        /It had succeeded/,
      ],
      ['is safe once the repeat was answered', [lost], ['a', 'a', 'b'], undefined],
      [
        'is safe if it belongs to another purchase',
        ['error-503-before-commit', lost],
        ['b', 'a', 'b'],
        undefined,
      ],
      [
        'is unsafe if it was not seen before',
        ['error-503-before-commit', lost],
        ['c', 'a', 'b'],
        /It had succeeded/,
      ],
    ])('with another request id %s', async (_, outcomes, keys, expected) => {
      const shop = transport.shop();
      const till = await Checkout.at(shop);
      shop.merchant.force({ op: 'payment.create', per: 'merchant', sequence: [...outcomes, 'ok'] });
      for (const key of keys) await till.pay({ key, afterMs: 700 });
      const { findings } = await shop.merchant.verdict();
      const found = findings.find(({ rule }) => rule === 'new-key-on-retry');
      if (expected === undefined) expect(found).toBeUndefined();
      else expect(found?.what).toMatch(expected);
    });

    it('is safe after a read that showed nothing, and unsafe after a read that showed the payment', async () => {
      const [unmade, made] = [transport.shop(), transport.shop()];
      for (const [shop, outcome] of [
        [unmade, 'reset-before-commit'],
        [made, 'reset-after-commit'],
      ] as const) {
        const till = await Checkout.at(shop);
        till.forceOutcome(outcome);
        await till.pay({ key: 'a' });
        await shop.ask('payment.list', 200, {});
        await till.pay({ key: 'b' });
      }
      expect(await foundIn(unmade)).toEqual([]);
      expect(await foundIn(made)).toContain('critical new-key-on-retry');
    });

    it.each([
      'rate-limited-no-header',
      'token-invalid',
      'permission-denied',
      'page-token-expired',
    ] as const)('is unsafe after a read that was refused: %s', async (outcome) => {
      const till = await Checkout.at(transport.shop());
      till.forceOutcome('reset-before-commit');
      await till.pay({ key: 'a' });
      till.shop.merchant.force({ op: 'payment.list', outcome });
      await see(till.shop, 'payment.list', {});
      await till.pay({ key: 'b', ...later });
      expect(await foundIn(till.shop)).toContain('high new-key-on-retry');
    });
  },
  onTestTime,
);

onEveryTransport(
  'one request id',
  (transport) => {
    it('is reported for two purchases', async () => {
      const shop = transport.shop();
      const till = await Checkout.at(shop);
      await till.payAll({ key: 'a' }, { key: 'a', total: '12.00', ...later });
      expect(await foundIn(shop)).toEqual(['high key-reused-for-other-intent']);
      const { remedy } = findingOf(await shop.merchant.verdict(), 'key-reused-for-other-intent');
      expect(remedy).toContain('Create a new PayPal-Request-Id');
    });

    it('is counted with all requests that differ', async () => {
      const shop = transport.shop();
      const till = await Checkout.at(shop);
      const orders = ['A', 'B', 'C', 'B'].map((custom) => ({ key: 'a', custom, ...later }));
      await till.payAll(...orders);
      const { what, evidence } = findingOf(
        await shop.merchant.verdict(),
        'key-reused-for-other-intent',
      );
      expect(what).toBe(
        'The PayPal-Request-Id a was sent with 3 different payment.create requests. They differ in transactions[0].custom.',
      );
      expect(evidence).toHaveLength(4);
    });

    const week = (number: number) => `Coffee box week ${number}`;
    const sentAt = (second: number) => `Coffee box, sent 2026-05-06T07:08:${second}Z`;
    const differ = 'with 3 different payment.create requests.';
    const alike = 'with 3 payment.create bodies that ask for the same thing.';

    it.each<[string, boolean, (at: number) => string, string, string]>([
      ['each week', false, week, differ, 'Create a new PayPal-Request-Id for each payment'],
      ['each week after a lost answer', true, week, alike, 'send both unchanged'],
      ['again with the time', false, sentAt, alike, 'send both unchanged'],
      ['again with a count', false, (at) => `Coffee (try ${at})`, alike, 'send both unchanged'],
    ])('is for other purchases only if the client says so: it pays %s', async (...story) => {
      const [, isLost, describe, requests, advice] = story;
      const till = await Checkout.at(transport.shop());
      if (isLost) till.forceOutcome('reset-after-commit');
      const parts = { key: 'box', custom: 'ada', afterMs: 7 * dayMs };
      await till.payAll(...[10, 11, 12].map((at) => ({ ...parts, description: describe(at) })));
      const verdict = await till.shop.merchant.verdict();
      const { severity, what, remedy } = findingOf(verdict, 'key-reused-for-other-intent');
      expect(severity).toBe('high');
      expect(what).toContain(requests);
      expect(remedy).toContain(advice);
    });

    it.each([
      ['is not reported if the repeat was cut off while it was sent', '{"intent":"sale","pay', []],
      [
        'is reported if the repeat is another request',
        '{"intent":"sale","payer":{}}',
        ['high key-reused-for-other-intent'],
      ],
    ])('%s', async (_, body, found) => {
      const shop = transport.shop();
      const till = await Checkout.at(shop);
      await till.pay({ key: 'a' });
      await see(shop, 'payment.create', { body, headers: keyed('a') });
      await till.pay({ key: 'a', ...later });
      const all = await foundIn(shop);
      expect(all.filter((one) => one.endsWith('other-intent'))).toEqual(found);
    });

    it('can be used again after a refusal, and with its body in another order', async () => {
      const shop = transport.shop();
      const till = await Checkout.at(shop);
      till.forceOutcome('decline-generic');
      await till.payAll({ key: 'a' }, { key: 'a', total: '12.00', ...later });
      const { intent, ...rest } = till.body({ total: '12.00' });
      const headers = { 'PayPal-Request-Id': 'a' };
      await shop.send('payment.create', { body: { ...rest, intent }, headers });
      expect(await foundIn(shop)).toEqual([]);
    });
  },
  onTestTime,
);

interface Try {
  readonly card: 'first' | 'second' | 'third';
  readonly key: string;
  readonly outcome?: StepDocument;
  readonly total?: string;
}

onEveryTransport(
  'one request id for two cards',
  (transport) => {
    const first: Try = { card: 'first', key: 'a' };
    const failed: Try = { ...first, outcome: 'declined-inside-201' };
    const lost: Try = { ...first, outcome: 'reset-after-commit' };
    const refused: Try = { card: 'second', key: 'a' };
    const sentAgain: Try = { card: 'second', key: 'b' };
    const third: Try = { card: 'third', key: 'a' };
    const respelled: Try = { ...first, total: '30' };
    const withOutcome = (outcome: StepDocument): Try => ({ ...sentAgain, outcome });

    async function payAll(tries: readonly Try[], custom = 'order-1'): Promise<Shop> {
      const shop = transport.shop();
      const cards = {
        first: await storeCard(shop),
        second: await storeCard(shop, { number: pans.mastercard, type: 'mastercard' }),
        third: await storeCard(shop, { number: pans.discover, type: 'discover' }),
      };
      for (const { card, key, outcome, total = '30.00' } of tries) {
        if (outcome !== undefined) shop.merchant.force({ op: 'payment.create', outcome });
        const body = paymentBody({ cardId: cards[card], total, transaction: { custom } });
        await see(shop, 'payment.create', { body, headers: keyed(key) });
        shop.merchant.clock.advance(later.afterMs);
      }
      return shop;
    }

    async function severityOf(shop: Shop): Promise<string> {
      return findingOf(await shop.merchant.verdict(), 'key-reused-for-other-intent').severity;
    }

    it.each<[string, readonly Try[]]>([
      ['the second card was paid with a new id', [failed, refused, sentAgain]],
      ['the second card was refused twice first', [failed, refused, refused, sentAgain]],
      ['the second card was declined', [failed, refused, withOutcome('decline-generic')]],
      ['a third card was paid', [failed, refused, third, { ...third, key: 'b' }]],
      ['the first payment had succeeded', [first, refused, sentAgain]],
      ['a repeat had shown the first payment', [lost, refused, first, sentAgain]],
      ['the first payment had done the same', [first, respelled]],
    ])('is a remark if %s', async (_, tries) => {
      const shop = await payAll(tries);
      expect(await severityOf(shop)).toBe('low');
    });

    it.each<[string, readonly Try[]]>([
      ['the second card was never sent again', [failed, refused]],
      [
        'the second card was sent again with another amount',
        [failed, refused, { ...sentAgain, total: '29.00' }],
      ],
      [
        'its last answer was lost',
        [failed, refused, withOutcome({ outcome: 'decline-generic', and: 'reset-after-commit' })],
      ],
      ['its last answer was about the token', [failed, refused, withOutcome('token-invalid')]],
      ['the first payment was never known', [lost, refused, sentAgain]],
      ['the first payment was known too late', [lost, refused, sentAgain, first]],
      ['another buyer paid later', [first, refused, { ...third, key: 'b' }]],
      ['the same body was needed after a failure', [failed, respelled]],
    ])('fails the verdict if %s', async (_, tries) => {
      const shop = await payAll(tries);
      expect(await severityOf(shop)).toBe('high');
    });

    it('fails the verdict if it came with a body that cannot be read, which another id did not change', async () => {
      const shop = await payAll([first]);
      for (const key of ['a', 'b']) {
        const body = { intent: 'sale', payer: {} };
        expect((await see(shop, 'payment.create', { body, headers: keyed(key) })).status).toBe(400);
      }
      expect(await severityOf(shop)).toBe('high');
    });

    it('is a remark if a read had shown the first payment', async () => {
      const shop = await payAll([lost, refused]);
      const [transfer] = shop.merchant.ledger().transfers;
      await shop.ask('payment.get', 200, { params: { payment_id: transfer?.payment ?? '' } });
      expect(await severityOf(shop)).toBe('high');
      const { entries } = shop.merchant.journal({ operation: 'payment.create' });
      const { cardId = '' } = entries.at(-1) ?? {};
      const body = paymentBody({ cardId, total: '30.00', transaction: { custom: 'order-1' } });
      await see(shop, 'payment.create', { body, headers: keyed('b') });
      expect(await severityOf(shop)).toBe('low');
    });

    it('says that no harm was done, and when a new id is due', async () => {
      const texts = [];
      for (const tries of [
        [failed, refused, sentAgain],
        [first, respelled],
      ]) {
        const verdict = await (await payAll(tries)).merchant.verdict();
        texts.push(findingOf(verdict, 'key-reused-for-other-intent'));
      }
      expect(texts.map(({ what }) => what)).toEqual([
        'The PayPal-Request-Id a was sent with two different payment.create requests. They differ in payer.funding_instruments[0].credit_card_token.credit_card_id. The service refused the other body. The client then sent it with a new id and received an answer, so no harm was done.',
        'The PayPal-Request-Id a was sent with two payment.create bodies that ask for the same thing. They differ in transactions[0].amount.total. The service accepts a retry only with an unchanged body. The service refused the other body. The first request had done what both ask for, so no harm was done.',
      ]);
      for (const { remedy } of texts) expect(remedy).toContain('as soon as the body changes');
    });

    it('needs an answer of its own for each body that was refused', async () => {
      const shop = await payAll([
        first,
        { ...first, key: 'b', total: '20.00' },
        { ...first, total: '12.00' },
        { ...first, key: 'b', total: '12.00' },
        { ...first, key: 'c', total: '12.00' },
      ]);
      const found = await foundIn(shop);
      expect(found.filter((name) => name.endsWith('other-intent'))).toEqual([
        'high key-reused-for-other-intent',
        'low key-reused-for-other-intent',
      ]);
    });

    it.each([
      ['10.00', 'low'],
      ['11.00', 'high'],
    ])('is judged for a refund of 10.00 that was sent again with %s', async (total, expected) => {
      const shop = transport.shop();
      const { id } = await sell(shop);
      for (const [sum, key] of [
        ['5.00', 'a'],
        ['10.00', 'a'],
        [total, 'b'],
      ] as const) {
        const path = `/v1/payments/sale/${id}/refund`;
        const body = { amount: { total: sum, currency: 'USD' } };
        await see(shop, 'sale.refund', { path, body, headers: keyed(key) });
      }
      expect(await severityOf(shop)).toBe(expected);
    });

    it.each([
      ['4417119600010331', 'low'],
      ['4417119600020330', 'high'],
    ])(
      'is judged for a card that was stored later with the number %s',
      async (number, expected) => {
        const shop = transport.shop();
        for (const [sent, key] of [
          [pans.visa, 'a'],
          ['4417119600010331', 'a'],
          [number, 'b'],
        ] as const) {
          await see(shop, 'card.create', { body: cardBody({ number: sent }), headers: keyed(key) });
        }
        expect(await severityOf(shop)).toBe(expected);
      },
    );
  },
  onTestTime,
);

onEveryTransport(
  'a client that gives up after a lost answer',
  (transport) => {
    const gaveUp = 'medium no-read-after-unknown';

    it.each<[string, StepDocument, string[]]>([
      ['was taken', { outcome: 'reset-after-commit' }, [gaveUp]],
      [
        'was taken just before its card was deleted',
        {
          outcome: 'card-deleted-during-payment',
          with: { phase: 'after-commit' },
          and: 'reset-after-commit',
        },
        [gaveUp],
      ],
      ['was declined', { outcome: 'decline-generic', and: 'reset-after-commit' }, []],
    ])('is judged if the payment %s', async (_, outcome, found) => {
      const shop = transport.shop();
      const till = await Checkout.at(shop);
      shop.merchant.force({ op: 'payment.create', outcome });
      const { status } = await till.pay({ key: 'a' });
      expect(status).toBe(undefined);
      const all = await foundIn(shop);
      expect(all.filter((one) => one === gaveUp)).toEqual(found);
    });
  },
  onTestTime,
);

onEveryTransport(
  'request ids',
  (transport) => {
    const order = (key: string, number: number): Attempt => ({
      key,
      invoice: `order-${String.fromCodePoint(96 + number)}`,
      ...later,
    });

    const day = new Date(startMs).toISOString().slice(0, 10);

    it.each<[string, readonly string[], readonly string[]]>([
      ['that count from 1', ['1', '2', '3'], ['low key-low-entropy']],
      ['that count, but only twice', ['1', '2'], []],
      ['that count from where the last process ended', ['5001', '5002', '5003'], []],
      ['that are the time', [`pay-${startMs}`, `pay-${startMs + 700}`], ['medium key-low-entropy']],
      ['that hold a time', [`a/${day}T07:00:01Z`, `a/${day}T08:00:00Z`], []],
      ['that hold times', [`a/${day}T07:00:01Z`, `a/${day}T08:00:01Z`], ['medium key-low-entropy']],
      ['that hold the begin of a period', [`a/${day}T07:00:00Z`, `a/${day}T08:00:00Z`], []],
      ['that hold a quarter of an hour', [`a/${day}T07:15:00Z`, `a/${day}T07:30:00Z`], []],
      ['that are the time and chance', [`${startMs}-k3f9`, `${startMs + 700}-x81m`], []],
      ['that are long numbers, but of no time near', ['1111111111', '1111111112'], []],
      ['that are random', ['4f8a77f2', '90c1e6ab', '11d0c3fe'], []],
    ])('%s are judged', async (_how, keys, expected) => {
      const shop = transport.shop();
      const till = await Checkout.at(shop);
      await till.payAll(...keys.map((key, at) => order(key, at + 1)));
      expect(await foundIn(shop)).toEqual(expected);
    });

    it('are good if they are order numbers', async () => {
      const shop = transport.shop();
      const till = await Checkout.at(shop);
      await till.payAll(...['1', '2', '3'].map((key) => ({ key, invoice: `INV-${key}` })));
      expect(await foundIn(shop)).toEqual([]);
    });
  },
  onTestTime,
);
