/** Findings about card data, customers, amounts and texts. Each has a story that causes it and a close one that does not. */
import { expect, it } from 'vitest';
import { createSandbox } from '../../../../src/index.ts';
import type { OutcomeId } from '../../../../src/outcomes/outcome-id.ts';
import { onEveryTransport, type Shop } from '../../../support/transports.ts';
import { sell, storeCard } from '../../../support/purchases.ts';
import { cardBody, pans, paymentBody, rawPaymentBody } from '../../../support/samples.ts';
import { findingOf, foundIn, namesOf } from '../support/findings.ts';

type Fields = Readonly<Record<string, unknown>>;

const dashed = pans.visa.replaceAll(/(....)(?=.)/g, '$1-');

function payFor(shop: Shop, cardId: string, transaction: Fields) {
  return shop.send('payment.create', { body: paymentBody({ cardId, transaction }) });
}

function owned(customer: string, change: Fields = {}): Fields {
  return { external_customer_id: customer, ...change };
}

onEveryTransport('a card number in a wrong field', (transport) => {
  it.each<[string, Fields]>([
    ['description', { description: `Paid with ${pans.visa}` }],
    ['invoice_number', { invoice_number: pans.visa }],
    ['custom', { custom: `card=${dashed}` }],
    ['item_list', { item_list: { items: [{ name: dashed }] } }],
    ['an unknown key', { [pans.visa]: 1 }],
    ['a JSON number', { custom: Number(pans.visa) }],
  ])('is reported in %s', async (_, transaction) => {
    const shop = transport.shop();
    await payFor(shop, await storeCard(shop), transaction);
    const verdict = await shop.merchant.verdict();
    expect(namesOf(verdict)).toContain('critical pan-in-wrong-field');
    expect(findingOf(verdict, 'pan-in-wrong-field').confidence).toBe('certain');
    expect(verdict.passed).toBe(false);
  });

  it('is reported under an empty key', async () => {
    const shop = transport.shop();
    await storeCard(shop);
    await shop.send('payment.create', { body: { '': pans.visa } });
    expect(findingOf(await shop.merchant.verdict(), 'pan-in-wrong-field').what).toBe(
      'A card number was sent in the body of payment.create, once.',
    );
  });

  it('is certain for a card of the fixtures that the client pays with', async () => {
    const merchant = createSandbox().merchant('shop');
    const transaction = { description: `Paid with ${pans.mastercard}` };
    await merchant.fetch('http://sandbox/v1/payments/payment', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(paymentBody({ cardId: 'CARD-MASTERCARD0000001EXAMPLE', transaction })),
    });
    expect(namesOf(await merchant.verdict())).toContain('critical pan-in-wrong-field');
  });

  it('is reported in the name of a card whose number is missing', async () => {
    const shop = transport.shop();
    await storeCard(shop);
    await shop.send('card.create', { body: cardBody({ number: '', first_name: pans.visa }) });
    expect(findingOf(await shop.merchant.verdict(), 'pan-in-wrong-field').what).toBe(
      'A card number was sent in first_name of card.create, once.',
    );
  });

  it('is certain for a raw card of the same request, though it is not in the vault', async () => {
    const shop = transport.shop();
    const transaction = { description: `Paid with ${pans.mastercard}` };
    const body = rawPaymentBody({ number: pans.mastercard, type: 'mastercard' }, { transaction });
    await shop.send('payment.create', { body });
    expect(namesOf(await shop.merchant.verdict())).toContain('critical pan-in-wrong-field');
  });

  it('is certain under a key for card numbers, and not confused with other numbers there', async () => {
    const shop = transport.shop();
    await payFor(shop, await storeCard(shop), {
      item_list: {
        items: [
          { name: 'a', number: '42' },
          { name: 'b', number: 7 },
        ],
      },
      card_number: pans.mastercard,
    });
    const { findings } = await shop.merchant.verdict();
    expect(findings.map(({ rule, severity, what }) => [rule, severity, what])).toEqual([
      [
        'pan-in-wrong-field',
        'critical',
        'A card number was sent in transactions[0].card_number of payment.create, once.',
      ],
    ]);
  });

  it.each([
    ['is reported in one of many requests if it is the number of a card in use', pans.visa, true],
    ['is not reported in one of many requests if no card has it', pans.mastercard, false],
  ])('%s', async (_, number, isFound) => {
    const shop = transport.shop();
    const cardId = await storeCard(shop);
    for (let at = 0; at < 12; at++) {
      await payFor(shop, cardId, {
        custom: `order ${'x'.repeat(at)}`,
        description: at === 0 ? number : 'A',
      });
    }
    expect((await foundIn(shop)).includes('critical pan-in-wrong-field')).toBe(isFound);
    expect(await foundIn(shop)).toHaveLength(isFound ? 1 : 0);
  });

  it('is reported as likely if no card of the merchant has these last digits', async () => {
    const shop = transport.shop();
    await payFor(shop, await storeCard(shop), { description: `Paid with ${pans.mastercard}` });
    expect(findingOf(await shop.merchant.verdict(), 'pan-in-wrong-field')).toMatchObject({
      severity: 'high',
      confidence: 'likely',
      what: 'A card number was sent in transactions[0].description of payment.create, once.',
    });
  });

  it.each<[string, Fields]>([
    ['a mask of the shop', { description: 'Paid with xxxxxxxxxxxx0331' }],
    ['a number that no card has', { invoice_number: '4532015112830366' }],
    ['digits inside a longer word', { custom: `id-a${pans.visa}` }],
    ['digits that are no number of a card', { invoice_number: '4417119669820332' }],
  ])('is not reported in %s', async (_, transaction) => {
    const shop = transport.shop();
    await payFor(shop, await storeCard(shop), transaction);
    expect(await foundIn(shop)).toEqual([]);
  });

  it('is not reported in its own field: of a stored card, a raw card, and a patch', async () => {
    const shop = transport.shop();
    const cardId = await storeCard(shop);
    await shop.send('payment.create', {
      body: rawPaymentBody({ number: pans.amex, type: 'amex', cvv2: '1234' }),
    });
    await shop.send('card.update', {
      params: { card_id: cardId },
      body: [{ op: 'replace', path: '/number', value: pans.visa }],
    });
    expect(await foundIn(shop)).toEqual([]);
  });
});

