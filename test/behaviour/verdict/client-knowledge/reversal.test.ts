/** A client that reverses a charge and pays again knew of the charge, although its answer was lost. */
import { expect, it } from 'vitest';
import type { OperationName } from '../../../../src/contract/service/operation-name.ts';
import { see } from '../../forcing/tolerant-client.ts';
import { onEveryTransport, type Shop } from '../../../support/transports.ts';
import {
  authorizationOf,
  authorize,
  capture,
  dayMs,
  hourMs,
  saleOf,
  storeCard,
  type PaymentReply,
} from '../../../support/purchases.ts';
import { paymentBody } from '../../../support/samples.ts';
import { findingOf, foundIn } from '../support/findings.ts';
import { keyed, onTestTime } from '../support/payment-attempts.ts';

type Intent = 'sale' | 'authorize';

const back = (total: string) => ({ amount: { total, currency: 'USD' } });
const part = back('20.00');

/** A refund: its body, with an answer that arrives, is lost, or is followed by a failure. */
type Step = Readonly<Record<string, unknown>> | 'lost' | 'failing';

const forcedOn = { lost: 'reset-after-commit', failing: 'refund-failed-later' } as const;

/** Pays, loses the answer, finds the payment in a list, reverses it in these steps, and pays again. */
async function paidUndoneAndPaid(
  shop: Shop,
  intent: Intent,
  steps: readonly Step[],
): Promise<string[]> {
  const body = paymentBody({
    cardId: await storeCard(shop),
    intent,
    transaction: { custom: 'till-77' },
  });
  shop.merchant.force({ op: 'payment.create', outcome: 'reset-after-commit' });
  await see(shop, 'payment.create', { body, headers: keyed('one') });
  const [payment] = (await shop.ask('payment.list', 200, {})).payments;
  if (payment === undefined) throw new Error('The list is empty.');
  const [op, path]: [OperationName, string] =
    intent === 'sale'
      ? ['sale.refund', `sale/${saleOf(payment).id}/refund`]
      : ['auth.void', `authorization/${authorizationOf(payment).id}/void`];
  for (const step of steps) {
    const isForced = step === 'lost' || step === 'failing';
    if (isForced) shop.merchant.force({ op, outcome: forcedOn[step] });
    await see(shop, op, {
      path: `/v1/payments/${path}`,
      body: isForced ? {} : step,
      // The same step again is a repeat.
      headers: keyed(`undo-${steps.indexOf(step)}`),
    });
  }
  await see(shop, 'payment.create', { body, headers: keyed('two') });
  // What was given back may fail.
  shop.merchant.clock.advance(10 * dayMs);
  return (await foundIn(shop)).filter((name) => name.endsWith('new-key-on-retry'));
}

/** A final capture instead of another one. */
type HeldStep = 'final' | 'refund' | 'void';

/** Authorizes, loses the answer, finds it in a list, captures, refunds or voids, and authorizes again. */
async function capturedAndHeldAnew(
  shop: Shop,
  total: string,
  steps: readonly HeldStep[],
): Promise<string[]> {
  const body = paymentBody({
    cardId: await storeCard(shop),
    intent: 'authorize',
    transaction: { custom: 'till-77' },
  });
  shop.merchant.force({ op: 'payment.create', outcome: 'reset-after-commit' });
  await see(shop, 'payment.create', { body, headers: keyed('one') });
  const [payment] = (await shop.ask('payment.list', 200, {})).payments;
  if (payment === undefined) throw new Error('The list is empty.');
  const held = authorizationOf(payment);
  const isFinal = steps.includes('final');
  const taken = await capture(shop, held.id, total, { is_final_capture: isFinal });
  for (const step of steps) {
    if (step === 'void') {
      await shop.ask('auth.void', 200, { params: { authorization_id: held.id } });
    } else if (step === 'refund') {
      await shop.ask('capture.refund', 201, { params: { capture_id: taken.id }, body: {} });
    }
  }
  await see(shop, 'payment.create', { body, headers: keyed('two') });
  return (await foundIn(shop)).filter((name) => name.endsWith('new-key-on-retry'));
}

