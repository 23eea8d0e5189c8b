/** Findings about money. Each has a story that causes it and a close one that does not. */
import { expect, it } from 'vitest';
import { see } from '../../forcing/tolerant-client.ts';
import { onEveryTransport, type Shop } from '../../../support/transports.ts';
import {
  authorize,
  dayMs,
  saleOf,
  sell,
  storeCard,
  type PaymentReply,
} from '../../../support/purchases.ts';
import { cardBody, pans, paymentBody, rawPaymentBody } from '../../../support/samples.ts';
import { findingOf, foundIn, namesOf } from '../support/findings.ts';
import type { OperationName } from '../../../../src/contract/service/operation-name.ts';
import type { OutcomeId } from '../../../../src/outcomes/outcome-id.ts';
import type { StepDocument } from '../../../../src/scenarios/document.ts';

const key = (id: string) => ({ 'PayPal-Request-Id': id });

/** Pays and accepts any answer. */
async function tryToPay(
  shop: Shop,
  cardId: string,
  transaction: Readonly<Record<string, unknown>> = {},
  headers: Readonly<Record<string, string>> = {},
): Promise<void> {
  await shop
    .send('payment.create', { body: paymentBody({ cardId, transaction }), headers })
    .catch(() => undefined);
}

async function buy(
  shop: Shop,
  transaction: Readonly<Record<string, unknown>> = {},
): Promise<PaymentReply> {
  const cardId = await storeCard(shop);
  return shop.ask('payment.create', 201, {
    body: paymentBody({ cardId, transaction }),
    headers: key(`key-${cardId}`),
  });
}

onEveryTransport('a double charge', (transport) => {
  it('is reported in one phrase if it has many equal charges', async () => {
    const shop = transport.shop();
    const cardId = await storeCard(shop);
    for (let at = 0; at < 20; at++) await tryToPay(shop, cardId, { custom: 'order 1007' });
    const { what, evidence } = findingOf(await shop.merchant.verdict(), 'double-charge');
    expect(evidence).toHaveLength(20);
    expect(what).toMatch(
      /was charged 20 times: 30\.11 USD each, the first at [\d:]{8} and the last at [\d:]{8}\./,
    );
  });

  it('is reported after a retry of a lost answer without an invoice number', async () => {
    const shop = transport.shop();
    const cardId = await storeCard(shop);
    shop.merchant.force({ op: 'payment.create', outcome: 'reset-after-commit' });
    await tryToPay(shop, cardId, {}, key('first'));
    await tryToPay(shop, cardId, {}, key('second'));
    const verdict = await shop.merchant.verdict();
    expect(verdict.passed).toBe(false);
    const { what, evidence, severity, confidence } = findingOf(verdict, 'double-charge');
    expect([severity, confidence]).toEqual(['critical', 'certain']);
    expect(what).toMatch(/was charged twice: 30\.11 USD at [\d:]{8} and 30\.11 USD at [\d:]{8}\./);
    const committed = shop.merchant.journal({ operation: 'payment.create', committed: true });
    expect(evidence).toEqual(committed.entries.map(({ debugId }) => debugId));
    expect(verdict.totals).toEqual([
      { currency: 'USD', charged: '60.22', returned: '0.00', net: '60.22', excess: '30.11' },
    ]);
  });

  it('may be wanted if every answer arrived and there is no invoice number', async () => {
    const shop = transport.shop();
    const cardId = await storeCard(shop);
    await tryToPay(shop, cardId, {}, key('for the one child'));
    await tryToPay(shop, cardId, {}, key('for the other'));
    const verdict = await shop.merchant.verdict();
    expect(findingOf(verdict, 'double-charge')).toMatchObject({
      severity: 'medium',
      confidence: 'possible',
    });
    expect(verdict.passed).toBe(true);
    expect((await shop.merchant.verdict({ failOn: 'medium' })).passed).toBe(false);
  });

  it('is not reported if the retry has the same request id', async () => {
    const shop = transport.shop();
    const cardId = await storeCard(shop);
    shop.merchant.force({ op: 'payment.create', outcome: 'reset-after-commit' });
    await tryToPay(shop, cardId, {}, key('one'));
    await tryToPay(shop, cardId, {}, key('one'));
    const verdict = await shop.merchant.verdict();
    expect(namesOf(verdict)).toEqual([]);
    expect(verdict.passed).toBe(true);
    expect(verdict.purchases).toMatchObject([
      {
        attempts: [{ concludes: 'UNKNOWN' }, { replayed: true }],
        charges: [{ known: 'answered' }],
      },
    ]);
  });

  it('is not reported after one payment was refunded', async () => {
    const shop = transport.shop();
    const cardId = await storeCard(shop);
    shop.merchant.force({ op: 'payment.create', outcome: 'executed-twice-by-proxy' });
    await tryToPay(shop, cardId, {}, key('one'));
    expect(await foundIn(shop)).toContain('critical double-charge');
    const { payments = [] } = await shop.ask('payment.list', 200, {});
    const [latest] = payments;
    if (latest === undefined) throw new Error('There is no payment.');
    await shop.ask('sale.refund', 201, { params: { sale_id: saleOf(latest).id }, body: {} });
    expect(await foundIn(shop)).toEqual([]);
  });

  it.each([
    ['15.05', '15.06', false],
    ['15.05', '15.05', true],
  ])(
    'is not reported after partial refunds that add up to one payment: %s and %s',
    async (one, other, isFound) => {
      const shop = transport.shop();
      const cardId = await storeCard(shop);
      shop.merchant.force({ op: 'payment.create', outcome: 'executed-twice-by-proxy' });
      await tryToPay(shop, cardId, {}, key('one'));
      const { payments = [] } = await shop.ask('payment.list', 200, {});
      for (const [place, total] of [one, other].entries()) {
        const payment = payments[place];
        if (payment === undefined) throw new Error('There are not two payments.');
        await shop.ask('sale.refund', 201, {
          params: { sale_id: saleOf(payment).id },
          body: { amount: { total, currency: 'USD' } },
        });
      }
      expect(await foundIn(shop)).toEqual(isFound ? ['critical double-charge'] : []);
    },
  );

  it('is not reported for a later purchase', async () => {
    const shop = transport.shop();
    const cardId = await storeCard(shop);
    await tryToPay(shop, cardId);
    shop.merchant.clock.advance(121_000);
    await tryToPay(shop, cardId);
    expect(await foundIn(shop)).toEqual([]);
  });
});

