/** Cards that an issuer declined for good, and that come back with another id. */
import { expect, it } from 'vitest';
import { see } from '../../forcing/tolerant-client.ts';
import { storeCard } from '../../../support/purchases.ts';
import { paymentBody, rawPaymentBody } from '../../../support/samples.ts';
import { onEveryTransport, type Shop } from '../../../support/transports.ts';
import { findingOf, foundIn } from '../support/findings.ts';
import { keyed, onTestTime } from '../support/payment-attempts.ts';

onEveryTransport(
  'a card that was declined for good',
  (transport) => {
    const charge = (shop: Shop, body: unknown, key: string) =>
      see(shop, 'payment.create', { body, headers: keyed(key) });

    /** A customer stores a card, which is declined for good. */
    async function decline(shop: Shop, customer?: string): Promise<string> {
      const owner = customer === undefined ? {} : { external_customer_id: customer };
      const cardId = await storeCard(shop, owner);
      shop.merchant.force({ op: 'payment.create', outcome: 'decline-lost-or-stolen' });
      await charge(shop, bodyFor(cardId, customer), 'A');
      shop.merchant.clock.advance(3_600_000);
      return cardId;
    }

    const bodyFor = (cardId: string, customer?: string) =>
      paymentBody({
        cardId,
        transaction: { custom: 'sub-1' },
        ...(customer !== undefined && { externalCustomerId: customer }),
      });

    it.each<[string, string | undefined, Readonly<Record<string, unknown>>, boolean]>([
      ['the same customer', 'ada', {}, true],
      ['the same customer, with another name', 'ada', { first_name: 'A.' }, true],
      ['another customer, as test numbers are', 'bob', {}, false],
      ['a guest', undefined, {}, false],
      ['its customer, with a new expiry', 'ada', { expire_year: 2035 }, false],
      ['a customer who has a new card', 'ada', { number: '4012888888881881' }, false],
    ])('is charged again if it was stored by %s: %s', async (_, customer, card, isFound) => {
      const shop = transport.shop();
      const first = await decline(shop, 'ada');
      const owner = customer === undefined ? {} : { external_customer_id: customer };
      const second = await storeCard(shop, { ...owner, ...card });
      await charge(shop, bodyFor(second, customer), 'B');
      // Its owner may have typed it again.
      const found = (await foundIn(shop)).filter((one) => one.includes('after-hard-decline'));
      expect(found).toEqual(isFound ? ['low charge-after-hard-decline'] : []);
      if (!isFound) return;
      const { what } = findingOf(await shop.merchant.verdict(), 'charge-after-hard-decline');
      expect(what).toContain(`it was declined as ${first}, and requested again as ${second}.`);
    });

    it.each([
      ['its holder has another name', '/first_name', 'Adah', true],
      ['it has a new expiry', '/expire_year', '2035', false],
    ])('is charged again after an update by which %s: %s', async (_, path, value, isFound) => {
      const shop = transport.shop();
      const cardId = await decline(shop, 'ada');
      const body = [{ op: 'replace', path, value }];
      await shop.ask('card.update', 200, { params: { card_id: cardId }, body });
      await charge(shop, bodyFor(cardId, 'ada'), 'B');
      const found = await foundIn(shop);
      expect(found.includes('high charge-after-hard-decline')).toBe(isFound);
    });

    it('is not followed by its number if its customer has no name', async () => {
      const shop = transport.shop();
      await decline(shop);
      await charge(shop, bodyFor(await storeCard(shop)), 'B');
      const found = await foundIn(shop);
      expect(found.filter((one) => one.includes('after-hard-decline'))).toEqual([]);
    });

    it.each([
      ['of its customer', 'ada', true],
      ['of another customer', 'bob', false],
    ])('is charged again by the raw number %s', async (_, customer, isFound) => {
      const shop = transport.shop();
      await decline(shop, 'ada');
      await charge(shop, rawPaymentBody({ external_customer_id: customer }), 'B');
      const found = (await shop.merchant.verdict()).findings.filter(
        ({ rule }) => rule === 'charge-after-hard-decline',
      );
      expect(found.map(({ what }) => what)).toEqual(
        isFound ? [expect.stringContaining('and requested again by its number.')] : [],
      );
    });
  },
  onTestTime,
);
