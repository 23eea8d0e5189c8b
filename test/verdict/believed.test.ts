/** What a client believes of its purchases, by every name that one has, and by names that nothing has. */
import { expect, it } from 'vitest';
import { throughEveryDoor, type Shop } from '../support/doors.ts';
import { authorize, pay, saleOf } from '../support/purchases.ts';
import { Till } from './tries.ts';

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
        ? [
            'Your code holds "INV-NEVER", which no purchase in the journal is called, to be paid, and the ledger has no money of it.',
          ]
        : [],
    );
  });

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
      expect((await wronglyHeld(shop, name, 'not-paid'))[0]).toContain('has 30.11 USD of it.');
    }
  });
});