onEveryTransport('an orphaned charge', (transport) => {
  it('is reported if the answer was lost and the client never read the payment', async () => {
    const shop = transport.shop();
    const cardId = await storeCard(shop);
    shop.merchant.force({ op: 'payment.create', outcome: 'close-after-commit' });
    await tryToPay(shop, cardId, { invoice_number: 'INV-1' });
    const verdict = await shop.merchant.verdict();
    expect(findingOf(verdict, 'orphaned-charge').what).toContain('30.11 USD was charged');
    expect(verdict.purchases).toMatchObject([{ label: 'INV-1', charges: [{ known: 'never' }] }]);
  });

  it.each([
    ['with another request id', 'two', undefined, /contains sale \w+\.$/, /same PayPal-Request-Id/],
    [
      'with its request id, which the service ignored',
      'one',
      'request-id-ignored',
      /same PayPal-Request-Id, which the service ignored\. This was not the client's doing\.$/,
      /^The client could not prevent/,
    ],
  ] as const)(
    'is explained by what became of the retry %s',
    async (_, retryId, outcome, what, remedy) => {
      const shop = transport.shop();
      const cardId = await storeCard(shop);
      shop.merchant.force({ op: 'payment.create', outcome: 'close-after-commit' });
      await tryToPay(shop, cardId, { custom: 'order-7' }, key('one'));
      if (outcome !== undefined) shop.merchant.force({ op: 'payment.create', outcome });
      await tryToPay(shop, cardId, { custom: 'order-7' }, key(retryId));
      const orphan = findingOf(await shop.merchant.verdict(), 'orphaned-charge');
      expect(orphan.what).toMatch(what);
      expect(orphan.remedy).toMatch(remedy);
    },
  );

  it.each([
    [
      'was of a later day',
      true,
      false,
      /^After .+ A list shows the payment only if its time range/,
    ],
    ['came before the payment', false, false, /or look the payment up\.$/],
    ['was lost', true, true, /or look the payment up\.$/],
  ])('is answered with what its list missed: a list that %s', async (...story) => {
    const [, isAfter, isLost, remedy] = story;
    const shop = transport.shop();
    const cardId = await storeCard(shop);
    const path = '/v1/payments/payment?count=20&start_time=2030-01-01T00:00:00Z';
    if (!isAfter) await shop.ask('payment.list', 200, { path });
    shop.merchant.force({ op: 'payment.create', outcome: 'close-after-commit' });
    await tryToPay(shop, cardId, { custom: 'order-7' });
    if (isLost) shop.merchant.force({ op: 'payment.list', outcome: 'truncated-body' });
    if (isAfter) await shop.send('payment.list', { path }).catch(() => undefined);
    await sell(shop);
    expect(findingOf(await shop.merchant.verdict(), 'orphaned-charge').remedy).toMatch(remedy);
  });

  it.each(['payment.get', 'payment.list'] as const)(
    'is not reported after %s showed it',
    async (name) => {
      const shop = transport.shop();
      const cardId = await storeCard(shop);
      shop.merchant.force({ op: 'payment.create', outcome: 'close-after-commit' });
      await tryToPay(shop, cardId, { invoice_number: 'INV-1' });
      const { subject = '' } =
        shop.merchant.journal({ operation: 'payment.create' }).entries[0] ?? {};
      await shop.ask(name, 200, name === 'payment.get' ? { params: { payment_id: subject } } : {});
      expect(await foundIn(shop)).not.toContain('critical orphaned-charge');
    },
  );
});

