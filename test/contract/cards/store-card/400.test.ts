import { expect, it } from 'vitest';
import { onEveryTransport } from '../../../support/transports.ts';
import { inOrder } from '../../../support/in-order.ts';
import { detailsOf } from '../../../support/requests/refused-card.ts';
import { cardBody, pans } from '../../../support/samples.ts';

const missing = 'Required field missing';
const invalid = 'Value is invalid';
const wrongType = 'The credit card number is not valid for the specified credit card type';
const wrongCvvLength = 'The cvv2 length is invalid for the specified credit card type';
const past = 'Invalid expiration (cannot be in the past)';

onEveryTransport('a card with wrong values', (transport) => {
  it('400 answers with the recorded body, and names missing fields in the recorded order', async () => {
    const reply = await transport.shop().reply('card.create', 400, { body: {} });
    expect(reply.text).toBe(
      JSON.stringify({
        name: 'VALIDATION_ERROR',
        details: ['number', 'expire_year', 'expire_month', 'type'].map((field) => ({
          field,
          issue: missing,
        })),
        message: 'Invalid request - see details',
        information_link: 'https://developer.paypal.com/docs/api/#VALIDATION_ERROR',
        debug_id: reply.headers.get('paypal-debug-id'),
      }),
    );
  });

  it.each([
    ['null', 'null'],
    ['an empty body', ''],
    ['white space', ' \r\n\t'],
    ['nulls', '{"number":null,"type":null,"expire_month":null,"expire_year":null}'],
    ['zeroes', '{"expire_month":0,"expire_year":0}'],
    ['zeroes in quotes', '{"expire_month":"0","expire_year":""}'],
  ])('400 treats %s as a card without fields', async (_what, body) => {
    const refused = await transport.shop().ask('card.create', 400, {
      body,
      headers: { 'Content-Type': 'application/json' },
    });
    expect(refused.details?.map(({ field }) => field)).toEqual([
      'number',
      'expire_year',
      'expire_month',
      'type',
    ]);
  });

  it('400 names the expiry first if number and type are sent', async () => {
    const change = { expire_month: undefined, expire_year: undefined };
    expect(await detailsOf(transport.shop(), change)).toEqual([
      `expire_year: ${missing}`,
      `expire_month: ${missing}`,
    ]);
  });

  it.each([
    ['one digit off', '4417119669820332'],
    ['too short', '41111111111'],
    ['too long', '41111111111111111111'],
    ['letters', '4417x19669820331'],
    ['spaces', '4417 1196 6982 0331'],
    ['dashes', '4417-1196-6982-0331'],
    ['empty', ''],
    ['digits of another script', '٤٤١٧١١٩٦٦٩٨٢٠٣٣١'],
    ['a length its brand does not have', '41111111111116'],
    ['a range no brand has', '3530111333300000'],
    ['a line end', '4417119669820331\n'],
  ])('400 refuses the number: %s', async (_what, number) => {
    expect(await detailsOf(transport.shop(), { number })).toEqual([`number: ${invalid}`]);
  });

  it.each([
    ['visa', pans.mastercard, '123'],
    ['mastercard', pans.visa, '123'],
    ['amex', pans.visa, '1234'],
    ['visa', pans.amex, '123'],
    ['discover', pans.maestro, '123'],
    ['maestro', pans.discover, '123'],
  ])('400 refuses the type %s for %s', async (type, number, cvv2) => {
    expect(await detailsOf(transport.shop(), { type, number, cvv2 })).toEqual([
      `type: ${wrongType}`,
    ]);
  });

  it.each(['VISA', 'jcb', '', ' visa', 'visa electron'])(
    '400 refuses the type %j',
    async (type) => {
      expect(await detailsOf(transport.shop(), { type })).toEqual([
        'type: Value is invalid (must be visa, mastercard, amex, discover, or maestro)',
      ]);
    },
  );

  it.each([13, -1, '13', '00', 'May', '1.5', 1e20])(
    '400 refuses the expire_month %j',
    async (month) => {
      const details = await detailsOf(transport.shop(), { expire_month: month });
      expect(details).toEqual([`expire_month: ${invalid}`]);
    },
  );

  it.each([31, '31', 999, 10_000, 'MMXXXI', '20 31', -2031])(
    '400 refuses the expire_year %j',
    async (year) => {
      const details = await detailsOf(transport.shop(), { expire_year: year });
      expect(details).toEqual(['expire_year: Must be numeric (YYYY)']);
    },
  );

  it.each([
    [4, 2026],
    ['04', '2026'],
    [12, 2025],
    [11, 2018],
    [1, 1000],
  ])('400 refuses an expiry in the past: %j/%j', async (month, year) => {
    const details = await detailsOf(transport.shop(), { expire_month: month, expire_year: year });
    expect(details).toEqual([`expire_month, expire_year: ${past}`]);
  });

  it("400 refuses an expiry whose month is over on the merchant's clock", async () => {
    const shop = transport.shop();
    const body = cardBody({ expire_month: 5, expire_year: 2026 });
    shop.merchant.clock.set('2026-05-31T23:59:59.999Z');
    await shop.ask('card.create', 201, { body });
    shop.merchant.clock.advance(1);
    const refused = await shop.ask('card.create', 400, { body });
    expect(refused.details).toEqual([{ field: 'expire_month, expire_year', issue: past }]);
  });

  it.each([
    ['visa', pans.visa, 12],
    ['amex', pans.amex, 123],
    ['visa', pans.visa, 0],
  ])(
    '400 refuses a cvv2 of %s as a number without its leading zeros',
    async (type, number, cvv2) => {
      const shop = transport.shop();
      const issues = [`cvv2: ${wrongCvvLength}`];
      expect(await detailsOf(shop, { type, number, cvv2 })).toEqual(issues);
      const asText = String(cvv2).padStart(type === 'amex' ? 4 : 3, '0');
      await shop.ask('card.create', 201, { body: cardBody({ type, number, cvv2: asText }) });
    },
  );

  it.each(['abc', '87a', '', ' 87', '-12', -874])('400 refuses the cvv2 %j', async (cvv2) => {
    expect(await detailsOf(transport.shop(), { cvv2 })).toEqual(['cvv2: Must be numeric']);
  });

  it.each([
    ['visa', pans.visa, ['8', '87', '8740', '87400', 12, 1234, 0]],
    ['mastercard', pans.mastercard, ['87', '8740']],
    ['discover', pans.discover, ['87', '8740']],
    ['maestro', pans.maestro, ['87', '8740']],
    ['amex', pans.amex, ['874', '87400', 874]],
  ])('400 refuses a cvv2 of the wrong length for %s', async (type, number, wrong) => {
    const shop = transport.shop();
    await inOrder(wrong, async (cvv2) => {
      const details = await detailsOf(shop, { type, number, cvv2 });
      expect(details).toEqual([`cvv2: ${wrongCvvLength}`]);
    });
  });

  it('400 names every wrong field, number first', async () => {
    const change = { number: '4417119669820332', expire_year: 2020, cvv2: '8740' };
    expect(await detailsOf(transport.shop(), change)).toEqual([
      `number: ${invalid}`,
      `expire_month, expire_year: ${past}`,
      `cvv2: ${wrongCvvLength}`,
    ]);
  });

  it('400 repeats no value that was sent', async () => {
    const reply = await transport.shop().reply('card.create', 400, {
      body: cardBody({ number: '4417119669820332', cvv2: '8745', first_name: 'Ada' }),
    });
    expect(reply.text).not.toContain('44171196');
    expect(reply.text).not.toContain('8745');
    expect(reply.text).not.toContain('Ada');
  });

  it.each([
    ['first_name', 25],
    ['last_name', 25],
    ['external_customer_id', 256],
    ['payer_id', 256],
    ['external_card_id', 256],
    ['merchant_id', 256],
  ])('400 refuses %s of more than %i characters', async (field, max) => {
    const shop = transport.shop();
    const details = await detailsOf(shop, { [field]: 'x'.repeat(max + 1) });
    expect(details).toEqual([`${field}: Value exceeds max length of ${max}`]);
    const body = cardBody({ [field]: 'x'.repeat(max) });
    expect(await shop.ask('card.create', 201, { body })).toMatchObject({
      [field]: 'x'.repeat(max),
    });
  });

  it.each(['first_name', 'external_customer_id'])('400 refuses %s with a NUL', async (field) => {
    expect(await detailsOf(transport.shop(), { [field]: 'a\0b' })).toEqual([
      `${field}: ${invalid}`,
    ]);
  });
});
