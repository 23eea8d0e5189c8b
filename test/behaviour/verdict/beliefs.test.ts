/** Beliefs of a client about its purchases, by every name and id, and by unknown names. */
import { expect, it } from 'vitest';
import { see } from '../forcing/tolerant-client.ts';
import { onEveryTransport, type Shop } from '../../support/transports.ts';
import {
  authorize,
  capture,
  hourMs,
  pay,
  saleOf,
  sell,
  storeCard,
} from '../../support/purchases.ts';
import { paymentBody } from '../../support/samples.ts';
import { keyed, Checkout } from './support/payment-attempts.ts';

type Belief = 'paid' | 'not-paid' | 'unknown';

/** The texts of wrong beliefs. It also checks the expectation that counts them. */
async function wrongBeliefs(
  { merchant }: Shop,
  name: string,
  belief: Belief,
  settle = 'PT0S',
): Promise<string[]> {
  const { reasons, expectations } = await merchant.verdict({
    allowNoRequests: true,
    settle,
    beliefs: { [name]: belief },
    expect: { beliefs: { paidWithoutCompletedSale: 0 } },
  });
  const wrong = reasons.filter(({ kind }) => kind === 'belief').map(({ text }) => text);
  expect(expectations[0]?.ok).toBe(belief !== 'paid' || wrong.length === 0);
  return wrong;
}

function refund(shop: Shop, saleId: string, body: Readonly<Record<string, unknown>>) {
  return shop.ask('sale.refund', 201, { params: { sale_id: saleId }, body });
}