onEveryTransport('an orphaned refund', (transport) => {
  it.each([
    [
      'with its request id, which the service had forgotten',
      'one',
      /The retry came after the service had forgotten its PayPal-Request-Id\.$/,
      /^The service forgets a PayPal-Request-Id/,
    ],
    ['with another request id', 'two', /contains refund \w+\.$/, /^After a lost or unreadable/],
  ])('is explained by what became of the retry %s', async (_, retryId, what, remedy) => {
    const shop = transport.shop();
    const { id } = await sell(shop);
    const refund = (requestId: string) =>
      see(shop, 'sale.refund', {
        path: `/v1/payments/sale/${id}/refund`,
        body: { amount: { total: '10.00', currency: 'USD' } },
        headers: key(requestId),
      });
    shop.merchant.force({ op: 'sale.refund', outcome: 'close-after-commit' });
    await refund('one');
    shop.merchant.clock.advance('P31D');
    await refund(retryId);
    const orphan = findingOf(await shop.merchant.verdict(), 'orphaned-refund');
    expect(orphan.what).toMatch(what);
    expect(orphan.remedy).toMatch(remedy);
  });
});

onEveryTransport('a charge whose answer was lost', (transport) => {
  it('is less certainly unknown if its invoice number was refused afterwards', async () => {
    const shop = transport.shop();
    const cardId = await storeCard(shop);
    shop.merchant.force({ op: 'payment.create', outcome: 'reset-after-commit' });
    for (const id of ['one', 'two']) await tryToPay(shop, cardId, { invoice_number: 'A' }, key(id));
    expect(findingOf(await shop.merchant.verdict(), 'orphaned-charge')).toMatchObject({
      severity: 'high',
      confidence: 'likely',
      what: expect.stringContaining('received the hint that the invoice number is already used'),
    });
  });

  it.each([
    ['the same capture', '30.11', []],
    ['another capture', '20.11', ['critical orphaned-charge']],
  ])('is known if %s was refused because nothing was left: %s', async (_, total, found) => {
    const shop = transport.shop();
    const { id } = await authorize(shop);
    const take = (sum: string) =>
      shop
        .send('auth.capture', {
          params: { authorization_id: id },
          body: { amount: { total: sum, currency: 'USD' }, is_final_capture: true },
        })
        .catch(() => undefined);
    shop.merchant.force({ op: 'auth.capture', outcome: 'reset-after-commit' });
    await take('30.11');
    await take(total);
    const names = await foundIn(shop);
    expect(names.filter((name) => name.endsWith('orphaned-charge'))).toEqual(found);
  });
});

