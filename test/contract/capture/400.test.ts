import { expect, it } from 'vitest';
import { onEveryTransport, type Shop } from '../../support/transports.ts';
import { authorize, capture, dayMs, merchantBalanceMinor } from '../../support/purchases.ts';
import {
  formatIssue,
  issuesOf,
  malformedRequest,
  refusalOf,
  requiredIssue,
  zeroIssue,
} from '../../support/requests/refusals.ts';
import { overLimit, stateOf, take, unknownId } from './take.ts';

const completed = {
  name: 'AUTHORIZATION_ALREADY_COMPLETED',
  message: 'The authorization has been captured in full or with a final capture',
};

onEveryTransport('refuse to capture an authorization', (transport) => {
  it('400 counts earlier captures towards the limit', async () => {
    const shop = transport.shop();
    const { id } = await authorize(shop, { total: '100.00' });
    await capture(shop, id, '99.00');
    expect(await refusalOf(shop, 'auth.capture', take(id, '16.01'))).toEqual(overLimit);
    await capture(shop, id, '16.00');
    expect(merchantBalanceMinor(shop)).toBe(11_500);
  });

  it('400 does not allow another capture after a refund', async () => {
    const shop = transport.shop();
    const { id } = await authorize(shop);
    const taken = await capture(shop, id, '30.11');
    await shop.ask('capture.refund', 201, { params: { capture_id: taken.id }, body: {} });
    expect(await refusalOf(shop, 'auth.capture', take(id, '1.00'))).toEqual(completed);
  });

  it.each([
    [
      'with a final capture',
      async (shop: Shop, id: string) => capture(shop, id, '1.00', { is_final_capture: true }),
      completed,
    ],
    [
      'once all is captured',
      async (shop: Shop, id: string) => capture(shop, id, '30.11'),
      completed,
    ],
    [
      'after a void',
      async (shop: Shop, id: string) =>
        shop.ask('auth.void', 200, { params: { authorization_id: id }, body: {} }),
      { name: 'AUTHORIZATION_VOIDED', message: 'The authorization has been voided' },
    ],
    [
      'after 29 days',
      async (shop: Shop) => shop.merchant.clock.advance(29 * dayMs),
      { name: 'AUTHORIZATION_EXPIRED', message: 'The authorization has expired' },
    ],
  ])('400 refuses a capture of an authorization that ended %s', async (_, bring, refusal) => {
    const shop = transport.shop();
    const { id } = await authorize(shop);
    await bring(shop, id);
    const { transfers } = shop.merchant.ledger();
    expect(await refusalOf(shop, 'auth.capture', take(id, '1.00'))).toEqual(refusal);
    expect(shop.merchant.ledger().transfers).toEqual(transfers);
  });

  it('400 refuses another currency', async () => {
    const shop = transport.shop();
    const { id } = await authorize(shop);
    const request = take(id, undefined, { amount: { total: '10.00', currency: 'EUR' } });
    expect(await refusalOf(shop, 'auth.capture', request)).toEqual({
      name: 'CURRENCY_MISMATCH',
      message: 'The currency must be the one of the original transaction',
    });
  });

  it.each([
    [{}, 'amount', requiredIssue],
    [{ amount: null }, 'amount', requiredIssue],
    [{ amount: { currency: 'USD' } }, 'amount.total', requiredIssue],
    [{ amount: { total: '1.00' } }, 'amount.currency', requiredIssue],
    [{ amount: { total: '0.00', currency: 'USD' } }, 'amount.total', zeroIssue],
    [{ amount: { total: '1.5', currency: 'USD' } }, 'amount.total', formatIssue],
    [{ amount: { total: '-1.00', currency: 'USD' } }, 'amount.total', formatIssue],
    [{ amount: { total: 1, currency: 'USD' } }, 'amount.total', formatIssue],
  ])('400 refuses the body %j for its %s', async (body, field, issue) => {
    const shop = transport.shop();
    const { id } = await authorize(shop);
    const request = { params: { authorization_id: id }, body };
    expect(await issuesOf(shop, 'auth.capture', request)).toEqual([[field, issue]]);
  });

  it.each([
    ['invoice_number', 127],
    ['note_to_payer', 255],
  ])('400 refuses a %s longer than %i', async (name, max) => {
    const shop = transport.shop();
    const { id } = await authorize(shop);
    const request = take(id, '1.00', { [name]: 'x'.repeat(max + 1) });
    expect(await issuesOf(shop, 'auth.capture', request)).toEqual([
      [name, `Value exceeds max length of ${max}`],
    ]);
  });

  it.each([
    ['an unknown key', { surprise: 1 }],
    ['an amount as a text', { amount: '1.00' }],
    ['is_final_capture as a number', { is_final_capture: 1 }],
  ])('400 refuses a body with %s', async (_, change) => {
    const shop = transport.shop();
    const { id } = await authorize(shop);
    const request = take(id, '1.00', change);
    expect(await refusalOf(shop, 'auth.capture', request)).toEqual(malformedRequest);
    expect(await stateOf(shop, id)).toBe('authorized');
  });

  it("404 refuses an unknown authorization and another merchant's", async () => {
    const owner = transport.shop();
    const theirs = await authorize(owner);
    const shop = transport.shop();
    for (const id of [unknownId, theirs.id]) {
      const { name } = await shop.ask('auth.capture', 404, take(id, '1.00'));
      expect(name).toBe('INVALID_RESOURCE_ID');
    }
    expect(owner.merchant.ledger().transfers).toEqual([]);
  });
});

onEveryTransport('refuse to show a capture', (transport) => {
  it("404 refuses an unknown id, the id of an authorization, and another merchant's", async () => {
    const owner = transport.shop();
    const theirs = await capture(owner, (await authorize(owner)).id, '10.00');
    const shop = transport.shop();
    const { id: authorizationId } = await authorize(shop);
    for (const id of [unknownId, authorizationId, theirs.id]) {
      const { name } = await shop.ask('capture.get', 404, { params: { capture_id: id } });
      expect(name).toBe('INVALID_RESOURCE_ID');
    }
  });
});
