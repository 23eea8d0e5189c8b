/**
 * Requests of clients in other languages, replayed byte by byte. The numbers in the titles are those of the facts in
 * contract.md §14.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { z } from 'zod';
import type { ProfileName } from '../../../src/contract/profile.ts';
import { createSandbox, type Listening, type Sandbox } from '../../../src/index.ts';
import { testNow } from '../../support/transports.ts';
import { cardBody, rawPaymentBody } from '../../support/samples.ts';
import {
  ClientAuthorization,
  ClientCapture,
  ClientCard,
  ClientCardList,
  ClientError,
  ClientPayment,
  ClientPaymentList,
  ClientRefund,
  ClientSale,
  GoCard,
  GoCardList,
  EmptyBody,
} from './decoders.ts';
import { dotnet, go, httpClient, java, omnipay, php, python, ruby } from './habits.ts';
import { RawClient, type Habits } from './raw-client.ts';

const cards = '/v1/vault/credit-cards';
const payments = '/v1/payments/payment';
const json = JSON.stringify;
const usd = (total: string) => ({ total, currency: 'USD' });

/** A payment body with the token object of a client. */
const paying = (token: object, more: object = {}, intent = 'sale') => ({
  intent,
  payer: { payment_method: 'credit_card', funding_instruments: [{ credit_card_token: token }] },
  transactions: [{ amount: usd('10'), description: 'An order', ...more }],
});

function saleIn(payment: z.output<typeof ClientPayment>): z.output<typeof ClientSale> {
  return ClientSale.parse(payment.transactions[0].related_resources[0]?.sale);
}

function holdIn(payment: z.output<typeof ClientPayment>): z.output<typeof ClientAuthorization> {
  return ClientAuthorization.parse(payment.transactions[0].related_resources[0]?.authorization);
}

