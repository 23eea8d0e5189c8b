/** Fills the journal of a merchant as several kinds of clients do, and measures its verdict. */
import { importLibrary } from './library.ts';
import { bearer, cardBody, paymentBody, stringAt, type Stored } from '../load/traffic.ts';
import { serveTasks } from './worker-link.ts';

export interface Judged {
  /** Time of the processor, of all threads. Other programs on the machine change it less than the time on the clock. */
  readonly cpuMs: number;
  /** Time on the clock, which is what a test waits. */
  readonly clockMs: number;
  readonly requests: number;
}

const { createSandbox } = await importLibrary();
const sandbox = createSandbox({
  seed: 'verdict',
  clock: { frozen: true },
  limits: { maxJournalEntries: 1_000_000, maxJournalBytes: 2 ** 30 },
});
const merchant = sandbox.merchant('bench');
const cards = '/v1/vault/credit-cards';
const payments = '/v1/payments/payment';

let sent = 0;

/** The answer; `undefined` if it was lost. */
async function ask(method: string, path: string, body?: string, key?: string): Promise<unknown> {
  sent++;
  const answer = await sandbox
    .fetch(`http://sandbox.local${path}`, {
      method,
      headers: {
        ...bearer(),
        'Content-Type': 'application/json',
        ...(key === undefined ? {} : { 'PayPal-Request-Id': key }),
      },
      ...(body === undefined ? {} : { body }),
    })
    .catch(() => undefined);
  return answer === undefined || answer.status === 204
    ? undefined
    : answer.json().catch(() => undefined);
}

async function store(customer: string): Promise<Stored> {
  return { id: stringAt(await ask('POST', cards, cardBody(customer), customer), ['id']), customer };
}

function order(card: Stored, number: number): string {
  return named(card, 'invoice_number', number);
}

function named(card: Stored, field: 'invoice_number' | 'custom', number: number): string {
  return paymentBody(card, `order ${number}`).replace(
    '"description"',
    `"${field}":"bench-${number}","description"`,
  );
}

/** A payment with the data of a card. */
function guestBody(customer: string): string {
  return JSON.stringify({
    intent: 'sale',
    payer: {
      payment_method: 'credit_card',
      funding_instruments: [
        {
          credit_card: {
            number: '4417119669820331',
            type: 'visa',
            expire_month: 11,
            expire_year: 2035,
            cvv2: '874',
            first_name: 'Ada',
            last_name: customer,
          },
        },
      ],
    },
    transactions: [{ amount: { total: '30.11', currency: 'USD' }, description: customer }],
  });
}

const part = JSON.stringify({ amount: { total: '10.00', currency: 'USD' } });

/** One purchase after another, each with a card, some with lost answers, refunds and sales that wait. */
async function buy(number: number): Promise<void> {
  const card = await store(`customer-${number}`);
  if (number % 10 === 0) merchant.force({ op: 'payment.create', outcome: 'reset-after-commit' });
  if (number % 10 === 5) {
    merchant.force({ op: 'payment.create', outcome: 'sale-pending-then-completed' });
  }
  const pay = () => ask('POST', payments, order(card, number), `payment-${number}`);
  const paid = (await pay()) ?? (await pay());
  await ask('GET', `${payments}/${stringAt(paid, ['id'])}`);
  const sale = stringAt(paid, ['transactions', 0, 'related_resources', 0, 'sale', 'id']);
  if (number % 10 === 7) await ask('POST', `/v1/payments/sale/${sale}/refund`, '{}', sale);
  if (number % 3 === 0) await ask('GET', `${cards}?external_customer_id=${card.customer}`);
  await ask('DELETE', `${cards}/${card.id}`);
}

/** Sends requests until the journal has this many exchanges. */
async function until(exchanges: number, step: (number: number) => Promise<unknown>): Promise<void> {
  const isShort = (): boolean => sent < exchanges;
  for (let number = 0; isShort(); number++) await step(number);
}

serveTasks({
  shop: (exchanges) => until(exchanges, buy),
  /** One order, over and over, with a lookup in a list now and then. */
  stubborn: async (exchanges) => {
    const card = await store('customer');
    merchant.force({
      op: 'payment.create',
      outcome: 'error-500-before-commit',
      probability: 0.5,
      times: exchanges,
    });
    await until(exchanges, async (number) => {
      await ask('POST', payments, order(card, 1));
      if (number % 10 === 0) await ask('GET', payments);
    });
  },
  /** One pending sale that is read again and again. */
  waiting: async (exchanges) => {
    merchant.force({ op: 'payment.create', outcome: 'sale-pending-then-completed' });
    const paid = await ask('POST', payments, order(await store('customer'), 1));
    await until(exchanges, () => ask('GET', `${payments}/${stringAt(paid, ['id'])}`));
  },
  /** The same card, stored and looked up in a list. */
  hoarding: (exchanges) =>
    until(exchanges, async () => {
      await ask('GET', `${cards}?page_size=1`);
      await ask('POST', cards, cardBody('customer'));
    }),
  /** Many parallel requests for one order and one token. */
  impatient: async (exchanges) => {
    const card = await store('customer');
    await until(exchanges, (number) =>
      Promise.all(Array.from({ length: 1_000 }, () => ask('POST', payments, order(card, number)))),
    );
  },
  /** Half of the answers are lost, and the same payment is sent again without a request id. */
  forgetful: async (exchanges) => {
    const card = await store('customer');
    merchant.force({
      op: 'payment.create',
      outcome: 'reset-after-commit',
      probability: 0.5,
      times: exchanges,
    });
    await until(exchanges, async (number) => {
      const pay = () => ask('POST', payments, named(card, 'custom', number));
      if ((await pay()) === undefined) await pay();
    });
  },
  /** Each sale is refunded in two equal parts. */
  refunding: async (exchanges) => {
    const card = await store('customer');
    await until(exchanges, async (number) => {
      const paid = await ask('POST', payments, order(card, number));
      const sale = stringAt(paid, ['transactions', 0, 'related_resources', 0, 'sale', 'id']);
      const refund = () => ask('POST', `/v1/payments/sale/${sale}/refund`, part);
      await refund();
      await refund();
    });
  },
  /** Each purchase is paid with the data of a card. */
  guest: (exchanges) =>
    until(exchanges, (number) => ask('POST', payments, guestBody(`guest ${number}`))),
  /** A job pays for thousands of orders, and then for the same ones again. */
  billing: async (exchanges) => {
    const card = await store('customer');
    await until(exchanges, (number) =>
      ask('POST', payments, named(card, 'custom', number % Math.ceil(exchanges / 2))),
    );
  },
  judge: async () => {
    const startMs = performance.now();
    const before = process.cpuUsage();
    const { counts } = await merchant.verdict();
    const { user, system } = process.cpuUsage(before);
    return {
      cpuMs: (user + system) / 1_000,
      clockMs: performance.now() - startMs,
      requests: counts.requests,
    } satisfies Judged;
  },
});
