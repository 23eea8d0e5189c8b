import { expect, it } from 'vitest';
import { onEveryTransport } from '../../../support/transports.ts';
import { pans } from '../../../support/samples.ts';

const bare = { number: pans.visa, type: 'visa', expire_month: 11, expire_year: 2031 };

onEveryTransport(
  'the valid_until of a stored card',
  (transport) => {
    it.each([
      ['2013-08-01T10:11:12Z', 9, 2014, '2014-10-01T00:00:00Z'],
      ['2013-08-01T10:11:12Z', 12, 2015, '2016-01-01T00:00:00Z'],
      ['2014-02-03T00:00:00Z', 12, 2030, '2017-02-02T00:00:00Z'],
      ['2014-03-25T23:59:59Z', 12, 2030, '2017-03-24T00:00:00Z'],
      ['2014-04-25T10:11:12Z', 12, 2030, '2017-04-24T00:00:00Z'],
      ['2014-07-04T10:11:12Z', 12, 2030, '2017-07-03T00:00:00Z'],
      ['2018-12-24T10:11:12Z', 12, 2030, '2021-12-23T00:00:00Z'],
    ])('201 stored at %s with an expiry of %i/%i is %s', async (now, month, year, until) => {
      const shop = transport.shop();
      shop.merchant.clock.set(now);
      const body = { ...bare, expire_month: month, expire_year: year };
      const card = await shop.ask('card.create', 201, { body });
      expect(card).toMatchObject({ state: 'ok', valid_until: until, create_time: now });
    });
  },
  { clock: { start: '2013-08-01T00:00:00Z', frozen: true } },
);

onEveryTransport(
  'a sandbox that allows past expiries',
  (transport) => {
    it.each([
      ['11', '2018'],
      [1, 2020],
      ['09', 2021],
      [4, 2026],
    ])('201 stores a card that expired in %j/%j, valid for three years', async (month, year) => {
      const body = { ...bare, expire_month: month, expire_year: year };
      const card = await transport.shop().ask('card.create', 201, { body });
      expect(card).toMatchObject({
        state: 'ok',
        expire_month: Number(month),
        expire_year: Number(year),
        valid_until: '2029-05-05T00:00:00Z',
      });
    });
  },
  { allowPastExpiry: true },
);
