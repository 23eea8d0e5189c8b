/** A request that a hook held before its commit is planned again, because the world may have changed. */
import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import type { OperationName } from '../../src/contract/service/operation-name.ts';
import { onEveryTransport } from '../support/transports.ts';
import { Gate } from '../support/gate.ts';
import { authorize, sell, storeCard } from '../support/purchases.ts';
import { refusalOf } from '../support/requests/refusals.ts';
import { cardBody, paymentBody } from '../support/samples.ts';

const gate = new Gate();
const held = new Set<OperationName | undefined>(['payment.create', 'auth.capture']);

onEveryTransport(
  'a held request',
  (transport) => {
    it('404 refuses a held payment whose card was deleted', async () => {
      const shop = transport.shop();
      const cardId = await storeCard(shop);
      const arrived = gate.close();
      const payment = shop.ask('payment.create', 404, { body: paymentBody({ cardId }) });
      await arrived;
      await shop.ask('card.delete', 204, { params: { card_id: cardId } });
      gate.open();
      expect((await payment).name).toBe('INVALID_RESOURCE_ID');
      expect(shop.merchant.ledger().transfers).toEqual([]);
    });

    it('400 refuses a held capture whose authorization was voided', async () => {
      const shop = transport.shop();
      const params = { authorization_id: (await authorize(shop)).id };
      const arrived = gate.close();
      const taken = refusalOf(shop, 'auth.capture', {
        params,
        body: { amount: { total: '1.00', currency: 'USD' } },
      });
      await arrived;
      await shop.ask('auth.void', 200, { params, body: {} });
      gate.open();
      expect((await taken).name).toBe('AUTHORIZATION_VOIDED');
      expect(shop.merchant.ledger().transfers).toEqual([]);
    });

    it('201 shows the time at which a held payment was carried out', async () => {
      const shop = transport.shop();
      const cardId = await storeCard(shop);
      const arrived = gate.close();
      const sale = sell(shop, { cardId });
      await arrived;
      shop.merchant.clock.advance(60_000);
      gate.open();
      expect((await sale).create_time).toBe('2026-05-06T07:09:09.123Z');
    });
  },
  {
    hooks: {
      beforeCommit: ({ operation }) => (held.has(operation) ? gate.pass() : undefined),
    },
  },
);

/** What goes wrong once a request goes on. */
let breaks = false;

onEveryTransport(
  'a request that fails after it was held',
  (transport) => {
    it('500 lets the request id be used again', async () => {
      const shop = transport.shop();
      const call = { body: cardBody(), headers: { 'PayPal-Request-Id': 'order-1' } };
      breaks = true;
      await shop.ask('card.create', 500, call);
      breaks = false;
      await shop.ask('card.create', 201, call);
      expect((await shop.ask('card.list', 200)).items).toHaveLength(1);
    });
  },
  {
    hooks: {
      beforeCommit: async (exchange) => {
        await setImmediate();
        if (!breaks) return;
        const message = 'a bug that strikes late';
        Object.defineProperty(exchange, 'cardId', {
          get() {
            Object.defineProperty(exchange, 'cardId', { value: undefined, writable: true });
            throw new Error(message);
          },
          configurable: true,
        });
      },
    },
  },
);
