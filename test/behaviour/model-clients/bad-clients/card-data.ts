/** Mistakes with card data, customers and amounts. */
import { pans } from '../../../support/samples.ts';
import { vaultedCard } from '../reference/reference-shop.ts';
import type { BadClient } from './bad-client.ts';
import type { CornerShop } from './corner-shop.ts';

/** `pan-in-wrong-field`: writes the card number into the description so that support can find the order. */
async function panInDescription(shop: CornerShop): Promise<void> {
  const invoice = { invoice_number: shop.newInvoice() };
  const transaction = { ...invoice, description: `Paid with ${pans.mastercard}` };
  await shop.pay(shop.payment({ transaction }), { key: shop.newKey() });
}

/** `pan-in-url-or-header`: searches for a card by its number. */
async function panInUrl(shop: CornerShop): Promise<void> {
  await shop.ask('GET', `/v1/vault/credit-cards?external_card_id=${pans.mastercard}`);
}

/** `cvv-in-wrong-place`: asks for the code at each purchase and sends it beside the card token. */
async function cvvBesideToken(shop: CornerShop): Promise<void> {
  const body = {
    ...shop.payment(),
    payer: {
      payment_method: 'credit_card',
      funding_instruments: [{ credit_card_token: { credit_card_id: vaultedCard, cvv2: '874' } }],
    },
  };
  await shop.pay(body, { key: shop.newKey() });
}

/** `raw-card-instead-of-token`: sends the card number although the card is in the vault. */
async function rawCardAlthoughVaulted(shop: CornerShop): Promise<void> {
  await shop.keep('buyer-7');
  const { external_customer_id: _customer, ...card } = shop.card('buyer-7');
  const body = {
    ...shop.payment(),
    payer: { payment_method: 'credit_card', funding_instruments: [{ credit_card: card }] },
  };
  await shop.pay(body, { key: shop.newKey() });
}

/** `missing-external-customer-id`: stores a card without the customer who may use it. */
async function noCustomerId(shop: CornerShop): Promise<void> {
  await shop.keep('buyer-6', { number: pans.mastercard, type: 'mastercard' });
  const { external_customer_id: _customer, ...card } = shop.card('buyer-7');
  await shop.store(card, { key: shop.newKey() });
}

/** `shared-external-customer-id`: sends one constant for all customers. */
async function oneCustomerForAll(shop: CornerShop): Promise<void> {
  await shop.keep('webshop', { first_name: 'Ada', number: pans.visa });
  await shop.keep('webshop', { first_name: 'Ben', number: pans.mastercard, type: 'mastercard' });
  await shop.keep('webshop', { first_name: 'Cleo', number: pans.discover, type: 'discover' });
}

/** `stored-card-again`: stores the card before each purchase. */
async function storesForEachPayment(shop: CornerShop): Promise<void> {
  for (let orders = 0; orders < 3; orders++) {
    const cardId = await shop.keep('buyer-7');
    const body = shop.payment({ cardId, externalCustomerId: 'buyer-7' });
    await shop.pay(body, { key: shop.newKey() });
    await shop.wait(3_600_000);
  }
}

/** `float-amount`: multiplies 6.663333333333334 by 3 in floating point. */
async function floatAmount(shop: CornerShop): Promise<void> {
  await shop.pay(shop.payment({ total: '19.990000000000002' }), { key: shop.newKey() });
}

/** `float-amount`: sends a JSON number. */
async function numberAmount(shop: CornerShop): Promise<void> {
  const transactions = [
    { amount: { total: 19.99, currency: 'USD' }, invoice_number: shop.newInvoice() },
  ];
  await shop.pay({ ...shop.payment(), transactions }, { key: shop.newKey() });
}

/** `float-amount`: sends decimals of yen. */
async function decimalsOfYen(shop: CornerShop): Promise<void> {
  await shop.pay(shop.payment({ total: '1250.50', currency: 'JPY' }), { key: shop.newKey() });
}

/** `pii-in-description`: writes the buyer's address into the description. */
async function emailInDescription(shop: CornerShop): Promise<void> {
  const invoice = { invoice_number: shop.newInvoice() };
  const transaction = { ...invoice, description: 'Order of ada@example.com' };
  await shop.pay(shop.payment({ transaction }), { key: shop.newKey() });
}

export const cardData: Readonly<Record<string, BadClient>> = {
  'a card number in a description': { rule: 'pan-in-wrong-field', run: panInDescription },
  'a card number in a URL': { rule: 'pan-in-url-or-header', run: panInUrl },
  'a verification code beside a token': { rule: 'cvv-in-wrong-place', run: cvvBesideToken },
  'a raw card that is in the vault': {
    rule: 'raw-card-instead-of-token',
    run: rawCardAlthoughVaulted,
  },
  'a card without its customer': { rule: 'missing-external-customer-id', run: noCustomerId },
  'one customer id for all': { rule: 'shared-external-customer-id', run: oneCustomerForAll },
  'the card stored for each payment': { rule: 'stored-card-again', run: storesForEachPayment },
  'an amount in floating point': { rule: 'float-amount', run: floatAmount },
  'an amount as a number': { rule: 'float-amount', run: numberAmount },
  'decimals of yen': { rule: 'float-amount', run: decimalsOfYen },
  "a buyer's e-mail address in a description": {
    rule: 'pii-in-description',
    run: emailInDescription,
  },
};
