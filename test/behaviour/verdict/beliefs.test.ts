/** What a client believes of its purchases, by every name that one has, and by names that nothing has. */
import { expect, it } from 'vitest';
import { see } from '../forcing/tolerant-client.ts';
import { throughEveryDoor, type Shop } from '../../support/transports.ts';
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
import { keyed, Till } from './support/payment-attempts.ts';

type Belief = 'paid' | 'not-paid' | 'unknown';

/** Why a verdict did not pass, as far as it is about what is believed; beside that, a scenario may count it. */
async function wronglyHeld({ merchant }: Shop, name: string, belief: Belief): Promise<string[]> {
  const { reasons, expectations } = await merchant.verdict({
    allowNoRequests: true,
    beliefs: { [name]: belief },
    expect: { beliefs: { paidWithoutCompletedSale: 0 } },
  });
  const wrong = reasons.filter(({ kind }) => kind === 'belief').map(({ text }) => text);
  expect(expectations[0]?.ok).toBe(belief !== 'paid' || wrong.length === 0);
  return wrong;
}

function giveBack(shop: Shop, saleId: string, body: Readonly<Record<string, unknown>>) {
  return shop.ask('sale.refund', 201, { params: { sale_id: saleId }, body });
}

throughEveryDoor('what is believed', (door) => {
  it.each<[Belief, boolean]>([
    ['paid', true],
    ['not-paid', false],
    ['unknown', false],
  ])('of a name that nothing has, %s: wrong is %s', async (belief, isWrong) => {
    const till = await Till.at(door.shop());
    await till.pay({ key: 'a', invoice: 'A' });
    const wrong = await wronglyHeld(till.shop, 'INV-NEVER', belief);
    expect(wrong).toEqual(
      isWrong
        ? ['Your code reports "INV-NEVER" as paid; no purchase in the journal has this name.']
        : [],
    );
  });

  it.each(['4929851042331971', '4929 8510 4233 1971', 'order/4929851042331971'])(
    'of a name that holds a card number is told without it: %s',
    async (name) => {
      const [wrong] = await wronglyHeld(door.shop(), name, 'paid');
      expect(wrong).toContain('no purchase in the journal has this name');
      expect(wrong).not.toMatch(/1971|4929/);
    },
  );

  it('of a payment that failed is found by the id of the payment', async () => {
    const shop = door.shop();
    shop.merchant.force({ op: 'payment.create', outcome: 'payment-state-failed' });
    const { id } = await pay(shop);
    expect(await wronglyHeld(shop, id, 'paid')).toHaveLength(1);
    expect(await wronglyHeld(shop, id, 'not-paid')).toEqual([]);
  });

  it('of a payment that is only authorized is found by the id of the payment', async () => {
    const shop = door.shop();
    const { parent_payment: id } = await authorize(shop);
    expect(await wronglyHeld(shop, id, 'paid')).toHaveLength(1);
  });

  it('of one of two payments under one name is held against that one alone', async () => {
    const shop = door.shop();
    const parts = { cardId: await storeCard(shop), transaction: { custom: 'order-77' } };
    const paid = [await pay(shop, parts), await pay(shop, parts)] as const;
    const sales = [saleOf(paid[0]), saleOf(paid[1])] as const;
    await giveBack(shop, sales[1].id, {});
    for (const [kept, gone] of [paid, sales]) {
      expect(await wronglyHeld(shop, kept.id, 'paid')).toEqual([]);
      expect(await wronglyHeld(shop, kept.id, 'not-paid')).toHaveLength(1);
      expect(await wronglyHeld(shop, gone.id, 'paid')).toHaveLength(1);
      const { reasons } = await shop.merchant.verdict({
        beliefs: { [kept.id]: 'paid', [gone.id]: 'paid' },
      });
      expect(reasons.map(({ text }) => text)).toEqual([
        expect.stringContaining(`${gone.id} (purchase "order-77") as paid`),
      ]);
    }
  });

  it('not to be paid is told what is kept', async () => {
    const shop = door.shop();
    const { id } = await sell(shop);
    await giveBack(shop, id, { amount: { total: '30.00', currency: 'USD' } });
    expect(await wronglyHeld(shop, id, 'not-paid')).toEqual([
      expect.stringContaining('as not paid; the ledger shows 0.11 USD for it.'),
    ]);
  });

  it('to be paid is told of a refund that is under way', async () => {
    const shop = door.shop();
    const { id } = await sell(shop);
    shop.merchant.force({ op: 'sale.refund', outcome: 'refund-failed-later' });
    await giveBack(shop, id, {});
    expect(await wronglyHeld(shop, id, 'paid')).toEqual([
      expect.stringContaining('as paid; a refund of 30.11 USD is pending.'),
    ]);
  });

  it('of an authorization and a capture is found by its id', async () => {
    const shop = door.shop();
    const { id } = await authorize(shop);
    expect(await wronglyHeld(shop, id, 'paid')).toHaveLength(1);
    const taken = await capture(shop, id, '30.00');
    for (const name of [id, taken.id]) {
      expect(await wronglyHeld(shop, name, 'paid')).toEqual([]);
      expect(await wronglyHeld(shop, name, 'not-paid')).toHaveLength(1);
    }
  });

  it('of a sale is found by the id that is longer than the stored one', async () => {
    const shop = door.shop();
    shop.merchant.force({ op: 'payment.create', outcome: 'id-format-longer' });
    const { id } = await pay(shop);
    expect(await wronglyHeld(shop, id, 'not-paid')).toHaveLength(1);
    expect(await wronglyHeld(shop, id, 'paid')).toEqual([]);
  });

  it('of a payment that the journal has forgotten is held against the ledger', async () => {
    const shop = door.shop();
    const payment = await pay(shop, { transaction: { invoice_number: 'A', custom: 'order A' } });
    shop.merchant.import(shop.merchant.export());
    for (const name of [payment.id, saleOf(payment).id, 'A', 'order A']) {
      expect(await wronglyHeld(shop, name, 'paid'), name).toEqual([]);
      expect((await wronglyHeld(shop, name, 'not-paid'))[0]).toContain(
        'the ledger shows 30.11 USD for it.',
      );
    }
  });
});

