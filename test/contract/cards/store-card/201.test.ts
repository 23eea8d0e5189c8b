import { expect, it } from 'vitest';
import { onEveryTransport } from '../../../support/transports.ts';
import { inOrder } from '../../../support/in-order.ts';
import { cardBody, pans } from '../../../support/samples.ts';

/** The first card of the merchant `golden`. */
const goldenId = 'CARD-9MX87562CS60423754FEUBFB';

const bare = { number: pans.visa, type: 'visa', expire_month: 11, expire_year: 2031 };

const full = cardBody({
  billing_address: {
    line1: '1 Mock Way',
    line2: 'Flat 2',
    city: 'Sampleton',
    state: 'OH',
    postal_code: '43001',
    country_code: 'US',
    phone: '+1 614 555 0100',
  },
  external_customer_id: 'cust-42',
  payer_id: 'payer-42',
  external_card_id: 'card-42',
  merchant_id: 'shop-42',
});

/** The whole answer to `full`; `expiry` writes what the profiles write differently. */
function goldenCard(base: string, id: string, expiry: (part: number) => number | string): string {
  const href = `${base}/v1/vault/credit-card/${id}`;
  return JSON.stringify({
    id,
    state: 'ok',
    external_customer_id: 'cust-42',
    payer_id: 'payer-42',
    external_card_id: 'card-42',
    merchant_id: 'shop-42',
    type: 'visa',
    number: 'xxxxxxxxxxxx0331',
    expire_month: expiry(11),
    expire_year: expiry(2031),
    first_name: 'Ada',
    last_name: 'Tester',
    billing_address: full['billing_address'],
    valid_until: '2029-05-05T00:00:00Z',
    create_time: '2026-05-06T07:08:09Z',
    update_time: '2026-05-06T07:08:09Z',
    links: [
      { href, rel: 'self', method: 'GET' },
      { href, rel: 'delete', method: 'DELETE' },
      { href, rel: 'patch', method: 'PATCH' },
    ],
  });
}

