import { it, expect } from 'vitest';
import { redactText } from '../../src/journal/redact.ts';
it('x', () => {
  expect(1).toBe(1);
  const p = '4417119669820331';
  for (const t of [
    `{"number":"${p}","cvv2":"874"}`,
    `{"number":${p},"cvv2":874,"x":1}`,
    `number=${p}&cvv2=123&a=b`,
    `/v1/x/${p}?cvv2=%31%32`,
    [...p].map((c) => '%3' + c).join(''),
    `{"a":"4417 1196 6982 0331"}`,
    `"c":"${btoa('abc' + p)}"`,
    btoa(`merchant:${p}`),
    `Basic ${btoa('a:b')}`,
    'Basic subscription',
    'Authorization: Bearer mytoken',
    '{"authorization":{"id":"1"}}',
    `{\\"cvv2\\":\\"123\\"}`,
    '%7B%22cvv2%22%3A%22123%22%7D',
    '{"cvv2":["123",{"a":"]"}],"b":1}',
    '４４１７１１９６６９８２０３３１',
    '99' + p + '00',
    '{number: 4417119669820331, cvv: 123}',
    'Order number: 12345',
    'invoice_number=123',
    encodeURIComponent(encodeURIComponent('４４１７ 1196 6982 0331')),
    '{"n":"\\u0034\\u0034171196698203\\u00331"}',
  ])
    console.log(t, ' => ', redactText(t), redactText(redactText(t)) === redactText(t));
  const store = JSON.stringify({
    number: p,
    type: 'visa',
    expire_month: 11,
    expire_year: 2031,
    cvv2: '874',
    first_name: 'Ada',
    last_name: 'Tester',
    billing_address: {
      line1: '1 Mock Way',
      city: 'Sampleton',
      state: 'OH',
      postal_code: '43001',
      country_code: 'US',
    },
  });
  const pay = JSON.stringify({
    intent: 'sale',
    payer: {
      payment_method: 'credit_card',
      funding_instruments: [
        {
          credit_card_token: {
            credit_card_id: 'CARD-7AB12345CD6789012EFGHIJK',
            external_customer_id: 'cust-42',
          },
        },
      ],
    },
    transactions: [
      {
        amount: { total: '30.11', currency: 'USD' },
        description: 'A test order',
        invoice_number: 'INV-2026-000123',
        item_list: { items: [{ name: 'Hat', quantity: '1', price: '30.11', currency: 'USD' }] },
      },
    ],
  });
  const res = JSON.stringify({
    id: 'CARD-7AB12345CD6789012EFGHIJK',
    state: 'ok',
    type: 'visa',
    number: 'xxxxxxxxxxxx0331',
    expire_month: 11,
    expire_year: 2031,
    first_name: 'Ada',
    last_name: 'Tester',
    billing_address: {
      line1: '1 Mock Way',
      city: 'Sampleton',
      state: 'OH',
      postal_code: '43001',
      country_code: 'US',
    },
    valid_until: '2029-05-06T07:08:09Z',
    create_time: '2026-05-06T07:08:09Z',
    update_time: '2026-05-06T07:08:09Z',
    links: [
      {
        href: 'http://127.0.0.1:8080/v1/vault/credit-card/CARD-7AB12345CD6789012EFGHIJK',
        rel: 'self',
        method: 'GET',
      },
      {
        href: 'http://127.0.0.1:8080/v1/vault/credit-card/CARD-7AB12345CD6789012EFGHIJK',
        rel: 'delete',
        method: 'DELETE',
      },
    ],
  });
  for (const t of [
    store,
    pay,
    res,
    '9'.repeat(16000),
    '"number":['.repeat(1600),
    '{"a":"'.repeat(2000),
  ]) {
    let n = t.length > 1000 ? 20 : 50000;
    for (let i = 0; i < n; i++) redactText(t);
    const t0 = process.hrtime.bigint();
    for (let i = 0; i < n; i++) redactText(t);
    console.log(t.length, t.slice(0, 20), Number(process.hrtime.bigint() - t0) / n, 'ns');
  }
});