onEveryTransport(
  'a second payment after a lost answer',
  (transport) => {
    it.each([
      ['refunded', 'sale', [{}]],
      ['refunded in parts', 'sale', [back('30.00'), back('0.11')]],
      ['voided', 'authorize', [{}]],
    ] as const)('is no retry once the first was %s', async (_, intent, steps) => {
      expect(await paidUndoneAndPaid(transport.shop(), intent, steps)).toEqual([]);
    });

    it.each([
      ['not at all', 'sale', []],
      ['in part', 'sale', [back('30.00')]],
      ['without an answer', 'sale', ['lost']],
      ['by a refund that failed', 'sale', ['failing']],
      ['in part, with the same answer twice', 'sale', [part, part]],
    ] as const)('is one where the first was given back %s', async (_, intent, steps) => {
      const found = await paidUndoneAndPaid(transport.shop(), intent, steps);
      expect(found).toEqual(['critical new-key-on-retry']);
    });

    it.each<[string, string, readonly HeldStep[]]>([
      ['captured and refunded', '30.11', ['refund']],
      ['captured in part for good, and refunded', '10.00', ['final', 'refund']],
      ['captured in part and refunded, and the rest voided', '10.00', ['void', 'refund']],
    ])('is no retry after the first was %s', async (_, total, steps) => {
      expect(await capturedAndHeldAnew(transport.shop(), total, steps)).toEqual([]);
    });

    it.each<[string, string, readonly HeldStep[]]>([
      ['captured', '30.11', []],
      ['captured in part and refunded, and the rest is held', '10.00', ['refund']],
      ['captured in part, and the rest voided', '10.00', ['void']],
    ])('is a retry if the first was %s', async (_, total, steps) => {
      const found = await capturedAndHeldAnew(transport.shop(), total, steps);
      expect(found).toEqual(['critical new-key-on-retry']);
    });

    it('is a retry if the first was refunded only afterwards', async () => {
      const shop = transport.shop();
      const body = paymentBody({
        cardId: await storeCard(shop),
        transaction: { custom: 'till-77' },
      });
      shop.merchant.force({ op: 'payment.create', outcome: 'reset-after-commit' });
      await see(shop, 'payment.create', { body, headers: keyed('one') });
      await see(shop, 'payment.create', { body, headers: keyed('two') });
      const { payments = [] } = await shop.ask('payment.list', 200, {});
      for (const payment of payments) {
        await shop.ask('sale.refund', 201, { params: { sale_id: saleOf(payment).id }, body: {} });
      }
      expect(await foundIn(shop)).toContain('critical new-key-on-retry');
    });

    it.each([
      ['another purchase', 'sale.refund', 2],
      ['another purchase', 'payment.get', 2],
      ['the same purchase', undefined, 1],
    ] as const)('is %s an hour after a list and %s', async (_, known, count) => {
      const shop = transport.shop();
      const cardId = await storeCard(shop);
      const body = paymentBody({ cardId, transaction: { custom: 'till-77' } });
      shop.merchant.force({ op: 'payment.create', outcome: 'reset-after-commit' });
      await see(shop, 'payment.create', { body, headers: keyed('one') });
      const [payment] = (await shop.ask('payment.list', 200, {})).payments;
      if (payment === undefined) throw new Error('The list is empty.');
      const params = { sale_id: saleOf(payment).id, payment_id: payment.id };
      if (known === 'payment.get') await shop.ask(known, 200, { params });
      if (known === 'sale.refund') await shop.ask(known, 201, { params, body: {} });
      shop.merchant.clock.advance(hourMs);
      await see(shop, 'payment.create', { body, headers: keyed('two') });
      expect((await shop.merchant.verdict()).purchases).toHaveLength(count);
    });
  },
  onTestTime,
);