onEveryTransport('refunds', (transport) => {
  it('are reported if they were created or requested twice', async () => {
    const shop = transport.shop();
    const sale = saleOf(await buy(shop));
    const back = {
      params: { sale_id: sale.id },
      body: { amount: { total: '5.00', currency: 'USD' } },
    };
    await shop.ask('sale.refund', 201, { ...back, headers: key('one') });
    await shop.ask('sale.refund', 201, { ...back, headers: key('two') });
    const verdict = await shop.merchant.verdict();
    expect(findingOf(verdict, 'double-refund').what).toMatch(
      /was refunded twice: 5\.00 USD at [\d:]{8} and 5\.00 USD at [\d:]{8}\. That is 5\.00 USD too much, if one refund was intended\./,
    );
    const other = saleOf(await buy(shop, { description: 'another' }));
    await shop.ask('sale.refund', 201, { params: { sale_id: other.id }, body: {} });
    await shop.ask('sale.refund', 400, { params: { sale_id: other.id }, body: {} });
    expect(await foundIn(shop)).toEqual(['medium double-refund', 'low double-refund']);
  });

  it('are not reported if their amounts differ or they are replays', async () => {
    const shop = transport.shop();
    const sale = saleOf(await buy(shop));
    const part = (total: string) => ({
      params: { sale_id: sale.id },
      body: { amount: { total, currency: 'USD' } },
      headers: key(total),
    });
    await shop.ask('sale.refund', 201, part('5.00'));
    await shop.ask('sale.refund', 200, part('5.00'));
    await shop.ask('sale.refund', 201, part('6.00'));
    expect(await foundIn(shop)).toEqual([]);
  });

  it.each<['' | OutcomeId, OperationName | undefined, boolean]>([
    ['', 'sale.get', true],
    ['', 'payment.get', true],
    ['', 'payment.list', true],
    ['refund-pending-then-completed', 'sale.get', true],
    ['refund-failed-later', 'sale.get', false],
    // A client that was shown nothing of the dispute could not know of it.
    ['', undefined, false],
    ['', 'card.list', false],
  ])(
    'are judged for a disputed sale (%s), after %s showed it, as reported: %s',
    async (outcome, look, isFound) => {
      const shop = transport.shop();
      shop.merchant.force({
        op: 'payment.create',
        outcome: { outcome: 'chargeback-opened-won-lost', with: { outcome: 'lost' } },
      });
      const sale = saleOf(await buy(shop));
      shop.merchant.clock.advance(40 * dayMs);
      if (outcome !== '') shop.merchant.force({ op: 'sale.refund', outcome });
      const params = { sale_id: sale.id, payment_id: sale.parent_payment };
      if (look !== undefined) await shop.send(look, { params });
      await shop.ask('sale.refund', 201, { params: { sale_id: sale.id }, body: {} });
      shop.merchant.clock.advance(40 * dayMs);
      // A pending refund may have failed.
      await shop.ask('sale.get', 200, { params });
      expect(await foundIn(shop)).toEqual(isFound ? ['high refund-and-chargeback'] : []);
    },
  );

  it('are reported for a disputed sale if an answer had shown the dispute', async () => {
    const shop = transport.shop();
    shop.merchant.force({
      op: 'payment.create',
      outcome: { outcome: 'chargeback-opened-won-lost', with: { outcome: 'won' } },
    });
    const sale = saleOf(await buy(shop));
    const look = () => shop.ask('sale.get', 200, { params: { sale_id: sale.id } });
    const seen = new Set([JSON.stringify([sale.state, sale.reason_code])]);
    for (let week = 0; week < 20; week++) {
      shop.merchant.clock.advance(7 * dayMs);
      const { state, reason_code: reason } = await look();
      seen.add(JSON.stringify([state, reason]));
    }
    // Won, it is complete again.
    expect([...seen]).toEqual(['["completed",null]', '["reversed","CHARGEBACK"]']);
    expect((await look()).state).toBe('completed');
  });

  it('are not reported before the dispute', async () => {
    const shop = transport.shop();
    shop.merchant.force({
      op: 'payment.create',
      outcome: { outcome: 'chargeback-opened-won-lost', with: { outcome: 'lost' } },
    });
    const sale = saleOf(await buy(shop, { invoice_number: 'INV-1' }));
    await shop.ask('sale.refund', 201, { params: { sale_id: sale.id }, body: {} });
    shop.merchant.clock.advance(400 * dayMs);
    expect(await foundIn(shop)).toEqual([]);
  });
});

