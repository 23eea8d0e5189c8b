import { expect, it } from 'vitest';
import { onEveryTransport } from '../../../support/transports.ts';

const time = 'Must be an RFC 3339 time, like 2026-05-06T07:08:09Z';

onEveryTransport('a list of cards with wrong parameters', (transport) => {
  it.each([
    [
      'page_size',
      ['0', '21', '-1', '1.5', 'ten', '010', '1e1', ' 5'],
      'Must be a number from 1 to 20',
    ],
    ['page', ['-1', '1.5', 'one', '9999999999', 'NaN'], 'Must be a page number from 1'],
    [
      'sort_by',
      ['create time', 'create_time,update_time', 'id'],
      'Must be create_time or update_time',
    ],
    ['sort_order', ['up', 'descending', 'desc,asc'], 'Must be asc or desc'],
    ['total_required', ['yes', '1', 'truefalse'], 'Must be true or false'],
    ['after', ['!', 'ABC', 'x'.repeat(11), '-1'], 'Must be taken from a next link'],
    [
      'start_time',
      ['yesterday', '2026-05-06', '2026-05-06T07:08:09', '2026-13-01T00:00:00Z'],
      time,
    ],
    ['end_time', ['1778051289', '2026-05-06 07:08:09Z', '2026-05-06T25:00:00Z', 'Z'], time],
    [
      'end_time',
      [
        '2026-02-30T00:00:00Z',
        '2026-04-31T00:00:00Z',
        '2026-05-06T24:00:00Z',
        '2027-02-29T00:00:00Z',
      ],
      time,
    ],
  ])('400 refuses %s = %j', async (field, values, issue) => {
    const shop = transport.shop();
    const replies = await Promise.all(
      values.map((value) => shop.ask('card.list', 400, { query: { [field]: value } })),
    );
    for (const refused of replies) {
      expect(refused.name).toBe('VALIDATION_ERROR');
      expect(refused.details).toEqual([{ field, issue }]);
    }
  });

  it('400 explains a time whose + was not encoded', async () => {
    const query = 'start_time=2026-05-06T07:08:09+01:00';
    const refused = await transport.shop().ask('card.list', 400, { query });
    expect(refused.details).toEqual([
      {
        field: 'start_time',
        issue: 'Must be an RFC 3339 time; write its + as %2B, because + means a space in a query',
      },
    ]);
  });

  it('400 names every wrong parameter', async () => {
    const query = { sort_order: 'up', page: 'x', page_size: '99', colour: 'green' };
    const refused = await transport.shop().ask('card.list', 400, { query });
    expect(refused.details).toEqual([
      { field: 'page_size', issue: 'Must be a number from 1 to 20' },
      { field: 'page', issue: 'Must be a page number from 1' },
      { field: 'sort_order', issue: 'Must be asc or desc' },
    ]);
  });

  it('400 repeats no value that was sent', async () => {
    const reply = await transport.shop().reply('card.list', 400, {
      query: { page: '4417119669820331', sort_by: 'first-secret' },
    });
    expect(reply.text).not.toContain('44171');
    expect(reply.text).not.toContain('secret');
  });
});