onEveryTransport(
  'an order that was paid twice',
  (transport) => {
    interface Story {
      readonly intent?: Intent;
      /** How many answers are lost. Each is followed by another payment. */
      readonly lost?: number;
      /** What the client looks at: all payments, or the one that it knows. Afterwards is after it gave money back. */
      readonly looks?: 'at all' | 'at one' | 'afterwards';
      /** The body of its refund. */
      readonly undone?: Readonly<Record<string, unknown>>;
      /** Whether it captures each hold before. */
      readonly isCaptured?: boolean;
      readonly afterMs?: number;
    }

    /** Pays, loses answers, pays again with new ids, looks, and gives back all payments but the first. */
    async function payAndGiveBack(shop: Shop, story: Story): Promise<void> {
      const { intent = 'sale', lost = 1, looks, afterMs = 0 } = story;
      const transaction = { custom: 'order-7' };
      const body = paymentBody({ cardId: await storeCard(shop), intent, transaction });
      shop.merchant.force({ op: 'payment.create', outcome: 'reset-after-commit', times: lost });
      for (let at = 0; at < lost; at++) {
        await see(shop, 'payment.create', { body, headers: keyed(`try-${at}`) });
      }
      const headers = keyed('last');
      let known = [await shop.ask('payment.create', 201, { body, headers })];
      shop.merchant.clock.advance(afterMs);
      if (looks === 'at all') known = (await shop.ask('payment.list', 200, {})).payments ?? [];
      if (looks === 'at one') {
        await shop.ask('payment.get', 200, { params: { payment_id: known[0]?.id ?? '' } });
      }
      const [first] = shop.merchant.journal({ operation: 'payment.create' }).entries;
      for (const payment of known) {
        if (payment.id !== first?.subject) await giveBack(shop, payment, story);
      }
      if (looks === 'afterwards') await shop.ask('payment.list', 200, {});
    }

    /** Refunds a sale, voids a hold, or refunds what was captured from it. */
    async function giveBack(
      shop: Shop,
      payment: PaymentReply,
      { intent = 'sale', undone = {}, isCaptured = false }: Story,
    ): Promise<void> {
      if (intent === 'sale') {
        const params = { sale_id: saleOf(payment).id };
        await shop.ask('sale.refund', 201, { params, body: undone });
      } else if (isCaptured) {
        const { id } = await capture(shop, authorizationOf(payment).id, '30.11');
        await shop.ask('capture.refund', 201, { params: { capture_id: id }, body: undone });
      } else {
        const params = { authorization_id: authorizationOf(payment).id };
        await shop.ask('auth.void', 200, { params });
      }
    }

    it.each<[string, Story, string]>([
      ['a sale was refunded', {}, 'refunded all but one payment at 07:08:09.'],
      ['two sales were refunded', { lost: 2 }, 'refunded all but one payment at 07:08:09.'],
      [
        'a sale was refunded the next day',
        { afterMs: dayMs },
        'refunded all but one payment on 2026-05-07 07:08:09.',
      ],
      ['a hold was voided', { intent: 'authorize' }, 'voided all but one payment at 07:08:09.'],
      [
        'a hold was captured and refunded',
        { intent: 'authorize', isCaptured: true },
        'refunded all but one payment at 07:08:09.',
      ],
    ])('was returned once a list had shown all payments: %s', async (_, story, end) => {
      const shop = transport.shop();
      await payAndGiveBack(shop, { looks: 'at all', ...story });
      const verdict = await shop.merchant.verdict();
      const { severity, confidence, what } = findingOf(verdict, 'new-key-on-retry');
      expect([severity, confidence]).toEqual(['medium', 'likely']);
      expect(what).toContain(`It had succeeded. The client found this later, and ${end}`);
    });

    it.each<[string, Story]>([
      ['a part was refunded', { looks: 'at all', undone: part }],
      ['one of two extra sales is left', { lost: 2, looks: 'at one' }],
      ['the order was cancelled without a look', {}],
      ['the order was cancelled after a read of the payment that was known', { looks: 'at one' }],
      ['a list came only afterwards', { looks: 'afterwards' }],
    ])('fails the verdict if %s', async (_, story) => {
      const shop = transport.shop();
      await payAndGiveBack(shop, story);
      const { severity, what } = findingOf(await shop.merchant.verdict(), 'new-key-on-retry');
      expect(severity).toBe('critical');
      expect(what).toMatch(/It had succeeded\.$/);
    });
  },
  onTestTime,
);

