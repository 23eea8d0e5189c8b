/** Orders whose money comes from several holds: parts of one order, and parts that are captured twice. */
import { expect, it } from 'vitest';
import {
  authorizationOf,
  capture,
  dayMs,
  hourMs,
  storeCard,
  type PaymentReply,
} from '../../../support/purchases.ts';
import { onEveryTransport, type Shop } from '../../../support/transports.ts';
import { see } from '../../forcing/tolerant-client.ts';
import { findingOf, foundIn } from '../support/findings.ts';
import { highIn, lose, send } from '../support/named-orders.ts';
import { onTestTime } from '../support/payment-attempts.ts';

onEveryTransport(
  'an order with several holds',
  (transport) => {
    /** Holds the money of one order, always by the same card. */
    async function holder(shop: Shop) {
      const cardId = await storeCard(shop);
      return async (total = '100.00'): Promise<string> => {
        const order = { cardId, custom: 'order-1', total, intent: 'authorize' };
        return authorizationOf(JSON.parse((await send(shop, order)).text) as PaymentReply).id;
      };
    }

    /** Captures parts of several holds for one order: those of each hold together, some time after the hold before. */
    async function captureParts(
      shop: Shop,
      captured: readonly string[][],
      apartMs = dayMs,
    ): Promise<void> {
      const hold = await holder(shop);
      for (const parts of captured) {
        const id = await hold();
        for (const total of parts) await capture(shop, id, total);
        shop.merchant.clock.advance(apartMs);
      }
    }

    async function excessIn({ merchant }: Shop): Promise<string | undefined> {
      const [total] = (await merchant.verdict()).totals;
      return total?.excess;
    }

    it.each<[string, readonly string[][], string[]]>([
      [
        'is left when two others have paid the order',
        [['60.00'], ['40.00'], []],
        ['high double-charge'],
      ],
      [
        'is left when others have paid it with postage',
        [['60.00'], ['45.00'], []],
        ['high double-charge'],
      ],
      ['may be needed while a part is open', [['60.00'], ['20.00'], []], []],
      [
        'is named once when others have paid too much',
        [['100.00'], ['100.00'], []],
        ['high double-charge'],
      ],
    ])('a third one %s', async (_, captured, found) => {
      const shop = transport.shop();
      await captureParts(shop, captured, hourMs);
      expect(await highIn(shop)).toEqual(found);
    });

    it('no third one is left if it is voided', async () => {
      const shop = transport.shop();
      const hold = await holder(shop);
      for (const total of ['60.00', '40.00']) {
        await capture(shop, await hold(), total);
        shop.merchant.clock.advance(hourMs);
      }
      await shop.ask('auth.void', 200, { params: { authorization_id: await hold() } });
      expect(await highIn(shop)).toEqual([]);
    });

    it.each([
      ['40 of the second', [['60.00'], ['40.00']]],
      ['less of the second than is open', [['60.00'], ['30.00']]],
      ['two equal parts of the first', [['30.00', '30.00'], ['40.00']]],
      ['parts of three', [['20.00'], ['30.00'], ['50.00']]],
      ['a rest with postage', [['60.00'], ['45.00']]],
      ['as much as one hold allows', [['60.00'], ['55.00']]],
      ['all of one, and postage', [['100.00'], ['4.90']]],
    ])('may be captured in parts that fit into one hold: %s', async (_, captured) => {
      const shop = transport.shop();
      await captureParts(shop, captured);
      expect(await highIn(shop)).toEqual([]);
      expect(await excessIn(shop)).toBeUndefined();
    });

    it.each([
      ['parts beyond what one hold allows', [['60.00'], ['55.01']], '15.01'],
      ['one part twice', [['60.00'], ['60.00']], '60.00'],
      ['one of two parts twice', [['60.00'], ['60.00', '40.00']], '60.00'],
      ['one of two equal parts three times', [['50.00', '50.00'], ['50.00']], '50.00'],
      ['all and postage, twice', [['112.00'], ['112.00']], '112.00'],
      ['all and postage, and a part', [['112.00'], ['20.00']], '20.00'],
      ['all of both', [['100.00'], ['100.00']], '100.00'],
      ['all of one, and a part of the other', [['100.00'], ['60.00']], '60.00'],
    ])('is paid twice by %s', async (_, captured, excess) => {
      const shop = transport.shop();
      await captureParts(shop, captured);
      expect(await highIn(shop)).toEqual(['high double-charge']);
      expect(await excessIn(shop)).toBe(excess);
    });

    it.each([
      ['two halves', [['50.00'], ['50.00']], dayMs / 2, 'medium', undefined],
      ['two small parts', [['43.17'], ['43.17']], dayMs, 'medium', undefined],
      ['a part like one before', [['20.00', '30.00'], ['30.00']], dayMs, 'medium', undefined],
      ['two halves within an hour', [['50.00'], ['50.00']], hourMs, 'high', '50.00'],
      ['two parts that are more than the order', [['50.01'], ['50.01']], dayMs, 'high', '50.01'],
    ])('may be captured in equal parts: %s', async (...story) => {
      const [, captured, apartMs, severity, excess] = story;
      const shop = transport.shop();
      await captureParts(shop, captured, apartMs);
      expect(await foundIn(shop)).toEqual([`${severity} double-charge`]);
      expect(await excessIn(shop)).toBe(excess);
      const { what } = findingOf(await shop.merchant.verdict(), 'double-charge');
      expect(what.endsWith('so they may be parts of the order.')).toBe(severity === 'medium');
    });

    it('is not captured in equal parts if the first answer was lost', async () => {
      const shop = transport.shop();
      const hold = await holder(shop);
      shop.merchant.force({ op: 'auth.capture', outcome: 'reset-after-commit' });
      const path = `/v1/payments/authorization/${await hold()}/capture`;
      await see(shop, 'auth.capture', {
        path,
        body: { amount: { total: '50.00', currency: 'USD' } },
      });
      shop.merchant.clock.advance(dayMs / 2);
      await capture(shop, await hold(), '50.00');
      expect(await highIn(shop)).toEqual(['critical orphaned-charge', 'high double-charge']);
      expect(await excessIn(shop)).toBe('50.00');
    });

    it.each([
      ['is never read', false, ['critical orphaned-charge']],
      ['is read first', true, []],
    ])('takes its rest from another hold, and its first capture %s', async (_, isRead, found) => {
      const shop = transport.shop();
      const hold = await holder(shop);
      const first = await hold();
      shop.merchant.force({ op: 'auth.capture', outcome: 'reset-after-commit' });
      const path = `/v1/payments/authorization/${first}/capture`;
      const body = { amount: { total: '60.00', currency: 'USD' } };
      await see(shop, 'auth.capture', { path, body });
      // The amounts are right by luck: had the request been lost, the merchant would not have the money.
      if (isRead) await shop.ask('auth.get', 200, { params: { authorization_id: first } });
      await capture(shop, await hold(), '40.00');
      expect(await highIn(shop)).toEqual(found);
      expect(await excessIn(shop)).toBeUndefined();
    });

    it.each([
      ['is one order if it is given back in part', '15.00', undefined],
      ['is paid twice if too little is given back', '5.00', '25.00'],
    ])('%s', async (_, returned, excess) => {
      const shop = transport.shop();
      const hold = await holder(shop);
      await capture(shop, await hold(), '60.00');
      shop.merchant.clock.advance(dayMs);
      const { id } = await capture(shop, await hold(), '70.00');
      await shop.ask('capture.refund', 201, {
        params: { capture_id: id },
        body: { amount: { total: returned, currency: 'USD' } },
      });
      expect(await excessIn(shop)).toBe(excess);
    });

    it.each([
      ['is refused', 1, ['medium double-charge']],
      ['of one of two others is refused', 1, ['high double-charge']],
      ['is refused, and the hold is voided', 1, []],
    ])('leaves one on hold, and its capture %s', async (story, refused, found) => {
      const shop = transport.shop();
      const hold = await holder(shop);
      const old = await hold();
      shop.merchant.clock.advance(3 * dayMs);
      if (story.includes('two')) await hold();
      shop.merchant.clock.advance(hourMs);
      const params = { authorization_id: old };
      const body = { amount: { total: '100.00', currency: 'USD' } };
      if (refused > 0) {
        shop.merchant.force({ op: 'auth.capture', outcome: 'auth-honor-lapsed', times: refused });
        await shop.ask('auth.capture', 400, { params, body });
      }
      const renewed = await hold();
      if (story.includes('voided')) await shop.ask('auth.void', 200, { params });
      await capture(shop, renewed, '100.00');
      expect(await foundIn(shop)).toEqual(found);
      if (found[0]?.startsWith('medium') !== true) return;
      const { what, remedy } = findingOf(await shop.merchant.verdict(), 'double-charge');
      expect(what).toMatch(/could not capture the others: that was refused\.$/);
      expect(remedy).toBe(
        'Void an authorization whose capture was refused before you authorize or charge the order again.',
      );
    });

    it.each([
      ['after two days', 2 * dayMs, 'new', 'medium'],
      ['on the day after', dayMs, 'new', 'high'],
      ['after two days, and the old one is captured', 2 * dayMs, 'old', 'high'],
      ['after two days, and none is captured', 2 * dayMs, 'none', 'medium'],
    ])('leaves one on hold, and replaces it %s', async (_, apartMs, captured, severity) => {
      const shop = transport.shop();
      const hold = await holder(shop);
      const old = await hold();
      shop.merchant.clock.advance(apartMs);
      const renewed = await hold();
      if (captured !== 'none') await capture(shop, captured === 'new' ? renewed : old, '100.00');
      expect(await foundIn(shop)).toEqual([`${severity} double-charge`]);
      const { what, remedy } = findingOf(await shop.merchant.verdict(), 'double-charge');
      const mayBeReplaced = severity === 'medium';
      expect(what.endsWith('and let it expire.')).toBe(mayBeReplaced);
      expect(remedy.startsWith('If you replace an authorization, void')).toBe(mayBeReplaced);
    });

    it('is not renewed if a hold was executed twice, and only one of both was voided', async () => {
      const shop = transport.shop();
      const hold = await holder(shop);
      shop.merchant.force({ op: 'payment.create', outcome: 'executed-twice-by-proxy' });
      const params = { authorization_id: await hold() };
      shop.merchant.clock.advance(3 * dayMs);
      await shop.ask('auth.void', 200, { params });
      await capture(shop, await hold(), '100.00');
      expect(await foundIn(shop)).toEqual(['high double-charge', 'high orphaned-charge']);
      const { remedy } = findingOf(await shop.merchant.verdict(), 'double-charge');
      expect(remedy).toMatch(/refund or void what was executed twice\.$/);
    });

    it('has a hold that the client does not know of if it was executed twice, and one was voided', async () => {
      const shop = transport.shop();
      const hold = await holder(shop);
      shop.merchant.force({ op: 'payment.create', outcome: 'executed-twice-by-proxy' });
      const params = { authorization_id: await hold() };
      expect(await foundIn(shop)).toEqual(['high double-charge']);
      await shop.ask('auth.void', 200, { params });
      expect(await foundIn(shop)).toEqual(['high orphaned-charge']);
      const { what, remedy } = findingOf(await shop.merchant.verdict(), 'orphaned-charge');
      expect(what).toMatch(
        /^100\.00 USD was authorized for .* a second time by one request: something on the way to the service sent it again\. The client voided the other authorization, and no answer contains authorization \w+\. The money stays on hold until the authorization expires\.$/,
      );
      expect(remedy).toMatch(/refund or void what was executed twice\.$/);
      await shop.ask('payment.list', 200, {});
      expect(await foundIn(shop)).toEqual([]);
    });

    it('is charged twice and not known if it was executed twice and its answer was lost', async () => {
      const shop = transport.shop();
      const hold = await holder(shop);
      shop.merchant.force({
        op: 'payment.create',
        outcome: { outcome: 'executed-twice-by-proxy', and: 'reset-after-commit' },
      });
      await hold().catch(() => '');
      expect(await highIn(shop)).toEqual(['high double-charge', 'high orphaned-charge']);
    });

    it('replaces its first hold by a larger one', async () => {
      const shop = transport.shop();
      const hold = await holder(shop);
      await hold();
      shop.merchant.clock.advance(hourMs);
      await capture(shop, await hold('120.00'), '120.00');
      expect(await highIn(shop)).toEqual([]);
    });

    it.each([
      ['smaller than the first hold', '100.00', false, 'medium'],
      ['larger than the first hold', '1.00', false, 'high'],
      ['after the first hold is voided', '100.00', true, 'high'],
    ])('adds two equal holds: %s', async (_, first, isVoided, severity) => {
      for (const isCaptured of [true, false]) {
        const shop = transport.shop();
        const hold = await holder(shop);
        const old = await hold(first);
        const params = { authorization_id: old };
        if (isVoided) await shop.ask('auth.void', 200, { params });
        for (let added = 0; added < 2; added++) {
          shop.merchant.clock.advance(hourMs);
          const id = await hold('20.00');
          if (isCaptured) await capture(shop, id, '20.00');
        }
        expect(await foundIn(shop)).toEqual([`${severity} double-charge`]);
      }
    });

    it.each([
      ['a week after the one before', 7 * dayMs, []],
      ['as soon as a job may be delivered again', 4 * dayMs, ['high double-charge']],
      ['on the same day', 0, ['high double-charge']],
    ])('is held each week, and the next hold is captured %s', async (_, apartMs, found) => {
      const shop = transport.shop();
      const hold = await holder(shop);
      const first = await hold();
      shop.merchant.clock.advance(7 * dayMs);
      const next = await hold();
      // The client captures the week that has passed once it has the money of the next one.
      await capture(shop, first, '100.00');
      shop.merchant.clock.advance(apartMs);
      await capture(shop, next, '100.00');
      expect(await foundIn(shop)).toEqual(found);
    });

    it.each([
      ['may be for the next week', 7, 7 * dayMs, 'medium'],
      ['may be for the next week until a day after it', 7, 8 * dayMs, 'medium'],
      ['is left if that week is long over', 7, 8 * dayMs + 1, 'high'],
      ['is left if it came as soon as a job may be delivered again', 4, 0, 'high'],
    ])('is captured week by week, and the last hold %s', async (_, days, laterMs, severity) => {
      const shop = transport.shop();
      const hold = await holder(shop);
      const first = await hold();
      shop.merchant.clock.advance(days * dayMs);
      await hold();
      await capture(shop, first, '100.00');
      shop.merchant.clock.advance(laterMs);
      expect(await foundIn(shop)).toEqual([`${severity} double-charge`]);
      const { what, remedy } = findingOf(await shop.merchant.verdict(), 'double-charge');
      expect(what.includes('may be for the next part')).toBe(severity === 'medium');
      expect(remedy.startsWith('If it is for the next part')).toBe(severity === 'medium');
    });

    it.each([
      ['three holds, of which one is captured', 2, true],
      ['two holds, of which none is captured', 1, false],
    ])('may not be for the next week: %s', async (_, more, isCaptured) => {
      const shop = transport.shop();
      const hold = await holder(shop);
      const first = await hold();
      shop.merchant.clock.advance(7 * dayMs);
      for (let made = 0; made < more; made++) await hold();
      if (isCaptured) await capture(shop, first, '100.00');
      const found = await shop.merchant.verdict();
      expect(found.findings.some(({ what }) => what.includes('next part'))).toBe(false);
    });

    it('is made twice on the way, and so is not for the next week', async () => {
      const shop = transport.shop();
      const hold = await holder(shop);
      const first = await hold();
      shop.merchant.clock.advance(7 * dayMs);
      shop.merchant.force({ op: 'payment.create', outcome: 'executed-twice-by-proxy' });
      await hold();
      await capture(shop, first, '100.00');
      expect(await highIn(shop)).toContain('high double-charge');
    });

    it('is charged twice if a newer hold is captured first', async () => {
      const shop = transport.shop();
      const hold = await holder(shop);
      const first = await hold();
      shop.merchant.clock.advance(7 * dayMs);
      await capture(shop, await hold(), '100.00');
      shop.merchant.clock.advance(7 * dayMs);
      await capture(shop, first, '100.00');
      expect(await foundIn(shop)).toEqual(['high double-charge']);
    });

    it('adds one hold, and repeats it after a lost answer', async () => {
      const shop = transport.shop();
      const order = { cardId: await storeCard(shop), custom: 'order-1', intent: 'authorize' };
      await send(shop, { ...order, total: '100.00' });
      shop.merchant.clock.advance(hourMs);
      lose(shop);
      await send(shop, { ...order, total: '20.00' });
      await send(shop, { ...order, total: '20.00' });
      expect(await highIn(shop)).toContain('high double-charge');
    });

    it('keeps its money on hold no longer than the client wants', async () => {
      const shop = transport.shop();
      const hold = await holder(shop);
      const old = await hold();
      shop.merchant.clock.advance(2 * hourMs);
      const renewed = await hold();
      await shop.ask('auth.void', 200, { params: { authorization_id: old } });
      await capture(shop, renewed, '100.00');
      expect(await highIn(shop)).toEqual([]);
    });
  },
  onTestTime,
);
