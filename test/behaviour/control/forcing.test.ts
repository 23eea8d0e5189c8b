/** Forcing over HTTP: what the verbs in process do, by the same words, with the same results. */
import { expect, it } from 'vitest';
import { catalogue } from '../../../src/outcomes/catalogue.ts';
import { onEveryTransport } from '../../support/transports.ts';
import { paymentBody } from '../../support/samples.ts';
import { storeCard } from '../../support/purchases.ts';
import { call } from './call.ts';

const insufficient = { op: 'payment.create', outcome: 'decline-insufficient-funds' } as const;

onEveryTransport('outcomes over HTTP', (transport) => {
  it('200 lists the catalogue', async () => {
    const { status, body } = await call(transport, 'GET /_sandbox/outcomes');
    expect(status).toBe(200);
    expect(body).toEqual(catalogue);
    expect(body).toEqual(transport.sandbox.outcomes());
  });

  it.each([
    ['operation=sale.refund', { operation: 'sale.refund' }],
    ['operation=capture.*', { operation: 'capture.*' }],
    ['tier=1', { tier: 1 }],
    ['tier=2&operation=card.get', { tier: 2, operation: 'card.get' }],
  ] as const)('200 lists the outcomes of %s', async (query, filter) => {
    const { body } = await call(transport, `GET /_sandbox/outcomes?${query}`);
    expect(body).toEqual(transport.sandbox.outcomes(filter));
    expect(body).not.toEqual([]);
    expect(body).not.toEqual(catalogue);
  });

  it('200 shows one outcome', async () => {
    const { body } = await call(transport, 'GET /_sandbox/outcomes/hang-after-commit');
    expect(body).toEqual(transport.sandbox.outcome('hang-after-commit'));
  });

  it('200 counts all merchants with all=true, as without a merchant', async () => {
    const { body } = await call(transport, 'GET /_sandbox/coverage?all=true');
    expect(body).toEqual(transport.sandbox.all.coverage());
    for (const path of ['GET /_sandbox/coverage', 'GET /_sandbox/verdict']) {
      const both = await call(transport, `${path}?all=true&merchant=shop`);
      expect(both).toMatchObject({ status: 400, body: { place: 'query.all' } });
      const none = await call(transport, `${path}?all=false`);
      expect(none).toMatchObject({ status: 400, body: { place: 'query.all' } });
    }
  });

  it('404 suggests the nearest outcome id', async () => {
    const { status, body } = await call(transport, 'GET /_sandbox/outcomes/hang-after-comit');
    expect(status).toBe(404);
    expect(body).toMatchObject({ error: 'unknown-outcome', nearest: 'hang-after-commit' });
  });

  it.each([
    ['operation=payment.craete', 'query.operation', 'payment.create'],
    ['tier=4', 'query.tier', undefined],
    ['teir=1', 'query.teir', 'tier'],
  ])('400 refuses %s', async (query, place, nearest) => {
    const { status, body } = await call(transport, `GET /_sandbox/outcomes?${query}`);
    expect(status).toBe(400);
    expect(body).toMatchObject({ place, ...(nearest === undefined ? {} : { nearest }) });
  });
});

