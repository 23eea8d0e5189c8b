import { expect, it } from 'vitest';
import { onEveryTransport, type Shop } from '../../../support/transports.ts';
import { storeCard } from '../../../support/purchases.ts';
import { cardBody } from '../../../support/samples.ts';

const unchangeable = 'This member cannot be changed';
const nothing = 'There is nothing at this path';
const missing = 'Required field missing';

/** As the vault names a field of a card: `billing_address.city`. */
function nameOf(path: string): string {
  return path.slice(1).replace('/', '.');
}

/** What is wrong with a patch, as `field: issue`. The card stays as it was. */
async function detailsOf(shop: Shop, body: unknown): Promise<string[]> {
  const params = { card_id: await storeCard(shop) };
  const before = await shop.reply('card.get', 200, { params });
  shop.merchant.clock.advance(1000);
  const refused = await shop.ask('card.update', 400, { params, body });
  expect(refused.name).toBe('VALIDATION_ERROR');
  const after = await shop.reply('card.get', 200, { params });
  expect(after.text).toBe(before.text);
  return (refused.details ?? []).map(({ field, issue }) => `${field}: ${issue}`);
}

onEveryTransport('a patch of a member that cannot be changed', (transport) => {
  it.each([
    '/id',
    '/state',
    '/type',
    '/number',
    '/cvv2',
    '/external_customer_id',
    '/payer_id',
    '/external_card_id',
    '/merchant_id',
    '/valid_until',
    '/create_time',
    '/update_time',
    '/links',
  ])('400 refuses to change %s', async (path) => {
    const shop = transport.shop();
    const expected = [`${nameOf(path)}: ${unchangeable}`];
    const value = '4417119669820331';
    expect(await detailsOf(shop, [{ op: 'add', path, value }])).toEqual(expected);
    expect(await detailsOf(shop, [{ op: 'replace', path, value }])).toEqual(expected);
    expect(await detailsOf(shop, [{ op: 'remove', path }])).toEqual(expected);
    expect(await detailsOf(shop, [{ op: 'copy', from: '/first_name', path }])).toEqual(expected);
    expect(await detailsOf(shop, [{ op: 'move', from: '/first_name', path }])).toEqual(expected);
  });

  it.each([
    '',
    '/',
    '/first_name/',
    '/first_name/0',
    '/First_Name',
    '/colour',
    '/links/0/href',
    '/billing_address/colour',
    '/billing_address/line1/0',
    '/__proto__/polluted',
    '/constructor/prototype/polluted',
    '/~01',
  ])('400 refuses an unknown path without repeating it: %j', async (path) => {
    const shop = transport.shop();
    const body = [
      { op: 'add', path: '/first_name', value: 'Grace' },
      { op: 'add', path, value: 'x' },
    ];
    expect(await detailsOf(shop, body)).toEqual([`[1].path: ${unchangeable}`]);
    expect(Object.prototype).not.toHaveProperty('polluted');
  });

  it('400 refuses a path that is not a JSON Pointer', async () => {
    const body = [{ op: 'add', path: 'first_name', value: 'x' }];
    const issue = 'Must be a JSON Pointer, with a / before each member';
    expect(await detailsOf(transport.shop(), body)).toEqual([`[0].path: ${issue}`]);
    const copy = [{ op: 'copy', from: 'last_name', path: '/first_name' }];
    expect(await detailsOf(transport.shop(), copy)).toEqual([`[0].from: ${issue}`]);
  });

  it('400 refuses to move a read-only member', async () => {
    const body = [{ op: 'move', from: '/number', path: '/first_name' }];
    expect(await detailsOf(transport.shop(), body)).toEqual([`number: ${unchangeable}`]);
    const unknown = [{ op: 'move', from: '/colour', path: '/first_name' }];
    expect(await detailsOf(transport.shop(), unknown)).toEqual([`[0].from: ${unchangeable}`]);
  });
});

