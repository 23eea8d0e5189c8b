import { expect, it } from 'vitest';
import { onEveryTransport, type Shop } from '../../../support/transports.ts';
import { Gate } from '../../../support/gate.ts';
import { inOrder } from '../../../support/in-order.ts';
import { dayMs } from '../../../support/purchases.ts';
import { cardBody } from '../../../support/samples.ts';

const under = (id: string, change: Readonly<Record<string, unknown>> = {}) => ({
  body: cardBody(change),
  headers: { 'PayPal-Request-Id': id },
});

async function storedCards(shop: Shop): Promise<number | undefined> {
  return (await shop.ask('card.list', 200)).total_items;
}

onEveryTransport('storing a card twice under one request id', (transport) => {
  it('201 answers a repeat with the first card and Sandbox-Replayed', async () => {
    const shop = transport.shop();
    const first = await shop.reply('card.create', 201, under('once'));
    const repeat = await shop.reply('card.create', 201, under('once'));
    expect(repeat.text).toBe(first.text);
    expect(first.headers.get('sandbox-replayed')).toBeNull();
    expect(repeat.headers.get('sandbox-replayed')).toBe('true');
    expect(await storedCards(shop)).toBe(1);
  });

  it('201 recognises a repeat with another order, spacing and spelling of its body', async () => {
    const shop = transport.shop();
    const first = await shop.ask('card.create', 201, under('same'));
    const turned = Object.fromEntries(Object.entries(cardBody()).toReversed());
    const bodies = [
      turned,
      JSON.stringify(cardBody(), null, 2),
      cardBody({
        expire_month: '11',
        expire_year: '2031',
        cvv2: 874,
        unknown: true,
        payer_id: null,
      }),
    ];
    const repeats = await inOrder(bodies, (body) =>
      shop.ask('card.create', 201, { ...under('same'), body }),
    );
    expect(repeats.map((card) => card.id)).toEqual([first.id, first.id, first.id]);
  });

  it('201 recognises a repeat at another spelling of the path', async () => {
    const shop = transport.shop();
    const first = await shop.ask('card.create', 201, under('path'));
    const paths = [
      '/v1/vault/credit-cards/',
      '/v1/vault/credit-card',
      '/v1/vault/credit-card/',
      '/v1/vault/credit-cards?',
    ];
    const repeats = await inOrder(paths, (path) =>
      shop.ask('card.create', 201, { ...under('path'), path }),
    );
    expect(new Set(repeats.map((card) => card.id))).toEqual(new Set([first.id]));
  });

  it('201 shows the current card to a repeat', async () => {
    const shop = transport.shop();
    const first = await shop.ask('card.create', 201, under('now'));
    shop.merchant.clock.advance(1000);
    const patched = await shop.ask('card.update', 200, {
      params: { card_id: first.id },
      body: [{ op: 'replace', path: '/first_name', value: 'Grace' }],
    });
    expect(await shop.ask('card.create', 201, under('now'))).toEqual(patched);
  });

  it.each([
    ['number', '4111111111111111'],
    ['cvv2', '875'],
    ['cvv2', undefined],
    ['expire_year', 2032],
    ['first_name', 'Grace'],
    ['external_customer_id', 'cust-42'],
    ['billing_address', { line1: '2 Mock Way', city: 'Sampleton', country_code: 'GB' }],
  ])('400 refuses another body: %s', async (field, value) => {
    const shop = transport.shop();
    await shop.ask('card.create', 201, under('other'));
    const refused = await shop.ask('card.create', 400, under('other', { [field]: value }));
    expect(refused.name).toBe('DUPLICATE_REQUEST_ID');
    expect(refused.details).toBeUndefined();
    expect(await storedCards(shop)).toBe(1);
  });

  it('201 accepts ids of 1 and 78 characters, and distinguishes case', async () => {
    const shop = transport.shop();
    const ids = ['x', 'X', 'x'.repeat(78), `${'x'.repeat(77)}y`, 'an id with spaces'];
    const cards = await inOrder(ids, (id) => shop.ask('card.create', 201, under(id)));
    expect(new Set(cards.map((card) => card.id)).size).toBe(ids.length);
  });

  it.each([0, 79, 500])('400 refuses an id of %i characters', async (length) => {
    const shop = transport.shop();
    const refused = await shop.ask('card.create', 400, under('x'.repeat(length)));
    expect(refused).toMatchObject({
      name: 'PAYMENT_REQUEST_ID_INVALID',
      message: 'PayPal-Request-Id must have 1 to 78 characters',
    });
    expect(await storedCards(shop)).toBe(0);
  });

  it('201 remembers an id for exactly 30 days', async () => {
    const shop = transport.shop();
    const first = await shop.ask('card.create', 201, under('month'));
    shop.merchant.clock.advance(30 * dayMs - 1);
    expect((await shop.ask('card.create', 201, under('month'))).id).toBe(first.id);
    shop.merchant.clock.advance(1);
    const later = await shop.ask('card.create', 201, under('month'));
    expect(later.id).not.toBe(first.id);
    expect((await shop.ask('card.create', 201, under('month'))).id).toBe(later.id);
  });

  it('404 answers a repeat after the card was deleted', async () => {
    const shop = transport.shop();
    const { id } = await shop.ask('card.create', 201, under('gone'));
    await shop.ask('card.delete', 204, { params: { card_id: id } });
    const refused = await shop.ask('card.create', 404, under('gone'));
    expect(refused.name).toBe('INVALID_RESOURCE_ID');
    expect(await storedCards(shop)).toBe(0);
  });

  it('201 forgets the id of a refused request', async () => {
    const shop = transport.shop();
    await shop.ask('card.create', 400, { ...under('again'), body: {} });
    await shop.ask('card.create', 400, { ...under('again'), body: '{' });
    await shop.ask('card.create', 400, under('again', { number: '4417119669820332' }));
    await shop.ask('card.create', 400, under('again', { expire_year: 2020 }));
    const reply = await shop.reply('card.create', 201, under('again'));
    expect(reply.headers.get('sandbox-replayed')).toBeNull();
  });

  it('201 keeps ids per merchant, and forgets them at a reset', async () => {
    const [shop, other] = [transport.shop(), transport.shop()];
    const first = await shop.ask('card.create', 201, under('mine'));
    expect((await other.ask('card.create', 201, under('mine'))).id).not.toBe(first.id);
    shop.merchant.reset();
    const fresh = await shop.reply('card.create', 201, under('mine', { first_name: 'Grace' }));
    expect(fresh.headers.get('sandbox-replayed')).toBeNull();
  });

  it('201 stores one card for many concurrent repeats', async () => {
    const shop = transport.shop();
    const cards = await Promise.all(
      Array.from({ length: 20 }, () => shop.ask('card.create', 201, under('many'))),
    );
    expect(new Set(cards.map((card) => card.id)).size).toBe(1);
    expect(await storedCards(shop)).toBe(1);
  });

  it('200 executes every PATCH', async () => {
    const shop = transport.shop();
    const { id } = await shop.ask('card.create', 201, under('object'));
    const rename = (value: string) => ({
      params: { card_id: id },
      headers: { 'PayPal-Request-Id': 'object' },
      body: [{ op: 'replace', path: '/first_name', value }],
    });
    expect((await shop.ask('card.update', 200, rename('Grace'))).first_name).toBe('Grace');
    expect((await shop.ask('card.update', 200, rename('Joan'))).first_name).toBe('Joan');
    expect((await shop.ask('card.update', 200, rename('Grace'))).first_name).toBe('Grace');
  });

  it('ignores request ids of GET and DELETE', async () => {
    const shop = transport.shop();
    const { id } = await shop.ask('card.create', 201, under('object'));
    const headers = { 'PayPal-Request-Id': 'x'.repeat(100) };
    const params = { card_id: id };
    await shop.ask('card.get', 200, { params, headers });
    await shop.ask('card.list', 200, { headers });
    await shop.ask('card.delete', 204, { params, headers });
    await shop.ask('card.delete', 404, { params, headers });
  });
});

