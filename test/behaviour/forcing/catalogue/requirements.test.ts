/** Outcomes that need a sale, a stored card or a body wait for a request that has one. */
import { expect, it } from 'vitest';
import { catalogue } from '../../../../src/outcomes/catalogue.ts';
import type { Requirement } from '../../../../src/outcomes/outcome.ts';
import { onEveryTransport, type Shop } from '../../../support/transports.ts';
import { inOrder } from '../../../support/in-order.ts';
import {
  authorizationOf,
  merchantBalanceMinor,
  saleOf,
  storeCard,
} from '../../../support/purchases.ts';
import { cardBody, paymentBody, rawPaymentBody } from '../../../support/samples.ts';
import { makeSubjects } from '../../../support/requests/valid-requests.ts';
import { see } from '../tolerant-client.ts';
import { requestFor, withHeaders } from './request-plans.ts';

/** The requirements of payments. Responses without a body have their own tests below, and HEAD has its own file. */
type OfPayment = Exclude<Requirement, 'body'>;

const needing = (need: OfPayment) =>
  catalogue.filter(({ needs }) => needs === need).map((outcome) => outcome.id);

/** A payment that lacks only this. */
async function without(shop: Shop, need: OfPayment) {
  return need === 'sale'
    ? paymentBody({ cardId: await storeCard(shop), intent: 'authorize' })
    : rawPaymentBody();
}

const why: Readonly<Record<OfPayment, string>> = {
  sale: 'the request makes no sale',
  'stored-card': 'the request names no stored card',
};

const all = (['sale', 'stored-card'] as const).flatMap((need) =>
  needing(need).map((outcome) => [outcome, need] as const),
);

it('requirements are declared for outcomes about sales and stored cards', () => {
  const ofSales = catalogue.filter(
    ({ effect }) =>
      effect.kind === 'later' ||
      (effect.kind === 'payment' && ![undefined, 'none'].includes(effect.overrides.sale)),
  );
  expect(needing('sale')).toEqual(ofSales.map(({ id }) => id));
});

onEveryTransport('a payment without what an outcome needs', (transport) => {
  it.each(all)('does not use up a rule for %s (%s)', async (outcome, need) => {
    const shop = transport.shop();
    const body = await without(shop, need);
    const [id] = shop.merchant.force({ op: 'payment.create', outcome });
    const seen = await see(shop, 'payment.create', { body });
    expect([seen.status, seen.headers.get('sandbox-outcome')]).toEqual([201, null]);
    expect(shop.merchant.unfired()).toMatchObject([{ id, met: 0, fired: 0, lastMiss: why[need] }]);
    const has = paymentBody({ cardId: await storeCard(shop) });
    const next = await see(shop, 'payment.create', { body: has });
    expect(next.headers.get('sandbox-outcome')).toBe(`${outcome}; by=armed`);
  });

  it.each([
    ['Sandbox-Outcome', 'not-forced; by=header'],
    ['number', null],
  ])('is not affected by a trigger of kind %s, which reports %j', async (by, header) => {
    const shop = transport.shop();
    const number = by === 'number' ? '4000009900001051' : '4417119669820331';
    const cardId = await storeCard(shop, { number });
    const seen = await see(shop, 'payment.create', {
      body: paymentBody({ cardId, intent: 'authorize' }),
      headers: by === 'number' ? {} : { [by]: 'declined-inside-201' },
    });
    expect([seen.status, seen.headers.get('sandbox-outcome')]).toEqual([201, header]);
    expect(merchantBalanceMinor(shop)).toBe(0);
  });
});

onEveryTransport('a response without what an outcome changes', (transport) => {
  const empty = ['truncated-body', 'json-wrong-content-type', 'unknown-field-added'] as const;
  const tokens = ['id-format-longer', 'timestamp-precision-varies', 'unknown-enum-value'] as const;
  const pairs = [
    ...empty.map((id) => ['card.delete', 204, id] as const),
    ...tokens.map((id) => ['token.create', 200, id] as const),
  ];

  it.each(pairs)('refuses a rule: on %s (%i) with %s', (op, _status, id) => {
    const { merchant } = transport.shop();
    expect(() => merchant.force({ op, outcome: id })).toThrow(
      `"${id}" cannot happen on ${op}, only on: `,
    );
  });

  it.each(pairs)(
    'does not trigger a rule for any operation: %s (%i) with %s',
    async (op, status, outcome) => {
      const shop = transport.shop();
      const call = requestFor(op, await makeSubjects(shop));
      const [id] = shop.merchant.force({ op: 'any', outcome });
      const seen = await see(shop, op, call);
      expect([seen.status, seen.headers.get('sandbox-outcome')]).toEqual([status, null]);
      expect(shop.merchant.unfired()).toMatchObject([{ id, met: 0, fired: 0 }]);
      const next = await see(shop, 'payment.list', {});
      expect(next.headers.get('sandbox-outcome')).toBe(`${outcome}; by=armed`);
    },
  );

  it.each(pairs)('reports a header that cannot apply: %s (%i) with %s', async (op, status, id) => {
    const shop = transport.shop();
    const call = requestFor(op, await makeSubjects(shop));
    const seen = await see(shop, op, withHeaders(call, { 'Sandbox-Outcome': id }));
    expect([seen.status, seen.headers.get('sandbox-outcome')]).toEqual([
      status,
      'not-forced; by=header',
    ]);
  });
});

onEveryTransport('the result of a check on an authorization', (transport) => {
  it.each([
    ['cvv-mismatch-accepted', { cvv_code: 'N' }],
    ['avs-unavailable', { avs_code: 'U' }],
  ] as const)('is returned with the authorization: %s', async (outcome, processor) => {
    const shop = transport.shop();
    const body = paymentBody({ cardId: await storeCard(shop), intent: 'authorize' });
    shop.merchant.force({ op: 'payment.create', outcome });
    const payment = await shop.ask('payment.create', 201, { body });
    const authorization = authorizationOf(payment);
    expect(authorization.processor_response).toEqual(processor);
    const params = { authorization_id: authorization.id };
    const shown = await shop.ask('auth.get', 200, { params });
    expect(shown.processor_response).toEqual(processor);
    const kept = shop.merchant.export();
    shop.merchant.reset();
    shop.merchant.import(kept);
    expect(await shop.ask('auth.get', 200, { params })).toEqual(shown);
  });
});

onEveryTransport('avs-unavailable', (transport) => {
  const address = { line1: '1 Mock Way', city: 'Sampleton', country_code: 'DE' };

  it.each([
    ['the United States', 'U', {}],
    ['elsewhere', 'G', { billing_address: address }],
    ['an unknown country', 'U', { billing_address: undefined }],
  ])('reports the code for a card from %s: %s', async (_where, code, change) => {
    const shop = transport.shop();
    const { id } = await shop.ask('card.create', 201, { body: cardBody(change) });
    const headers = { 'Sandbox-Outcome': 'avs-unavailable' };
    await inOrder([paymentBody({ cardId: id }), rawPaymentBody(change)], async (body) => {
      const payment = await shop.ask('payment.create', 201, { body, headers });
      expect(saleOf(payment).processor_response).toEqual({ avs_code: code });
    });
  });
});