onEveryTransport('money that was returned twice', (transport) => {
  it.each(['chargeback-opened-won-lost', 'sale-reversed-later'] as const)(
    'is a loss in the verdict as it is in the ledger: %s',
    async (outcome) => {
      const shop = transport.shop();
      shop.merchant.force({
        op: 'payment.create',
        outcome: { outcome, with: lostIfDisputed(outcome) },
      });
      const sale = saleOf(await buy(shop, { invoice_number: 'INV-1' }));
      const part = { amount: { total: '10.00', currency: 'USD' } };
      await shop.ask('sale.refund', 201, { params: { sale_id: sale.id }, body: part });
      shop.merchant.clock.advance(400 * dayMs);
      const { totals, purchases } = await shop.merchant.verdict();
      expect(totals).toEqual([
        { currency: 'USD', charged: '30.11', returned: '40.11', net: '-10.00' },
      ]);
      expect(purchases).toMatchObject([{ charges: [{ net: { total: '-10.00' } }] }]);
      expect(shop.merchant.ledger().totals.purchases).toMatchObject([{ netMinor: -1000 }]);
    },
  );

  it('is not counted while a refund is pending, which is no double charge', async () => {
    const shop = transport.shop();
    const cardId = await storeCard(shop);
    shop.merchant.force({ op: 'payment.create', outcome: 'executed-twice-by-proxy' });
    await tryToPay(shop, cardId, {}, key('one'));
    shop.merchant.force({ op: 'sale.refund', outcome: 'refund-pending-then-completed' });
    const { payments = [] } = await shop.ask('payment.list', 200, {});
    const [latest] = payments;
    if (latest === undefined) throw new Error('There is no payment.');
    await shop.ask('sale.refund', 201, { params: { sale_id: saleOf(latest).id }, body: {} });
    const verdict = await shop.merchant.verdict({ settle: 0 });
    expect(verdict.totals).toMatchObject([{ returned: '0.00', net: '60.22' }]);
    expect(namesOf(verdict)).toEqual([]);
  });
});

const lostIfDisputed = (outcome: string) =>
  outcome === 'sale-reversed-later' ? {} : { outcome: 'lost' };

