import { expect, it } from 'vitest';
import { onEveryTransport } from '../../support/transports.ts';
import {
  authorize,
  capture,
  dayMs,
  hourMs,
  merchantBalanceMinor,
} from '../../support/purchases.ts';
import { refusalOf } from '../../support/requests/refusals.ts';
import { overLimit, stateOf, take } from './take.ts';

onEveryTransport('capture an authorization', (transport) => {
  it('200 answers byte for byte, and GET omits the fields of a new capture', async () => {
    const shop = transport.shop('golden');
    const { id: authorization, parent_payment: payment } = await authorize(shop);
    const { text } = await shop.reply('auth.capture', 200, take(authorization, '10'));
    const id = '9HP91945LO7092248';
    const time = '2026-05-06T07:08:09.123Z';
    const v1 = `${transport.base}/v1/payments`;
    const self = `{"href":"${v1}/capture/${id}","rel":"self","method":"GET"}`;
    const refund = `{"href":"${v1}/capture/${id}/refund","rel":"refund","method":"POST"}`;
    const back = `{"href":"${v1}/authorization/${authorization}","rel":"authorization","method":"GET"}`;
    const parent = `{"href":"${v1}/payment/${payment}","rel":"parent_payment","method":"GET"}`;
    const start =
      `{"id":"${id}","create_time":"${time}","update_time":"${time}",` +
      `"amount":{"total":"10.00","currency":"USD"},`;
    const end = `"state":"completed","parent_payment":"${payment}",`;
    expect(text).toBe(
      `${start}"is_final_capture":false,${end}"links":[${self},${refund},${back},${parent}]}`,
    );
    const shown = await shop.reply('capture.get', 200, { params: { capture_id: id } });
    expect(shown.text).toBe(`${start}${end}"links":[${self},${refund},${parent}]}`);
  });

  it('200 captures in parts up to the full amount, and the ledger balances', async () => {
    const shop = transport.shop();
    const { id } = await authorize(shop);
    const seen = [];
    for (const total of ['10.00', '20.00', '0.11']) {
      await capture(shop, id, total);
      seen.push([await stateOf(shop, id), merchantBalanceMinor(shop)]);
    }
    expect(seen).toEqual([
      ['partially_captured', 1000],
      ['partially_captured', 3000],
      ['captured', 3011],
    ]);
    expect(
      shop.merchant.ledger().transfers.map(({ cause, amount }) => [cause, amount.minor]),
    ).toEqual([
      ['capture', 1000],
      ['capture', 2000],
      ['capture', 11],
    ]);
  });

  it('200 writes the transfers of a capture to the ledger', async () => {
    const shop = transport.shop();
    const { id, parent_payment: payment } = await authorize(shop);
    shop.merchant.clock.advance(hourMs);
    const taken = await capture(shop, id, '10.00');
    expect(shop.merchant.ledger()).toMatchObject({
      transfers: [
        {
          cause: 'capture',
          subject: taken.id,
          payment,
          debit: 'cardholders',
          credit: 'merchant',
          amount: { minor: 1000, currency: 'USD' },
          atMs: Date.parse('2026-05-06T08:08:09.123Z'),
        },
      ],
      balances: { USD: { cardholders: -1000, merchant: 1000 } },
    });
  });

  it.each([true, 'true'])(
    '200 closes the authorization with a final capture (%j)',
    async (final) => {
      const shop = transport.shop();
      const { id } = await authorize(shop);
      const taken = await capture(shop, id, '10.00', { is_final_capture: final });
      expect(taken.is_final_capture).toBe(true);
      expect(await stateOf(shop, id)).toBe('captured');
    },
  );

  it.each([false, 'false', null])(
    '200 leaves it open with a capture not final (%j)',
    async (final) => {
      const shop = transport.shop();
      const { id } = await authorize(shop);
      const taken = await capture(shop, id, '10.00', { is_final_capture: final });
      expect(taken.is_final_capture).toBe(false);
      expect(await stateOf(shop, id)).toBe('partially_captured');
    },
  );

  it('200 shows the invoice number, and accepts a note without showing it', async () => {
    const shop = transport.shop();
    const { id } = await authorize(shop);
    const notes = { invoice_number: 'i'.repeat(127), note_to_payer: 'n'.repeat(255) };
    const taken = await capture(shop, id, '10.00', notes);
    expect(taken).toMatchObject({ invoice_number: notes.invoice_number });
    expect(taken).not.toHaveProperty('note_to_payer');
  });

  it.each([
    ['USD', '100.00', '115.00', '115.01'],
    ['USD', '0.10', '0.11', '0.12'],
    ['USD', '500.00', '575.00', '575.01'],
    ['USD', '1000.00', '1075.00', '1075.01'],
    // No rate of exchange is known here, so the 75 USD bound dollars alone.
    ['EUR', '1000.00', '1150.00', '1150.01'],
    ['JPY', '101', '116', '117'],
  ])(
    '200 captures up to the limit: of %s %s at most %s, not %s',
    async (currency, total, most, over) => {
      const shop = transport.shop();
      const { id } = await authorize(shop, { total, currency });
      const taking = (wanted: string) =>
        take(id, undefined, { amount: { total: wanted, currency } });
      expect(await refusalOf(shop, 'auth.capture', taking(over))).toEqual(overLimit);
      const taken = await shop.ask('auth.capture', 200, taking(most));
      expect(taken.amount).toEqual({ total: most, currency });
      expect(await stateOf(shop, id)).toBe('captured');
    },
  );

  it('200 captures until the last millisecond of the 29 days', async () => {
    const shop = transport.shop();
    const { id } = await authorize(shop);
    shop.merchant.clock.advance(29 * dayMs - 1);
    expect((await capture(shop, id, '30.11')).create_time).toBe('2026-06-04T07:08:09.122Z');
  });

  it('200 answers a repeat with the first capture, and captures once', async () => {
    const shop = transport.shop();
    const { id } = await authorize(shop);
    const request = {
      ...take(id, '30.11', { is_final_capture: true }),
      headers: { 'PayPal-Request-Id': 'capture-1042' },
    };
    const first = await shop.reply('auth.capture', 200, request);
    const second = await shop.reply('auth.capture', 200, request);
    expect(second.text).toBe(first.text);
    expect(second.headers.get('sandbox-replayed')).toBe('true');
    expect(merchantBalanceMinor(shop)).toBe(3011);
  });

  it('200 accepts one request id for payment, capture and refund, as some SDKs send it', async () => {
    const shop = transport.shop();
    const headers = { 'PayPal-Request-Id': 'one-for-all' };
    const { id } = await authorize(shop);
    const taken = await shop.ask('auth.capture', 200, { ...take(id, '10.00'), headers });
    const refund = await shop.ask('capture.refund', 201, {
      params: { capture_id: taken.id },
      headers,
      body: {},
    });
    expect(refund.capture_id).toBe(taken.id);
    expect(merchantBalanceMinor(shop)).toBe(0);
  });
});

