/** One contender of the in-process part: our `fetch`, or a Hono handler that does the least for the same answer. */
import { Hono } from 'hono';
import { PaymentIn } from '../../../src/contract/service/payment-input.ts';
import { CardIn } from '../../../src/contract/service/vault.ts';
import { FloorBooks } from './floor-books.ts';
import { importLibrary } from './library.ts';
import { bearer, cardBody, paymentBody, stringAt } from '../load/traffic.ts';
import { serveTasks } from './worker-link.ts';

type Fetch = (url: string, init: RequestInit) => Promise<Response> | Response;

const origin = 'http://sandbox.local';
const path = '/v1/vault/credit-cards';
const paymentPath = '/v1/payments/payment';

async function ours(): Promise<Fetch> {
  const { createSandbox } = await importLibrary();
  return createSandbox({ seed: 'bench' }).fetch;
}

/** What a team would write in place of a sandbox, and so with the schemas as they are. */
function plainHono(): Fetch {
  const books = new FloorBooks();
  const app = new Hono();
  app.post(path, async (c) => {
    const read = CardIn.safeParse(await c.req.json());
    return read.success ? c.json(books.storeCard(read.data, origin), 201) : c.json({}, 400);
  });
  app.get(`${path}/:id`, (c) => {
    const card = books.card(c.req.param('id'), origin);
    return card === undefined ? c.json({}, 404) : c.json(card);
  });
  app.post(paymentPath, async (c) => {
    const read = PaymentIn.safeParse(await c.req.json());
    const paid = read.success ? books.pay(read.data, origin) : undefined;
    return paid === undefined ? c.json({}, 400) : c.json(paid, 201);
  });
  return (url, init) => app.fetch(new Request(url, init));
}

const fetch = process.argv[2] === 'hono' ? plainHono() : await ours();
const headers = { ...bearer(), 'Content-Type': 'application/json' };
let customers = 0;

/** Ids as shops have them: most of their characters are digits and signs, as in a card number. */
const realisticIds: readonly ((n: number) => string)[] = [
  (n) => `joe_shopper_408-334-8890-${100_000_000 + n}`,
  (n) => `45b9aa97-c8e0-4f92-a068-${String(n).padStart(12, '0')}`,
  (n) => `+49 1512 ${3_000_000 + n}`,
  (n) => `order-20261124-${String(n).padStart(6, '0')}`,
  (n) => `2026-11-24 12:00:00.${String(n).padStart(6, '0')}`,
];

const hasRealisticIds = process.argv[3] === 'realistic';

function customerId(n: number): string {
  const write = hasRealisticIds ? realisticIds[n % realisticIds.length] : undefined;
  return write?.(n) ?? `customer-${n}`;
}

async function create(): Promise<unknown> {
  const body = cardBody(customerId(++customers));
  const answer = await fetch(origin + path, { method: 'POST', headers, body });
  return answer.json();
}

const card = { id: stringAt(await create(), ['id']), customer: customerId(customers) };

async function show(): Promise<unknown> {
  const answer = await fetch(`${origin}${path}/${card.id}`, { headers });
  return answer.json();
}

async function pay(): Promise<unknown> {
  const body = paymentBody(card, hasRealisticIds ? customerId(++customers) : 'In process');
  const answer = await fetch(origin + paymentPath, { method: 'POST', headers, body });
  return answer.json();
}

/** Microseconds of CPU for each call. */
async function timed(call: () => Promise<unknown>, count: number): Promise<number> {
  const before = process.cpuUsage();
  for (let n = 0; n < count; n++) await call();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / count;
}

serveTasks({
  create: (count) => timed(create, count),
  show: (count) => timed(show, count),
  pay: (count) => timed(pay, count),
});
