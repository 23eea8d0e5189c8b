import { describe, expect, it } from 'vitest';
import { onEveryTransport, type Shop } from '../support/transports.ts';
import { authorize, capture, dayMs, hourMs, sell } from '../support/purchases.ts';
import { refusalOf } from '../support/requests/refusals.ts';

const unknownId = '6AB78901CD2345678';
const standsMs = 29 * dayMs;

const of = (id: string, body: unknown = {}) => ({ params: { authorization_id: id }, body });

async function show(shop: Shop, id: string) {
  return shop.ask('auth.get', 200, { params: { authorization_id: id } });
}

async function stateOf(shop: Shop, id: string): Promise<string> {
  return (await show(shop, id)).state;
}

const cannotBeVoided = (state: string) => ({
  name: 'AUTHORIZATION_CANNOT_BE_VOIDED',
  message: `The authorization is in state ${state} and cannot be voided`,
});

onEveryTransport('show an authorization', (transport) => {
  it('200 shows it byte for byte as documented', async () => {
    const shop = transport.shop('golden');
    const { id, parent_payment: payment } = await authorize(shop);
    const { text } = await shop.reply('auth.get', 200, { params: { authorization_id: id } });
    const time = '2026-05-06T07:08:09.123Z';
    const v1 = `${transport.base}/v1/payments`;
    expect(id).toBe('1LI81972EH5749880');
    expect(text).toBe(
      `{"id":"${id}","create_time":"${time}","update_time":"${time}",` +
        `"amount":{"total":"30.11","currency":"USD"},"state":"authorized","parent_payment":"${payment}",` +
        `"valid_until":"2026-06-04T07:08:09.123Z",` +
        `"links":[{"href":"${v1}/authorization/${id}","rel":"self","method":"GET"},` +
        `{"href":"${v1}/authorization/${id}/capture","rel":"capture","method":"POST"},` +
        `{"href":"${v1}/authorization/${id}/void","rel":"void","method":"POST"},` +
        `{"href":"${v1}/payment/${payment}","rel":"parent_payment","method":"GET"}]}`,
    );
  });

  it('200 shows the details of the amount', async () => {
    const shop = transport.shop();
    const amount = {
      total: '30.11',
      currency: 'USD',
      details: { subtotal: '29.11', shipping: '1.00' },
    };
    const { id } = await authorize(shop, { transaction: { amount } });
    expect((await show(shop, id)).amount).toEqual(amount);
  });

  it('200 shows the states authorized, partially_captured and captured, and the time of each', async () => {
    const shop = transport.shop();
    const { id } = await authorize(shop);
    const seen: unknown[] = [];
    for (const total of ['10.00', '20.10', '0.01']) {
      const { state, update_time: at } = await show(shop, id);
      seen.push([state, at]);
      shop.merchant.clock.advance(hourMs);
      await capture(shop, id, total);
    }
    const { state, update_time: at } = await show(shop, id);
    seen.push([state, at]);
    expect(seen).toEqual([
      ['authorized', '2026-05-06T07:08:09.123Z'],
      ['partially_captured', '2026-05-06T08:08:09.123Z'],
      ['partially_captured', '2026-05-06T09:08:09.123Z'],
      ['captured', '2026-05-06T10:08:09.123Z'],
    ]);
  });

  it('200 shows expired from 29 days after the payment, to the millisecond', async () => {
    const shop = transport.shop();
    const { id } = await authorize(shop);
    shop.merchant.clock.advance(standsMs - 1);
    expect(await stateOf(shop, id)).toBe('authorized');
    shop.merchant.clock.advance(1);
    const expired = await show(shop, id);
    expect(expired).toMatchObject({ state: 'expired', valid_until: '2026-06-04T07:08:09.123Z' });
  });

  it('200 shows expired after a partial capture, but not after a full capture or a void', async () => {
    const shop = transport.shop();
    const [part, all, final, gone] = [
      await authorize(shop),
      await authorize(shop),
      await authorize(shop),
      await authorize(shop),
    ];
    await capture(shop, part.id, '1.00');
    await capture(shop, all.id, '30.11');
    await capture(shop, final.id, '1.00', { is_final_capture: true });
    await shop.ask('auth.void', 200, of(gone.id));
    shop.merchant.clock.advance(standsMs);
    const states = [];
    for (const { id } of [part, all, final, gone]) states.push(await stateOf(shop, id));
    expect(states).toEqual(['expired', 'captured', 'captured', 'voided']);
  });

  it("404 refuses an unknown id, the id of a sale, and another merchant's", async () => {
    const shop = transport.shop();
    const sale = await sell(shop);
    const theirs = await authorize(transport.shop());
    for (const id of [unknownId, sale.id, theirs.id]) {
      const refusal = await shop.ask('auth.get', 404, { params: { authorization_id: id } });
      expect(refusal).toEqual({
        name: 'INVALID_RESOURCE_ID',
        message: 'The requested resource ID was not found',
        information_link: 'https://developer.paypal.com/docs/api/#INVALID_RESOURCE_ID',
        debug_id: refusal.debug_id,
      });
    }
  });
});

