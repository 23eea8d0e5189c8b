/** Bodies and numbers that are too large. */
import { expect, it } from 'vitest';
import { onEveryTransport, type Shop } from '../../support/transports.ts';
import { cardBody, rawPaymentBody } from '../../support/samples.ts';
import { expectWell, send, stateOf, type Answer } from './answers.ts';
import { cpuMs } from '../../support/cpu-time.ts';

const cards = '/v1/vault/credit-cards';
const payments = '/v1/payments/payment';

const good = JSON.stringify(cardBody());

function sentTo(shop: Shop, path: string, body: string, method = 'POST'): Promise<Answer> {
  return send(shop, { method, path, body });
}

onEveryTransport('a body of a wrong size', (transport) => {
  it.each([1_048_577, 3_000_000])('is refused when it is too large: %i bytes', async (size) => {
    const shop = transport.shop();
    const before = await stateOf(shop);
    const body = JSON.stringify(cardBody({ padding: 'x'.repeat(size) }));
    const { status, name } = await sentTo(shop, cards, body);
    expect([status, name]).toEqual([413, 'REQUEST_BODY_TOO_LARGE']);
    const token = await send(shop, {
      path: '/v1/oauth2/token',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      body,
    });
    expect(token.status).toBe(413);
    expect(await stateOf(shop)).toEqual(before);
    await expectWell(shop);
  });

  it('is read at the maximum size', async () => {
    const padded = JSON.stringify(cardBody({ padding: '' }));
    const body = padded.replace(
      '"padding":""',
      `"padding":"${'x'.repeat(1_048_576 - padded.length)}"`,
    );
    expect(body).toHaveLength(1_048_576);
    expect((await sentTo(transport.shop(), cards, body)).status).toBe(201);
  });

  it.each([1000, 100_000])(
    'is answered without delay with %i keys, values or operations',
    async (count) => {
      const shop = transport.shop();
      const { id } = await shop.ask('card.create', 201, { body: cardBody() });
      const before = await stateOf(shop);
      const keys = Object.fromEntries(
        Array.from({ length: Math.min(count, 50_000) }, (_, at) => [`k${at}`, at]),
      );
      const list = `[${'0,'.repeat(count)}0]`;
      const operation = '{"op":"test","path":"/state","value":"ok"},';
      const fewer = Math.min(count, 20_000);
      const startCpu = process.cpuUsage();
      const answers = [
        await sentTo(shop, payments, JSON.stringify(keys)),
        await sentTo(shop, payments, JSON.stringify({ ...rawPaymentBody(), ...keys })),
        await sentTo(shop, payments, `{"intent":"sale","transactions":${list}}`),
        await sentTo(shop, `${cards}/${id}`, `[${operation.repeat(fewer).slice(0, -1)}]`, 'PATCH'),
        await sentTo(shop, cards, `{"billing_address":${list}}`),
      ];
      expect(answers.map(({ status }) => status)).toEqual([400, 400, 400, 400, 400]);
      for (const { text } of answers) expect(text.length).toBeLessThan(1000);
      expect(cpuMs(startCpu)).toBeLessThan(10_000);
      expect(await stateOf(shop)).toEqual(before);
    },
  );
});

onEveryTransport('an amount', (transport) => {
  it.each([
    '',
    ' ',
    '0',
    '0.00',
    '-1.00',
    '+1.00',
    '1.0',
    '1.000',
    '1,00',
    '1.00 ',
    ' 1.00',
    '.50',
    '1.',
    '1e2',
    '0x10',
    'NaN',
    'Infinity',
    '10000000',
    '9'.repeat(30),
    `${'9'.repeat(30)}.99`,
    '١.٠٠',
    '1\u00a0000.00',
    '1.00\n',
    '1.00\0',
    '--1',
    '1..00',
    'one',
  ])('is refused if it is %j', async (total) => {
    const shop = transport.shop();
    const before = await stateOf(shop);
    const { status, name, text } = await sentTo(
      shop,
      payments,
      JSON.stringify(rawPaymentBody({}, { total })),
    );
    expect([status, name], text).toEqual([400, 'VALIDATION_ERROR']);
    expect(await stateOf(shop)).toEqual(before);
  });

  it.each(['1e400', '-1e400', '1e-400', '12345678901234567890', '0.1', '-0'])(
    'is refused as a JSON number: %s',
    async (number) => {
      const body = JSON.stringify(rawPaymentBody()).replace('"7.47"', number);
      const { status, name, text } = await sentTo(transport.shop(), payments, body);
      expect([status, name], text).toEqual([400, 'VALIDATION_ERROR']);
    },
  );

  it.each(['1e400', '1e21', '12345678901234567890', '11.5', '-11', '1e-7'])(
    'is refused as a month or a year: %s',
    async (number) => {
      for (const key of ['"expire_month":11', '"expire_year":2031']) {
        const body = good.replace(key, `${key.split(':')[0]}:${number}`);
        const { status, text } = await sentTo(transport.shop(), cards, body);
        expect(status, text).toBe(400);
      }
    },
  );
});