onEveryTransport('a patch that cannot be applied', (transport) => {
  it.each([
    ['replace', '/billing_address/phone', { value: '+1' }],
    ['remove', '/billing_address/line2', {}],
    ['copy', '/first_name', { from: '/colour' }],
    ['copy', '/first_name', { from: '/billing_address/line2' }],
    ['move', '/first_name', { from: '/billing_address/phone' }],
    ['move', '/billing_address/line2', { from: '/billing_address' }],
  ])('400 refuses %s at %s, which does not exist', async (op, path, rest) => {
    const details = await detailsOf(transport.shop(), [{ op, path, ...rest }]);
    expect(details).toEqual([`${nameOf(path)}: ${nothing}`]);
  });

  it.each([
    ['/first_name', 'Grace'],
    ['/expire_month', '11'],
    ['/state', 'expired'],
    ['/number', '4417119669820331'],
    ['/links', []],
    ['/external_card_id', 'not there'],
  ])('400 refuses a failed test of %s', async (path, value) => {
    const details = await detailsOf(transport.shop(), [{ op: 'test', path, value }]);
    expect(details).toEqual([`${nameOf(path)}: The value is not the one tested for`]);
  });

  it('400 applies all or nothing', async () => {
    const body = [
      { op: 'replace', path: '/first_name', value: 'Grace' },
      { op: 'remove', path: '/billing_address' },
      { op: 'test', path: '/last_name', value: 'Hopper' },
      { op: 'replace', path: '/last_name', value: 'Hopper' },
    ];
    expect(await detailsOf(transport.shop(), body)).toEqual([
      'last_name: The value is not the one tested for',
    ]);
  });

  it('400 refuses to copy an address into itself', async () => {
    const copies = Array.from({ length: 100 }, (_, i) => ({
      op: 'copy',
      from: '/billing_address',
      path: i % 2 === 0 ? '/billing_address/line1' : '/billing_address/line2',
    }));
    expect(await detailsOf(transport.shop(), copies)).toEqual([
      'billing_address.line1: Value is invalid',
    ]);
    const whole = [{ op: 'copy', from: '', path: '/billing_address' }];
    expect(await detailsOf(transport.shop(), whole)).toEqual(['billing_address: Value is invalid']);
    const links = [{ op: 'copy', from: '/links', path: '/billing_address' }];
    expect(await detailsOf(transport.shop(), links)).toEqual(['billing_address: Value is invalid']);
  });

  it.each([false, 'a text', 0])('400 refuses to add a member to the address %j', async (value) => {
    const body = [
      { op: 'add', path: '/billing_address', value },
      { op: 'add', path: '/billing_address/line2', value: 'Flat 2' },
    ];
    expect(await detailsOf(transport.shop(), body)).toEqual(['billing_address: Value is invalid']);
  });
});

onEveryTransport('a patch to a card that could not be stored', (transport) => {
  it.each([
    ['/expire_month', 13, 'expire_month: Value is invalid'],
    ['/expire_month', '0', `expire_month: ${missing}`],
    ['/expire_year', 'next', 'expire_year: Must be numeric (YYYY)'],
    ['/expire_year', 2025, 'expire_month, expire_year: Invalid expiration (cannot be in the past)'],
    ['/first_name', 'x'.repeat(26), 'first_name: Value exceeds max length of 25'],
    ['/last_name', 'a\0', 'last_name: Value is invalid'],
    ['/billing_address/line1', '', 'billing_address.line1: Must not be blank'],
    ['/billing_address/state', '', 'billing_address.state: Must not be blank'],
    [
      '/billing_address/country_code',
      'UK',
      'billing_address.country_code: Must be a two-letter ISO 3166-1 country code',
    ],
    ['/billing_address', {}, `billing_address.line1: ${missing}`],
  ])('400 refuses %s = %j', async (path, value, first) => {
    const details = await detailsOf(transport.shop(), [{ op: 'replace', path, value }]);
    expect(details[0]).toBe(first);
  });

  it.each([
    ['/expire_month', `expire_month: ${missing}`],
    ['/expire_year', `expire_year: ${missing}`],
    ['/billing_address/line1', `billing_address.line1: ${missing}`],
    ['/billing_address/city', `billing_address.city: ${missing}`],
    ['/billing_address/country_code', `billing_address.country_code: ${missing}`],
    ['/billing_address/state', 'billing_address.state: Must not be blank'],
  ])('400 refuses a card without %s', async (path, expected) => {
    expect(await detailsOf(transport.shop(), [{ op: 'remove', path }])).toEqual([expected]);
  });

  it.each([
    ['/first_name', 7.5],
    ['/first_name', { a: 1 }],
    ['/expire_month', true],
    ['/billing_address', 'London'],
    ['/billing_address/city', false],
  ])('400 refuses %s = %j for its type', async (path, value) => {
    const details = await detailsOf(transport.shop(), [{ op: 'replace', path, value }]);
    expect(details).toEqual([`${nameOf(path)}: Value is invalid`]);
  });
});

