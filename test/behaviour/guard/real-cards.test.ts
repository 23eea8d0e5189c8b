/** Card numbers that are not known test numbers: refused, accepted with a warning, or not checked. */
import { expect, it } from 'vitest';
import { onEveryTransport, type Request, type Shop } from '../../support/transports.ts';
import { storeCard } from '../../support/purchases.ts';
import { cardBody, pans, paymentBody, rawPaymentBody } from '../../support/samples.ts';

/** A valid number that is not a known test number. */
const number = '4929851042331971';

const warning = {
  kind: 'real-looking-card',
  text: expect.stringMatching(/^The card number is on no list of test numbers\D*$/),
};

type Asking = readonly ['card.create' | 'payment.create', Request];

const asPaymentCard = (card: object): object => ({
  ...rawPaymentBody(),
  payer: { payment_method: 'credit_card', funding_instruments: [{ payment_card: card }] },
});

/** Each operation that sends a card number. */
const asking: readonly Asking[] = [
  ['card.create', { body: cardBody({ number }) }],
  ['card.create', { body: cardBody({ number: Number(number) }) }],
  ['payment.create', { body: rawPaymentBody({ number }) }],
  ['payment.create', { body: asPaymentCard(cardBody({ number })) }],
];

/** The same requests with another error. */
const wrong: readonly (readonly [what: string, change: Readonly<Record<string, unknown>>])[] = [
  ['expired', { expire_year: 2020 }],
  ['of another brand', { type: 'amex' }],
  ['with a long code', { cvv2: '12345' }],
  ['without expiry', { expire_year: undefined }],
  ['with spaces', { number: '4929 8510 4233 1971' }],
  ['with dashes', { number: '4929-8510-4233-1971' }],
];

const lastEntry = (shop: Shop) => shop.merchant.journal().entries.at(-1);

const headerOf = (headers: Headers) => headers.get('sandbox-warning');

onEveryTransport('an unknown card number, by default', (transport) => {
  it.each(asking)(
    '201 %s: accepted with a warning in the response and the journal',
    async (name, ask) => {
      const shop = transport.shop();
      const { headers } = await shop.reply(name, 201, ask);
      expect(headerOf(headers)).toMatch(/^real-looking-card; text="The card number [^\d"]+"$/);
      expect(lastEntry(shop)).toMatchObject({ status: 201, warnings: [warning] });
      expect(shop.merchant.explain(headers.get('paypal-debug-id') ?? '')?.warnings).toEqual([
        warning,
      ]);
    },
  );

  it.each(wrong)('400 %s: refused as usual, with a warning', async (_what, change) => {
    const shop = transport.shop();
    const listed = await shop.ask('card.create', 400, {
      body: cardBody({ number: pans.visa, expire_year: 2020 }),
    });
    const { headers, body } = await shop.reply('card.create', 400, {
      body: cardBody({ number, ...change }),
    });
    expect(headerOf(headers)).toMatch(/^real-looking-card; /);
    expect(JSON.stringify(body)).not.toContain('REAL_CARD_REFUSED');
    expect(Object.keys(listed)).toEqual(expect.arrayContaining(['details']));
    expect(lastEntry(shop)).toMatchObject({ status: 400, warnings: [warning] });
  });

  it('gives no warning for text that is not a card number', async () => {
    const shop = transport.shop();
    const body = cardBody({ number: '4929851042331972' });
    const { headers } = await shop.reply('card.create', 400, { body });
    expect(headerOf(headers)).toBeNull();
    expect(lastEntry(shop)?.warnings).toEqual([]);
  });

  it('can be found in the journal', async () => {
    const shop = transport.shop();
    await shop.send('card.create', { body: cardBody({ number }) });
    await storeCard(shop);
    const match = { warning: 'real-looking-card' } as const;
    expect(shop.merchant.journal(match).entries).toHaveLength(1);
    expect(shop.merchant.verify({ match, times: 0 })).toMatchObject({ ok: false });
    expect(shop.merchant.verify({ match, times: 1 })).toMatchObject({ ok: true });
  });
});