onEveryTransport('show a capture', (transport) => {
  it('200 shows the states completed, partially_refunded and refunded, and the time of each', async () => {
    const shop = transport.shop();
    const { id } = await capture(shop, (await authorize(shop)).id, '10.00');
    const params = { capture_id: id };
    const seen = [];
    for (const total of ['4.00', '6.00']) {
      shop.merchant.clock.advance(hourMs);
      await shop.ask('capture.refund', 201, {
        params,
        body: { amount: { total, currency: 'USD' } },
      });
      const { state, update_time: at } = await shop.ask('capture.get', 200, { params });
      seen.push([state, at]);
    }
    expect(seen).toEqual([
      ['partially_refunded', '2026-05-06T08:08:09.123Z'],
      ['refunded', '2026-05-06T09:08:09.123Z'],
    ]);
  });
});

onEveryTransport(
  'a capture, recorded profile',
  (transport) => {
    it('200 writes times in whole seconds and no amount details', async () => {
      const shop = transport.shop();
      const taken = await capture(shop, (await authorize(shop)).id, '10.00');
      expect(taken).toMatchObject({
        create_time: '2026-05-06T07:08:09Z',
        update_time: '2026-05-06T07:08:09Z',
      });
      expect(taken.amount).toEqual({ total: '10.00', currency: 'USD' });
    });
  },
  { profile: 'recorded' },
);