onEveryTransport('a belief', (transport) => {
  it.each<[Belief, boolean]>([
    ['paid', true],
    ['not-paid', false],
    ['unknown', false],
  ])('about an unknown name, %s, is wrong: %s', async (belief, isWrong) => {
    const till = await Checkout.at(transport.shop());
    await till.pay({ key: 'a', invoice: 'A' });
    const wrong = await wrongBeliefs(till.shop, 'INV-NEVER', belief);
    expect(wrong).toEqual(
      isWrong
        ? ['Your code reports "INV-NEVER" as paid; no purchase in the journal has this name.']
        : [],
    );
  });

  it.each(['4929851042331971', '4929 8510 4233 1971', 'order/4929851042331971'])(
    'is reported without the card number in its name: %s',
    async (name) => {
      const [wrong] = await wrongBeliefs(transport.shop(), name, 'paid');
      expect(wrong).toContain('no purchase in the journal has this name');
      expect(wrong).not.toMatch(/1971|4929/);
    },
  );

  it.each([
    [false, []],
    [
      true,
      [
        expect.stringMatching(
          /reports payment PAY-\S+ .* as paid; the ledger shows that the bank took the money back\.$/,
        ),
      ],
    ],
  ])(
    'about money that the bank took back is wrong once an answer shows it: %s',
    async (looks, wrong) => {
      const shop = transport.shop();
      shop.merchant.force({
        op: 'payment.create',
        outcome: { outcome: 'chargeback-opened-won-lost', with: { outcome: 'lost' } },
      });
      const payment = await pay(shop);
      shop.merchant.clock.advance(400 * 24 * hourMs);
      if (looks) await shop.ask('sale.get', 200, { params: { sale_id: saleOf(payment).id } });
      expect(await wrongBeliefs(shop, payment.id, 'paid')).toEqual(wrong);
    },
  );

  it('finds a failed payment by its id', async () => {
    const shop = transport.shop();
    shop.merchant.force({ op: 'payment.create', outcome: 'payment-state-failed' });
    const { id } = await pay(shop);
    expect(await wrongBeliefs(shop, id, 'paid')).toHaveLength(1);
    expect(await wrongBeliefs(shop, id, 'not-paid')).toEqual([]);
  });

  it('finds an authorized payment by its id', async () => {
    const shop = transport.shop();
    const { parent_payment: id } = await authorize(shop);
    expect(await wrongBeliefs(shop, id, 'paid')).toHaveLength(1);
  });

  it.each([
    ['sale-pending-then-completed', 'PT0S', 'a sale of 30.11 USD for it is pending'],
    [
      'sale-pending-then-denied',
      'P4D',
      'a sale of 30.11 USD for it is pending, and will be denied',
    ],
    ['declined-inside-201', 'P4D', 'a sale of 30.11 USD for it was denied'],
    ['payment-state-failed', 'P4D', 'a payment of 30.11 USD for it failed'],
  ] as const)(
    'is answered with the payment that brought no money: %s',
    async (outcome, settle, fact) => {
      const shop = transport.shop();
      shop.merchant.force({ op: 'payment.create', outcome });
      const { id } = await pay(shop, { transaction: { custom: 'order-7' } });
      for (const name of [id, 'order-7']) {
        expect(await wrongBeliefs(shop, name, 'paid', settle)).toEqual([
          expect.stringMatching(new RegExp(String.raw`"order-7".* as paid; ${fact}\.$`)),
        ]);
      }
    },
  );

  it('is answered with an authorization that was not captured', async () => {
    const shop = transport.shop();
    const wrong = () => wrongBeliefs(shop, 'order-7', 'paid');
    const order = { transaction: { custom: 'order-7' } };
    const start = 'Your code reports purchase "order-7" as paid;';
    const { id } = await authorize(shop, order);
    expect(await wrong()).toEqual([`${start} 30.11 USD for it is on hold, and was not captured.`]);
    await shop.ask('auth.void', 200, { params: { authorization_id: id } });
    expect(await wrong()).toEqual([`${start} the authorization of 30.11 USD for it was voided.`]);
    await authorize(shop, order);
    shop.merchant.clock.advance(40 * 24 * hourMs);
    expect(await wrong()).toEqual([`${start} the authorization of 30.11 USD for it has expired.`]);
  });

  it('is answered with the latest of several payments that brought no money', async () => {
    const shop = transport.shop();
    const order = { transaction: { custom: 'order-7' } };
    shop.merchant.force({ op: 'payment.create', outcome: 'declined-inside-201' });
    await pay(shop, order);
    await authorize(shop, order);
    expect(await wrongBeliefs(shop, 'order-7', 'paid')).toEqual([
      expect.stringContaining('30.11 USD for it is on hold'),
    ]);
  });

  it('is answered with a payment that has no sale, by each name that it has had', async () => {
    const shop = transport.shop();
    shop.merchant.force({ op: 'payment.create', outcome: 'partial-commit' });
    const cardId = await storeCard(shop);
    const body = paymentBody({ cardId, transaction: { custom: 'cart-1' } });
    await shop.send('payment.create', { body });
    const { payments } = await shop.ask('payment.list', 200, {});
    await shop.ask('payment.update', 200, {
      params: { payment_id: payments[0]?.id ?? '' },
      body: [{ op: 'replace', path: '/transactions/0/custom', value: 'order-7' }],
    });
    for (const name of ['cart-1', 'order-7']) {
      expect(await wrongBeliefs(shop, name, 'paid')).toEqual([
        expect.stringContaining('as paid; a payment of 30.11 USD for it has no sale.'),
      ]);
    }
  });

  it('about one of two payments with the same name is compared with that payment alone', async () => {
    const shop = transport.shop();
    const parts = { cardId: await storeCard(shop), transaction: { custom: 'order-77' } };
    const paid = [await pay(shop, parts), await pay(shop, parts)] as const;
    const sales = [saleOf(paid[0]), saleOf(paid[1])] as const;
    await refund(shop, sales[1].id, {});
    for (const [kept, gone] of [paid, sales]) {
      expect(await wrongBeliefs(shop, kept.id, 'paid')).toEqual([]);
      expect(await wrongBeliefs(shop, kept.id, 'not-paid')).toHaveLength(1);
      expect(await wrongBeliefs(shop, gone.id, 'paid')).toHaveLength(1);
      const { reasons } = await shop.merchant.verdict({
        beliefs: { [kept.id]: 'paid', [gone.id]: 'paid' },
      });
      expect(reasons.map(({ text }) => text)).toEqual([
        expect.stringContaining(`${gone.id} (purchase "order-77") as paid`),
      ]);
    }
  });

  it('is answered with the amount that the merchant keeps if it says that something is not paid', async () => {
    const shop = transport.shop();
    const { id } = await sell(shop);
    await refund(shop, id, { amount: { total: '30.00', currency: 'USD' } });
    expect(await wrongBeliefs(shop, id, 'not-paid')).toEqual([
      expect.stringContaining('as not paid; the ledger shows 0.11 USD for it.'),
    ]);
  });

  it('is answered with a pending refund if it says that something is paid', async () => {
    const shop = transport.shop();
    const { id } = await sell(shop);
    shop.merchant.force({ op: 'sale.refund', outcome: 'refund-failed-later' });
    await refund(shop, id, {});
    expect(await wrongBeliefs(shop, id, 'paid')).toEqual([
      expect.stringContaining('as paid; a refund of 30.11 USD is pending.'),
    ]);
  });

  it('is answered with a sale that is still pending, although the verdict looks ahead', async () => {
    const shop = transport.shop();
    shop.merchant.force({ op: 'payment.create', outcome: 'sale-pending-then-completed' });
    const { id } = await sell(shop);
    expect(await wrongBeliefs(shop, id, 'not-paid')).toEqual([]);
    expect(await wrongBeliefs(shop, id, 'not-paid', 'P3D')).toEqual([
      expect.stringContaining(
        'as not paid; a sale of 30.11 USD for it is pending, and will be completed.',
      ),
    ]);
    shop.merchant.clock.advance('P3D');
    expect(await wrongBeliefs(shop, id, 'not-paid', 'P3D')).toEqual([
      expect.stringContaining('as not paid; the ledger shows 30.11 USD for it.'),
    ]);
  });

  it('is answered with a refund that is still pending, although the verdict looks ahead', async () => {
    const shop = transport.shop();
    const { id } = await sell(shop);
    shop.merchant.force({ op: 'sale.refund', outcome: 'refund-pending-then-completed' });
    await refund(shop, id, {});
    expect(await wrongBeliefs(shop, id, 'paid', 'P3D')).toEqual([
      expect.stringContaining('as paid; a refund of 30.11 USD is pending.'),
    ]);
  });

  it('is answered with the refund of all that was paid if it says that something is paid', async () => {
    const shop = transport.shop();
    const { id } = await sell(shop);
    await refund(shop, id, {});
    expect(await wrongBeliefs(shop, id, 'paid')).toEqual([
      expect.stringContaining('as paid; the ledger shows that it was refunded.'),
    ]);
  });

  it.each([
    ['executed-twice-by-proxy', false],
    ['reset-after-commit', true],
  ] as const)(
    'that a refunded order is not paid is right if a proxy paid it again unseen: %s',
    async (outcome, isWrong) => {
      const till = await Checkout.at(transport.shop());
      till.forceOutcome(outcome);
      await till.pay({ key: 'a', custom: 'order-1' });
      const answer = await till.pay({ key: isWrong ? 'b' : 'a', custom: 'order-1' });
      const { body } = { body: JSON.parse(answer.text) as Parameters<typeof saleOf>[0] };
      await refund(till.shop, saleOf(body).id, {});
      expect(await wrongBeliefs(till.shop, 'order-1', 'not-paid')).toHaveLength(isWrong ? 1 : 0);
    },
  );

  it('finds an authorization and a capture by their ids', async () => {
    const shop = transport.shop();
    const { id } = await authorize(shop);
    expect(await wrongBeliefs(shop, id, 'paid')).toHaveLength(1);
    const taken = await capture(shop, id, '30.00');
    for (const name of [id, taken.id]) {
      expect(await wrongBeliefs(shop, name, 'paid')).toEqual([]);
      expect(await wrongBeliefs(shop, name, 'not-paid')).toHaveLength(1);
    }
  });

  it('finds a sale by an id in the long format', async () => {
    const shop = transport.shop();
    shop.merchant.force({ op: 'payment.create', outcome: 'id-format-longer' });
    const { id } = await pay(shop);
    expect(await wrongBeliefs(shop, id, 'not-paid')).toHaveLength(1);
    expect(await wrongBeliefs(shop, id, 'paid')).toEqual([]);
  });

  it('about a payment without a journal entry is compared with the ledger', async () => {
    const shop = transport.shop();
    const payment = await pay(shop, { transaction: { invoice_number: 'A', custom: 'order A' } });
    shop.merchant.import(shop.merchant.export());
    for (const name of [payment.id, saleOf(payment).id, 'A', 'order A']) {
      expect(await wrongBeliefs(shop, name, 'paid'), name).toEqual([]);
      expect((await wrongBeliefs(shop, name, 'not-paid'))[0]).toContain(
        'the ledger shows 30.11 USD for it.',
      );
    }
  });
});