onEveryTransport('store a card', (transport) => {
  it('201 shows the recorded keys in the recorded order', async () => {
    const reply = await transport.shop('golden').reply('card.create', 201, { body: full });
    expect(reply.text).toBe(goldenCard(transport.base, goldenId, (part) => part));
    expect(reply.headers.get('date')).toBe('Wed, 06 May 2026 07:08:09 GMT');
  });

  it('201 omits fields that were not sent', async () => {
    const card = await transport.shop().ask('card.create', 201, { body: bare });
    expect(Object.keys(card)).toEqual([
      'id',
      'state',
      'type',
      'number',
      'expire_month',
      'expire_year',
      'valid_until',
      'create_time',
      'update_time',
      'links',
    ]);
  });

  it('201 never shows the number or cvv2', async () => {
    const shop = transport.shop();
    const reply = await shop.reply('card.create', 201, { body: cardBody() });
    const listed = await shop.reply('card.list', 200);
    for (const { text } of [reply, listed]) {
      expect(text).not.toContain('cvv');
      expect(text).not.toContain('874"');
      expect(text).not.toContain(pans.visa.slice(0, 12));
    }
  });

  it('201 creates ids of the recorded form', async () => {
    const shop = transport.shop();
    const ids = await inOrder([1, 2, 3, 4, 5], async () => {
      const card = await shop.ask('card.create', 201, { body: cardBody() });
      return card.id;
    });
    expect(new Set(ids).size).toBe(5);
    for (const id of ids)
      expect(id).toMatch(/^CARD-[0-9][A-Z]{2}[0-9]{5}[A-Z]{2}[0-9]{7}[A-Z2-7]{7}$/);
  });

  it.each([
    ['visa', '4222222222222', '123', 'xxxxxxxxx2222'],
    ['visa', '4417119669820331', '123', 'xxxxxxxxxxxx0331'],
    ['visa', '4000000000000000006', '123', 'xxxxxxxxxxxxxxx0006'],
    ['mastercard', '5555555555554444', '123', 'xxxxxxxxxxxx4444'],
    ['mastercard', '2223003122003222', '123', 'xxxxxxxxxxxx3222'],
    ['amex', '378282246310005', '1234', 'xxxxxxxxxxx0005'],
    ['discover', '6011111111111117', '123', 'xxxxxxxxxxxx1117'],
    ['discover', '6011000000000000001', '123', 'xxxxxxxxxxxxxxx0001'],
    ['maestro', '501800000009', '123', 'xxxxxxxx0009'],
    ['maestro', '6304000000000000', '123', 'xxxxxxxxxxxx0000'],
    ['maestro', '6759649826438453', '123', 'xxxxxxxxxxxx8453'],
  ])('201 redacts a %s number %s', async (type, number, cvv2, shown) => {
    const card = await transport
      .shop()
      .ask('card.create', 201, { body: { ...bare, type, number, cvv2 } });
    expect(card).toMatchObject({ type, number: shown });
  });

  it.each([
    '4417119669820331',
    '4032034389224968',
    '4567516310777851',
    '4422009910903049',
    '4111111111111111',
    '4449335840161468',
    '4329685037393232',
    '4917912523797702',
    '4008068706418697',
    '4160285494148633',
  ])('201 accepts the test number %s', async (number) => {
    await transport.shop().ask('card.create', 201, { body: { ...bare, number } });
  });

  it.each([
    [11, 2031, 11, 2031],
    ['11', '2031', 11, 2031],
    ['09', '2031', 9, 2031],
    ['9', 2031, 9, 2031],
    [1, '2031', 1, 2031],
    ['012', 2031, 12, 2031],
    [5, 2026, 5, 2026],
    [12, 9999, 12, 9999],
  ])('201 accepts an expiry of %j/%j', async (month, year, shownMonth, shownYear) => {
    const body = { ...bare, expire_month: month, expire_year: year };
    const card = await transport.shop().ask('card.create', 201, { body });
    expect([card.expire_month, card.expire_year]).toStrictEqual([shownMonth, shownYear]);
  });

  it.each(['874', 874, '012', undefined, null])('201 accepts a cvv2 of %j', async (cvv2) => {
    await transport.shop().ask('card.create', 201, { body: { ...bare, cvv2 } });
  });

  it('201 shows owner ids as strings and omits empty ones', async () => {
    const shop = transport.shop();
    const ids = ['external_customer_id', 'payer_id', 'external_card_id', 'merchant_id'];
    const of = (value: unknown) => Object.fromEntries(ids.map((id) => [id, value]));
    const numbered = await shop.ask('card.create', 201, { body: { ...bare, ...of(42) } });
    expect(numbered).toMatchObject(of('42'));
    const zero = await shop.ask('card.create', 201, { body: { ...bare, ...of(0) } });
    expect(zero).toMatchObject(of('0'));
    const longest = await shop.ask('card.create', 201, {
      body: { ...bare, ...of('x'.repeat(256)) },
    });
    expect(longest).toMatchObject(of('x'.repeat(256)));
    await inOrder(['', null], async (value) => {
      const card = await shop.ask('card.create', 201, { body: { ...bare, ...of(value) } });
      for (const id of ids) expect(card).not.toHaveProperty(id);
    });
  });

  it('201 ignores read-only keys, keys of other models, and unknown keys', async () => {
    const card = await transport.shop().ask('card.create', 201, {
      body: {
        ...bare,
        id: 'CARD-MINE',
        state: 'expired',
        valid_until: '2000-01-01T00:00:00Z',
        create_time: '2000-01-01T00:00:00Z',
        update_time: 7,
        links: null,
        start_month: 0,
        start_year: 0,
        issue_number: '',
        favourite_colour: { very: ['deep', 'green'] },
      },
    });
    expect(card.id).not.toBe('CARD-MINE');
    expect(card.state).toBe('ok');
    expect(card.create_time).toBe('2026-05-06T07:08:09Z');
    expect(JSON.stringify(card)).not.toContain('green');
  });

  it('201 accepts null for every optional field', async () => {
    const nothing = Object.fromEntries(
      ['cvv2', 'first_name', 'last_name', 'billing_address', 'external_customer_id', 'links'].map(
        (field) => [field, null],
      ),
    );
    const card = await transport.shop().ask('card.create', 201, { body: { ...bare, ...nothing } });
    expect(JSON.stringify(card)).not.toContain('null');
  });

  it('201 shows names of up to 25 characters unchanged', async () => {
    const names = { first_name: 'Zoë 🐈'.padEnd(25, 'x'), last_name: `O'Hara-"Ünal" \\ <b>` };
    const card = await transport.shop().ask('card.create', 201, { body: { ...bare, ...names } });
    expect(card).toMatchObject(names);
  });

  it.each([
    ['GB', { line1: '1 Road', city: 'London', country_code: 'GB' }],
    ['C2', { line1: '1 Road', city: 'Beijing', country_code: 'C2', state: '' }],
    ['JP', { line1: '1', city: '東京', country_code: 'JP', state: '東京都', phone: '+81' }],
  ])('201 shows an address in %s unchanged', async (_country, address) => {
    const body = { ...bare, billing_address: address };
    const card = await transport.shop().ask('card.create', 201, { body });
    expect(card.billing_address).toEqual(address);
  });

  it('201 omits unknown keys of the address', async () => {
    const address = { line1: '1 Road', city: 'London', country_code: 'GB' };
    const body = { ...bare, billing_address: { ...address, recipient_name: 'Ada', type: 'HOME' } };
    const card = await transport.shop().ask('card.create', 201, { body });
    expect(card.billing_address).toEqual(address);
  });

  it('201 stores the same card twice as two cards', async () => {
    const shop = transport.shop();
    const first = await shop.ask('card.create', 201, { body: full });
    const second = await shop.ask('card.create', 201, { body: full });
    expect(second.id).not.toBe(first.id);
    expect((await shop.ask('card.list', 200)).total_items).toBe(2);
  });

  it('201 shows links that work with the methods they name', async () => {
    const shop = transport.shop();
    const card = await shop.ask('card.create', 201, { body: bare });
    const linked = new Map(card.links.map((link) => [link.rel, link]));
    const [self, patch, remove] = ['self', 'patch', 'delete'].map((rel) => linked.get(rel));
    if (!self || !patch || !remove) throw new Error('A link is missing.');
    expect(await (await shop.follow(self)).json()).toEqual(card);
    const patched = await shop.follow(patch, [{ op: 'add', path: '/first_name', value: 'Grace' }]);
    expect(await patched.json()).toEqual({ ...card, first_name: 'Grace' });
    expect((await shop.follow(remove)).status).toBe(204);
    expect((await shop.follow(self)).status).toBe(404);
  });
});

onEveryTransport(
  'store a card, recorded profile',
  (transport) => {
    it('201 writes the expiry as strings, without a leading zero', async () => {
      const reply = await transport.shop('golden').reply('card.create', 201, { body: full });
      expect(reply.text).toBe(goldenCard(transport.base, goldenId, String));
      const early = { ...bare, expire_month: '09' };
      const card = await transport.shop().ask('card.create', 201, { body: early });
      expect([card.expire_month, card.expire_year]).toStrictEqual(['9', '2031']);
    });
  },
  { profile: 'recorded' },
);