onEveryTransport('a card number in a URL or a header', (transport) => {
  it('is reported', async () => {
    const shop = transport.shop();
    await storeCard(shop);
    await shop.ask('card.list', 200, { query: { external_card_id: pans.visa } });
    await shop.ask('card.get', 404, { params: { card_id: pans.visa } });
    await shop.ask('card.list', 200, { headers: { 'X-Card': dashed } });
    const { findings } = await shop.merchant.verdict();
    expect(findings.map(({ rule, severity, what }) => [rule, severity, what])).toEqual([
      [
        'pan-in-url-or-header',
        'critical',
        'A card number was sent in the URL of card.list and card.get, twice.',
      ],
      [
        'pan-in-url-or-header',
        'critical',
        'A card number was sent in a header of card.list, once.',
      ],
    ]);
  });

  it.each([
    `pay-${pans.visa}`,
    `${pans.visa}-30.11`,
    `${pans.visa}_2026-11-24`,
    `7-${pans.visa}-1`,
  ])('is reported in a request id that is made from it: %s', async (requestId) => {
    const shop = transport.shop();
    const cardId = await storeCard(shop);
    await shop.ask('payment.create', 201, {
      body: paymentBody({ cardId }),
      headers: { 'PayPal-Request-Id': requestId },
    });
    expect(await foundIn(shop)).toEqual(['critical pan-in-url-or-header']);
  });

  it('is not reported in ids that happen to look like one', async () => {
    const shop = transport.shop();
    await storeCard(shop);
    const path = `CARD-4532015112830366A${pans.visa}A`;
    await shop.ask('card.list', 200, { query: { external_card_id: path } });
    await shop.ask('card.list', 200, { query: { external_card_id: '4532015112830366' } });
    for (const id of [
      `a1b2c3d4-${pans.visa.slice(0, 4)}-1196-6982-0331${pans.visa}`,
      `trace${pans.visa}`,
      `trace-${pans.visa}7`,
      '4532015112830366',
    ]) {
      await shop.ask('card.list', 200, { headers: { 'X-Trace': id } });
    }
    expect(await foundIn(shop)).toEqual([]);
  });
});