onEveryTransport(
  'a payment whose request id the service forgot',
  (transport) => {
    it.each<[string, Intent, 'the second' | 'none', boolean, readonly string[]]>([
      ['gave back what it knew', 'sale', 'the second', false, ['low double-charge']],
      [
        'gave back what it knew, and had seen both',
        'sale',
        'the second',
        true,
        ['high double-charge'],
      ],
      ['voided what it knew', 'authorize', 'the second', false, []],
      [
        'voided what it knew, and had seen both',
        'authorize',
        'the second',
        true,
        ['high double-charge'],
      ],
      ['voided nothing', 'authorize', 'none', false, ['high double-charge']],
    ])('is judged, if the client %s and paid again, as %s', async (...story) => {
      const [, intent, reversed, hasSeenBoth, expected] = story;
      const shop = transport.shop();
      const transaction = { custom: 'order-7' };
      const body = paymentBody({ cardId: await storeCard(shop), intent, transaction });
      const send = (key: string) => see(shop, 'payment.create', { body, headers: keyed(key) });
      shop.merchant.force({ op: 'payment.create', outcome: 'truncated-json' });
      await send('one');
      shop.merchant.force({ op: 'payment.create', outcome: 'request-id-forgotten' });
      await send('one');
      const paymentId = shop.merchant.journal().entries.at(-1)?.subject ?? '';
      const params = { payment_id: paymentId };
      const payment = await shop.ask('payment.get', 200, { params });
      if (hasSeenBoth) await shop.ask('payment.list', 200, {});
      if (reversed === 'none') {
        // Nothing is given back.
      } else if (intent === 'sale') {
        const sale = { sale_id: saleOf(payment).id };
        await shop.ask('sale.refund', 201, { params: sale, body: {} });
      } else {
        const held = { authorization_id: authorizationOf(payment).id };
        await shop.ask('auth.void', 200, { params: held });
      }
      shop.merchant.clock.advance(hourMs);
      await send('two');
      const found = (await foundIn(shop)).filter((name) => name.endsWith('double-charge'));
      expect(found).toEqual(expected);
    });
  },
  onTestTime,
);

onEveryTransport(
  'a second capture after a lost answer',
  (transport) => {
    it.each([
      ['is no retry once the first was refunded', '10.00', []],
      ['is one where a part of the first was refunded', '9.00', ['high new-key-on-retry']],
    ])('%s', async (_, total, found) => {
      const shop = transport.shop();
      const { id } = await authorize(shop);
      const sent = {
        path: `/v1/payments/authorization/${id}/capture`,
        body: { amount: { total: '10.00', currency: 'USD' } },
      };
      shop.merchant.force({ op: 'auth.capture', outcome: 'reset-after-commit' });
      await see(shop, 'auth.capture', { ...sent, headers: keyed('one') });
      const [taken] = shop.merchant.ledger().transfers;
      const params = { capture_id: taken?.subject ?? '' };
      await shop.ask('capture.refund', 201, { params, body: back(total) });
      await see(shop, 'auth.capture', { ...sent, headers: keyed('two') });
      const names = await foundIn(shop);
      expect(names.filter((name) => name.endsWith('new-key-on-retry'))).toEqual(found);
    });
  },
  onTestTime,
);
