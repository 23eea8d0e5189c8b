import { expect, it } from 'vitest';
import { onEveryTransport } from '../../../support/transports.ts';
import { inOrder } from '../../../support/in-order.ts';
import { detailsOf } from '../../../support/requests/refused-card.ts';
import { cardBody } from '../../../support/samples.ts';

const missing = 'Required field missing';

onEveryTransport('a card with a wrong address', (transport) => {
  const address = { line1: '1 Road', city: 'London', country_code: 'GB' };

  it('400 names missing fields', async () => {
    expect(await detailsOf(transport.shop(), { billing_address: {} })).toEqual([
      `billing_address.line1: ${missing}`,
      `billing_address.city: ${missing}`,
      `billing_address.country_code: ${missing}`,
    ]);
  });

  it.each(['line1', 'line2', 'city'])('400 refuses a blank billing_address.%s', async (field) => {
    await inOrder(['', ' ', '\t\u00a0\n'], async (blank) => {
      const billing_address = { ...address, [field]: blank };
      const details = await detailsOf(transport.shop(), { billing_address });
      expect(details).toEqual([`billing_address.${field}: Must not be blank`]);
    });
  });

  it.each(['AR', 'BR', 'CA', 'IN', 'IT', 'JP', 'MX', 'TH', 'US'])(
    '400 requires a state in %s',
    async (country) => {
      const shop = transport.shop();
      const there = { ...address, country_code: country };
      await inOrder([undefined, null, '', ' '], async (state) => {
        const details = await detailsOf(shop, { billing_address: { ...there, state } });
        expect(details).toEqual(['billing_address.state: Must not be blank']);
      });
      const body = cardBody({ billing_address: { ...there, state: 'X' } });
      await shop.ask('card.create', 201, { body });
    },
  );

  it.each(['UK', 'us', 'USA', '', 'ZZ', 'C3', 'toString'])(
    '400 refuses the country %j',
    async (country) => {
      const change = { billing_address: { ...address, country_code: country } };
      expect(await detailsOf(transport.shop(), change)).toEqual([
        'billing_address.country_code: Must be a two-letter ISO 3166-1 country code',
      ]);
    },
  );

  it.each([
    ['line1', 300],
    ['line2', 300],
    ['city', 64],
    ['state', 40],
    ['postal_code', 20],
    ['phone', 50],
  ])('400 refuses a billing_address.%s of more than %i characters', async (field, max) => {
    const shop = transport.shop();
    const long = { ...address, [field]: 'x'.repeat(max + 1) };
    expect(await detailsOf(shop, { billing_address: long })).toEqual([
      `billing_address.${field}: Value exceeds max length of ${max}`,
    ]);
    const longest = { ...address, [field]: 'x'.repeat(max) };
    await shop.ask('card.create', 201, { body: cardBody({ billing_address: longest }) });
  });
});