const gate = new Gate();

onEveryTransport(
  'storing a card while the first request has not ended',
  (transport) => {
    it('409 answers the same body, 400 another body, and 201 another id', async () => {
      const shop = transport.shop();
      const arrived = gate.close();
      const first = shop.ask('card.create', 201, under('held'));
      await arrived;
      const progress = await shop.ask('card.create', 409, under('held'));
      expect(progress).toMatchObject({
        name: 'PREVIOUS_REQUEST_IN_PROGRESS',
        message: 'An earlier request with this PayPal-Request-Id is still being processed',
      });
      const other = await shop.ask('card.create', 400, under('held', { first_name: 'Grace' }));
      expect(other.name).toBe('DUPLICATE_REQUEST_ID');
      const free = shop.ask('card.create', 201, under('free'));
      expect(await storedCards(shop)).toBe(0);
      gate.open();
      const cards = await Promise.all([first, free]);
      expect(new Set(cards.map((card) => card.id)).size).toBe(2);
      expect((await shop.ask('card.create', 201, under('held'))).id).toBe(cards[0].id);
      expect(await storedCards(shop)).toBe(2);
    });

    it('400 refuses a held request after the world changed, and forgets its id', async () => {
      const shop = transport.shop();
      const soon = { expire_month: 5, expire_year: 2026 };
      const arrived = gate.close();
      const first = shop.ask('card.create', 400, under('late', soon));
      await arrived;
      shop.merchant.clock.set('2026-06-01T00:00:00Z');
      gate.open();
      expect((await first).details).toEqual([
        { field: 'expire_month, expire_year', issue: 'Invalid expiration (cannot be in the past)' },
      ]);
      await shop.ask('card.create', 201, under('late'));
    });

    it('201 commits to the world of its start, even after a reset', async () => {
      const shop = transport.shop();
      const arrived = gate.close();
      const first = shop.ask('card.create', 201, under('reset'));
      await arrived;
      shop.merchant.reset();
      gate.open();
      await first;
      expect(await storedCards(shop)).toBe(0);
      const fresh = await shop.reply('card.create', 201, under('reset'));
      expect(fresh.headers.get('sandbox-replayed')).toBeNull();
    });
  },
  { hooks: { beforeCommit: gate.pass } },
);