onEveryTransport('rules over HTTP', (transport) => {
  it('201 adds a rule, which then fires', async () => {
    const shop = transport.shop();
    const of = `merchant=${shop.merchant.id}`;
    const armed = await call(transport, `POST /_sandbox/rules?${of}`, insufficient);
    expect(armed).toMatchObject({ status: 201, body: { ids: ['rule-1'] } });
    const unfired = await call(transport, `GET /_sandbox/rules?unfired=true&${of}`);
    expect(unfired.body).toMatchObject([{ id: 'rule-1', met: 0, fired: 0 }]);

    const cardId = await storeCard(shop);
    const { headers } = await shop.reply('payment.create', 400, { body: paymentBody({ cardId }) });
    expect(headers.get('sandbox-outcome')).toBe('decline-insufficient-funds; by=armed');
    await shop.ask('payment.create', 201, { body: paymentBody({ cardId }) });

    const { body } = await call(transport, `GET /_sandbox/rules?${of}`);
    expect(body).toEqual(JSON.parse(JSON.stringify(shop.merchant.rules())));
    expect(body).toMatchObject([{ fired: 1, lastMiss: 'it has fired 1 of 1 times' }]);
    expect((await call(transport, `GET /_sandbox/rules?unfired=true&${of}`)).body).toEqual([]);
  });

  it('200 removes one added rule, or all, and keeps the rules of a scenario', async () => {
    const { merchant } = transport.shop();
    const of = `merchant=${merchant.id}`;
    merchant.playScenario('lost-answer');
    const ids = ['a', 'b/c d', 'e'].flatMap((name) => merchant.force({ ...insufficient, name }));
    const one = await call(
      transport,
      `DELETE /_sandbox/rules/${encodeURIComponent('b/c d')}?${of}`,
    );
    expect(one).toMatchObject({ status: 200, body: { merchant: expect.any(String), cleared: 1 } });
    expect((await call(transport, `DELETE /_sandbox/rules?${of}`)).body).toEqual({
      merchant: expect.any(String),
      cleared: 2,
    });
    expect(ids).toHaveLength(3);
    expect(merchant.rules().map(({ source }) => source)).toEqual(['scenario']);
  });

  it('404 names the nearest rule for an unknown id, and says why a rule of the scenario stays', async () => {
    const { merchant } = transport.shop();
    const of = `merchant=${merchant.id}`;
    merchant.playScenario('lost-answer');
    merchant.force({ ...insufficient, name: 'second-payment' });
    const [{ id = '' } = {}] = merchant.rules();
    expect(await call(transport, `DELETE /_sandbox/rules/second-paymnt?${of}`)).toMatchObject({
      status: 404,
      body: {
        error: 'unknown-rule',
        message: `The merchant ${merchant.id} has no armed rule "second-paymnt". Did you mean "second-payment"? Known: second-payment.`,
        place: 'path.id',
        allowed: ['second-payment'],
        nearest: 'second-payment',
      },
    });
    expect(
      await call(transport, `DELETE /_sandbox/rules/${encodeURIComponent(id)}?${of}`),
    ).toMatchObject({
      status: 404,
      body: {
        error: 'unknown-rule',
        message: `"${id}" is a rule of the scenario, which stays. Only armed rules can be removed.`,
      },
    });
    expect(merchant.rules()).toHaveLength(2);
  });

  it.each<[object, string, { nearest?: string; allowed?: unknown }]>([
    [
      { op: 'payment.craete', outcome: 'hang-after-commit' },
      'body.op',
      { nearest: 'payment.create', allowed: expect.arrayContaining(['card.*', '*']) },
    ],
    [
      { op: 'payment.create', outcome: 'hang-after-comit' },
      'body.outcome',
      { nearest: 'hang-after-commit' },
    ],
    [
      { op: 'payment.create', sequence: ['ok', 'hang-after-comit'] },
      'body.sequence[1]',
      { nearest: 'hang-after-commit' },
    ],
    [
      { op: 'payment.create', outcom: 'hang-after-commit' },
      'body.outcom',
      { nearest: 'outcome', allowed: expect.arrayContaining(['sequence', 'ttlMs']) },
    ],
    [{ ...insufficient, times: 0 }, 'body.times', {}],
    [
      { op: 'payment.create', outcome: { outcome: 'hang-after-commit', with: { cpa: '1s' } } },
      'body.outcome.with.cpa',
      { nearest: 'cap', allowed: ['cap'] },
    ],
    [{ op: 'payment.create' }, 'body', {}],
    [{ ...insufficient, then: 'ok' }, 'body', {}],
    [{ op: 'payment.create', sequence: 5 }, 'body.sequence', {}],
    [{ op: 'payment.create', sequence: null }, 'body.sequence', {}],
    [{ op: 'payment.create', sequence: 'ok' }, 'body.sequence', {}],
    [{ op: 'payment.create', outcome: null }, 'body.outcome', {}],
    [{ ...insufficient, name: null }, 'body.name', {}],
  ])('400 refuses %j and names the place', async (rule, place, more) => {
    const { merchant } = transport.shop();
    const refused = await call(transport, `POST /_sandbox/rules?merchant=${merchant.id}`, rule);
    expect(refused).toMatchObject({ status: 400, body: { error: 'invalid-rule', place, ...more } });
    expect(merchant.rules()).toEqual([]);
  });

  it('400 refuses the name of another rule, and keeps that rule', async () => {
    const { merchant } = transport.shop();
    const line = `POST /_sandbox/rules?merchant=${merchant.id}`;
    const rule = { ...insufficient, name: 'a b' };
    expect((await call(transport, line, rule)).status).toBe(201);
    const refused = await call(transport, line, { ...rule, times: 5 });
    expect(refused).toMatchObject({
      status: 400,
      body: {
        error: 'invalid-rule',
        place: 'body.name',
        message: expect.stringContaining('DELETE /_sandbox/rules/a%20b'),
      },
    });
    expect(merchant.rules()).toMatchObject([{ id: 'a b', times: 1 }]);
  });

  it('400 lists every problem of a rule with its place', async () => {
    const rule = { op: 'payment.craete', outcome: 'hang-after-commit', times: 0 };
    const { body } = await call(transport, 'POST /_sandbox/rules', rule);
    expect(body).toMatchObject({ issues: [{ place: 'body.op' }, { place: 'body.times' }] });
  });

  it.each([[[]], ['"text"'], ['null']])(
    '400 refuses a body that is not a rule: %j',
    async (body) => {
      expect((await call(transport, 'POST /_sandbox/rules', body)).status).toBe(400);
    },
  );
});