onEveryTransport('a belief about a name that several attempts share', (transport) => {
  type Names = Readonly<Record<string, string>>;

  /** Sends one attempt for each, an hour apart. The unpaid ones are declined. */
  async function tries(shop: Shop, ...all: readonly (readonly [Names, boolean])[]) {
    const cardId = await storeCard(shop);
    for (const [transaction, isPaid] of all) {
      if (!isPaid) shop.merchant.force({ op: 'payment.create', outcome: 'decline-generic' });
      const body = paymentBody({ cardId, transaction });
      await shop.ask('payment.create', isPaid ? 201 : 400, { body });
      shop.merchant.clock.advance(hourMs);
    }
  }

  const custom = (name: string) => ({ custom: name });
  const both = (invoice_number: string, name: string) => ({ invoice_number, custom: name });

  it.each<[string, (readonly [Names, boolean])[], Record<string, Belief>]>([
    [
      'if a later attempt is paid',
      [
        [custom('o7'), false],
        [custom('o7'), true],
      ],
      { o7: 'paid' },
    ],
    [
      'if each attempt has another invoice number',
      [
        [both('I9-1', 'o9'), false],
        [both('I9-2', 'o9'), true],
      ],
      { o9: 'paid', 'I9-1': 'not-paid', 'I9-2': 'paid' },
    ],
    [
      'if each attempt has another custom',
      [
        [both('I', 'try-1'), false],
        [both('I', 'try-2'), true],
      ],
      { 'try-1': 'not-paid', 'try-2': 'paid', I: 'paid' },
    ],
    [
      'if it is an invoice number, and the custom of others',
      [
        [both('7', '9'), true],
        [both('9', '8'), false],
      ],
      { 9: 'not-paid', 7: 'paid', 8: 'not-paid' },
    ],
  ])('is right %s', async (_, made, beliefs) => {
    const shop = transport.shop();
    await tries(shop, ...made);
    const { reasons } = await shop.merchant.verdict({
      beliefs,
      expect: { beliefs: { paidWithoutCompletedSale: 0 } },
    });
    expect(reasons.filter(({ kind }) => kind !== 'finding')).toEqual([]);
    const name = Object.keys(beliefs).find((one) => beliefs[one] === 'paid') ?? '';
    const [wrong] = await wrongBeliefs(shop, name, 'not-paid');
    expect(wrong).toContain(name);
    expect(wrong).toContain('the ledger shows 30.11 USD for it.');
  });

  it('is wrong once for a name without a paid attempt', async () => {
    const shop = transport.shop();
    await tries(shop, [custom('o7'), false], [custom('o7'), false]);
    expect(await wrongBeliefs(shop, 'o7', 'paid')).toEqual([
      'Your code reports purchase "o7" as paid; the ledger shows no payment for it.',
    ]);
  });

  it('is right after one of two payments was refunded', async () => {
    const shop = transport.shop();
    await sell(shop, { transaction: both('7', 'cart') });
    const { id } = await sell(shop, { transaction: both('8', 'cart') });
    await refund(shop, id, {});
    expect(await wrongBeliefs(shop, 'cart', 'paid')).toEqual([]);
    expect(await wrongBeliefs(shop, '8', 'paid')).toHaveLength(1);
  });
});

