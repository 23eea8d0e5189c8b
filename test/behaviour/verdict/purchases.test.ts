/** What a verdict shows of a purchase: its attempts, its charges, and how the client learned of them. */
import { expect, it } from 'vitest';
import { storiesText } from '../../../src/report/text.ts';
import { call } from '../control/call.ts';
import { see } from '../forcing/tolerant-client.ts';
import { onEveryTransport, type Shop } from '../../support/transports.ts';
import { authorizationOf, dayMs, pay, sell, storeCard } from '../../support/purchases.ts';
import { pans, paymentBody, rawPaymentBody } from '../../support/samples.ts';
import { foundIn } from './support/findings.ts';
import type { OutcomeId } from '../../../src/outcomes/outcome-id.ts';

type Forced = Parameters<Shop['merchant']['force']>[0]['outcome'];
type Verdict = Awaited<ReturnType<Shop['merchant']['verdict']>>;

const invoice = 'INV-1';

/** Tries to pay one invoice and accepts any answer. */
async function tryToPay(shop: Shop, outcome?: Forced, key = 'key-of-the-invoice'): Promise<void> {
  const [cardId = await storeCard(shop)] = (await shop.ask('card.list', 200)).items.map(
    ({ id }) => id,
  );
  if (outcome !== undefined) shop.merchant.force({ op: 'payment.create', outcome });
  await shop
    .send('payment.create', {
      body: paymentBody({ cardId, transaction: { invoice_number: invoice } }),
      headers: { 'PayPal-Request-Id': key },
    })
    .catch(() => undefined);
}

function onlyPurchase({ purchases }: Verdict): Verdict['purchases'][number] {
  const [purchase, ...others] = purchases;
  if (purchase === undefined || others.length > 0) throw new Error('There is not one purchase.');
  return purchase;
}

/** Debug ids of a merchant's requests of an operation, oldest first. */
const askedOf = (shop: Shop, operation: 'payment.create' | 'payment.list' | 'payment.get') =>
  shop.merchant.journal({ operation }).entries.map(({ debugId }) => debugId);

const lost = 'reset-after-commit';