onEveryTransport('a verification code in a wrong place', (transport) => {
  it.each<[string, (shop: Shop, cardId: string) => Promise<unknown>]>([
    [
      'a card token',
      (shop, cardId) => {
        const token = { credit_card_id: cardId, cvv2: '874' };
        const payer = {
          payment_method: 'credit_card',
          funding_instruments: [{ credit_card_token: token }],
        };
        return shop.send('payment.create', { body: { ...paymentBody({ cardId }), payer } });
      },
    ],
    ['a transaction', (shop, cardId) => payFor(shop, cardId, { security_code: 874 })],
    ['a description', (shop, cardId) => payFor(shop, cardId, { description: 'cvv: 874' })],
    ['a note without a colon', (shop, cardId) => payFor(shop, cardId, { custom: 'cvv 874' })],
    ['a note without a space', (shop, cardId) => payFor(shop, cardId, { custom: 'cvv874' })],
    ['a sentence', (shop, cardId) => payFor(shop, cardId, { custom: 'security code is 874' })],
    ['an address', (shop) => shop.send('card.list', { query: { cvv2: '874' } })],
    [
      'a billing address',
      (shop) =>
        shop.send('card.create', {
          body: cardBody({
            billing_address: {
              line1: '1 Mock Way',
              city: 'Sampleton',
              state: 'OH',
              country_code: 'US',
              cvc: '874',
            },
          }),
        }),
    ],
  ])('is reported in %s', async (_, send) => {
    const shop = transport.shop();
    await send(shop, await storeCard(shop));
    expect(await foundIn(shop)).toEqual(['critical cvv-in-wrong-place']);
  });

  it('is not reported in its own field, if it is empty, or if the shop masked it', async () => {
    const shop = transport.shop();
    const cardId = await storeCard(shop, { cvv2: undefined, cvc: '874' });
    await shop.send('payment.create', {
      body: rawPaymentBody({ number: pans.amex, type: 'amex', cvv2: '1234' }),
    });
    await payFor(shop, cardId, { cvv2: '' });
    await payFor(shop, cardId, { description: 'The cvv was checked.', cvv: null });
    await payFor(shop, cardId, { cvv: '[redacted]' });
    expect(await foundIn(shop)).toEqual([]);
  });

  it('is reported as possible in a field whose name can also mean a customer', async () => {
    const shop = transport.shop();
    await payFor(shop, await storeCard(shop), { cid: 'cust-42' });
    expect(findingOf(await shop.merchant.verdict(), 'cvv-in-wrong-place')).toMatchObject({
      severity: 'medium',
      confidence: 'possible',
    });
  });
});

onEveryTransport('a number that may be real', (transport) => {
  it('is reported, but published test numbers are not', async () => {
    const shop = transport.shop();
    await storeCard(shop);
    expect(await foundIn(shop)).toEqual([]);
    await shop.ask('card.create', 201, { body: cardBody({ number: '4532015112830366' }) });
    const verdict = await shop.merchant.verdict();
    expect(namesOf(verdict)).toEqual(['critical real-looking-card']);
    expect(findingOf(verdict, 'real-looking-card').what).toMatch(
      /^1 card\.create request contained/,
    );
  });
});