onEveryTransport('void an authorization', (transport) => {
  it('200 answers byte for byte: without valid_until and without further links', async () => {
    const shop = transport.shop();
    const { id, parent_payment: payment } = await authorize(shop);
    shop.merchant.clock.advance(hourMs);
    const { text } = await shop.reply('auth.void', 200, of(id));
    const v1 = `${transport.base}/v1/payments`;
    expect(text).toBe(
      `{"id":"${id}","create_time":"2026-05-06T07:08:09.123Z","update_time":"2026-05-06T08:08:09.123Z",` +
        `"amount":{"total":"30.11","currency":"USD"},"state":"voided","parent_payment":"${payment}",` +
        `"links":[{"href":"${v1}/authorization/${id}","rel":"self","method":"GET"},` +
        `{"href":"${v1}/payment/${payment}","rel":"parent_payment","method":"GET"}]}`,
    );
    const shown = await shop.reply('auth.get', 200, { params: { authorization_id: id } });
    expect(shown.text).toBe(text);
    expect(shop.merchant.ledger().transfers).toEqual([]);
  });

  it.each([
    ['an empty object', '{}'],
    ['empty', ''],
    ['null', 'null'],
    ['an object of anything', '{"reason":"changed my mind"}'],
  ])('200 accepts a body that is %s', async (_, body) => {
    const shop = transport.shop();
    const { id } = await authorize(shop);
    expect((await shop.ask('auth.void', 200, of(id, body))).state).toBe('voided');
  });

  it('200 updates its own update_time; that of the payment changes only with a new record', async () => {
    const shop = transport.shop();
    const { id, parent_payment: payment, create_time: made } = await authorize(shop);
    const timesNow = async () => {
      const { update_time: paid } = await shop.ask('payment.get', 200, {
        params: { payment_id: payment },
      });
      return [(await show(shop, id)).update_time, paid].map(
        (time) => (Date.parse(time) - Date.parse(made)) / hourMs,
      );
    };
    shop.merchant.clock.advance(hourMs);
    await capture(shop, id, '10.00');
    expect(await timesNow()).toEqual([1, 1]);
    shop.merchant.clock.advance(hourMs);
    await shop.ask('auth.void', 200, of(id));
    expect(await timesNow()).toEqual([2, 1]);
  });

  it('200 accepts a request without body and Content-Type', async () => {
    const shop = transport.shop();
    const { id } = await authorize(shop);
    const voided = await shop.ask('auth.void', 200, { params: { authorization_id: id } });
    expect(voided.state).toBe('voided');
  });

  it('200 releases the rest after a partial capture, and keeps the captured money', async () => {
    const shop = transport.shop();
    const { id } = await authorize(shop);
    await capture(shop, id, '10.00');
    expect((await shop.ask('auth.void', 200, of(id))).state).toBe('voided');
    expect(shop.merchant.ledger().balances).toEqual({
      USD: { cardholders: -1000, merchant: 1000 },
    });
  });

  it.each([
    ['captured', async (shop: Shop, id: string) => capture(shop, id, '30.11')],
    [
      'captured',
      async (shop: Shop, id: string) => capture(shop, id, '1.00', { is_final_capture: true }),
    ],
    ['voided', async (shop: Shop, id: string) => shop.ask('auth.void', 200, of(id))],
    ['expired', async (shop: Shop) => shop.merchant.clock.advance(standsMs)],
    [
      'expired',
      async (shop: Shop, id: string) => {
        await capture(shop, id, '1.00');
        shop.merchant.clock.advance(standsMs);
      },
    ],
  ])(
    '400 refuses to void an authorization that is %s, and names the state',
    async (state, bring) => {
      const shop = transport.shop();
      const { id } = await authorize(shop);
      await bring(shop, id);
      const before = await show(shop, id);
      expect(await refusalOf(shop, 'auth.void', of(id))).toEqual(cannotBeVoided(state));
      expect(await show(shop, id)).toEqual(before);
    },
  );

  it.each([
    ['a list', '[]'],
    ['a text', '"void"'],
    ['no JSON', '{'],
  ])('400 refuses a body that is %s', async (_, body) => {
    const shop = transport.shop();
    const { id } = await authorize(shop);
    expect((await refusalOf(shop, 'auth.void', of(id, body))).name).toBe('MALFORMED_REQUEST');
    expect(await stateOf(shop, id)).toBe('authorized');
  });

  it("404 refuses an unknown id and another merchant's", async () => {
    const owner = transport.shop();
    const theirs = await authorize(owner);
    const shop = transport.shop();
    for (const id of [unknownId, theirs.id]) {
      expect((await shop.ask('auth.void', 404, of(id))).name).toBe('INVALID_RESOURCE_ID');
    }
    expect(await stateOf(owner, theirs.id)).toBe('authorized');
  });

  it('200 answers a repeat under the same PayPal-Request-Id with the voided authorization', async () => {
    const shop = transport.shop();
    const { id } = await authorize(shop);
    const request = { ...of(id), headers: { 'PayPal-Request-Id': 'void-1042' } };
    const first = await shop.reply('auth.void', 200, request);
    const second = await shop.reply('auth.void', 200, request);
    expect(second.text).toBe(first.text);
    expect(second.headers.get('sandbox-replayed')).toBe('true');
  });
});