throughEveryDoor('what is believed of a name that several tries to pay carry', (door) => {
  type Names = Readonly<Record<string, string>>;

  /** Pays once for each, an hour apart; those that are not to be paid are declined. */
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
      'where a later one is paid',
      [
        [custom('o7'), false],
        [custom('o7'), true],
      ],
      { o7: 'paid' },
    ],
    [
      'with another invoice number each',
      [
        [both('I9-1', 'o9'), false],
        [both('I9-2', 'o9'), true],
      ],
      { o9: 'paid', 'I9-1': 'not-paid', 'I9-2': 'paid' },
    ],
    [
      'with another custom each',
      [
        [both('I', 'try-1'), false],
        [both('I', 'try-2'), true],
      ],
      { 'try-1': 'not-paid', 'try-2': 'paid', I: 'paid' },
    ],
    [
      'as an invoice number, and others as their custom',
      [
        [both('7', '9'), true],
        [both('9', '8'), false],
      ],
      { 9: 'not-paid', 7: 'paid', 8: 'not-paid' },
    ],
  ])('%s is right', async (_, made, beliefs) => {
    const shop = door.shop();
    await tries(shop, ...made);
    const { reasons } = await shop.merchant.verdict({
      beliefs,
      expect: { beliefs: { paidWithoutCompletedSale: 0 } },
    });
    expect(reasons.filter(({ kind }) => kind !== 'finding')).toEqual([]);
    const name = Object.keys(beliefs).find((one) => beliefs[one] === 'paid') ?? '';
    const [wrong] = await wronglyHeld(shop, name, 'not-paid');
    expect(wrong).toContain(name);
    expect(wrong).toContain('the ledger shows 30.11 USD for it.');
  });

  it('is wrong once for a name that nothing was paid under', async () => {
    const shop = door.shop();
    await tries(shop, [custom('o7'), false], [custom('o7'), false]);
    expect(await wronglyHeld(shop, 'o7', 'paid')).toEqual([
      'Your code reports purchase "o7" as paid; the ledger shows no payment for it.',
    ]);
  });

  it('is right where one of two was given back', async () => {
    const shop = door.shop();
    await sell(shop, { transaction: both('7', 'cart') });
    const { id } = await sell(shop, { transaction: both('8', 'cart') });
    await giveBack(shop, id, {});
    expect(await wronglyHeld(shop, 'cart', 'paid')).toEqual([]);
    expect(await wronglyHeld(shop, '8', 'paid')).toHaveLength(1);
  });
});

throughEveryDoor('what is believed of what came before the journal begins', (door) => {
  const order = { invoice_number: 'I7', custom: 'o7' };

  it.each(['one', 'two'])('is right after another try with the id %s', async (key) => {
    const shop = door.shop();
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
      expect(await wronglyHeld(shop, name, 'paid')).toEqual([]);
      expect(await wronglyHeld(shop, name, 'not-paid')).toHaveLength(1);
    }
  });

  it('is found by an authorization that is captured afterwards, and by what came of it', async () => {
    const shop = door.shop();
    const { id, parent_payment: payment } = await authorize(shop, { transaction: order });
    shop.merchant.import(shop.merchant.export());
    for (const name of [id, payment, 'I7']) {
      expect(await wronglyHeld(shop, name, 'paid')).toHaveLength(1);
    }
    const taken = await capture(shop, id, '30.00');
    for (const name of [id, payment, taken.id, 'I7']) {
      expect(await wronglyHeld(shop, name, 'paid'), name).toEqual([]);
      expect((await wronglyHeld(shop, name, 'not-paid'))[0]).toContain(
        'the ledger shows 30.00 USD for it.',
      );
    }
  });
});

throughEveryDoor(
  'what is believed of what made room in the journal',
  (door) => {
    it('is held against the ledger', async () => {
      const shop = door.shop();
      await sell(shop, { transaction: { invoice_number: 'I7' } });
      for (let at = 0; at < 3; at++) await shop.ask('card.list', 200, {});
      expect(await wronglyHeld(shop, 'I7', 'paid')).toEqual([]);
      expect(await wronglyHeld(shop, 'I7', 'not-paid')).toHaveLength(1);
    });
  },
  { limits: { maxJournalEntries: 2 } },
);