onEveryTransport('a raw card that is already stored', (transport) => {
  const raw = (change: Fields = {}) => ({ body: rawPaymentBody(change) });

  it('is reported for the same customer, and as possible otherwise', async () => {
    const shop = transport.shop();
    await storeCard(shop, owned('buyer-7'));
    await shop.ask('payment.create', 201, raw());
    expect(await foundIn(shop)).toEqual(['info raw-card-instead-of-token']);
    shop.merchant.clock.advance(121_000);
    await shop.ask('payment.create', 201, raw(owned('buyer-7')));
    expect(await foundIn(shop)).toEqual(['high raw-card-instead-of-token']);
  });

  it.each([
    ['typed again with its code on another day', 1_800_001, {}, ['info raw-card-instead-of-token']],
    [
      'sent with its code in the checkout that stored it',
      1_800_000,
      {},
      ['high raw-card-instead-of-token'],
    ],
    ['kept without its code', 1_800_001, { cvv2: undefined }, ['high raw-card-instead-of-token']],
  ])('is judged if it was %s', async (_, afterMs, change, found) => {
    const shop = transport.shop();
    shop.merchant.clock.freeze();
    await storeCard(shop, owned('buyer-7'));
    shop.merchant.clock.advance(afterMs);
    await shop.ask('payment.create', 201, raw({ ...owned('buyer-7'), ...change }));
    expect(await foundIn(shop)).toEqual(found);
  });

  it('is reported as possible with another expiry, because a bank may have renewed it', async () => {
    const shop = transport.shop();
    await storeCard(shop, owned('buyer-7'));
    await shop.ask('payment.create', 201, raw({ ...owned('buyer-7'), expire_year: 2032 }));
    expect(await foundIn(shop)).toEqual(['info raw-card-instead-of-token']);
  });

  it('is not reported for a number that ends alike, or after it was deleted', async () => {
    const shop = transport.shop();
    const cardId = await storeCard(shop);
    await shop.ask('payment.create', 201, raw({ number: '4000009990050331' }));
    await shop.ask('card.delete', 204, { params: { card_id: cardId } });
    shop.merchant.clock.advance(121_000);
    await shop.ask('payment.create', 201, raw());
    expect(await foundIn(shop)).toEqual([]);
  });
});

onEveryTransport('customers', (transport) => {
  it('are reported as missing if the card has one and the payment does not', async () => {
    const shop = transport.shop();
    const cardId = await storeCard(shop, owned('buyer-7'));
    await shop.ask('payment.create', 400, { body: paymentBody({ cardId }) });
    expect(await foundIn(shop)).toEqual(['medium missing-external-customer-id']);
  });

  it('are not missing if they are sent or the refusal was forced', async () => {
    const shop = transport.shop();
    const cardId = await storeCard(shop, owned('buyer-7'));
    const body = paymentBody({ cardId, externalCustomerId: 'buyer-7' });
    shop.merchant.force({ op: 'payment.create', outcome: 'external-id-missing' });
    await shop.ask('payment.create', 400, { body });
    await shop.ask('payment.create', 201, { body });
    expect(await foundIn(shop)).toEqual([]);
  });

  it.each<[string, OutcomeId | undefined, Fields, boolean]>([
    ['are reported if the service accepts that', undefined, {}, true],
    [
      'are not missing if the older name of the field has them',
      undefined,
      { payer_id: 'ada' },
      false,
    ],
    ['are not reported if an outcome was forced', 'sale-held', {}, false],
  ])('%s', async (_, outcome, change, isFound) => {
    const sandbox = createSandbox({ ownerCheck: 'lenient', fixtures: 'empty' });
    const merchant = sandbox.merchant('shop');
    const ask = async (path: string, body: unknown): Promise<{ readonly id: string }> => {
      const answer = await merchant.fetch(`http://sandbox/v1/${path}`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      });
      expect(answer.status).toBe(201);
      // Both records have an id.
      return (await answer.json()) as { readonly id: string };
    };
    const { id } = await ask('vault/credit-cards', cardBody(owned('ada')));
    if (outcome !== undefined) merchant.force({ op: 'payment.create', outcome });
    const body = paymentBody({ cardId: id });
    const token = { credit_card_id: id, ...change };
    await ask('payments/payment', {
      ...body,
      payer: { payment_method: 'credit_card', funding_instruments: [{ credit_card_token: token }] },
    });
    const { findings } = await merchant.verdict();
    expect(findings.some(({ rule }) => rule === 'missing-external-customer-id')).toBe(isFound);
  });

  it('are missing if some cards have one, and not if none has', async () => {
    const shop = transport.shop();
    await storeCard(shop);
    expect(await foundIn(shop)).toEqual([]);
    await storeCard(shop, owned('buyer-7'));
    expect(await foundIn(shop)).toEqual(['low missing-external-customer-id']);
  });

  it('are reported as sharing an id if more than two do', async () => {
    const shop = transport.shop();
    await storeCard(shop, owned('webshop', { first_name: 'Ada' }));
    await storeCard(shop, owned('webshop', { first_name: 'Ben' }));
    await storeCard(shop, owned('webshop', { first_name: 'ADA' }));
    expect(await foundIn(shop)).toEqual([]);
    await storeCard(shop, owned('webshop', { first_name: 'Cleo' }));
    expect(await foundIn(shop)).toEqual(['low shared-external-customer-id']);
  });

  it.each([
    ['medium', 'strangers', {}, false],
    ['low', 'a family', { last_name: 'Ash' }, false],
    ['low', 'a company', { billing_address: cardBody()['billing_address'] }, false],
    ['low', 'strangers while others have ids of their own', {}, true],
    ['medium', 'strangers without addresses', { billing_address: undefined }, false],
  ])('are reported as %s if they are %s', async (severity, _, common, hasOthers) => {
    const shop = transport.shop();
    if (hasOthers) await storeCard(shop, owned('buyer-7'));
    for (const name of ['Ash', 'Birch', 'Cedar']) {
      const address = { ...Object(cardBody()['billing_address']), line1: `1 ${name} Way` };
      const holder = { first_name: name, last_name: name, billing_address: address };
      await storeCard(shop, owned('account-1', { ...holder, ...common }));
    }
    expect(await foundIn(shop)).toEqual([`${severity} shared-external-customer-id`]);
  });
});