onEveryTransport('reauthorize an authorization', (transport) => {
  const notAllowed = {
    name: 'DCC_REAUTHORIZATION_NOT_ALLOWED',
    message: 'An authorization on a credit card cannot be reauthorized',
  };

  it.each([
    ['an amount', { amount: { total: '30.11', currency: 'USD' } }],
    ['an empty object', {}],
    ['nothing', ''],
  ])('400 always refuses to reauthorize a card, with %s', async (_, body) => {
    const shop = transport.shop();
    const { id } = await authorize(shop);
    shop.merchant.clock.advance(4 * dayMs);
    const before = await show(shop, id);
    expect(await refusalOf(shop, 'auth.reauthorize', of(id, body))).toEqual(notAllowed);
    expect(await show(shop, id)).toEqual(before);
  });

  it('404 refuses an unknown id', async () => {
    const refusal = await transport.shop().ask('auth.reauthorize', 404, of(unknownId));
    expect(refusal.name).toBe('INVALID_RESOURCE_ID');
  });
});

onEveryTransport(
  'an authorization, recorded profile',
  (transport) => {
    it('200 writes times in whole seconds and a subtotal', async () => {
      const shop = transport.shop();
      const { id } = await authorize(shop);
      expect(await show(shop, id)).toMatchObject({
        create_time: '2026-05-06T07:08:09Z',
        update_time: '2026-05-06T07:08:09Z',
        valid_until: '2026-06-04T07:08:09Z',
        amount: { total: '30.11', currency: 'USD', details: { subtotal: '30.11' } },
      });
    });

    describe('in a payment', () => {
      it('201 shows state before amount, as recorded', async () => {
        expect(Object.keys(await authorize(transport.shop()))).toEqual([
          'id',
          'create_time',
          'update_time',
          'state',
          'amount',
          'parent_payment',
          'valid_until',
          'links',
        ]);
      });
    });
  },
  { profile: 'recorded' },
);
