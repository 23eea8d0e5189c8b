/** The free words of a transaction, what is read and not shown, and what is not read at all. */
import { expect, it } from 'vitest';
import { onEveryTransport } from '../../../support/transports.ts';
import { pay, storeCard } from '../../../support/purchases.ts';
import { paymentBody } from '../../../support/samples.ts';

const item = { quantity: '1', price: '30.11', currency: 'USD' };

const notes = {
  reference_id: 'ref-1',
  description: 'Zwölf Hüte für Übersee',
  note_to_payee: 'Ring twice',
  custom: 'order 1042',
  invoice_number: 'INV-1042',
  item_list: {
    shipping_address: {
      recipient_name: 'Ada Tester',
      line1: '1 Mock Way',
      line2: 'Back door',
      city: 'Sampleton',
      state: 'OH',
      postal_code: '43001',
      country_code: 'US',
      phone: '+1 614 555 0100',
    },
  },
};

onEveryTransport('the notes of a payment', (transport) => {
  it('201 shows notes unchanged', async () => {
    const { transactions } = await pay(transport.shop(), { transaction: notes });
    expect(transactions[0]).toMatchObject(notes);
    expect(Object.keys(transactions[0] ?? {})).toEqual([
      'amount',
      'reference_id',
      'description',
      'note_to_payee',
      'custom',
      'invoice_number',
      'item_list',
      'related_resources',
    ]);
  });

  it('201 accepts each note at its maximum length', async () => {
    const longest = {
      reference_id: 'r'.repeat(256),
      description: 'd'.repeat(127),
      note_to_payee: 'n'.repeat(255),
      custom: 'c'.repeat(127),
      invoice_number: 'i'.repeat(127),
      item_list: {
        items: [
          {
            ...item,
            name: 'n'.repeat(127),
            sku: 's'.repeat(127),
            description: 'd'.repeat(127),
          },
        ],
        shipping_address: {
          recipient_name: 'a'.repeat(127),
          line1: '1'.repeat(300),
          line2: '2'.repeat(300),
          city: 'c'.repeat(64),
          state: 's'.repeat(300),
          country_code: 'US',
          phone: '5'.repeat(50),
        },
      },
    };
    const { transactions } = await pay(transport.shop(), { transaction: longest });
    expect(transactions[0]).toMatchObject(longest);
  });
  it('201 counts characters, not bytes, and cuts names between characters', async () => {
    const smile = '\u{1F600}';
    const { transactions } = await pay(transport.shop(), {
      transaction: {
        description: smile.repeat(127),
        item_list: { items: [{ ...item, name: smile.repeat(130) }] },
      },
    });
    expect(transactions[0]?.description).toBe(smile.repeat(127));
    const names = transactions[0]?.item_list?.items?.map(({ name }) => name);
    expect(names).toEqual([smile.repeat(127)]);
  });

  it('201 accepts keys that it ignores, and does not show them', async () => {
    const shop = transport.shop();
    const plain = paymentBody({ cardId: await storeCard(shop) });
    const body = {
      ...paymentBody({
        cardId: await storeCard(shop),
        transaction: {
          soft_descriptor: 'A DESCRIPTOR OF MORE THAN 22 CHARACTERS',
          payment_options: { allowed_payment_method: 'INSTANT_FUNDING_SOURCE' },
          notify_url: 'https://shop.test/notify',
          payee: { email: 'shop@example.test' },
        },
      }),
      redirect_urls: { return_url: 'https://shop.test/ok', cancel_url: 'https://shop.test/no' },
      note_to_payer: 'Thank you',
    };
    const before = await shop.ask('payment.create', 201, { body: plain });
    const payment = await shop.ask('payment.create', 201, { body });
    expect(Object.keys(payment)).toEqual(Object.keys(before));
    expect(Object.keys(payment.transactions[0] ?? {})).toEqual(
      Object.keys(before.transactions[0] ?? {}),
    );
  });

  it('201 does not show zeros and nulls that clients send for unset fields', async () => {
    const shop = transport.shop();
    const cardId = await storeCard(shop);
    const reply = await shop.reply('payment.create', 201, {
      body: {
        intent: 'sale',
        experience_profile_id: null,
        redirect_urls: null,
        payer: {
          payment_method: 'credit_card',
          payer_info: null,
          funding_instruments: [
            {
              credit_card: null,
              credit_card_token: {
                credit_card_id: cardId,
                external_customer_id: null,
                payer_id: null,
                last4: null,
                type: null,
                expire_month: 0,
                expire_year: 0,
              },
            },
          ],
        },
        transactions: [
          {
            amount: { total: '7.47', currency: 'USD', details: null },
            description: null,
            invoice_number: null,
            custom: null,
            item_list: null,
            related_resources: null,
          },
        ],
      },
    });
    expect(reply.text).not.toContain('null');
    expect(reply.body.payer.funding_instruments).toEqual([
      {
        credit_card_token: {
          credit_card_id: cardId,
          last4: '0331',
          type: 'visa',
          expire_month: '11',
          expire_year: '2031',
        },
      },
    ]);
    expect(Object.keys(reply.body.transactions[0] ?? {})).toEqual(['amount', 'related_resources']);
  });
});
