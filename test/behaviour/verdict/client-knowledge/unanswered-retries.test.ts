/** Retries with the same request id that show nothing, refusals without a readable body, and lost deletions of cards. */
import { expect, it } from 'vitest';
import type { OperationName } from '../../../../src/contract/service/operation-name.ts';
import type { OutcomeId } from '../../../../src/outcomes/outcome-id.ts';
import {
  authorize,
  capture,
  dayMs,
  pay,
  saleOf,
  sell,
  storeCard,
} from '../../../support/purchases.ts';
import { paymentBody } from '../../../support/samples.ts';
import { onEveryTransport, type Shop } from '../../../support/transports.ts';
import { see } from '../../forcing/tolerant-client.ts';
import { findingOf, foundIn, namesOf } from '../support/findings.ts';
import { keyed, onTestTime } from '../support/payment-attempts.ts';

function lose(shop: Shop, op: OperationName, outcome: OutcomeId, times = 1): void {
  shop.merchant.force({ op, outcome, times, per: 'merchant' });
}

const lookUp = /^The retries with the same PayPal-Request-Id did not show the result either\./;

onEveryTransport(
  'a client whose retries are not answered',
  (transport) => {
    it.each([
      ['once', 1, /^After a lost or unreadable answer, retry with the same PayPal-Request-Id/],
      ['three times', 3, lookUp],
    ])('is advised on a payment that it sent %s', async (_, times, remedy) => {
      const shop = transport.shop();
      const body = paymentBody({ cardId: await storeCard(shop) });
      lose(shop, 'payment.create', 'reset-after-commit', times);
      for (let tries = 0; tries < times; tries++) {
        await see(shop, 'payment.create', { body, headers: keyed('order') });
        shop.merchant.clock.advance(1000 * 2 ** tries);
      }
      expect(findingOf(await shop.merchant.verdict(), 'orphaned-charge').remedy).toMatch(remedy);
    });

    it.each([
      ['once', 1, /^After a lost or unreadable answer, repeat the refund/],
      ['three times', 3, lookUp],
    ])('is advised on a refund that it sent %s', async (_, times, remedy) => {
      const shop = transport.shop();
      const { id } = await sell(shop);
      lose(shop, 'sale.refund', 'reset-after-commit', times);
      for (let tries = 0; tries < times; tries++) {
        const path = `/v1/payments/sale/${id}/refund`;
        await see(shop, 'sale.refund', { path, body: {}, headers: keyed('return') });
        shop.merchant.clock.advance(1000 * 2 ** tries);
      }
      expect(findingOf(await shop.merchant.verdict(), 'orphaned-refund').remedy).toMatch(remedy);
    });
  },
  onTestTime,
);

onEveryTransport(
  'a client that takes a refusal without a readable body for an answer',
  (transport) => {
    function force(shop: Shop, op: OperationName, ...outcomes: readonly OutcomeId[]): void {
      for (const outcome of outcomes) shop.merchant.force({ op, outcome, per: 'merchant' });
    }

    it.each<[OutcomeId, OutcomeId, readonly string[]]>([
      ['refund-already-done', 'malformed-json', []],
      ['refund-already-done', 'html-instead-of-json-200', []],
      ['refund-already-done', 'truncated-body', []],
      ['refund-exceeds-sale', 'malformed-json', []],
      ['refund-already-done', 'reset-before-commit', ['high no-read-after-unknown']],
    ])('is judged on a refund by %s and %s', async (refusal, fault, found) => {
      const shop = transport.shop();
      const { id } = await sell(shop);
      force(shop, 'sale.refund', fault, refusal);
      const path = `/v1/payments/sale/${id}/refund`;
      await see(shop, 'sale.refund', { path, body: {}, headers: keyed('return') });
      expect(await foundIn(shop)).toEqual(found);
    });

    it.each<OutcomeId>(['payment-already-done', 'created-not-visible-yet', 'decline-generic'])(
      'is not reported on a payment by %s',
      async (refusal) => {
        const shop = transport.shop();
        const body = paymentBody({ cardId: await storeCard(shop) });
        force(shop, 'payment.create', 'malformed-json', refusal);
        await see(shop, 'payment.create', { body, headers: keyed('order') });
        expect(await foundIn(shop)).toEqual([]);
      },
    );

    it('is reported if an earlier request was still in progress', async () => {
      const shop = transport.shop();
      const body = paymentBody({ cardId: await storeCard(shop) });
      force(shop, 'payment.create', 'request-in-progress');
      await see(shop, 'payment.create', { body, headers: keyed('order') });
      expect(await foundIn(shop)).toEqual(['medium no-read-after-unknown']);
    });

    it('is not reported if the service itself refused the request', async () => {
      const shop = transport.shop();
      const { id } = await sell(shop);
      force(shop, 'sale.refund', 'malformed-json');
      const path = `/v1/payments/sale/${id}/refund`;
      const body = { amount: { total: '99.00', currency: 'USD' } };
      expect(
        await see(shop, 'sale.refund', { path, body, headers: keyed('return') }),
      ).toMatchObject({ status: 400 });
      expect(await foundIn(shop)).toEqual([]);
    });
  },
  onTestTime,
);

