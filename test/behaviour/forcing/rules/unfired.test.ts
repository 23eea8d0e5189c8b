/** A verdict says of each rule that never fired what it waited for and why it did not fire. */
import { expect, it } from 'vitest';
import { onEveryTransport, type Shop } from '../../../support/transports.ts';
import { storeCard } from '../../../support/purchases.ts';
import { paymentBody } from '../../../support/samples.ts';
import { see } from '../tolerant-client.ts';

type Rule = Parameters<Shop['merchant']['force']>[0];

const decline = { op: 'payment.create', outcome: 'decline-generic', name: 'mine' } as const;

onEveryTransport('a verdict on a rule that never fired', (transport) => {
  it.each<readonly [string, Rule, number, string]>([
    ['no request', decline, 0, 'no payment.create request arrived'],
    [
      'another operation',
      { ...decline, op: 'sale.refund', outcome: 'refund-already-done' },
      2,
      'no sale.refund request arrived',
    ],
    [
      'other conditions',
      { ...decline, match: { 'transactions[0].custom': 'A-7' } },
      3,
      '3 payment.create requests arrived, and none matched: transactions[0].custom is not "A-7"',
    ],
    [
      'a later request',
      { ...decline, nth: 5 },
      1,
      '1 payment.create request arrived, and the latest did not fire it: it applies to request 5, and this was request 1',
    ],
    [
      'a later attempt',
      { ...decline, nth: 5, per: 'intent' },
      2,
      '2 payment.create requests arrived, and the latest did not fire it: it applies to request 5 of a purchase, and this was request 2',
    ],
    [
      'a later day',
      { ...decline, after: '+P1D' },
      1,
      '1 payment.create request arrived, and the latest did not fire it: it does not apply yet',
    ],
  ])('names outcome, operation, merchant and reason: %s', async (_, rule, payments, why) => {
    const shop = transport.shop();
    const cardId = await storeCard(shop);
    shop.merchant.force(rule);
    for (let sent = 0; sent < payments; sent++) {
      await see(shop, 'payment.create', { body: paymentBody({ cardId }) });
    }
    const { reasons, unfired } = await shop.merchant.verdict({ allowNoRequests: true });
    const { op, outcome } = rule;
    expect(reasons.map(({ text }) => text)).toContain(
      `Rule mine never fired for merchant ${shop.merchant.id} (${String(op)} → ${String(outcome)}): ${why}.`,
    );
    expect(unfired).toEqual([{ rule: 'mine', why }]);
  });

  it('names the rule that answered every request', async () => {
    const shop = transport.shop();
    const cardId = await storeCard(shop);
    shop.merchant.force({ ...decline, name: 'first', times: 9 });
    shop.merchant.force(decline);
    const unfired = async () => {
      await see(shop, 'payment.create', { body: paymentBody({ cardId }) });
      return (await shop.merchant.verdict()).unfired;
    };
    expect(await unfired()).toEqual([
      { rule: 'mine', why: '1 payment.create request arrived, and rule first answered it' },
    ]);
    expect(await unfired()).toEqual([
      {
        rule: 'mine',
        why: '2 payment.create requests arrived, and all were answered by rule first',
      },
    ]);
  });

  it('names a rule that chose natural behaviour, and the header of a request', async () => {
    const shop = transport.shop();
    shop.merchant.playScenario({
      scenario: 'late',
      version: 1,
      about: 'A rule of a scenario comes after armed rules and headers.',
      rules: [{ name: 'mine', op: 'payment.create', then: 'decline-generic' }],
    });
    const body = paymentBody({ cardId: await storeCard(shop) });
    await see(shop, 'payment.create', { body, headers: { 'Sandbox-Outcome': 'decline-velocity' } });
    expect((await shop.merchant.verdict()).unfired).toEqual([
      { rule: 'mine', why: '1 payment.create request arrived, and the header answered it' },
    ]);
    shop.merchant.force({ op: 'payment.create', outcome: 'ok', name: 'spare' });
    await see(shop, 'payment.create', { body });
    expect((await shop.merchant.verdict()).unfired).toEqual([
      {
        rule: 'mine',
        why: '2 payment.create requests arrived, and all were answered by rule spare',
      },
    ]);
  });

  it('says that requests were refused before the outcome could apply', async () => {
    const shop = transport.shop();
    shop.merchant.force(decline);
    await see(shop, 'payment.create', { body: {} });
    expect((await shop.merchant.verdict()).unfired).toEqual([
      {
        rule: 'mine',
        why: '1 payment.create request arrived, and none reached the point at which the outcome applies',
      },
    ]);
  });

  it('says that a repeated request id does not count', async () => {
    const shop = transport.shop();
    const body = paymentBody({ cardId: await storeCard(shop) });
    shop.merchant.force({ ...decline, nth: 2 });
    const headers = { 'PayPal-Request-Id': 'order-7' };
    await shop.ask('payment.create', 201, { body, headers });
    await shop.send('payment.create', { body, headers });
    const { reasons } = await shop.merchant.verdict();
    expect(reasons.map(({ text }) => text).join()).toContain(
      '2 payment.create requests arrived, and the latest that counts did not fire it: it applies to request 2, and this was request 1. Refused requests and repeated request ids do not count.',
    );
  });

  it('says that a request with the outcome of another rule does not count', async () => {
    const shop = transport.shop();
    const pay = async (body: unknown) => see(shop, 'payment.create', { body });
    const body = paymentBody({ cardId: await storeCard(shop) });
    shop.merchant.force({ op: 'payment.create', outcome: 'decline-velocity' });
    shop.merchant.force({ ...decline, nth: 2 });
    const why = async () => (await shop.merchant.verdict()).unfired[0]?.why;
    const start =
      'payment.create requests arrived, and the latest that counts did not fire it: it applies to request 2, and this was request 1.';
    await pay(body);
    await pay(body);
    expect(await why()).toBe(`2 ${start} Requests with another forced outcome do not count`);
    await pay({});
    expect(await why()).toBe(
      `3 ${start} Refused requests and repeated request ids do not count, and neither do requests with another forced outcome`,
    );
  });
});