onEveryTransport('a belief about a payment from before the journal starts', (transport) => {
  const order = { invoice_number: 'I7', custom: 'o7' };

  it.each(['one', 'two'])('is right after another attempt with the request id %s', async (key) => {
    const shop = transport.shop();
    const cardId = await storeCard(shop);
    const tryIt = (requestId: string) =>
      see(shop, 'payment.create', {
        body: paymentBody({ cardId, transaction: order }),
        headers: keyed(requestId),
      });
    await tryIt('one');
    shop.merchant.import(shop.merchant.export());
    await tryIt(key);
    for (const name of ['I7', 'o7']) {
      expect(await wrongBeliefs(shop, name, 'paid')).toEqual([]);
      expect(await wrongBeliefs(shop, name, 'not-paid')).toHaveLength(1);
    }
  });

  it('finds an authorization that is captured later, and its capture', async () => {
    const shop = transport.shop();
    const { id, parent_payment: payment } = await authorize(shop, { transaction: order });
    shop.merchant.import(shop.merchant.export());
    for (const name of [id, payment, 'I7']) {
      expect(await wrongBeliefs(shop, name, 'paid')).toHaveLength(1);
    }
    const taken = await capture(shop, id, '30.00');
    for (const name of [id, payment, taken.id, 'I7']) {
      expect(await wrongBeliefs(shop, name, 'paid'), name).toEqual([]);
      expect((await wrongBeliefs(shop, name, 'not-paid'))[0]).toContain(
        'the ledger shows 30.00 USD for it.',
      );
    }
  });
});

onEveryTransport(
  'a belief about a payment that the journal dropped',
  (transport) => {
    it('is compared with the ledger', async () => {
      const shop = transport.shop();
      await sell(shop, { transaction: { invoice_number: 'I7' } });
      for (let at = 0; at < 3; at++) await shop.ask('card.list', 200, {});
      expect(await wrongBeliefs(shop, 'I7', 'paid')).toEqual([]);
      expect(await wrongBeliefs(shop, 'I7', 'not-paid')).toHaveLength(1);
    });
  },
  { limits: { maxJournalEntries: 2 } },
);