onEveryTransport('a card that is stored again', (transport) => {
  const again = 'medium stored-card-again';

  it('is reported after it was not found at first', async () => {
    const shop = transport.shop();
    const cardId = await storeCard(shop);
    shop.merchant.force({ op: 'card.get', outcome: 'created-not-visible-yet' });
    await shop.ask('card.get', 404, { params: { card_id: cardId } });
    await storeCard(shop);
    expect(await foundIn(shop)).toEqual(['medium stored-card-again']);
  });

  it.each(['card-unknown', 'card-deleted-during-payment'] as const)(
    'is not reported if the card was gone: %s',
    async (outcome) => {
      const shop = transport.shop();
      const cardId = await storeCard(shop);
      shop.merchant.force({ op: 'payment.create', outcome });
      await payFor(shop, cardId, { invoice_number: 'INV-1' });
      await payFor(shop, await storeCard(shop), { invoice_number: 'INV-1' });
      expect(await foundIn(shop)).toEqual([]);
    },
  );

  it.each<[string, 'payment.create' | 'card.get', string | undefined, string[]]>([
    ['is reported if a payment missed it', 'payment.create', undefined, [again]],
    ['is reported if a payment missed it, and was repeated', 'payment.create', 'INV-1', [again]],
    ['is not reported if it was stored for another order', 'payment.create', 'INV-2', []],
    ['is reported if a read missed it, and a payment followed', 'card.get', 'INV-2', [again]],
  ])('%s', async (_, op, invoice, found) => {
    const shop = transport.shop();
    const cardId = await storeCard(shop);
    shop.merchant.force({ op, outcome: 'created-not-visible-yet' });
    if (op === 'card.get') await shop.ask(op, 404, { params: { card_id: cardId } });
    else await payFor(shop, cardId, { invoice_number: 'INV-1' });
    const other = await storeCard(shop);
    if (invoice !== undefined) await payFor(shop, other, { invoice_number: invoice });
    expect(await foundIn(shop)).toEqual(found);
  });

  it.each([
    ['is not reported if a test cleans up between both', 'before', []],
    ['is reported if the first one is deleted afterwards', 'after', [again]],
  ])('%s', async (_, when, found) => {
    const shop = transport.shop();
    const params = { card_id: await storeCard(shop) };
    shop.merchant.force({ op: 'card.get', outcome: 'created-not-visible-yet' });
    await shop.ask('card.get', 404, { params });
    if (when === 'before') await shop.ask('card.delete', 204, { params });
    await storeCard(shop);
    if (when === 'after') await shop.ask('card.delete', 204, { params });
    expect(await foundIn(shop)).toEqual(found);
  });

  it('is not reported after it was deleted, or after a long time', async () => {
    const shop = transport.shop();
    const cardId = await storeCard(shop);
    await shop.ask('card.delete', 204, { params: { card_id: cardId } });
    await shop.ask('card.get', 404, { params: { card_id: cardId } });
    const other = await storeCard(shop);
    shop.merchant.clock.advance(61_000);
    shop.merchant.force({
      op: 'card.get',
      outcome: { outcome: 'created-not-visible-yet', with: { lag: '1h' } },
    });
    await shop.ask('card.get', 404, { params: { card_id: other } });
    await storeCard(shop);
    expect(await foundIn(shop)).toEqual([]);
  });

  it('is reported as possible if a customer pays with three copies', async () => {
    const shop = transport.shop();
    const buy = async (customer: string) => {
      const cardId = await storeCard(shop, owned(customer));
      const parts = { cardId, externalCustomerId: customer };
      await shop.ask('payment.create', 201, { body: paymentBody(parts) });
      shop.merchant.clock.advance(121_000);
    };
    for (const customer of ['a', 'b', 'c', 'a']) await buy(customer);
    expect(await foundIn(shop)).toEqual([]);
    await buy('a');
    expect(await foundIn(shop)).toEqual(['low stored-card-again']);
  });
});