onEveryTransport('a purchase in a verdict', (transport) => {
  it('shows what the client could conclude from each attempt, and which one took the money', async () => {
    const shop = transport.shop();
    await tryToPay(shop, 'decline-insufficient-funds', 'first');
    await tryToPay(shop, 'error-500-before-commit', 'second');
    await tryToPay(shop, lost, 'third');
    await tryToPay(shop, undefined, 'third');
    const verdict = await shop.merchant.verdict({ beliefs: { [invoice]: 'paid' } });
    const purchase = onlyPurchase(verdict);
    const [, , third] = askedOf(shop, 'payment.create');
    expect(purchase).toMatchObject({
      label: invoice,
      amount: { total: '30.11', currency: 'USD' },
      belief: 'paid',
      attempts: [
        { requestId: 'first', concludes: 'FAIL', committed: false, delivery: 'delivered' },
        { requestId: 'second', concludes: 'UNKNOWN', committed: false, delivery: 'delivered' },
        {
          debugId: third,
          concludes: 'UNKNOWN',
          committed: true,
          delivery: 'lost',
          outcomes: [lost],
        },
        { requestId: 'third', concludes: 'OK', committed: false, replayed: true },
      ],
      charges: [{ createdBy: third, net: { total: '30.11', currency: 'USD' } }],
    });
    expect(purchase.attempts).toHaveLength(4);
    const path = `POST /_sandbox/verdict?merchant=${shop.merchant.id}`;
    const { body } = await call(transport, path, { beliefs: { [invoice]: 'paid' } });
    expect(body).toEqual(verdict);
  });

  it('has nothing beside it in a verdict, if it is the only one and was paid', async () => {
    const shop = transport.shop();
    await tryToPay(shop);
    const verdict = await shop.merchant.verdict();
    const { counts, purchases, ...others } = verdict;
    expect(Object.keys(others).toSorted()).toEqual([
      'at',
      'expectations',
      'failOn',
      'findings',
      'merchant',
      'missed',
      'passed',
      'reasons',
      'totals',
      'tried',
      'unfilled',
      'unfired',
    ]);
    expect(Object.keys(counts).toSorted()).toEqual([
      'dropped',
      'findings',
      'open',
      'purchases',
      'requests',
      'suppressed',
    ]);
    const [purchase] = purchases;
    expect(Object.keys(purchase ?? {}).toSorted()).toEqual([
      'amount',
      'attempts',
      'charges',
      'key',
      'label',
    ]);
    expect(Object.keys(purchase?.attempts[0] ?? {})).not.toContain('problem');
    expect(purchase?.key).not.toContain('~');
  });

  it('lists a read of the payment among its attempts, but not one of its card', async () => {
    const shop = transport.shop();
    await tryToPay(shop);
    const [transfer] = shop.merchant.ledger().transfers;
    await shop.ask('payment.get', 200, { params: { payment_id: transfer?.payment ?? '' } });
    const { attempts } = onlyPurchase(await shop.merchant.verdict());
    expect(attempts.map((one) => one.operation)).toEqual(['payment.create', 'payment.get']);
  });

  it('has a key of its own for each description and each card under one custom', async () => {
    const shop = transport.shop();
    const custom = 'shop';
    const cards = [
      await storeCard(shop),
      await storeCard(shop, { number: pans.mastercard, type: 'mastercard' }),
    ];
    for (const cardId of cards) await pay(shop, { cardId, transaction: { custom } });
    await pay(shop, { cardId: cards[0] ?? '', transaction: { custom, description: 'B' } });
    const { purchases } = await shop.merchant.verdict();
    const [first = '', ...others] = purchases.map(({ key }) => key);
    expect(others.toSorted()).toEqual([
      expect.stringMatching(new RegExp(`^${first}@\\d+$`)),
      `${first}~1`,
    ]);
  });

  it('has a key of its own for each month of a subscription', async () => {
    const shop = transport.shop();
    const cardId = await storeCard(shop);
    for (let month = 0; month < 3; month++) {
      await pay(shop, { cardId, transaction: { custom: 'ada' } });
      shop.merchant.clock.advance(30 * dayMs);
    }
    const { purchases } = await shop.merchant.verdict();
    expect(new Set(purchases.map(({ key }) => key)).size).toBe(3);
  });

  it('has no amount if the amount was sent as a JSON number with cents', async () => {
    const shop = transport.shop();
    const cardId = await storeCard(shop);
    const transaction = { amount: { total: 19.99, currency: 'USD' } };
    await shop.send('payment.create', { body: paymentBody({ cardId, transaction }) });
    expect(onlyPurchase(await shop.merchant.verdict()).amount).toBeUndefined();
  });

  it('says why an attempt was refused', async () => {
    const shop = transport.shop();
    await tryToPay(shop, 'decline-generic');
    const { attempts } = onlyPurchase(await shop.merchant.verdict());
    expect(attempts).toMatchObject([{ status: 400, problem: 'CREDIT_CARD_REFUSED' }]);
  });

  it('comes first if it has a finding that is not suppressed', async () => {
    const shop = transport.shop();
    const cardId = await storeCard(shop);
    const outcome = 'executed-twice-by-proxy';
    shop.merchant.force({ op: 'payment.create', outcome, nth: 2, per: 'merchant' });
    for (const custom of ['A', 'B']) {
      const body = paymentBody({ cardId, transaction: { custom } });
      await shop.ask('payment.create', 201, { body });
    }
    const { findings, purchases } = await shop.merchant.verdict();
    expect(purchases.map(({ label }) => label)).toEqual(['B', 'A']);
    const reason = 'The proxy is being replaced.';
    const suppress = findings.map(({ rule }) => ({ rule, reason }));
    const { purchases: calm } = await shop.merchant.verdict({ suppress });
    expect(calm.map(({ label }) => label)).toEqual(['A', 'B']);
  });

  it.each([
    ['', '20.11'],
    ['refund-failed-later', '30.11'],
  ] as const)('says what is left after a refund with the outcome %j', async (outcome, total) => {
    const shop = transport.shop();
    const sale = await sell(shop);
    if (outcome !== '') shop.merchant.force({ op: 'sale.refund', outcome });
    const body = { amount: { total: '10.00', currency: 'USD' } };
    await shop.ask('sale.refund', 201, { params: { sale_id: sale.id }, body });
    shop.merchant.clock.advance(40 * dayMs);
    const [charge] = onlyPurchase(await shop.merchant.verdict()).charges;
    expect(charge?.net).toEqual({ total, currency: 'USD' });
  });

  it('shows that the client learned of the charge from the answer', async () => {
    const shop = transport.shop();
    await tryToPay(shop);
    const [charge] = onlyPurchase(await shop.merchant.verdict()).charges;
    const [debugId] = askedOf(shop, 'payment.create');
    expect(charge).toMatchObject({
      known: 'answered',
      createdBy: debugId,
      disclosedBy: { debugId, how: 'answer', at: charge?.at },
    });
  });

  it('shows that the client learned of the charge from a replay', async () => {
    const shop = transport.shop();
    await tryToPay(shop, lost);
    shop.merchant.clock.advance(1500);
    await tryToPay(shop);
    const [charge] = onlyPurchase(await shop.merchant.verdict()).charges;
    const [createdBy, debugId] = askedOf(shop, 'payment.create');
    expect(charge).toMatchObject({
      known: 'answered',
      createdBy,
      disclosedBy: { debugId, how: 'replay' },
    });
    expect(Date.parse(charge?.disclosedBy?.at ?? '') - Date.parse(charge?.at ?? '')).toBe(1500);
  });

  it.each([
    ['show', 'payment.get'],
    ['list', 'payment.list'],
  ] as const)('shows that the client learned of the charge from a %s', async (how, operation) => {
    const shop = transport.shop();
    await tryToPay(shop, lost);
    const [{ subject = '' } = {}] = shop.merchant.journal({ committed: true }).entries.slice(-1);
    await shop.send(
      operation,
      operation === 'payment.get' ? { params: { payment_id: subject } } : {},
    );
    // A repeat comes too late to be the first to tell.
    await tryToPay(shop);
    const { attempts, charges } = onlyPurchase(await shop.merchant.verdict());
    const [debugId] = askedOf(shop, operation);
    expect(charges).toMatchObject([
      { paymentId: subject, known: 'read', disclosedBy: { debugId, how } },
    ]);
    expect(attempts.map((one) => one.operation)).toEqual([
      'payment.create',
      operation,
      'payment.create',
    ]);
  });

  it('shows the first and the last hundred exchanges of an endless retry', async () => {
    const shop = transport.shop();
    const cardId = await storeCard(shop);
    const asked = {
      body: paymentBody({ cardId, transaction: { invoice_number: invoice } }),
      headers: { 'PayPal-Request-Id': 'key-of-the-invoice' },
    };
    await shop.send('payment.create', asked);
    await Promise.all(Array.from({ length: 219 }, () => shop.send('payment.create', asked)));
    const verdict = await shop.merchant.verdict();
    expect(verdict.findings).toEqual([]);
    const { attempts, attemptsLeftOut, charges } = onlyPurchase(verdict);
    const ids = askedOf(shop, 'payment.create');
    expect(ids).toHaveLength(220);
    expect(attemptsLeftOut).toBe(20);
    expect(attempts.map(({ debugId }) => debugId)).toEqual([
      ...ids.slice(0, 100),
      ...ids.slice(-100),
    ]);
    expect(charges).toHaveLength(1);
    expect(storiesText(verdict).split('\n')).toContainEqual(
      expect.stringMatching(/^ +\.\.\. 181 more \.\.\.$/),
    );
  });

  it('shows that the client never learned of the charge', async () => {
    const shop = transport.shop();
    await tryToPay(shop, lost);
    const [charge] = onlyPurchase(await shop.merchant.verdict()).charges;
    expect([charge?.known, charge?.disclosedBy]).toEqual(['never', undefined]);
  });

  it('shows the two charges of one request separately', async () => {
    const shop = transport.shop();
    // An invoice number would be taken once only.
    shop.merchant.force({ op: 'payment.create', outcome: 'executed-twice-by-proxy' });
    await pay(shop);
    const { attempts, charges } = onlyPurchase(await shop.merchant.verdict());
    expect(attempts).toHaveLength(1);
    expect(new Set(charges.map(({ createdBy }) => createdBy)).size).toBe(1);
    expect(charges.map(({ known }) => known).toSorted()).toEqual(['answered', 'never']);
  });

  it('shows the requests about an authorization, including a capture with a lost answer', async () => {
    const shop = transport.shop();
    const held = authorizationOf(await pay(shop, { intent: 'authorize' }));
    shop.merchant.force({ op: 'auth.capture', outcome: lost });
    await shop
      .send('auth.capture', {
        params: { authorization_id: held.id },
        body: { amount: { total: '30.11', currency: 'USD' } },
      })
      .catch(() => undefined);
    expect(onlyPurchase(await shop.merchant.verdict())).toMatchObject({
      attempts: [
        { operation: 'payment.create', committed: true, concludes: 'OK' },
        { operation: 'auth.capture', committed: true, concludes: 'UNKNOWN', delivery: 'lost' },
      ],
      charges: [{ known: 'never', paymentId: held.parent_payment }],
    });
  });
});

