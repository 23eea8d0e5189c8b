/** Wrong clients that charge an order in a second way, or a card that its owner had removed. */
import { paymentBody } from '../../../../support/samples.ts';
import type { WrongClient } from '../client.ts';
import { cardPath, paymentPath, type Order, type ShopCode } from '../shop-code.ts';

const hourMs = 3_600_000;

/** Lists all payments at night, as a report does. */
async function report(code: ShopCode): Promise<void> {
  await code.wait(8 * hourMs);
  await code.get(`${paymentPath}?count=20`);
}

export const secondPayments: Readonly<Record<string, WrongClient>> = {
  'a sale beside a hold': {
    about: 'authorizes an order, charges it by a sale when it ships, and leaves the hold',
    found: 'double-charge',
    beside: 'a deposit held beside the rent',
    run: async (code) => {
      const order: Order = { cardId: await code.card(), custom: 'order-1', total: '100.00' };
      await code.pay({ ...order, intent: 'authorize' }, code.newKey());
      await code.wait(hourMs);
      await code.pay(order, code.newKey());
    },
  },
  'a hold in place of a sale': {
    about: 'loses the answer to a sale, authorizes and captures the order, and reads at night',
    meets: [{ op: 'payment.create', outcome: 'reset-after-commit', nth: 1 }],
    found: 'double-charge',
    beside: 'a void where in doubt',
    run: async (code) => {
      const order: Order = { cardId: await code.card(), custom: 'web', total: '100.00' };
      await code.pay(order, code.newKey());
      await code.pay({ ...order, intent: 'authorize' }, code.newKey());
      await report(code);
    },
  },
  'a retry without its items': {
    about: 'leaves out the items after a server error, in case they were the reason',
    meets: [{ op: 'payment.create', outcome: 'error-500-after-commit', nth: 1 }],
    found: 'double-charge',
    beside: 'a cart of two sellers',
    run: async (code) => {
      const cardId = await code.card();
      const item = { name: 'Hat', quantity: '1', price: '30.11', currency: 'USD' };
      const items = { item_list: { items: [item] } };
      for (const words of [items, {}]) {
        const body = paymentBody({ cardId, transaction: { custom: 'web', ...words } });
        await code.post(paymentPath, body, code.newKey());
        await code.wait(2000);
      }
      await report(code);
    },
  },
  'an invoice number in small letters': {
    about: 'a second service writes the invoice number in small letters and pays it again',
    found: 'double-charge',
    beside: 'two orders of the same sum',
    run: async (code) => {
      const cardId = await code.card();
      for (const invoice of ['INV-1', 'inv-1']) {
        await code.pay({ cardId, invoice }, code.newKey());
        await code.wait(hourMs);
      }
    },
  },
  'an invoice number for each delivery': {
    about: 'a queue delivers a numbered order again, and each delivery draws an invoice number',
    found: 'double-charge',
    beside: 'a bill with two invoice numbers',
    run: async (code) => {
      const order: Order = { cardId: await code.card('ada'), customer: 'ada', custom: 'order-1' };
      for (const drawn of ['0b6f0a52', '7c1d9c0e']) {
        const invoice = `${drawn}-5d0e-4f7e-9a43-6f0b8f3f2a11`;
        await code.pay({ ...order, invoice }, code.newKey());
        await code.wait(hourMs);
      }
    },
  },
  'a prefix for the second system': {
    about:
      'pays by phone after a lost answer, and the phone system writes a prefix before the number',
    meets: [{ op: 'payment.create', outcome: 'reset-after-commit', nth: 1 }],
    found: 'double-charge',
    beside: 'two orders of the same sum',
    run: async (code) => {
      const cardId = await code.card();
      for (const invoice of ['77', 'TEL-INV-77']) {
        await code.pay({ cardId, invoice }, code.newKey());
        await code.wait(2000);
      }
      await report(code);
    },
  },
  'a desk that writes a note': {
    about: 'two desks charge one order in the same moment, and one of them writes a note',
    found: 'double-charge',
    beside: 'a cart of two sellers',
    run: async (code) => {
      const cardId = await code.card();
      await Promise.all(
        [{}, { note_to_payee: 'By phone' }].map((words) => {
          const transaction = { custom: 'order-1', description: undefined, ...words };
          const body = paymentBody({ cardId, transaction });
          return code.send('POST', paymentPath, {
            body,
            key: code.newKey(),
            newConnection: true,
          });
        }),
      );
    },
  },
  'a biller without any names that runs twice': {
    about: 'charges three customers without names for their orders, and again ten minutes later',
    found: 'double-charge',
    beside: 'buyers in turn, twice',
    run: async (code) => {
      const customers = ['ada', 'bob', 'cleo'];
      const cards = await Promise.all(customers.map((customer) => code.card(customer)));
      for (let run = 0; run < 2; run++) {
        for (const [at, cardId] of cards.entries()) {
          const parts = { cardId, externalCustomerId: customers[at] ?? '', total: `${10 + at}.00` };
          const body = paymentBody({ ...parts, transaction: { description: undefined } });
          await code.post(paymentPath, body, code.newKey());
        }
        await code.wait(hourMs / 6);
      }
    },
  },
  'a card charged after a lost deletion': {
    about: 'loses the answer to a deletion, and charges the card in the next month',
    meets: [{ op: 'card.delete', outcome: 'reset-before-commit' }],
    found: 'no-read-after-unknown',
    beside: 'an account closed with a charge in flight',
    run: async (code) => {
      const cardId = await code.card('ada');
      await code.send('DELETE', `${cardPath}/${cardId}`);
      await code.wait(30 * 24 * hourMs);
      await code.pay({ cardId, customer: 'ada', custom: 'sub-ada' }, code.newKey());
    },
  },
};