onEveryTransport('an amount', (transport) => {
  it.each<[unknown, string, string]>([
    ['19.990000000000002', 'USD', 'had 15 decimals instead of 2'],
    [19.99, 'USD', 'was a number instead of a string'],
    ['1e2', 'USD', 'was written with an exponent'],
    ['7.5', 'USD', 'had 1 decimal instead of 2'],
    ['NaN', 'USD', 'was NaN'],
    ['1250.50', 'JPY', 'had decimals, but JPY has none'],
    ['10.500', 'USD', 'had 3 decimals instead of 2'],
    ['10.5000', 'KWD', 'had 4 decimals instead of 2'],
  ])('is reported as %s %s', async (total, currency, fault) => {
    const shop = transport.shop();
    await payFor(shop, await storeCard(shop), { amount: { total, currency } });
    const verdict = await shop.merchant.verdict();
    expect(namesOf(verdict)).toEqual(['high float-amount']);
    expect(findingOf(verdict, 'float-amount').what).toBe(
      `transactions[0].amount.total of payment.create ${fault}, once.`,
    );
  });

  it.each<[string, string, unknown, Fields, Fields, string]>([
    ['as a proper amount', 'USD', '19.990000000000002', {}, { total: '19.99' }, 'low'],
    ['cut off', 'USD', '20.999', {}, { total: '20.99' }, 'low'],
    ['as a text', 'USD', 19.99, {}, { total: '19.99' }, 'low'],
    ['without an exponent', 'USD', '1e2', {}, { total: '100' }, 'low'],
    ['in whole yen', 'JPY', '1250.50', {}, { total: '1251' }, 'low'],
    ['with another sum', 'USD', '19.990000000000002', {}, { total: '20.00' }, 'high'],
    [
      'for another order',
      'USD',
      19.99,
      { custom: 'A-1' },
      { total: '19.99', custom: 'A-2' },
      'high',
    ],
    ['for other goods', 'USD', 19.99, {}, { total: '19.99', description: 'Tea' }, 'high'],
    ['after no number', 'USD', 'NaN', {}, { total: '19.99' }, 'high'],
  ])('that was refused and then paid %s', async (_, currency, total, words, next, severity) => {
    const shop = transport.shop();
    const cardId = await storeCard(shop);
    await payFor(shop, cardId, { amount: { total, currency }, ...words });
    const { total: proper, ...others } = next;
    await payFor(shop, cardId, { amount: { total: proper, currency }, ...words, ...others });
    const { severity: found, what } = findingOf(await shop.merchant.verdict(), 'float-amount');
    expect(found).toBe(severity);
    expect(what.endsWith('once, and the client then sent it as a proper amount.')).toBe(
      severity === 'low',
    );
  });

  it('that was paid before is no correction', async () => {
    const shop = transport.shop();
    const cardId = await storeCard(shop);
    for (const total of ['19.99', '19.990000000000002']) {
      await payFor(shop, cardId, { amount: { total, currency: 'USD' } });
    }
    expect(await foundIn(shop)).toEqual(['high float-amount']);
  });

  it('that was corrected once is still reported if it was sent again', async () => {
    const shop = transport.shop();
    const cardId = await storeCard(shop);
    for (const [custom, total] of [
      ['A-1', 19.99],
      ['A-1', '19.99'],
      ['A-2', 19.99],
    ]) {
      await payFor(shop, cardId, { custom, amount: { total, currency: 'USD' } });
    }
    expect(await foundIn(shop)).toEqual(['high float-amount']);
  });

  it('of a refund was corrected if the same sale was refunded', async () => {
    const shop = transport.shop();
    const { id } = await sell(shop, { cardId: await storeCard(shop) });
    for (const total of [7.5, '7.50']) {
      const body = { amount: { total, currency: 'USD' } };
      await shop.send('sale.refund', { params: { sale_id: id }, body });
    }
    expect(await foundIn(shop)).toEqual(['low float-amount']);
  });

  it.each<[string, readonly unknown[], string]>([
    ['sent with other bad amounts, as in a test', ['-1.00', '0.00', '10.001'], 'low'],
    ['sent with no numbers, as in a test', ['ten', '', '1e2'], 'low'],
    ['sent with one bad amount of another kind', ['ten', '10.001'], 'high'],
    ['sent with the same bad amount again', ['0.00', '0.00', '10.001'], 'high'],
    ['sent with others that cannot be counted', ['NaN', '-Infinity', '10.001'], 'high'],
    ['sent twice', ['-1.00', '0.00', '10.001', '10.001'], 'high'],
    ['sent with good amounts', ['10.00', '20', '10.001'], 'high'],
  ])('%s', async (_, totals, severity) => {
    const shop = transport.shop();
    const cardId = await storeCard(shop);
    for (const [at, total] of totals.entries()) {
      await payFor(shop, cardId, { custom: `A-${at}`, amount: { total, currency: 'USD' } });
    }
    expect(new Set(await foundIn(shop))).toEqual(new Set([`${severity} float-amount`]));
  });

  it.each([
    ['30.11', 'USD'],
    ['7', 'USD'],
    ['1250', 'JPY'],
    ['10.500', 'KWD'],
    ['30,11', 'USD'],
    ['thirty', 'USD'],
  ])('is not reported as %s %s', async (total, currency) => {
    const shop = transport.shop();
    await payFor(shop, await storeCard(shop), { amount: { total, currency } });
    expect(await foundIn(shop)).toEqual([]);
  });
});

onEveryTransport('a text', (transport) => {
  it.each([
    ['Order of ada@example.com', ['low pii-in-description']],
    ['Call +49 30 1234567', ['low pii-in-description']],
    ['Phone: 030 1234567', ['low pii-in-description']],
    ['Questions? support@shop.example', []],
    ['Order 2026-05-06 1234567', []],
    ['3+12345678 sweets @ home', []],
  ])('is judged with "%s"', async (description, found) => {
    const shop = transport.shop();
    await payFor(shop, await storeCard(shop), { description });
    const verdict = await shop.merchant.verdict();
    expect(namesOf(verdict)).toEqual(found);
    expect(JSON.stringify(verdict.findings)).not.toMatch(/ada@|1234567/);
  });
});

onEveryTransport(
  'a card beside the cards of the fixtures',
  (transport) => {
    it('needs no customer id if no card that the client stored has one', async () => {
      const shop = transport.shop();
      await storeCard(shop);
      expect(await foundIn(shop)).toEqual([]);
      await storeCard(shop, owned('buyer-7'));
      expect(await foundIn(shop)).toEqual(['low missing-external-customer-id']);
    });
  },
  { fixtures: 'default' },
);