describe.each(['documented', 'recorded'] as const)('over a socket (%s)', (profile: ProfileName) => {
  let sandbox: Sandbox;
  let at: Listening;
  let clients = 0;

  beforeAll(async () => {
    sandbox = createSandbox({
      seed: 'wire-shapes',
      fixtures: 'empty',
      profile,
      clock: { start: testNow, frozen: true },
    });
    at = await sandbox.listen({ port: 0 });
  });
  afterAll(() => sandbox.close());

  /** A client with its own merchant, after its token request. */
  const clientOf = async (habits: Habits): Promise<RawClient> => {
    const client = new RawClient(at, habits);
    await client.authenticate(`${habits.name}-${++clients}`);
    return client;
  };

  /** A card stored with this client's kind of expiry, and a payment's authorization or sale on it. */
  const store = (client: RawClient, change: object = {}) =>
    client.call(`POST ${cards}`, 201, ClientCard, { body: json({ ...cardBody(), ...change }) });
  const pay = async (client: RawClient, intent: 'sale' | 'authorize') => {
    const { id } = await store(client);
    const body = json(paying({ credit_card_id: id }, {}, intent));
    return client.call(`POST ${payments}`, 201, ClientPayment, { body });
  };

  describe('Python', () => {
    it('3: sends null with GET and DELETE', async () => {
      const client = await clientOf(python);
      const card = await store(client);
      const none = { body: 'null' };
      expect(await client.call(`GET ${cards}/${card.id}`, 200, ClientCard, none)).toEqual(card);
      const listed = await client.call(`GET ${cards}?page_size=10`, 200, ClientCardList, none);
      expect(listed.items).toEqual([card]);
      await client.call(`GET ${payments}?count=2`, 200, ClientPaymentList, none);
      await client.call(`DELETE ${cards}/${card.id}`, 204, EmptyBody, none);
      await client.call(`GET ${cards}/${card.id}`, 404, ClientError, none);
    });

    it('8: sends one PayPal-Request-Id with create and PATCH of an object', async () => {
      const client = await clientOf(python);
      const requestId = '9f1c1a52-3f0b-4b1e-8a3b-2f6f3a1d7e10';
      const create = { requestId, body: json(cardBody()) };
      const card = await client.call(`POST ${cards}`, 201, ClientCard, create);
      expect(await client.call(`POST ${cards}`, 201, ClientCard, create)).toEqual(card);
      const rename = (value: string) =>
        client.call(`PATCH ${cards}/${card.id}`, 200, ClientCard, {
          requestId,
          body: json([{ op: 'replace', path: '/first_name', value }]),
        });
      expect(await rename('Grace')).toEqual({ ...card, first_name: 'Grace' });
      expect(await rename('Joan')).toEqual({ ...card, first_name: 'Joan' });
    });

    it('4, 5: voids and refunds in full with {}', async () => {
      const client = await clientOf(python);
      const hold = holdIn(await pay(client, 'authorize'));
      const voided = await client.call(
        `POST /v1/payments/authorization/${hold.id}/void`,
        200,
        ClientAuthorization,
        { body: '{}', requestId: 'void-1' },
      );
      expect(voided.state).toBe('voided');
      const sale = saleIn(await pay(client, 'sale'));
      const refund = { body: '{}', requestId: 'refund-1' };
      const path = `POST /v1/payments/sale/${sale.id}/refund`;
      const made = await client.call(path, 201, ClientRefund, refund);
      expect(await client.call(path, 200, ClientRefund, refund)).toEqual(made);
    });

    it('15: gets 401 for a junk token only, and asks for a new one', async () => {
      const client = await clientOf(python);
      const junk = await client.reply(`GET ${cards}`, {
        authorization: 'Bearer junk',
        body: 'null',
      });
      expect(junk.status).toBe(401);
      expect(junk.body).toMatchObject({ error: 'invalid_token' });
      ClientError.parse(junk.body);
      await client.authenticate('python-again');
      await client.call(`GET ${cards}`, 200, ClientCardList, { body: 'null' });
    });
  });

  describe('Ruby', () => {
    it('7, 10: accepts */* and sends the expiry as text', async () => {
      const client = await clientOf(ruby);
      const card = await store(client, { expire_month: '11', expire_year: '2031' });
      expect([Number(card.expire_month), Number(card.expire_year)]).toEqual([11, 2031]);
      const patched = await client.call(`PATCH ${cards}/${card.id}`, 200, ClientCard, {
        requestId: 'ruby-1',
        body: json([{ op: 'replace', path: '/expire_month', value: '12' }]),
      });
      expect(Number(patched.expire_month)).toBe(12);
    });

    it('8: repeats a payment with its id and gets the first', async () => {
      const client = await clientOf(ruby);
      const { id } = await store(client);
      const create = { requestId: 'ruby-2', body: json(paying({ credit_card_id: id })) };
      const payment = await client.call(`POST ${payments}`, 201, ClientPayment, create);
      expect(await client.call(`POST ${payments}`, 201, ClientPayment, create)).toEqual(payment);
      const listed = await client.call(`GET ${payments}?count=5`, 200, ClientPaymentList);
      expect(listed.count).toBe(1);
    });

    it('14: reads 400 as an error object, and its details in order', async () => {
      const client = await clientOf(ruby);
      const body = json({ number: '4417119669820331', type: 'visa', first_name: 'Ada' });
      const error = await client.call(`POST ${cards}`, 400, ClientError, { body });
      expect(error.details?.map(({ field }) => field)).toEqual(['expire_year', 'expire_month']);
    });

    it('2: adds unknown parameters', async () => {
      const client = await clientOf(ruby);
      const card = await store(client);
      const listed = await client.call(`GET ${cards}?count=10&anything=1`, 200, ClientCardList);
      expect(listed).toMatchObject({ items: [card], total_items: 1, total_pages: 1 });
    });
  });

  describe('PHP', () => {
    it('4: voids with an empty body and a Content-Length of 0', async () => {
      const client = await clientOf(php);
      const hold = holdIn(await pay(client, 'authorize'));
      const voided = await client.call(
        `POST /v1/payments/authorization/${hold.id}/void`,
        200,
        ClientAuthorization,
        { body: '' },
      );
      expect(voided.valid_until).toBeUndefined();
    });

    it('3, 17: deletes with an empty body, and gets no body', async () => {
      const client = await clientOf(php);
      const { id } = await store(client);
      const reply = await client.reply(`DELETE ${cards}/${id}`, { body: '' });
      expect([reply.status, reply.text]).toEqual([204, '']);
    });

    it('11: builds the card from the answer to its PATCH', async () => {
      const client = await clientOf(php);
      const card = await store(client, { billing_address: undefined });
      const { billing_address: address } = cardBody();
      const patched = await client.call(`PATCH ${cards}/${card.id}`, 200, ClientCard, {
        body: json([
          { op: 'add', path: '/billing_address', value: address },
          { op: 'replace', path: '/billing_address/line1', value: '2 Mock Way' },
        ]),
      });
      expect(patched.billing_address).toMatchObject({ line1: '2 Mock Way', city: 'Sampleton' });
      expect(patched.id).toBe(card.id);
    });

    it('waits for 100 Continue before a long body, as curl does', async () => {
      const client = await clientOf({ ...php, expectsContinue: true });
      const card = await store(client);
      expect(card.state).toBe('ok');
    });
  });

  describe('Java', () => {
    it('2: lists with an empty query and with empty parameters', async () => {
      const client = await clientOf(java);
      const card = await store(client);
      const empty =
        'merchant_id=&external_card_id=&external_customer_id=&start_time=&end_time=&page=1&page_size=10&sort_order=asc&sort_by=create_time';
      for (const query of ['', empty, 'count=10&start_id=&start_index=0&payer_id=']) {
        const listed = await client.call(`GET ${cards}?${query}`, 200, ClientCardList);
        expect(listed).toMatchObject({ items: [card], total_items: 1 });
      }
    });

    it('8: sends a request id with every call, GET and DELETE too', async () => {
      const client = await clientOf(java);
      const requestId = 'f2c6ce34-1b1c-4f0c-b1a3-54f0f0c2b6a9';
      const create = { requestId, body: json(cardBody()) };
      const { id } = await client.call(`POST ${cards}`, 201, ClientCard, create);
      await client.call(`GET ${cards}/${id}`, 200, ClientCard, { requestId });
      await client.call(`PATCH ${cards}/${id}`, 200, ClientCard, {
        requestId,
        body: json([{ op: 'replace', path: '/expire_year', value: 2032 }]),
      });
      const shown = await client.call(`GET ${cards}/${id}`, 200, ClientCard, { requestId });
      expect(Number(shown.expire_year)).toBe(2032);
      await client.call(`DELETE ${cards}/${id}`, 204, EmptyBody, { requestId });
      await client.call(`GET ${cards}/${id}`, 404, ClientError, { requestId });
      await client.call(`DELETE ${cards}/${id}`, 404, ClientError, { requestId });
    });

    it('9: sends zeros in a token, which are not echoed, and in an empty card', async () => {
      const client = await clientOf(java);
      const card = await store(client);
      const token = { credit_card_id: card.id, expire_month: 0, expire_year: 0 };
      const payment = await client.call(`POST ${payments}`, 201, ClientPayment, {
        body: json(paying(token)),
      });
      expect(payment.payer.funding_instruments[0].credit_card_token).toMatchObject({
        expire_month: String(card.expire_month),
        expire_year: String(card.expire_year),
      });
      const error = await client.call(`POST ${cards}`, 400, ClientError, {
        body: json({ expire_month: 0, expire_year: 0 }),
      });
      expect(error.details).toEqual(
        ['number', 'expire_year', 'expire_month', 'type'].map((field) => ({
          field,
          issue: 'Required field missing',
        })),
      );
    });
  });

  describe('.NET', () => {
    it('2: lists with True', async () => {
      const client = await clientOf(dotnet);
      const card = await store(client);
      const query = (total: string) =>
        `page_size=10&page=1&sort_order=asc&sort_by=create_time&total_required=${total}`;
      const listed = await client.call(`GET ${cards}?${query('True')}`, 200, ClientCardList);
      expect(listed).toMatchObject({ items: [card], total_items: 1 });
      const { body } = await client.reply(`GET ${cards}?${query('False')}`);
      expect(body).not.toHaveProperty('total_items');
    });

    it('8: sends one request id for a whole context, including the token request', async () => {
      const client = new RawClient(at, dotnet);
      const requestId = 'b6b9d3c6-7f6e-4df1-9a0b-5a3d2b1c0e4f';
      await client.authenticate(`dotnet-${++clients}`, { requestId });
      const post = <S extends z.ZodType>(path: string, status: number, model: S, body: object) =>
        client.call(`POST ${path}`, status, model, { requestId, body: json(body) });

      const card = await post(cards, 201, ClientCard, cardBody());
      const payment = await post(
        payments,
        201,
        ClientPayment,
        paying({ credit_card_id: card.id, expire_month: 0, expire_year: 0 }, {}, 'authorize'),
      );
      const hold = `/v1/payments/authorization/${holdIn(payment).id}`;
      const capture = await post(`${hold}/capture`, 200, ClientCapture, {
        amount: usd('4'),
        is_final_capture: true,
      });
      expect(capture).toMatchObject({ is_final_capture: true, amount: usd('4.00') });
      const refunds = `/v1/payments/capture/${capture.id}/refund`;
      const refund = await post(refunds, 201, ClientRefund, { amount: usd('4') });
      expect(refund.capture_id).toBe(capture.id);
      const shown = await client.call(`GET ${payments}/${payment.id}`, 200, ClientPayment, {
        requestId,
      });
      const related = shown.transactions[0].related_resources.map((one) => Object.keys(one)[0]);
      expect(related).toEqual(['authorization', 'capture', 'refund']);
    });

    it('4: voids with an empty body, after 100 Continue', async () => {
      const client = await clientOf({ ...dotnet, expectsContinue: true });
      const hold = holdIn(await pay(client, 'authorize'));
      const path = `POST /v1/payments/authorization/${hold.id}/void`;
      const voided = await client.call(path, 200, ClientAuthorization, { body: '' });
      expect(voided.state).toBe('voided');
    });
  });

  describe('HttpClient of .NET', () => {
    it('pays with JSON in chunks, and pays once after a lost answer', async () => {
      const client = await clientOf(httpClient);
      const merchant = sandbox.merchant(`${httpClient.name}-${clients}`);
      merchant.force({
        op: 'payment.create',
        sequence: ['decline-insufficient-funds', 'reset-after-commit', 'ok'],
        per: 'merchant',
      });
      const body = json(rawPaymentBody({}, { total: '30.11' }));
      const error = await client.call(`POST ${payments}`, 400, ClientError, { body });
      expect(error.name).toBe('INSTRUMENT_DECLINED');
      const create = { body, requestId: 'order-7' };
      await expect(client.reply(`POST ${payments}`, create)).rejects.toThrow('ECONNRESET');
      const reply = await client.reply(`POST ${payments}`, create);
      expect([reply.status, reply.headers.get('sandbox-replayed')]).toEqual([201, 'true']);
      expect(merchant.ledger().transfers.map(({ amount }) => amount.minor)).toEqual([3011]);
    });
  });

  describe('Go', () => {
    it('1: lists payments and pays with a trailing slash, without a redirect', async () => {
      const client = await clientOf(go);
      const { id } = await store(client, { expire_month: '11', expire_year: '2031' });
      const body = json(paying({ credit_card_id: id }));
      const made = await client.call(`POST ${payments}/`, 201, ClientPayment, { body });
      const listed = await client.call(`GET ${payments}/`, 200, ClientPaymentList);
      expect(listed).toEqual({ payments: [made], count: 1 });
    });

    it('5: refunds in full with {"amount":null}', async () => {
      const client = await clientOf(go);
      const sale = saleIn(await pay(client, 'sale'));
      const path = `POST /v1/payments/sale/${sale.id}/refund`;
      const refund = await client.call(path, 201, ClientRefund, { body: '{"amount":null}' });
      expect(refund.amount.total).toBe('10.00');
    });

    it('4: voids with an empty body', async () => {
      const client = await clientOf(go);
      const hold = holdIn(await pay(client, 'authorize'));
      const path = `POST /v1/payments/authorization/${hold.id}/void`;
      await client.call(path, 200, ClientAuthorization, { body: '' });
      const error = await client.call(path, 400, ClientError, { body: '' });
      expect(error.name).toBe('AUTHORIZATION_CANNOT_BE_VOIDED');
    });

    it('9, 10: decodes an expiry from a string only, so its vault needs the recorded profile', async () => {
      const client = await clientOf(go);
      const { id } = await store(client, { expire_month: '11', expire_year: '2031' });
      const decode = () =>
        Promise.all([
          client.call(`GET ${cards}/${id}`, 200, GoCard),
          client.call(`GET ${cards}?page_size=10&page=1`, 200, GoCardList),
        ]);
      if (profile === 'recorded') {
        expect((await decode())[0]).toMatchObject({ expire_month: '11', expire_year: '2031' });
      } else {
        await expect(decode()).rejects.toThrow('expire_month');
      }
    });
  });

  describe('Omnipay', () => {
    it('6: requests its token without a Content-Type', async () => {
      expect(omnipay.tokenHeaders.join()).not.toMatch(/content-type/i);
      await clientOf(omnipay);
    });

    it('3: deletes with []', async () => {
      const client = await clientOf(omnipay);
      const { id } = await store(client);
      await client.call(`DELETE ${cards}/${id}`, 204, EmptyBody, { body: '[]' });
      await client.call(`GET ${cards}/${id}?`, 404, ClientError);
    });

    it('4, 5: voids with null and describes a refund', async () => {
      const client = await clientOf(omnipay);
      const hold = holdIn(await pay(client, 'authorize'));
      const path = `POST /v1/payments/authorization/${hold.id}/void`;
      const voided = await client.call(path, 200, ClientAuthorization, { body: 'null' });
      expect(voided.state).toBe('voided');

      const sale = saleIn(await pay(client, 'sale'));
      const refund = await client.call(
        `POST /v1/payments/sale/${sale.id}/refund`,
        201,
        ClientRefund,
        { body: json({ amount: usd('4.00'), description: 'Sent back' }) },
      );
      expect(refund).toMatchObject({ amount: usd('4.00'), description: 'Sent back' });
    });

    it('9: sends null for unset fields, which are not echoed', async () => {
      const client = await clientOf(omnipay);
      const { id } = await store(client);
      const body = json({
        ...paying({ credit_card_id: id }, { invoice_number: null }),
        experience_profile_id: null,
      });
      // Twice: null is not an invoice number, so the second payment is not a duplicate.
      const first = await client.call(`POST ${payments}`, 201, ClientPayment, { body });
      const second = await client.call(`POST ${payments}`, 201, ClientPayment, { body });
      expect(first.id).not.toBe(second.id);
      const reply = await client.reply(`GET ${payments}/${first.id}?`);
      expect(reply.text).not.toMatch(/null|invoice_number|experience_profile_id/);
    });
  });
});
