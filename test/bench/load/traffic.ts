/** The requests of the benchmark, the same for each side. */

/** Requests. `{n}` in a body is another number in each request; paths and bodies alternate. */
export interface Traffic {
  readonly method: 'GET' | 'POST';
  readonly paths: readonly string[];
  readonly bodies: readonly string[];
}

/** `show` polls a few cards; `browse` shows one after another of so many that the journal no longer knows the last answer. */
export const operations = ['create', 'show', 'browse', 'list', 'pay', 'refund'] as const;
export type Operation = (typeof operations)[number];

/** The header that every request carries; the merchant is our own. */
export function bearer(merchant = 'bench'): { readonly Authorization: string } {
  return { Authorization: `Bearer sandbox.${merchant}` };
}

const cardPath = '/v1/vault/credit-cards';
const paymentPath = '/v1/payments/payment';

/** A card as a client stores it, about 360 bytes. */
export function cardBody(customer: string): string {
  return JSON.stringify({
    number: '4417119669820331',
    type: 'visa',
    expire_month: 11,
    expire_year: 2035,
    cvv2: '874',
    first_name: 'Ada',
    last_name: 'Tester',
    billing_address: {
      line1: '1 Test Street',
      city: 'Testville',
      state: 'CA',
      postal_code: '95131',
      country_code: 'US',
      phone: '408-334-8890',
    },
    external_customer_id: customer,
    merchant_id: 'shop-1',
  });
}

/** A payment with a vaulted card, about 300 bytes. */
export function paymentBody(card: Stored, description: string): string {
  return JSON.stringify({
    intent: 'sale',
    payer: {
      payment_method: 'credit_card',
      funding_instruments: [
        {
          credit_card_token: {
            credit_card_id: card.id,
            external_customer_id: card.customer,
          },
        },
      ],
    },
    transactions: [{ amount: { total: '30.11', currency: 'USD' }, description }],
  });
}

const refundBody = JSON.stringify({ amount: { total: '0.01', currency: 'USD' } });

export interface Stored {
  readonly id: string;
  readonly customer: string;
}

/** The records of a server that requests name. */
export interface Stock {
  readonly cards: readonly Stored[];
  readonly sales: readonly string[];
}

/** What clients come back to. */
const polled = 300;

const atOnce = 16;

/** Stores the records of the traffic. Each server assigns its own ids. */
export async function stockUp(
  url: string,
  {
    cardCount = polled,
    saleCount = 0,
  }: { readonly cardCount?: number; readonly saleCount?: number } = {},
): Promise<Stock> {
  const cards = await made(cardCount, async (n) => {
    const customer = `stock-${n}`;
    const card = await post(url + cardPath, cardBody(customer));
    return { id: stringAt(card, ['id']), customer };
  });
  const sales = await made(saleCount, async (n) => {
    const card = cards[n % cards.length];
    if (card === undefined) throw new Error('No card was stored.');
    const payment = await post(url + paymentPath, paymentBody(card, `Stock ${n}`));
    return stringAt(payment, ['transactions', 0, 'related_resources', 0, 'sale', 'id']);
  });
  return { cards, sales };
}

/** The requests of one operation over this stock. */
export function trafficOf(operation: Operation, { cards, sales }: Stock): Traffic {
  switch (operation) {
    case 'create':
      return storing();
    case 'show':
      return getting(cards.slice(0, polled).map(({ id }) => `${cardPath}/${id}`));
    case 'browse':
      return getting(cards.map(({ id }) => `${cardPath}/${id}`));
    case 'list':
      return getting([`${cardPath}?page_size=10`]);
    case 'pay': {
      const bodies = cards.slice(0, polled).map((card) => paymentBody(card, 'Order {n}'));
      return { method: 'POST', paths: [paymentPath], bodies };
    }
    case 'refund': {
      const paths = sales.map((id) => `/v1/payments/sale/${id}/refund`);
      return { method: 'POST', paths, bodies: [refundBody] };
    }
  }
}

/** Cards, each of another customer. */
export function storing(): Traffic {
  return { method: 'POST', paths: [cardPath], bodies: [cardBody('cust-{n}')] };
}

export function getting(paths: readonly string[]): Traffic {
  return { method: 'GET', paths, bodies: [] };
}

/** Posts JSON and returns the answer. Throws if the status is not a success. */
export async function post(url: string, body: string, merchant?: string): Promise<unknown> {
  const headers = { ...bearer(merchant), 'Content-Type': 'application/json' };
  const answer = await fetch(url, { method: 'POST', headers, body });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`POST ${url} was answered ${answer.status}: ${text}`);
  return text === '' ? undefined : JSON.parse(text);
}

async function made<T>(count: number, make: (n: number) => Promise<T>): Promise<T[]> {
  const all: T[] = [];
  while (all.length < count) {
    const from = all.length;
    const some = Array.from({ length: Math.min(atOnce, count - from) }, (_, at) => make(from + at));
    all.push(...(await Promise.all(some)));
  }
  return all;
}

/** Finds a text at any place of an answer. */
export function stringAt(value: unknown, path: readonly (string | number)[]): string {
  let at = value;
  for (const step of path) {
    at = typeof at === 'object' && at !== null ? Reflect.get(at, step) : undefined;
  }
  if (typeof at !== 'string') throw new Error(`The answer has no text at ${path.join('.')}.`);
  return at;
}
