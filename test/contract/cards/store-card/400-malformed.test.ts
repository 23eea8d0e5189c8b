import { expect, it } from 'vitest';
import { onEveryTransport } from '../../../support/transports.ts';
import { cardBody } from '../../../support/samples.ts';

onEveryTransport('store a body that is not a card', (transport) => {
  it.each([
    ['broken JSON', '{"number":'],
    ['two values', '{} {}'],
    ['a trailing comma', '{"number":"1",}'],
    ['single quotes', "{'number':'1'}"],
    ['an array', '[]'],
    ['a card in an array', JSON.stringify([cardBody()])],
    ['a string', '"visa"'],
    ['a number', '4417119669820331'],
    ['true', 'true'],
    ['text', 'number=4417119669820331&type=visa'],
    ['nesting without end', '['.repeat(100_000)],
    ['objects without end', '{"a":'.repeat(50_000)],
  ])('400 refuses %s', async (_what, body) => {
    const reply = await transport.shop().reply('card.create', 400, {
      body,
      headers: { 'Content-Type': 'application/json' },
    });
    expect(reply.text).toBe(
      JSON.stringify({
        name: 'MALFORMED_REQUEST',
        message: 'Incoming JSON request does not map to API request',
        information_link: 'https://developer.paypal.com/docs/api/#MALFORMED_REQUEST',
        debug_id: reply.headers.get('paypal-debug-id'),
      }),
    );
  });

  it('400 refuses a body that is not UTF-8', async () => {
    const body = Buffer.concat([
      Buffer.from('{"first_name":"'),
      Buffer.from([0xff, 0xfe]),
      Buffer.from('"}'),
    ]);
    const refused = await transport.shop().ask('card.create', 400, { body });
    expect(refused.name).toBe('MALFORMED_REQUEST');
  });

  it.each([
    ['number', 4_417_119_669_820_331.5],
    ['number', ['4417119669820331']],
    ['type', 1],
    ['expire_month', true],
    ['expire_month', 11.5],
    ['expire_year', [2031]],
    ['cvv2', 8.5],
    ['cvv2', { value: '874' }],
    ['first_name', 7.5],
    ['last_name', ['Tester']],
    ['external_customer_id', true],
    ['external_customer_id', 1.5],
    ['payer_id', {}],
    ['billing_address', '1 Mock Way'],
    ['billing_address', []],
    ['billing_address', { line1: true, city: 'x', country_code: 'GB' }],
  ])('400 refuses %s of a wrong JSON type: %j', async (field, value) => {
    const refused = await transport
      .shop()
      .ask('card.create', 400, { body: cardBody({ [field]: value }) });
    expect(refused.name).toBe('MALFORMED_REQUEST');
    expect(refused.details).toBeUndefined();
  });
});