onEveryTransport(
  'an unknown card number, with realCards refuse',
  (transport) => {
    it.each(asking)('400 %s: refused with one issue, and nothing is stored', async (name, ask) => {
      const shop = transport.shop();
      const { headers, body } = await shop.reply(name, 400, ask);
      const field =
        name === 'card.create' ? 'number' : 'payer.funding_instruments[0].credit_card.number';
      expect(body).toMatchObject({
        name: 'VALIDATION_ERROR',
        details: [{ field, issue: 'REAL_CARD_REFUSED' }],
        message: 'Invalid request - see details',
      });
      expect(headerOf(headers)).toMatch(/^real-looking-card; text="The card number [^\d"]+"$/);
      expect((await shop.ask('card.list', 200)).total_items).toBe(0);
      expect((await shop.ask('payment.list', 200)).count).toBe(0);
    });

    it.each(asking)('%s: nothing of the request is stored in the journal', async (name, ask) => {
      const shop = transport.shop();
      await shop.send(name, ask);
      expect(lastEntry(shop)).toMatchObject({
        operation: name,
        status: 400,
        problem: 'VALIDATION_ERROR',
        reason: expect.stringContaining('--allow-cards'),
        request: undefined,
        intent: undefined,
        cardId: undefined,
        subject: undefined,
        committed: false,
        warnings: [warning],
      });
    });

    it.each(wrong)('400 %s: refused as usual, and not stored', async (_what, change) => {
      const shop = transport.shop();
      const { body } = await shop.reply('card.create', 400, {
        body: cardBody({ number, ...change }),
      });
      expect(JSON.stringify(body)).not.toContain('REAL_CARD_REFUSED');
      expect(lastEntry(shop)).toMatchObject({ request: undefined, warnings: [warning] });
    });

    it('stores no last digits of a number that could be mistyped', async () => {
      const shop = transport.shop();
      await shop.ask('card.create', 400, { body: cardBody({ number: '4929851042331972' }) });
      expect(lastEntry(shop)?.request).toContain('"number":"[redacted]"');
      await shop.ask('card.create', 400, { body: cardBody({ number: `${number}0` }) });
      expect(lastEntry(shop)?.request).not.toContain('1971');
      await shop.ask('card.create', 201, { body: cardBody() });
      expect(lastEntry(shop)?.request).toContain('"number":"xxxxxxxxxxxx0331"');
    });

    it('hides numbers in paths and request ids, which can still be found', async () => {
      const shop = transport.shop();
      await shop.send('card.get', { params: { card_id: number } });
      expect(lastEntry(shop)?.path).toBe('/v1/vault/credit-cards/[redacted]');
      const headers = { 'PayPal-Request-Id': `order ${number}` };
      await shop.ask('card.create', 201, { body: cardBody(), headers });
      expect(lastEntry(shop)?.requestId).toBe('order [redacted]');
      const query = { requestId: `order ${number}` };
      expect(shop.merchant.journal(query).entries).toHaveLength(1);
    });

    it('400 for a patch that tests for the number, which is not stored', async () => {
      const shop = transport.shop();
      const params = { card_id: await storeCard(shop) };
      const body = [{ op: 'test', path: '/number', value: number }];
      await shop.ask('card.update', 400, { params, body });
      expect(lastEntry(shop)?.request).toBe(
        '[{"op":"test","path":"/number","value":"[redacted]"}]',
      );
    });

    it('is refused before a forced outcome, which waits for the next request', async () => {
      const shop = transport.shop();
      shop.merchant.force({ op: 'card.create', outcome: 'error-500-after-commit' });
      await shop.ask('card.create', 400, { body: cardBody({ number }) });
      expect(shop.merchant.unfired()).toHaveLength(1);
      await shop.ask('card.create', 500, { body: cardBody() });
    });

    it('is refused after other errors of the payment', async () => {
      const shop = transport.shop();
      const transaction = { invoice_number: 'INV-1' };
      await shop.ask('payment.create', 201, { body: rawPaymentBody({}, { transaction }) });
      const again = { body: rawPaymentBody({ number }, { transaction }) };
      expect(await shop.ask('payment.create', 400, again)).toMatchObject({
        name: 'DUPLICATE_TRANSACTION',
      });
      const basket = { body: rawPaymentBody({ number }, { total: '0.00' }) };
      const refused = await shop.ask('payment.create', 400, basket);
      expect(refused.details).toMatchObject([{ field: 'transactions[0].amount.total' }]);
    });

    it('does not use up its request id or an id of a record', async () => {
      const shop = transport.shop();
      const headers = { 'PayPal-Request-Id': 'once' };
      const next = async () => ({
        card: (await shop.ask('card.create', 201, { body: cardBody(), headers })).id,
        payment: (await shop.ask('payment.create', 201, { body: rawPaymentBody() })).id,
      });
      const undisturbed = await next();
      shop.merchant.reset();
      await shop.ask('card.create', 400, { body: cardBody({ number }), headers });
      await shop.ask('payment.create', 400, { body: rawPaymentBody({ number }) });
      expect(await next()).toEqual(undisturbed);
    });
  },
  { realCards: 'refuse' },
);

onEveryTransport(
  'an unknown card number, with realCards off',
  (transport) => {
    it.each(asking)('201 %s: accepted without a warning', async (name, ask) => {
      const shop = transport.shop();
      const { headers } = await shop.reply(name, 201, ask);
      expect(headerOf(headers)).toBeNull();
      expect(lastEntry(shop)?.warnings).toEqual([]);
      expect(shop.merchant.journal({ warning: 'real-looking-card' }).entries).toEqual([]);
    });
  },
  { realCards: 'off' },
);

onEveryTransport(
  'built-in data',
  (transport) => {
    it('has only test numbers: fixtures and scenarios start with realCards refuse', async () => {
      const shop = transport.shop();
      expect((await shop.ask('card.list', 200)).total_items).toBe(8);
      for (const { name } of transport.sandbox.scenarios()) {
        shop.merchant.playScenario(name);
        expect(shop.merchant.rules().length, name).toBeGreaterThan(0);
      }
    });

    it('has vaulted cards that pay without a warning', async () => {
      const shop = transport.shop();
      const cardId = await storeCard(shop);
      const { headers } = await shop.reply('payment.create', 201, {
        body: paymentBody({ cardId }),
      });
      expect(headerOf(headers)).toBeNull();
    });
  },
  { realCards: 'refuse', fixtures: 'default' },
);