onEveryTransport('a body that is not a patch', (transport) => {
  const op = { op: 'add', path: '/first_name', value: 'Grace' };

  it.each([
    ['an object', op],
    ['an empty object', {}],
    ['null', 'null'],
    ['a string', '"/first_name"'],
    ['broken JSON', '['],
    ['an array of strings', ['add']],
    ['an unknown op', [{ ...op, op: 'set' }]],
    ['an op in capitals', [{ ...op, op: 'ADD' }]],
    ['a path that is not a string', [{ ...op, path: ['first_name'] }]],
    ['a card', cardBody()],
  ])('400 refuses %s', async (_what, body) => {
    const shop = transport.shop();
    const params = { card_id: await storeCard(shop) };
    const refused = await shop.ask('card.update', 400, { params, body });
    expect(refused.name).toBe('MALFORMED_REQUEST');
    expect(refused.details).toBeUndefined();
  });

  it.each([
    ['without op', [{ path: '/first_name', value: 'x' }], `[0].op: ${missing}`],
    ['without path', [op, { op: 'remove' }], `[1].path: ${missing}`],
    ['add without value', [{ ...op, value: undefined }], `[0].value: ${missing}`],
    ['replace without value', [{ op: 'replace', path: '/first_name' }], `[0].value: ${missing}`],
    ['replace by null', [{ ...op, op: 'replace', value: null }], `[0].value: ${missing}`],
    ['test without value', [{ op: 'test', path: '/state' }], `[0].value: ${missing}`],
    ['move without from', [{ op: 'move', path: '/first_name' }], `[0].from: ${missing}`],
    ['copy without from', [{ op: 'copy', path: '/first_name' }], `[0].from: ${missing}`],
  ])('400 refuses an operation: %s', async (_what, body, expected) => {
    expect(await detailsOf(transport.shop(), body)).toEqual([expected]);
  });

  it('400 refuses an empty patch and one of more than 100 operations', async () => {
    const shop = transport.shop();
    expect(await detailsOf(shop, [])).toEqual(['[0]: Must hold at least one operation']);
    expect(
      await detailsOf(
        shop,
        Array.from({ length: 101 }, () => op),
      ),
    ).toEqual(['[100]: Must hold at most 100 operations']);
  });

  it('400 refuses a path of more than 256 characters', async () => {
    const shop = transport.shop();
    const [detail = ''] = await detailsOf(shop, [{ ...op, path: `/${'x'.repeat(256)}` }]);
    expect(detail).toBe('[0].path: Value is invalid');
  });

  it('404 refuses an unknown card before it reads the patch', async () => {
    const params = { card_id: 'CARD-0AA00000AA0000000AAAAAAA' };
    const body = [{ op: 'replace', path: '/number', value: 'x' }];
    await transport.shop().ask('card.update', 404, { params, body });
  });
});
