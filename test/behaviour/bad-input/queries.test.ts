/** List parameters that mean nothing. */
import { expect, it } from 'vitest';
import { onEveryTransport } from '../../support/transports.ts';
import { send } from './answers.ts';

const badTimes = [
  'yesterday',
  '2026',
  '2026-05-06',
  '2026-05-06T07:08',
  '2026-05-06T07:08:09',
  '2026-13-01T00:00:00Z',
  '2026-05-40T00:00:00Z',
  '2026-05-06T25:00:00Z',
  '2026-05-06T07:61:09Z',
  '0000-00-00T00:00:00Z',
  '1778051289',
  '-1',
  '2026-05-06T07:08:09%2B99:99',
  '+002026-05-06T07:08:09Z',
  '2026-05-06 07:08:09Z',
  '%00',
];
const badCounts = [
  '-1',
  '0',
  '21',
  '1.5',
  '1e1',
  '0x5',
  '%2B5',
  '%205',
  '9'.repeat(30),
  'ten',
  'NaN',
  '٣',
  '%00',
  '5;6',
  '5,6',
  'true',
];

const refused: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  '/v1/vault/credit-cards': {
    page_size: badCounts,
    page: ['-1', '1.5', '9'.repeat(10), 'one', '1e3', '%00', '٣'],
    start_time: badTimes,
    end_time: badTimes,
    sort_by: ['id', 'create-time', '__proto__', 'create_time;', 'constructor'],
    sort_order: ['up', 'ascending', 'asc,desc', 'toString'],
    total_required: ['yes', '1', 'truee', 'null'],
    after: ['-1', 'A', '..', 'a'.repeat(11), '%00', '1.5'],
  },
  '/v1/payments/payment': {
    count: badCounts,
    start_index: ['-1', '1.5', '9'.repeat(10), 'one', '%00'],
    start_id: ['PAY-NOBODYS', '__proto__', '%00', 'x'.repeat(5000)],
    start_time: badTimes,
    end_time: badTimes,
    sort_by: ['update_time', 'id', '__proto__'],
    sort_order: ['up', 'descending', 'toString'],
  },
};

const cases = Object.entries(refused).flatMap(([path, parameters]) =>
  Object.entries(parameters).map(([name, values]) => ({ path, name, values })),
);

/** Farther than anything is, and still no mistake. */
const empty = [
  '/v1/vault/credit-cards?page=999999999&page_size=20',
  '/v1/vault/credit-cards?page=999999999&sort_order=desc',
  '/v1/vault/credit-cards?after=zzzzzzzzzz',
  '/v1/vault/credit-cards?after=0&sort_order=desc',
  '/v1/vault/credit-cards?start_time=9999-12-31T23:59:59Z',
  '/v1/vault/credit-cards?end_time=0001-01-01T00:00:00Z',
  '/v1/vault/credit-cards?start_time=2026-05-07T00:00:00Z&end_time=2026-05-01T00:00:00Z',
  '/v1/vault/credit-cards?end_time=0001-01-01T00:00:00Z&sort_by=update_time&sort_order=desc&page=3',
  '/v1/payments/payment?start_index=999999999',
  '/v1/payments/payment?start_index=999999999&sort_order=asc&count=20',
  '/v1/payments/payment?start_time=9999-12-31T23:59:59.999999999-23:59',
];

onEveryTransport('a list', (transport) => {
  it.each(cases)('refuses $name of $path and names the field', async ({ path, name, values }) => {
    const shop = transport.shop();
    for (const value of values) {
      const answer = await send(shop, { method: 'GET', path: `${path}?${name}=${value}` });
      expect([answer.status, answer.name], `${value}: ${answer.text}`).toEqual([
        400,
        'VALIDATION_ERROR',
      ]);
      expect(answer.body).toMatchObject({ details: [{ field: name }] });
    }
  });

  it.each(empty)('is empty beyond the last page: %s', async (path) => {
    const shop = transport.shop();
    const { status, body, text } = await send(shop, { method: 'GET', path });
    expect(status, text).toBe(200);
    const { items, payments } = Object(body) as { items?: unknown; payments?: unknown };
    expect(items ?? payments).toEqual([]);
  });

  it('uses the first of repeated parameters, and ignores unknown ones', async () => {
    const shop = transport.shop();
    const many = Array.from({ length: 300 }, (_, at) => `unknown${at}=%ff`).join('&');
    for (const query of [
      'page_size=5&page_size=6',
      `page_size=5&${many}`,
      '&&&=&=5&page_size=5',
      'page_size[]=9',
      'page_size=&page=',
    ]) {
      const { status, text } = await send(shop, {
        method: 'GET',
        path: `/v1/vault/credit-cards?${query}`,
      });
      expect(status, text).toBe(200);
    }
  });
});
