import { expect, it } from 'vitest';
import { onEveryTransport, type Shop } from '../../support/transports.ts';
import { hourMs, pay, storeCard } from '../../support/purchases.ts';
import {
  issuesOf,
  malformedRequest,
  refusalOf,
  requiredIssue,
} from '../../support/requests/refusals.ts';
import { paymentBody, rawPaymentBody } from '../../support/samples.ts';

const custom = '/transactions/0/custom';
const invoiceNumber = '/transactions/0/invoice_number';
const shippingAddress = '/transactions/0/item_list/shipping_address';
const amount = '/transactions/0/amount';

const stateInvalid = {
  name: 'PAYMENT_STATE_INVALID',
  message: 'This request is invalid due to the current state of the payment',
};
const address = { recipient_name: 'Ada Tester', line1: '2 Mock Way', country_code: 'US' };
const replaceCustom = { op: 'replace', path: custom, value: 'order 1042' };
const replaceAmount = {
  op: 'replace',
  path: amount,
  value: { total: '36.07', currency: 'USD' },
};

const patchOf = (paymentId: string, ...body: readonly unknown[]) => ({
  params: { payment_id: paymentId },
  body,
});

async function shown(shop: Shop, paymentId: string) {
  return shop.ask('payment.get', 200, { params: { payment_id: paymentId } });
}

