import { expect, it } from 'vitest';
import { onEveryTransport, type Shop } from '../../../support/transports.ts';
import { storeCard } from '../../../support/purchases.ts';
import { cardBody, pans } from '../../../support/samples.ts';

interface Operation {
  readonly op: string;
  readonly path: string;
  readonly from?: string;
  readonly value?: unknown;
}

const patch = (shop: Shop, cardId: string, ...body: readonly Operation[]) =>
  shop.ask('card.update', 200, { params: { card_id: cardId }, body });

const replace = (path: string, value: unknown): Operation => ({ op: 'replace', path, value });
const add = (path: string, value: unknown): Operation => ({ op: 'add', path, value });

const bare = { number: pans.visa, type: 'visa', expire_month: 11, expire_year: 2031 };
const london = { line1: '1 Road', city: 'London', country_code: 'GB' };

onEveryTransport('update a card', (transport) => {
  it('200 shows the whole changed card with a later update_time', async () => {
    const shop = transport.shop();
    const stored = await shop.ask('card.create', 201, { body: cardBody() });
    shop.merchant.clock.advance(90_000);
    const params = { card_id: stored.id };
    const body = [replace('/first_name', 'Grace')];
    const reply = await shop.reply('card.update', 200, { params, body });
    expect(reply.text).toBe(
      JSON.stringify({ ...stored, first_name: 'Grace', update_time: '2026-05-06T07:09:39Z' }),
    );
    const shown = await shop.reply('card.get', 200, { params });
    expect(shown.text).toBe(reply.text);
  });

  it.each([
    '/v1/vault/credit-cards/{card_id}',
    '/v1/vault/credit-cards/{card_id}/',
    '/v1/vault/credit-card/{card_id}',
    '/v1/vault/credit-card/{card_id}/',
    '/v1/vault/credit-cards/{card_id}?',
  ])('200 updates the card at %s', async (path) => {
    const shop = transport.shop();
    const params = { card_id: await storeCard(shop) };
    const body = [replace('/last_name', 'Hopper')];
    const card = await shop.ask('card.update', 200, { path, params, body });
    expect(card.last_name).toBe('Hopper');
  });

  it('200 replaces names that exist and adds names that do not', async () => {
    const shop = transport.shop();
    const { id } = await shop.ask('card.create', 201, { body: { ...bare, first_name: 'Ada' } });
    expect(await patch(shop, id, add('/first_name', 'Grace'))).toMatchObject({
      first_name: 'Grace',
    });
    expect(await patch(shop, id, add('/last_name', 'Hopper'))).toMatchObject({
      last_name: 'Hopper',
    });
  });

  it.each([
    ['12', '2033'],
    [12, 2033],
    ['012', 2033],
  ])('200 accepts an expiry of %j/%j and recalculates valid_until', async (month, year) => {
    const shop = transport.shop();
    const { id, valid_until: before } = await shop.ask('card.create', 201, {
      body: { ...bare, expire_month: 6, expire_year: 2027 },
    });
    expect(before).toBe('2027-07-01T00:00:00Z');
    const card = await patch(shop, id, replace('/expire_month', month), add('/expire_year', year));
    expect([card.expire_month, card.expire_year]).toStrictEqual([12, 2033]);
    expect(card.valid_until).toBe('2029-05-05T00:00:00Z');
    const shorter = await patch(shop, id, replace('/expire_year', 2026));
    expect(shorter.valid_until).toBe('2027-01-01T00:00:00Z');
  });

  it('200 counts valid_until from when the card was stored, not from the update', async () => {
    const shop = transport.shop();
    const { id } = await shop.ask('card.create', 201, { body: { ...bare, expire_year: 2026 } });
    shop.merchant.clock.set('2026-10-01T00:00:00Z');
    const card = await patch(shop, id, replace('/expire_year', '2035'));
    expect(card.valid_until).toBe('2029-05-05T00:00:00Z');
  });

  it('200 reactivates an expired card with a later expiry', async () => {
    const shop = transport.shop();
    const { id } = await shop.ask('card.create', 201, { body: { ...bare, expire_year: 2026 } });
    shop.merchant.clock.set('2027-01-01T00:00:00Z');
    const params = { card_id: id };
    expect((await shop.ask('card.get', 200, { params })).state).toBe('expired');
    expect((await patch(shop, id, replace('/expire_year', 2031))).state).toBe('ok');
  });

  it('200 renames an expired card', async () => {
    const shop = transport.shop();
    const { id } = await shop.ask('card.create', 201, { body: { ...bare, expire_year: 2026 } });
    shop.merchant.clock.set('2027-01-01T00:00:00Z');
    const card = await patch(shop, id, add('/first_name', 'Grace'));
    expect(card).toMatchObject({ state: 'expired', first_name: 'Grace' });
  });

  it('200 adds, replaces and removes an address, whole and by its members', async () => {
    const shop = transport.shop();
    const { id } = await shop.ask('card.create', 201, { body: bare });
    expect((await patch(shop, id, add('/billing_address', london))).billing_address).toEqual(
      london,
    );
    const home = { ...london, line1: '2 Road', line2: 'Flat 2' };
    const replaced = await patch(shop, id, replace('/billing_address', home));
    expect(replaced.billing_address).toEqual(home);
    const changed = await patch(
      shop,
      id,
      replace('/billing_address/line1', '3 Road'),
      add('/billing_address/phone', '+44'),
      { op: 'remove', path: '/billing_address/line2' },
    );
    expect(changed.billing_address).toEqual({ ...london, line1: '3 Road', phone: '+44' });
    const removed = await patch(shop, id, { op: 'remove', path: '/billing_address' });
    expect(removed).not.toHaveProperty('billing_address');
  });

  it('200 omits unknown keys and nulls of an address', async () => {
    const shop = transport.shop();
    const { id } = await shop.ask('card.create', 201, { body: bare });
    const sent = { ...london, line2: null, recipient_name: 'Ada' };
    expect((await patch(shop, id, add('/billing_address', sent))).billing_address).toEqual(london);
  });

  it('200 moves and copies members', async () => {
    const shop = transport.shop();
    const { id } = await shop.ask('card.create', 201, { body: cardBody() });
    const copied = await patch(shop, id, { op: 'copy', from: '/last_name', path: '/first_name' });
    expect(copied).toMatchObject({ first_name: 'Tester', last_name: 'Tester' });
    const moved = await patch(
      shop,
      id,
      { op: 'move', from: '/billing_address/city', path: '/billing_address/line2' },
      add('/billing_address/city', 'Elsewhere'),
    );
    expect(moved.billing_address).toMatchObject({ line2: 'Sampleton', city: 'Elsewhere' });
    const without = await patch(shop, id, { op: 'move', from: '/last_name', path: '/first_name' });
    expect(without).not.toHaveProperty('last_name');
  });

  it('200 applies the patch after successful tests of any member', async () => {
    const shop = transport.shop();
    const stored = await shop.ask('card.create', 201, { body: cardBody() });
    const card = await patch(
      shop,
      stored.id,
      { op: 'test', path: '/id', value: stored.id },
      { op: 'test', path: '/state', value: 'ok' },
      { op: 'test', path: '/number', value: 'xxxxxxxxxxxx0331' },
      { op: 'test', path: '/expire_month', value: 11 },
      { op: 'test', path: '/billing_address', value: stored.billing_address },
      { op: 'test', path: '/links/0/rel', value: 'self' },
      replace('/first_name', 'Grace'),
      { op: 'test', path: '/first_name', value: 'Grace' },
    );
    expect(card.first_name).toBe('Grace');
  });

  it('200 applies operations in order', async () => {
    const shop = transport.shop();
    const { id } = await shop.ask('card.create', 201, { body: bare });
    const names = Array.from({ length: 100 }, (_, i) => add('/first_name', `Name ${i}`));
    expect((await patch(shop, id, ...names)).first_name).toBe('Name 99');
  });

  it('200 keeps the owner of the card', async () => {
    const shop = transport.shop();
    const ids = {
      external_customer_id: 'cust-42',
      payer_id: 'payer-42',
      external_card_id: 'card-42',
      merchant_id: 'shop-42',
    };
    const { id } = await shop.ask('card.create', 201, { body: { ...bare, ...ids } });
    expect(await patch(shop, id, add('/first_name', 'Grace'))).toMatchObject(ids);
  });
});

onEveryTransport(
  'update a card, recorded profile',
  (transport) => {
    it('200 writes the expiry as strings, also when it was sent as numbers', async () => {
      const shop = transport.shop();
      const { id } = await shop.ask('card.create', 201, { body: bare });
      const card = await patch(
        shop,
        id,
        { op: 'test', path: '/expire_month', value: '11' },
        replace('/expire_month', '09'),
        replace('/expire_year', 2033),
      );
      expect([card.expire_month, card.expire_year]).toStrictEqual(['9', '2033']);
    });
  },
  { profile: 'recorded' },
);

onEveryTransport(
  'update a card in a sandbox that allows past expiries',
  (transport) => {
    it('200 accepts a past expiry', async () => {
      const shop = transport.shop();
      const { id } = await shop.ask('card.create', 201, { body: bare });
      const card = await patch(shop, id, replace('/expire_year', 2020));
      expect(card).toMatchObject({ expire_year: 2020, valid_until: '2029-05-05T00:00:00Z' });
    });
  },
  { allowPastExpiry: true },
);