onEveryTransport(
  'a card whose deletion was lost',
  (transport) => {
    function remove(shop: Shop, cardId: string) {
      return see(shop, 'card.delete', { path: `/v1/vault/credit-cards/${cardId}` });
    }

    it.each([1, 3])('is reported if it is charged after %i lost requests', async (times) => {
      const shop = transport.shop();
      const cardId = await storeCard(shop);
      lose(shop, 'card.delete', 'reset-before-commit', times);
      for (let tries = 0; tries < times; tries++) {
        await remove(shop, cardId);
        shop.merchant.clock.advance(1000 * 2 ** tries);
      }
      await pay(shop, { cardId });
      expect(findingOf(await shop.merchant.verdict(), 'no-read-after-unknown')).toMatchObject({
        severity: 'high',
        confidence: 'likely',
        what: expect.stringMatching(
          /^The client could not know whether the request to delete card CARD-\S+ had succeeded\. It had not\. The client did not read the card, and charged it later: 30\.11 USD at /,
        ),
        remedy: expect.stringMatching(/^Repeat a deletion without an answer/),
      });
    });

    it('is reported with the day on which it is charged', async () => {
      const shop = transport.shop();
      const cardId = await storeCard(shop);
      lose(shop, 'card.delete', 'reset-before-commit');
      await remove(shop, cardId);
      shop.merchant.clock.advance(2 * dayMs);
      await pay(shop, { cardId });
      const { what } = findingOf(await shop.merchant.verdict(), 'no-read-after-unknown');
      expect(what).toContain('charged it later: 30.11 USD on 2026-05-08 07:08:09.');
    });

    it('is reported if it is authorized and captured', async () => {
      const shop = transport.shop();
      const cardId = await storeCard(shop);
      lose(shop, 'card.delete', 'error-500-before-commit');
      await remove(shop, cardId);
      const { id } = await authorize(shop, { cardId });
      await capture(shop, id, '30.11');
      expect(await foundIn(shop)).toEqual(['high no-read-after-unknown']);
    });

    it.each<[string, (shop: Shop, cardId: string) => Promise<unknown>]>([
      ['the client deletes it again', remove],
      [
        'the client reads it',
        (shop, cardId) => shop.ask('card.get', 200, { params: { card_id: cardId } }),
      ],
      ['the client lists the cards', (shop) => shop.ask('card.list', 200)],
    ])('may be charged if %s', async (_, look) => {
      const shop = transport.shop();
      const cardId = await storeCard(shop);
      lose(shop, 'card.delete', 'reset-before-commit');
      await remove(shop, cardId);
      await look(shop, cardId);
      await see(shop, 'payment.create', { body: paymentBody({ cardId }) });
      expect(await foundIn(shop)).toEqual([]);
    });

    it('is reported if the client read it only before the deletion, or later', async () => {
      const shop = transport.shop();
      const cardId = await storeCard(shop);
      const params = { card_id: cardId };
      await shop.ask('card.get', 200, { params });
      lose(shop, 'card.delete', 'reset-before-commit');
      await remove(shop, cardId);
      await pay(shop, { cardId });
      await shop.ask('card.get', 200, { params });
      expect(await foundIn(shop)).toEqual(['high no-read-after-unknown']);
    });

    it('may be captured if it was authorized before', async () => {
      const shop = transport.shop();
      const cardId = await storeCard(shop);
      const { id } = await authorize(shop, { cardId });
      lose(shop, 'card.delete', 'reset-before-commit');
      await remove(shop, cardId);
      shop.merchant.clock.advance(dayMs);
      await capture(shop, id, '30.11');
      expect(await foundIn(shop)).toEqual(['medium no-read-after-unknown']);
    });

    it('may be charged by a payment that was first sent before', async () => {
      const shop = transport.shop();
      const cardId = await storeCard(shop);
      const sending = { body: paymentBody({ cardId }), headers: keyed('order') };
      lose(shop, 'payment.create', 'reset-before-commit');
      await see(shop, 'payment.create', sending);
      lose(shop, 'card.delete', 'reset-before-commit');
      await remove(shop, cardId);
      await see(shop, 'payment.create', sending);
      expect(await foundIn(shop)).toEqual(['medium no-read-after-unknown']);
    });

    it.each<[string, (shop: Shop, cardId: string) => Promise<unknown>, readonly string[]]>([
      ['nothing', () => Promise.resolve(), ['medium no-read-after-unknown']],
      ['another deletion', remove, []],
      ['a list', (shop) => shop.ask('card.list', 200), []],
    ])('is still in the vault after %s', async (_, then, found) => {
      const shop = transport.shop();
      const cardId = await storeCard(shop);
      lose(shop, 'card.delete', 'reset-before-commit');
      await remove(shop, cardId);
      await then(shop, cardId);
      const verdict = await shop.merchant.verdict();
      expect(namesOf(verdict)).toEqual(found);
      const { what, remedy } = verdict.findings[0] ?? {};
      if (found.length > 0) {
        expect(what).toMatch(/neither repeated it nor looked\. The card is still in the vault\.$/);
        expect(remedy).toMatch(/^Repeat a deletion without an answer until/);
      }
    });

    it('did no harm if the charge was refunded, or the card was gone', async () => {
      const shop = transport.shop();
      const cardId = await storeCard(shop);
      lose(shop, 'card.delete', 'reset-before-commit');
      await remove(shop, cardId);
      const { id } = saleOf(await pay(shop, { cardId }));
      await shop.ask('sale.refund', 201, { params: { sale_id: id }, body: {} });
      const other = await storeCard(shop);
      lose(shop, 'card.delete', 'reset-after-commit');
      await remove(shop, other);
      await see(shop, 'payment.create', { body: paymentBody({ cardId: other }) });
      await remove(shop, cardId);
      expect(await foundIn(shop)).toEqual([]);
    });
  },
  onTestTime,
);