onEveryTransport(
  'a merchant with more request ids than the limit',
  (transport) => {
    it('201 forgets the oldest ids first, and counts them', async () => {
      const shop = transport.shop();
      const ids = ['one', 'two', 'three', 'four'];
      const cards = await inOrder(ids, (id) => shop.ask('card.create', 201, under(id)));
      expect(transport.sandbox.health().droppedRequestIds).toBe(1);
      const replayed = await shop.ask('card.create', 201, under('four'));
      expect(replayed.id).toBe(cards[3]?.id);
      const forgotten = await shop.reply('card.create', 201, under('one'));
      expect(forgotten.headers.get('sandbox-replayed')).toBeNull();
    });
  },
  { limits: { maxRequestIds: 3 } },
);

const held = new Gate();
let isHolding = false;

onEveryTransport(
  'a request id whose request takes long',
  (transport) => {
    /** Resolves once the request stands at the gate; those that come after it pass by. */
    async function holdOne(shop: Shop) {
      isHolding = true;
      const arrived = held.close();
      const first = shop.ask('card.create', 201, under('long'));
      await arrived;
      isHolding = false;
      return { first };
    }

    it('201 keeps the id of a held request while others arrive', async () => {
      const shop = transport.shop();
      const { first } = await holdOne(shop);
      await inOrder(['one', 'two', 'three', 'four'], (id) =>
        shop.ask('card.create', 201, under(id)),
      );
      await shop.ask('card.create', 409, under('long'));
      held.open();
      expect((await shop.ask('card.create', 201, under('long'))).id).toBe((await first).id);
      expect(await storedCards(shop)).toBe(5);
    });

    it('409 answers repeats of a held request after its 30 days', async () => {
      const shop = transport.shop();
      const { first } = await holdOne(shop);
      shop.merchant.clock.advance(31 * dayMs);
      await shop.ask('card.create', 409, under('long'));
      held.open();
      await first;
      const fresh = await shop.reply('card.create', 201, under('long'));
      expect(fresh.headers.get('sandbox-replayed')).toBeNull();
    });
  },
  {
    limits: { maxRequestIds: 3 },
    hooks: { beforeCommit: () => (isHolding ? held.pass() : undefined) },
  },
);
