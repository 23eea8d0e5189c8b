/** Orders that are paid with a vaulted card, and again with its number. */
import { expect, it } from 'vitest';
import { see } from '../../forcing/tolerant-client.ts';
import { dayMs, hourMs, storeCard } from '../../../support/purchases.ts';
import { rawPaymentBody } from '../../../support/samples.ts';
import { onEveryTransport, type Shop } from '../../../support/transports.ts';
import { findingOf, foundIn } from '../support/findings.ts';
import { newKey, send } from '../support/named-orders.ts';
import { keyed, onTestTime } from '../support/payment-attempts.ts';

onEveryTransport(
  'an order that is paid with a vaulted card, and with its number',
  (transport) => {
    interface Story {
      readonly stored?: string;
      readonly raw?: string;
      readonly card?: Readonly<Record<string, unknown>>;
      readonly custom?: string;
      readonly otherCustom?: string;
      readonly afterMs?: number;
      readonly isRawFirst?: boolean;
      readonly isRead?: boolean;
      readonly intent?: string;
    }

    async function payBoth(shop: Shop, story: Story): Promise<void> {
      const {
        stored,
        raw,
        card,
        custom = 'order-9',
        otherCustom = custom,
        intent = 'sale',
      } = story;
      const cardId = await storeCard(
        shop,
        stored === undefined ? {} : { external_customer_id: stored },
      );
      const byCard = (name: string) =>
        send(shop, {
          cardId,
          custom: name,
          intent,
          ...(stored !== undefined && { customer: stored }),
        });
      const byNumber = (name: string) => {
        const transaction = { custom: name, description: 'A test order' };
        const owner = { ...(raw !== undefined && { external_customer_id: raw }), ...card };
        const body = rawPaymentBody(owner, { total: '30.11', transaction });
        return see(shop, 'payment.create', { body, headers: keyed(newKey()) });
      };
      const [first, second] = story.isRawFirst ? [byNumber, byCard] : [byCard, byNumber];
      const { text } = await first(custom);
      const id = /"id":"(PAY-[^"]+)/.exec(text)?.[1] ?? '';
      shop.merchant.clock.advance(story.afterMs ?? 5 * hourMs);
      if (story.isRead) await shop.ask('payment.get', 200, { params: { payment_id: id } });
      await second(otherCustom);
    }

    const chargedTwice = async (shop: Shop) =>
      (await foundIn(shop)).filter((found) => found.endsWith('double-charge'));

    it.each<[string, Story]>([
      ['by its customer', { stored: 'ada', raw: 'ada' }],
      ['by its customer, the number first', { stored: 'ada', raw: 'ada', isRawFirst: true }],
      ['by a guest', {}],
    ])('is paid twice some hours later %s', async (_, story) => {
      const shop = transport.shop();
      await payBoth(shop, story);
      const verdict = await shop.merchant.verdict();
      const { severity, what } = findingOf(verdict, 'double-charge');
      expect(severity).toBe('high');
      expect(what).toContain(
        'The card of the second is the same: one request has its id in the vault, and the other one its number.',
      );
      expect(verdict.totals).toMatchObject([{ excess: '30.11' }]);
    });

    it.each([
      ['is charged beside its hold by its customer', 'ada', true],
      ['may be charged by another customer beside a hold', 'bob', false],
    ])('%s', async (_, raw, isFound) => {
      const shop = transport.shop();
      await payBoth(shop, { stored: 'ada', raw, intent: 'authorize' });
      expect(await chargedTwice(shop)).toEqual(isFound ? ['high double-charge'] : []);
    });

    it.each<[string, Story, readonly string[]]>([
      ['that another customer has, as test numbers are', { stored: 'ada', raw: 'bob' }, []],
      ['that a guest has', { stored: 'ada' }, []],
      ['with another expiry', { card: { expire_year: 2035 } }, []],
      ['of another card', { card: { number: '4012888888881881' } }, []],
      ['for another order', { otherCustom: 'order-10' }, []],
      ['at one till', { custom: 'till-7' }, []],
      ['at once, as two guests of one table do', { afterMs: 0 }, []],
      ['a week later', { afterMs: 7 * dayMs }, []],
      [
        'as a second part, after a look',
        { isRead: true, afterMs: dayMs },
        ['medium double-charge'],
      ],
    ])('may be paid in two parts by a number %s', async (_, story, found) => {
      const shop = transport.shop();
      await payBoth(shop, story);
      expect(await chargedTwice(shop)).toEqual(found);
    });
  },
  onTestTime,
);