onEveryTransport('a card that the issuer declined for good', (transport) => {
  it('is reported if it is charged again, unless it was changed first', async () => {
    const shop = transport.shop();
    const cardId = await storeCard(shop);
    shop.merchant.force({ op: 'payment.create', outcome: 'decline-lost-or-stolen' });
    await tryToPay(shop, cardId, { invoice_number: 'A' }, key('first'));
    expect(await foundIn(shop)).toEqual([]);
    await tryToPay(shop, cardId, { invoice_number: 'B' }, key('second'));
    expect(await foundIn(shop)).toEqual(['high charge-after-hard-decline']);
  });

  it.each([
    ['is reported if neither request had a request id', undefined, 'high'],
    ['is a remark if a queue delivers the job twice', 'job-7', 'low'],
  ])('%s', async (_, requestId, severity) => {
    const shop = transport.shop();
    const cardId = await storeCard(shop);
    shop.merchant.force({ op: 'payment.create', outcome: 'decline-lost-or-stolen' });
    for (let times = 0; times < 2; times++) {
      await tryToPay(shop, cardId, { custom: 'A' }, requestId === undefined ? {} : key(requestId));
    }
    expect(await foundIn(shop)).toContain(`${severity} charge-after-hard-decline`);
  });

  it.each([
    ['a remark if a restarted process repeated its request and saw a success', true, 1, 'low'],
    ['reported if one process received both answers', false, 1, 'high'],
    ['reported if the repeat was declined as well', true, 2, 'high'],
  ])('is %s, and then charged again', async (_, isRestarted, times, severity) => {
    const shop = transport.shop();
    const cardId = await storeCard(shop);
    shop.merchant.force({ op: 'payment.create', outcome: 'decline-lost-or-stolen', times });
    await tryToPay(shop, cardId, { custom: 'A' }, key('A'));
    const form = 'grant_type=client_credentials';
    const { access_token: token } = await shop.ask('token.create', 200, { body: form });
    for (const custom of ['A', 'B']) {
      const body = paymentBody({ cardId, transaction: { custom } });
      const authorization = isRestarted ? { authorization: `Bearer ${token}` } : {};
      await see(shop, 'payment.create', { body, headers: key(custom), ...authorization });
      shop.merchant.clock.advance(3_600_000);
    }
    expect(await foundIn(shop)).toContain(`${severity} charge-after-hard-decline`);
  });

  it.each(['reset-after-commit', 'html-instead-of-json-200'] as const)(
    'is not reported if the answer did not arrive, for %s',
    async (and) => {
      const shop = transport.shop();
      const cardId = await storeCard(shop);
      const outcome: StepDocument = { outcome: 'decline-lost-or-stolen', and };
      shop.merchant.force({ op: 'payment.create', outcome });
      await tryToPay(shop, cardId, { invoice_number: 'A' }, key('first'));
      await tryToPay(shop, cardId, { invoice_number: 'B' }, key('second'));
      expect(await foundIn(shop)).not.toContain('high charge-after-hard-decline');
    },
  );
});

onEveryTransport('a card with a final decline', (transport) => {
  const never = { op: 'payment.create', outcome: 'decline-lost-or-stolen' } as const;

  it('is not reported for a replay of an earlier payment', async () => {
    const shop = transport.shop();
    const cardId = await storeCard(shop);
    await tryToPay(shop, cardId, { invoice_number: 'A' }, key('first'));
    shop.merchant.force(never);
    await tryToPay(shop, cardId, { invoice_number: 'B' }, key('second'));
    await tryToPay(shop, cardId, { invoice_number: 'A' }, key('first'));
    expect(await foundIn(shop)).toEqual([]);
  });

  it.each([
    ['is a remark if its request is repeated', [], 'low'],
    ['is reported if another payment follows its repeat', ['second'], 'high'],
  ])('%s', async (_, others, severity) => {
    const shop = transport.shop();
    const cardId = await storeCard(shop);
    shop.merchant.force(never);
    for (const id of ['first', 'first', ...others]) await tryToPay(shop, cardId, {}, key(id));
    const found = findingOf(await shop.merchant.verdict(), 'charge-after-hard-decline');
    expect(found.severity).toBe(severity);
  });

  it.each([
    ['is a remark if a request that was lost before the decline is repeated', 'one', 'low'],
    ['is reported if that is sent with a new request id', 'three', 'high'],
  ])('%s', async (_, repeat, severity) => {
    const shop = transport.shop();
    const cardId = await storeCard(shop);
    shop.merchant.force({ op: 'payment.create', outcome: 'reset-before-commit' });
    await tryToPay(shop, cardId, { custom: 'A' }, key('one'));
    shop.merchant.force(never);
    await tryToPay(shop, cardId, { custom: 'B' }, key('two'));
    await tryToPay(shop, cardId, { custom: 'A' }, key(repeat));
    const found = findingOf(await shop.merchant.verdict(), 'charge-after-hard-decline');
    expect(found.severity).toBe(severity);
  });

  it.each<[string, OutcomeId, readonly string[]]>([
    ['is not reported if the answer came without its body', 'empty-body-200', []],
    ['is reported if the answer came slowly', 'latency-degraded', ['high']],
  ])('%s', async (_, outcome, severities) => {
    const shop = transport.shop();
    const cardId = await storeCard(shop);
    shop.merchant.force(never);
    shop.merchant.force({ op: 'payment.create', outcome });
    for (const custom of ['A', 'B']) await tryToPay(shop, cardId, { custom }, key(custom));
    const { findings } = await shop.merchant.verdict();
    const found = findings.filter(({ rule }) => rule === 'charge-after-hard-decline');
    expect(found.map(({ severity }) => severity)).toEqual(severities);
  });

  it('is not confused with another one if neither is stored', async () => {
    const shop = transport.shop();
    shop.merchant.force(never);
    for (const number of [pans.visa, '4012888888881881']) {
      await shop.send('payment.create', {
        body: rawPaymentBody({ number }, { transaction: { invoice_number: number.slice(-4) } }),
        headers: key(number.slice(-4)),
      });
    }
    expect(await foundIn(shop)).not.toContain('high charge-after-hard-decline');
  });
});

