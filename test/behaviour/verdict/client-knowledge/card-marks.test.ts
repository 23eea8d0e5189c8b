/** Marks tell cards apart for verdicts, and nothing shows a mark. */
import { expect, it } from 'vitest';
import { cardMarkOf } from '../../../../src/journal/card-mark.ts';
import { processHash } from '../../../../src/shared/process-hash.ts';
import { onEveryTransport, type Shop } from '../../../support/transports.ts';
import { storeCard } from '../../../support/purchases.ts';
import { cardBody, pans, rawPaymentBody } from '../../../support/samples.ts';

const endsAlike = '4000009990050331';
const stored = { number: pans.visa };
const paid = (number: unknown) => ({
  payer: { funding_instruments: [{ credit_card: { number } }] },
});

it('gives the same mark to one number, and another one to each other number and merchant', () => {
  const mark = cardMarkOf('shop', 'card.create', stored);
  expect(mark).toMatch(/^[\w-]{12}$/);
  expect(cardMarkOf('shop', 'payment.create', paid(pans.visa))).toBe(mark);
  expect(cardMarkOf('shop', 'payment.create', paid(Number(pans.visa)))).toBe(mark);
  expect(cardMarkOf('shop', 'payment.create', paid(endsAlike))).not.toBe(mark);
  expect(cardMarkOf('other', 'card.create', stored)).not.toBe(mark);
});

it('gives no mark to a request without a number', () => {
  expect(cardMarkOf('shop', 'card.create', {})).toBeUndefined();
  expect(cardMarkOf('shop', 'payment.create', undefined)).toBeUndefined();
  expect(cardMarkOf('shop', 'sale.refund', stored)).toBeUndefined();
  expect(cardMarkOf('shop', undefined, stored)).toBeUndefined();
});

it('gives another mark in another process', async () => {
  const path = '../../../../src/shared/process-hash.ts?as-another-process';
  const other = (await import(/* @vite-ignore */ path)) as { processHash: typeof processHash };
  expect(processHash('shop 4111')).toBe(processHash('shop 4111'));
  expect(other.processHash('shop 4111')).not.toBe(processHash('shop 4111'));
  expect(cardMarkOf('shop', 'card.create', stored)).toMatch(/^[\w-]{12}$/);
});

onEveryTransport('a card that was deleted', (transport) => {
  async function deleteCard(shop: Shop): Promise<void> {
    const cardId = await storeCard(shop, { external_customer_id: 'ada' });
    await shop.ask('card.delete', 204, { params: { card_id: cardId } });
  }

  const pay = (shop: Shop, change: Readonly<Record<string, unknown>> = {}) =>
    shop.ask('payment.create', 201, {
      body: rawPaymentBody({ cvv2: undefined, external_customer_id: 'ada', ...change }),
    });

  async function isFound(shop: Shop): Promise<boolean> {
    const { findings } = await shop.merchant.verdict();
    return findings.some(({ rule }) => rule === 'raw-card-instead-of-token');
  }

  it.each([
    ['its number', {}, true],
    ['its number and another expiry', { expire_year: 2034, expire_month: 2 }, true],
    ['a number that ends alike', { number: endsAlike }, false],
  ])('pays with %s, changed by %j: found is %s', async (_, change, found) => {
    const shop = transport.shop();
    await deleteCard(shop);
    await pay(shop, change);
    expect(await isFound(shop)).toBe(found);
  });

  it('shows its mark nowhere', async () => {
    const shop = transport.shop();
    await deleteCard(shop);
    await pay(shop);
    const { merchant } = shop;
    const shown = [
      merchant.export(),
      merchant.journal(),
      await merchant.verdict(),
      await merchant.verdictPage(),
    ];
    const mark = cardMarkOf(merchant.id, 'card.create', cardBody());
    expect(mark).toBeDefined();
    expect(JSON.stringify(shown)).not.toContain(mark);
  });

  it('is unknown after an import', async () => {
    const [shop, other] = [transport.shop(), transport.shop()];
    await deleteCard(shop);
    other.merchant.import(shop.merchant.export());
    await pay(other);
    expect(await isFound(other)).toBe(false);
  });
});