onEveryTransport('update a payment', (transport) => {
  it.each(['add', 'replace'])(
    '200 sets all three notes by %s, and answers with the whole payment',
    async (op) => {
      const shop = transport.shop();
      const paid = await pay(shop);
      shop.merchant.clock.advance(hourMs);
      const patched = await shop.ask(
        'payment.update',
        200,
        patchOf(
          paid.id,
          { op, path: custom, value: 'order 1042' },
          { op, path: invoiceNumber, value: 'INV-1042' },
          { op, path: shippingAddress, value: address },
        ),
      );
      expect(patched).toEqual({
        ...paid,
        update_time: '2026-05-06T08:08:09.123Z',
        transactions: [
          {
            ...paid.transactions[0],
            custom: 'order 1042',
            invoice_number: 'INV-1042',
            item_list: { shipping_address: address },
          },
        ],
      });
      expect(await shown(shop, paid.id)).toEqual(patched);
    },
  );

  it('200 replaces existing notes, keeps the items, and moves no money', async () => {
    const shop = transport.shop();
    const items = [{ quantity: '1', price: '30.11', currency: 'USD' }];
    const paid = await pay(shop, {
      transaction: { custom: 'before', item_list: { items, shipping_address: address } },
    });
    const ledger = shop.merchant.ledger();
    const moved = { line1: '3 Mock Way', country_code: 'DE' };
    const patched = await shop.ask(
      'payment.update',
      200,
      patchOf(paid.id, replaceCustom, { op: 'replace', path: shippingAddress, value: moved }),
    );
    expect(patched.transactions[0]).toEqual({
      ...paid.transactions[0],
      custom: 'order 1042',
      item_list: { items, shipping_address: moved },
    });
    expect(shop.merchant.ledger()).toEqual(ledger);
  });

  it('200 applies operations in order', async () => {
    const shop = transport.shop();
    const { id } = await pay(shop);
    const patched = await shop.ask(
      'payment.update',
      200,
      patchOf(id, { ...replaceCustom, value: 'first' }, { ...replaceCustom, value: 'last' }),
    );
    expect(patched.transactions[0]?.custom).toBe('last');
  });

  it('200 patches an authorization too', async () => {
    const shop = transport.shop();
    const { id } = await pay(shop, { intent: 'authorize' });
    const patched = await shop.ask('payment.update', 200, patchOf(id, replaceCustom));
    expect(patched.transactions[0]?.custom).toBe('order 1042');
  });

  it('200 ignores the PayPal-Request-Id of the payment', async () => {
    const shop = transport.shop();
    const headers = { 'PayPal-Request-Id': 'order-1042' };
    const body = paymentBody({ cardId: await storeCard(shop) });
    const { id } = await shop.ask('payment.create', 201, { headers, body });
    for (const value of ['first', 'second']) {
      const request = { ...patchOf(id, { ...replaceCustom, value }), headers };
      const patched = await shop.ask('payment.update', 200, request);
      expect(patched.transactions[0]?.custom).toBe(value);
    }
  });

  it('200 frees the old invoice number and reserves the new one', async () => {
    const shop = transport.shop();
    const { id } = await pay(shop, { transaction: { invoice_number: 'INV-1' } });
    const replaceInvoice = { op: 'replace', path: invoiceNumber, value: 'INV-2' };
    await shop.ask('payment.update', 200, patchOf(id, replaceInvoice));
    await shop.ask('payment.update', 200, patchOf(id, replaceInvoice));
    await pay(shop, { transaction: { invoice_number: 'INV-1' } });
    const cardId = await storeCard(shop);
    const body = paymentBody({ cardId, transaction: { invoice_number: 'INV-2' } });
    expect((await refusalOf(shop, 'payment.create', { body })).name).toBe('DUPLICATE_TRANSACTION');
  });

  it('200 treats an empty invoice number as absent, like a payment does', async () => {
    const shop = transport.shop();
    const empty = { op: 'replace', path: invoiceNumber, value: '' };
    const { id } = await pay(shop, { transaction: { invoice_number: 'INV-1' } });
    const other = await pay(shop);
    const patched = await shop.ask('payment.update', 200, patchOf(id, empty));
    expect(patched.transactions[0]).not.toHaveProperty('invoice_number');
    await shop.ask('payment.update', 200, patchOf(other.id, empty));
    await pay(shop, { transaction: { invoice_number: 'INV-1' } });
  });

  it("400 refuses another payment's invoice number, and changes nothing", async () => {
    const shop = transport.shop();
    await pay(shop, { transaction: { invoice_number: 'INV-1' } });
    const paid = await pay(shop);
    const request = patchOf(paid.id, replaceCustom, {
      op: 'add',
      path: invoiceNumber,
      value: 'INV-1',
    });
    expect((await refusalOf(shop, 'payment.update', request)).name).toBe('DUPLICATE_TRANSACTION');
    expect(await shown(shop, paid.id)).toEqual(paid);
  });

  it('400 refuses to change the amount, alone or with other changes', async () => {
    const shop = transport.shop();
    const paid = await pay(shop);
    for (const patch of [[replaceAmount], [replaceCustom, replaceAmount]]) {
      const request = patchOf(paid.id, ...patch);
      expect(await refusalOf(shop, 'payment.update', request)).toEqual(stateInvalid);
    }
    expect(await shown(shop, paid.id)).toEqual(paid);
  });

  it('400 refuses any change of a payment with a raw card: it is approved', async () => {
    const shop = transport.shop();
    const paid = await shop.ask('payment.create', 201, { body: rawPaymentBody() });
    for (const operation of [replaceCustom, replaceAmount]) {
      const request = patchOf(paid.id, operation);
      expect(await refusalOf(shop, 'payment.update', request)).toEqual(stateInvalid);
    }
    expect(await shown(shop, paid.id)).toEqual(paid);
  });

  const pathIssue = `Must be /transactions/0/amount, ${invoiceNumber}, ${custom}, ${shippingAddress}`;

  it.each([
    ['an unknown path', { ...replaceCustom, path: '/intent' }, '[0].path', pathIssue],
    ['no path', { op: 'add', value: 'x' }, '[0].path', requiredIssue],
    [
      'an op that is not allowed',
      { ...replaceCustom, op: 'remove' },
      '[0].op',
      'Must be add or replace',
    ],
    ['no op', { path: custom, value: 'x' }, '[0].op', requiredIssue],
    ['no value', { op: 'add', path: custom }, '[0].value', requiredIssue],
    ['a value of null', { op: 'add', path: custom, value: null }, '[0].value', requiredIssue],
    ['a fraction for a text', { ...replaceCustom, value: 7.5 }, custom, 'Value is invalid'],
    [
      'a text too long',
      { ...replaceCustom, value: 'c'.repeat(128) },
      custom,
      'Value exceeds max length of 127',
    ],
    [
      'an address without lines',
      { op: 'add', path: shippingAddress, value: { country_code: 'US' } },
      `${shippingAddress}/line1`,
      requiredIssue,
    ],
    [
      'an address that is a text',
      { op: 'add', path: shippingAddress, value: '1 Mock Way' },
      shippingAddress,
      'Value is invalid',
    ],
  ] as const)('400 refuses a patch with %s', async (_, operation, field, issue) => {
    const shop = transport.shop();
    const paid = await pay(shop);
    const request = patchOf(paid.id, operation);
    expect(await issuesOf(shop, 'payment.update', request)).toEqual([[field, issue]]);
    expect(await shown(shop, paid.id)).toEqual(paid);
  });

  it('400 refuses a patch without operations', async () => {
    const shop = transport.shop();
    const { id } = await pay(shop);
    expect(await issuesOf(shop, 'payment.update', patchOf(id))).toEqual([
      ['[0]', 'Must hold at least one operation'],
    ]);
  });

  it.each([
    ['an object', replaceCustom],
    ['a text', '"custom"'],
    ['a list of texts', ['custom']],
    ['empty', ''],
  ])('400 refuses a body that is %s', async (_, body) => {
    const shop = transport.shop();
    const { id } = await pay(shop);
    const request = { params: { payment_id: id }, body };
    expect(await refusalOf(shop, 'payment.update', request)).toEqual(malformedRequest);
  });

  it("404 refuses an unknown payment, and another merchant's", async () => {
    const { id } = await pay(transport.shop());
    const shop = transport.shop();
    for (const paymentId of ['PAY-3AB45678CD901234EKEXAMPL', id]) {
      const { name } = await shop.ask('payment.update', 404, patchOf(paymentId, replaceCustom));
      expect(name).toBe('INVALID_RESOURCE_ID');
    }
  });
});

onEveryTransport(
  'update a payment, recorded profile',
  (transport) => {
    it('400 refuses any change: every card payment is approved', async () => {
      const shop = transport.shop();
      const paid = await pay(shop);
      for (const operation of [replaceCustom, replaceAmount]) {
        const request = patchOf(paid.id, operation);
        expect(await refusalOf(shop, 'payment.update', request)).toEqual(stateInvalid);
      }
      expect(await shown(shop, paid.id)).toEqual(paid);
    });
  },
  { profile: 'recorded' },
);