onEveryTransport('a card that two processes charge', (transport) => {
  it.each([
    ['by a process at work, before the service would have answered', true, true, 0, 60_000, []],
    ['by a process at work, later', true, true, 60_000, 60_000, ['high']],
    ['by a process at work, with a service that answers at once', true, true, 0, 0, ['high']],
    ['by a process that started later', false, true, 0, 60_000, ['high']],
    ['by the same process', true, false, 0, 60_000, ['high']],
  ])(
    'is judged by what each could know if it is charged after its final decline %s',
    async (_, isAtWork, isOther, afterMs, serviceTimeMs, severities) => {
      const shop = transport.shop();
      const cardId = await storeCard(shop);
      const startProcess = async () => {
        const body = 'grant_type=client_credentials';
        const { access_token: token } = await shop.ask('token.create', 200, { body });
        const authorization = `Bearer ${token}`;
        await shop.ask('card.list', 200, { authorization });
        return { authorization };
      };
      const pay = (custom: string, { authorization }: { readonly authorization: string }) => {
        const body = paymentBody({ cardId, transaction: { custom } });
        return see(shop, 'payment.create', { body, headers: key(custom), authorization });
      };
      const first = await startProcess();
      const second = isAtWork ? await startProcess() : undefined;
      shop.merchant.force({ op: 'payment.create', outcome: 'decline-lost-or-stolen' });
      await pay('A', first);
      shop.merchant.clock.advance(afterMs);
      await pay('B', isOther ? (second ?? (await startProcess())) : first);
      const { findings } = await shop.merchant.verdict({ serviceTimeMs });
      const found = findings.filter(({ rule }) => rule === 'charge-after-hard-decline');
      expect(found.map(({ severity }) => severity)).toEqual(severities);
    },
  );
});

onEveryTransport('a card that a process charges as its first request', (transport) => {
  it.each<[string, 'before' | 'after', number, readonly string[]]>([
    ['before the final decline', 'before', 0, []],
    ['before the final decline, and then waited', 'before', 60_000, ['high']],
    ['after the final decline', 'after', 0, ['high']],
  ])('is judged if it got its token %s', async (_, when, afterMs, severities) => {
    const shop = transport.shop();
    const requestToken = async () => {
      const body = 'grant_type=client_credentials';
      const { access_token: token } = await shop.ask('token.create', 200, { body });
      return { authorization: `Bearer ${token}` };
    };
    const first = await requestToken();
    const { id: cardId } = await shop.ask('card.create', 201, { ...first, body: cardBody() });
    const pay = async (custom: string, sent: { readonly authorization: string }) => {
      const body = paymentBody({ cardId, transaction: { custom } });
      await see(shop, 'payment.create', { body, headers: key(custom), ...sent });
    };
    const early = when === 'before' ? await requestToken() : undefined;
    shop.merchant.force({ op: 'payment.create', outcome: 'decline-lost-or-stolen' });
    await pay('A', first);
    shop.merchant.clock.advance(afterMs);
    const second = early ?? (await requestToken());
    await pay('B', second);
    const { findings } = await shop.merchant.verdict();
    const found = findings.filter(({ rule }) => rule === 'charge-after-hard-decline');
    expect(found.map(({ severity }) => severity)).toEqual(severities);
  });
});