onEveryTransport(
  'a purchase that is only partly in the journal',
  (transport) => {
    it('is not reported as unknown to the client', async () => {
      const shop = transport.shop();
      await shop.send('card.list');
      await shop.send('card.list');
      await tryToPay(shop, lost);
      const { purchases, counts, findings } = await shop.merchant.verdict({ allowDropped: true });
      expect(findings).toEqual([]);
      expect(counts.dropped).toBeGreaterThan(0);
      expect(purchases).toMatchObject([{ charges: [{ known: 'unsure' }] }]);
    });
  },
  { limits: { maxJournalEntries: 3 } },
);

onEveryTransport('purchases of two customers', (transport) => {
  it('stay separate if the invoice number of one is the custom of the other', async () => {
    const shop = transport.shop();
    await pay(shop, { transaction: { invoice_number: '1001' } });
    await pay(shop, { total: '99.00', transaction: { custom: '1001' } });
    for (const isForgotten of [false, true]) {
      if (isForgotten) shop.merchant.import(shop.merchant.export());
      const totals = shop.merchant.ledger().totals.purchases;
      expect(totals.map(({ label, netMinor }) => [label, netMinor])).toEqual([
        ['1001', 3011],
        ['1001', 9900],
      ]);
      const { findings, counts } = await shop.merchant.verdict({ allowNoRequests: true });
      expect([findings, counts.purchases]).toEqual([[], isForgotten ? 0 : 2]);
    }
  });

  it.each<[string, readonly PaymentOptions[], readonly string[]]>([
    ['are two if each names a customer', [{ customer: 'ada' }, { customer: 'bob' }], []],
    [
      'may be one if the second names none, as a retry may leave it out',
      [{ customer: 'ada' }, {}],
      ['medium double-charge'],
    ],
    [
      'are two if the expiry of the cards differs',
      [{ expire_month: 11 }, { expire_month: 12 }],
      [],
    ],
    ['may be one if all is equal', [{}, {}], ['medium double-charge']],
  ])('are told apart without a custom: they %s', async (_, both, found) => {
    const shop = transport.shop();
    for (const { customer, ...card } of both) {
      const body = rawPaymentBody({ ...card, external_customer_id: customer });
      await shop.ask('payment.create', 201, { body });
    }
    expect((await foundIn(shop)).filter((name) => name.endsWith('double-charge'))).toEqual(found);
  });

  interface PaymentOptions {
    readonly customer?: string;
    readonly expire_month?: number;
  }

  interface Try {
    readonly key: string;
    /** Which of two. */
    readonly card: 0 | 1;
    readonly total?: string;
    readonly outcome?: OutcomeId;
  }
  const first: Try = { key: 'one', card: 0 };
  const doubtful: Try = { ...first, outcome: lost };
  const declined: Try = { ...first, outcome: 'decline-generic' };
  const denied: Try = { ...first, outcome: 'sale-pending-then-denied' };
  const cheaper: Try = { key: 'two', card: 0, total: '12.00' };
  const otherCard: Try = { key: 'two', card: 1 };

  it.each<[string, readonly Try[], readonly number[]]>([
    ['are one if card and amount are equal', [first, { ...first, key: 'two' }], [6022]],
    ['are two if the cards differ', [first, otherCard], [3011, 3011]],
    ['are two if the amounts differ', [first, cheaper], [3011, 1200]],
    ['are two if one outcome was unknown meanwhile', [doubtful, cheaper, first], [3011, 1200]],
    ['are one if the first card was declined', [declined, otherCard], [3011]],
    ['are one if the first sale was denied', [denied, otherCard], [3011]],
    ['are one if the client could not know of the first payment', [doubtful, otherCard], [6022]],
    [
      'are two, and a declined attempt belongs to the next',
      [first, { ...declined, key: 'three' }, cheaper],
      [3011, 1200],
    ],
  ])('are counted if they share only a custom: they %s', async (_, tries, paid) => {
    const shop = transport.shop();
    const cards = [await storeCard(shop), await storeCard(shop)] as const;
    for (const { key, card, total, outcome } of tries) {
      if (outcome !== undefined) shop.merchant.force({ op: 'payment.create', outcome });
      const body = paymentBody({
        cardId: cards[card],
        ...(total !== undefined && { total }),
        transaction: { custom: '1001' },
      });
      await see(shop, 'payment.create', { body, headers: { 'PayPal-Request-Id': key } });
    }
    shop.merchant.clock.advance('P10D');
    const verdict = await shop.merchant.verdict({ expect: { sales: { perIntent: 1 } } });
    expect(verdict.counts.purchases).toBe(paid.length);
    expect(verdict.expectations[0]?.ok).toBe(!paid.includes(6022));
    const totals = shop.merchant.ledger().totals.purchases;
    expect(totals.map(({ chargedMinor }) => chargedMinor)).toEqual(paid);
  });
});