onEveryTransport('a card that its issuer has replaced', (transport) => {
  const declinedAndReplaced = async () => {
    const shop = transport.shop();
    shop.merchant.force({ op: 'card.create', outcome: 'card-auto-replaced' });
    const cardId = await storeCard(shop);
    shop.merchant.force({ op: 'payment.create', outcome: 'decline-lost-or-stolen' });
    await tryToPay(shop, cardId, { invoice_number: 'A' }, key('first'));
    shop.merchant.clock.advance(100 * dayMs);
    return { shop, cardId };
  };

  it.each<[string, 'card.get' | 'card.list' | undefined, boolean]>([
    ['reports', undefined, true],
    ['does not report', 'card.get', false],
    ['does not report', 'card.list', false],
  ])('%s a second charge after the client read the card by: %s', async (_, look, isFound) => {
    const { shop, cardId } = await declinedAndReplaced();
    if (look === 'card.get') await shop.ask('card.get', 200, { params: { card_id: cardId } });
    if (look === 'card.list') await shop.ask('card.list', 200, {});
    await tryToPay(shop, cardId, { invoice_number: 'B' }, key('second'));
    expect(await foundIn(shop)).toEqual(isFound ? ['high charge-after-hard-decline'] : []);
  });

  it.each([
    ['only afterwards', 'after'],
    ['and the answer was lost', 'lost'],
  ])('is reported if it was read %s', async (_, when) => {
    const { shop, cardId } = await declinedAndReplaced();
    const path = `/v1/vault/credit-cards/${cardId}`;
    if (when === 'lost') {
      shop.merchant.force({ op: 'card.get', outcome: 'truncated-body' });
      await see(shop, 'card.get', { path });
    }
    await tryToPay(shop, cardId, { invoice_number: 'B' }, key('second'));
    if (when === 'after') await see(shop, 'card.get', { path });
    expect(await foundIn(shop)).toContain('high charge-after-hard-decline');
  });

  it('is reported if it was replaced before the decline', async () => {
    const shop = transport.shop();
    shop.merchant.force({ op: 'card.create', outcome: 'card-auto-replaced' });
    const cardId = await storeCard(shop);
    shop.merchant.clock.advance(100 * dayMs);
    shop.merchant.force({ op: 'payment.create', outcome: 'decline-lost-or-stolen' });
    await tryToPay(shop, cardId, { invoice_number: 'A' }, key('first'));
    await shop.ask('card.get', 200, { params: { card_id: cardId } });
    await tryToPay(shop, cardId, { invoice_number: 'B' }, key('second'));
    expect(await foundIn(shop)).toEqual(['high charge-after-hard-decline']);
  });

  it('is reported if it was read before that', async () => {
    const shop = transport.shop();
    shop.merchant.force({ op: 'card.create', outcome: 'card-auto-replaced' });
    const cardId = await storeCard(shop);
    shop.merchant.force({ op: 'payment.create', outcome: 'decline-lost-or-stolen' });
    await tryToPay(shop, cardId, { invoice_number: 'A' }, key('first'));
    await shop.ask('card.get', 200, { params: { card_id: cardId } });
    shop.merchant.clock.advance(100 * dayMs);
    await tryToPay(shop, cardId, { invoice_number: 'B' }, key('second'));
    expect(await foundIn(shop)).toEqual(['high charge-after-hard-decline']);
  });
});

onEveryTransport('a card that its issuer has closed', (transport) => {
  it.each([
    ['decline-lost-or-stolen', true],
    ['decline-recurring-cancelled', true],
    ['decline-insufficient-funds', false],
  ] as const)('is reported as charged again after %s: %s', async (outcome, isFound) => {
    const shop = transport.shop();
    const cardId = await storeCard(shop);
    shop.merchant.force({ op: 'payment.create', outcome });
    await tryToPay(shop, cardId, { invoice_number: 'INV-1' }, key('one'));
    await tryToPay(shop, cardId, { invoice_number: 'INV-2' }, key('two'));
    const found = await foundIn(shop);
    expect(found).toEqual(isFound ? ['high charge-after-hard-decline'] : []);
  });
});
