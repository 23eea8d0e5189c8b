/**
 * Work grows like what was sent. Each kind of input is doubled twice, and the second doubling may add about twice the steps
 * of the first. Steps are counted, not timed.
 */
import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { text as readText } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { createSandbox, type Merchant, type OutcomeId } from '../../../src/index.ts';
import { Journal } from '../../../src/journal/journal.ts';
import type { Gate } from '../../../src/scenarios/gates.ts';
import { Gates } from '../../../src/world/gates/gates.ts';
import { waitForHeld } from '../../../src/world/gates/wait-for-held.ts';
import { asRule } from '../../support/requests/unchecked-input.ts';
import { cardBody, paymentBody, rawPaymentBody } from '../../support/samples.ts';
import { StepCounter } from './count-steps.ts';

const steps = new StepCounter();
beforeAll(() => steps.start());
afterAll(() => steps.stop());

/** Linear work gives 2, quadratic work 4. */
const mostGrowth = 2.6;

/** Prepares an input of a size, and returns the action whose steps are counted. */
type Kind = readonly [
  size: number,
  prepare: (size: number) => (() => unknown) | Promise<() => unknown>,
];

const cards = '/v1/vault/credit-cards';
const payments = '/v1/payments/payment';
const json = { 'Content-Type': 'application/json' };

function shop(): Merchant {
  const limits = { maxJournalEntries: 10_000 };
  return createSandbox({ fixtures: 'empty', limits }).merchant('shop');
}

const list = <T>(size: number, make: (at: number) => T): T[] =>
  Array.from({ length: size }, (_, at) => make(at));

const gateFor = (count: number, at: number): Gate => ({
  id: `gate-${at}`,
  source: 'armed',
  operations: ['payment.create'],
  match: undefined,
  count,
  at: 'before-commit',
  timeoutMs: 120_000,
  release: undefined,
  optional: false,
});
const facts = { operation: 'payment.create' } as Parameters<Gates['hold']>[0]; // All that a gate without match reads.
const about = {
  operation: 'payment.create',
  requestId: undefined,
  intent: undefined,
  purchase: undefined,
} as const;

/** Sends a body to the vault. */
function stores(body: string): () => unknown {
  const { fetch } = shop();
  return () => fetch(cards, { method: 'POST', headers: json, body });
}

function reads(path: string, headers: Record<string, string> = {}): () => unknown {
  const { fetch } = shop();
  return () => fetch(path, { headers });
}

function controls(method: string, path: string, body: string, type = 'application/json') {
  const sandbox = createSandbox({ fixtures: 'empty' });
  return () =>
    sandbox.request(`/_sandbox${path}`, { method, headers: { 'Content-Type': type }, body });
}

/** Sends a request that succeeds, and returns the record. */
async function creates({ fetch }: Merchant, path: string, body: unknown): Promise<string> {
  const answer = await fetch(path, { method: 'POST', headers: json, body: JSON.stringify(body) });
  expect(answer.status).toBe(201);
  const { id } = (await answer.json()) as { readonly id: string };
  return id;
}

/** Sends a request that may be refused. */
function posts(
  { fetch }: Merchant,
  path: string,
  body: unknown,
  requestId?: string,
): Promise<Response> {
  const headers = { ...json, ...(requestId !== undefined && { 'PayPal-Request-Id': requestId }) };
  return fetch(path, { method: 'POST', headers, body: JSON.stringify(body) });
}

/** Puts money on hold, and returns the id of the authorization. */
async function authorizes(merchant: Merchant, transaction: object): Promise<string> {
  const body = rawPaymentBody({}, { intent: 'authorize', transaction: { ...transaction } });
  const { transactions } = (await (await posts(merchant, payments, body)).json()) as Payment;
  return transactions[0]?.related_resources[0]?.authorization.id ?? '';
}

/** The part of a payment that names its authorization. */
interface Payment {
  readonly transactions: readonly {
    readonly related_resources: readonly { readonly authorization: { readonly id: string } }[];
  }[];
}

async function soldBy(merchant: Merchant): Promise<string[]> {
  const { transfers } = await merchant.ledger();
  return transfers.flatMap(({ cause, subject }) => (cause === 'sale' ? [subject] : []));
}

/** A shop with payments in its journal. */
async function paid(size: number, outcome?: OutcomeId): Promise<Merchant> {
  const merchant = shop();
  if (outcome !== undefined) merchant.force({ op: 'payment.create', outcome, times: size });
  for (let at = 0; at < size; at++) {
    const answer = await merchant.fetch('/v1/payments/payment', {
      method: 'POST',
      headers: { ...json, 'PayPal-Request-Id': `id-${at}` },
      body: JSON.stringify(rawPaymentBody({}, { transaction: { invoice_number: `order-${at}` } })),
    });
    expect(answer.status).toBe(201);
  }
  return merchant;
}

/** Judges a shop, and makes sure that what is counted was looked at. */
async function expectFound(merchant: Merchant, name: string): Promise<void> {
  const { findings } = await merchant.verdict();
  expect(findings.map(({ rule }) => rule)).toContain(name);
}

const withCards = (size: number) => ({
  cards: list(size, (at) => ({
    external_customer_id: `customer-${at}`,
    number: '4417119669820331',
    type: 'visa' as const,
    expire_month: 11,
    expire_year: 2031,
  })),
});

const pageOf = async (answer: unknown): Promise<void> => {
  if (answer instanceof Response) await answer.text();
};

/**
 * Inputs by kind, with the smallest size. A body is long enough for the journal to keep a summary of it, which is a second
 * pass over it.
 */
const kinds: Readonly<Record<string, Kind>> = {
  'a deep JSON body': [100, (size) => stores('{"a":'.repeat(size) + '1' + '}'.repeat(size))],
  'requests that gates hold': [
    100,
    (size) => {
      const gates = new Gates();
      for (let at = 0; at < 5; at++) gates.add(gateFor(size / 5, at), 1);
      const arrive = (debugId: string): void =>
        gates.hold(facts, 'before-commit', { ...about, debugId })?.begin(() => undefined);
      return async () => {
        const wait = waitForHeld(
          { gates, journal: new Journal({}, () => 0) },
          { timeoutMs: 120_000 },
        );
        for (let at = 0; at < size; at++) arrive(`${at}`);
        expect(await wait).toHaveLength(size);
        gates.release('reverse');
      };
    },
  ],
  'a deep JSON list': [100, (size) => stores('['.repeat(size) + ']'.repeat(size))],
  'unknown keys of a card': [
    200,
    (size) =>
      stores(
        JSON.stringify({
          ...cardBody(),
          ...Object.fromEntries(list(size, (at) => [`k${at}`, at])),
        }),
      ),
  ],
  'keys that look like secrets': [
    800,
    (size) =>
      stores(JSON.stringify(Object.fromEntries(list(size, (at) => [`cvv ${at}`, `4929 ${at}`])))),
  ],
  'a long text of digits': [
    4000,
    (size) => stores(JSON.stringify({ ...cardBody(), first_name: '4929 '.repeat(size) })),
  ],
  'a long text of escapes': [
    4000,
    (size) => stores(JSON.stringify({ ...cardBody(), first_name: '%2534'.repeat(size) })),
  ],
  'a long base64 text': [
    1000,
    (size) => stores(JSON.stringify({ ...cardBody(), first_name: 'NDky'.repeat(size) })),
  ],
  'transactions of a payment': [
    400,
    (size) => {
      const { fetch } = shop();
      const body = rawPaymentBody();
      const [transaction] = body['transactions'] as unknown[];
      const text = JSON.stringify({ ...body, transactions: list(size, () => transaction) });
      return () => fetch('/v1/payments/payment', { method: 'POST', headers: json, body: text });
    },
  ],
  'operations of a patch': [
    400,
    async (size) => {
      const { fetch } = shop();
      const stored = await fetch(cards, {
        method: 'POST',
        headers: json,
        body: JSON.stringify(cardBody()),
      });
      const { id } = (await stored.json()) as { readonly id: string };
      const body = JSON.stringify(
        list(size, (at) => ({ op: 'replace', path: '/first_name', value: `Ada ${at}` })),
      );
      return () => fetch(`${cards}/${id}`, { method: 'PATCH', headers: json, body });
    },
  ],
  'fields of a form': [
    200,
    (size) => {
      const sandbox = createSandbox();
      const body = list(size, (at) => `k${at}=v`).join('&');
      const headers = {
        Authorization: `Basic ${btoa('shop:any')}`,
        'Content-Type': 'application/x-www-form-urlencoded',
      };
      return () => sandbox.request('/v1/oauth2/token', { method: 'POST', headers, body });
    },
  ],
  'headers of a request': [
    200,
    (size) => reads(cards, Object.fromEntries(list(size, (at) => [`x-${at}`, '4929']))),
  ],
  'a long header': [1000, (size) => reads(cards, { 'X-Trace': '4929-'.repeat(size) })],
  'outcomes in a header': [
    100,
    (size) => reads(cards, { 'Sandbox-Outcome': list(size, (at) => `no-such-${at}`).join(',') }),
  ],
  'a long path': [1000, (size) => reads(`${cards}/${'x'.repeat(size)}`)],
  'steps of a path': [1000, (size) => reads(`/v1${'/vault'.repeat(size)}`)],
  'escapes in a path': [1000, (size) => reads(`${cards}/${'%2534'.repeat(size)}`)],
  'parameters of a query': [
    200,
    (size) => reads(`${cards}?${list(size, (at) => `k${at}=4929`).join('&')}`),
  ],
  'a long query': [1000, (size) => reads(`${cards}?page=${'4929+'.repeat(size)}`)],
  'rules of a YAML scenario': [
    50,
    (size) =>
      controls(
        'POST',
        '/scenario',
        `name: long\nrules:\n${'  - op: payment.create\n    then: decline-generic\n'.repeat(size)}`,
        'text/yaml',
      ),
  ],
  'unknown keys of a YAML scenario': [
    200,
    (size) =>
      controls('POST', '/scenario', list(size, (at) => `k${at}: 1\n`).join(''), 'text/yaml'),
  ],
  'repeated keys of a YAML scenario': [
    200,
    (size) => controls('POST', '/scenario', 'rules: []\n'.repeat(size), 'text/yaml'),
  ],
  'rules with unknown outcomes': [
    100,
    (size) =>
      controls(
        'POST',
        '/rules',
        JSON.stringify(list(size, (at) => ({ op: 'card.create', outcome: `no-${at}` }))),
      ),
  ],
  'a deep control body': [
    100,
    (size) => controls('POST', '/rules', '['.repeat(size) + ']'.repeat(size)),
  ],
  'cards of fixtures': [
    50,
    (size) => () =>
      createSandbox({ fixtures: withCards(size) })
        .merchant('a')
        .export(),
  ],
  'armed rules': [
    50,
    (size) => {
      const merchant = shop();
      return () =>
        list(size, (at) =>
          merchant.force(
            asRule({ name: `rule-${at}`, op: 'card.create', outcome: 'error-503-before-commit' }),
          ),
        );
    },
  ],
  'rules that a request passes': [
    50,
    (size) => {
      const merchant = shop();
      for (let at = 0; at < size; at++) {
        merchant.force(
          asRule({
            op: 'card.create',
            outcome: 'error-503-before-commit',
            match: { first_name: { matches: `^x${at}` } },
          }),
        );
      }
      const body = JSON.stringify(cardBody());
      return () => merchant.fetch(cards, { method: 'POST', headers: json, body });
    },
  ],
  'choices of a pattern': [
    20,
    (size) => {
      const merchant = shop();
      const matches = `^(?:${list(size, (at) => `a${at}`).join('|')})$`;
      return () =>
        merchant.force(
          asRule({
            op: 'card.create',
            outcome: 'error-503-before-commit',
            match: { first_name: { matches } },
          }),
        );
    },
  ],
  'entries of a journal query': [
    25,
    async (size) => {
      const merchant = await paid(size);
      return () => merchant.journal({ operation: 'payment.create', status: 201 });
    },
  ],
  'entries that verify counts': [
    25,
    async (size) => {
      const merchant = await paid(size);
      return () => merchant.verify({ match: { operation: 'payment.create' }, times: size });
    },
  ],
  'payments of a verdict': [
    25,
    async (size) => {
      const merchant = await paid(size);
      return () => merchant.verdict();
    },
  ],
  'raw cards after as many deletions': [
    100,
    async (size) => {
      const merchant = shop();
      for (let at = 0; at < size; at++) {
        const id = await creates(merchant, cards, cardBody());
        await merchant.fetch(`${cards}/${id}`, { method: 'DELETE' });
      }
      for (let at = 0; at < size; at++) await creates(merchant, payments, rawPaymentBody());
      return () => merchant.verdict();
    },
  ],
  'cards replaced after a final decline, and lists of cards': [
    100,
    async (size) => {
      const merchant = shop();
      merchant.force({ op: 'card.create', outcome: 'card-auto-replaced', times: size });
      merchant.force({ op: 'payment.create', outcome: 'decline-lost-or-stolen', times: size });
      const bodies: unknown[] = [];
      for (let at = 0; at < size; at++) {
        bodies.push(paymentBody({ cardId: await creates(merchant, cards, cardBody()) }));
      }
      for (const body of bodies) await posts(merchant, payments, body);
      merchant.clock.advance('P100D');
      for (let at = 0; at < size; at++) await merchant.fetch(`${cards}?page_size=1`);
      for (const body of bodies) await posts(merchant, payments, body);
      return () => merchant.verdict();
    },
  ],
  'disputed sales that are refunded, and lists of payments': [
    50,
    async (size) => {
      const merchant = await paid(size, 'chargeback-opened-won-lost');
      for (let at = 0; at < size; at++) await merchant.fetch(`${payments}?count=1`);
      merchant.clock.advance('P30D');
      for (const id of await soldBy(merchant)) {
        await posts(merchant, `/v1/payments/sale/${id}/refund`, {});
      }
      return () => merchant.verdict();
    },
  ],
  'denied sales, and lists of payments': [
    150,
    async (size) => {
      const merchant = await paid(size, 'sale-pending-then-denied');
      for (const { subject = '' } of (await merchant.journal({ operation: 'payment.create' }))
        .entries) {
        await merchant.fetch(`${payments}/${subject}`);
      }
      for (let at = 0; at < size; at++) await merchant.fetch(`${payments}?count=1`);
      merchant.clock.advance('P30D');
      return () => merchant.verdict();
    },
  ],
  'lost answers to payments, refused lists, and retries': [
    150,
    async (size) => {
      const merchant = shop();
      merchant.force({ op: 'payment.create', outcome: 'error-500-before-commit', times: size });
      merchant.force({ op: 'payment.list', outcome: 'rate-limited-seconds', times: size });
      const bodies = list(size, (at) =>
        rawPaymentBody({}, { transaction: { invoice_number: `order-${at}` } }),
      );
      for (const body of bodies) await posts(merchant, payments, body);
      for (let at = 0; at < size; at++) await merchant.fetch(payments);
      for (const body of bodies) await posts(merchant, payments, body);
      return () => merchant.verdict();
    },
  ],
  'cards stored again, and lists of the cards of other customers': [
    50,
    async (size) => {
      const merchant = shop();
      const bodies = list(size, (at) => cardBody({ external_customer_id: `customer-${at}` }));
      for (const body of bodies) await creates(merchant, cards, body);
      for (let at = 0; at < size; at++) {
        await merchant.fetch(`${cards}?external_customer_id=other-${at}`);
      }
      for (const body of bodies) await creates(merchant, cards, body);
      return () => merchant.verdict();
    },
  ],
  'request ids of payments that are sent with other bodies, and these bodies with new ids': [
    50,
    async (size) => {
      const merchant = shop();
      const bodyOf = (at: number, part: number): unknown =>
        rawPaymentBody({}, { transaction: { custom: `order-${at}-${part}` } });
      for (let at = 0; at < size; at++) {
        await posts(merchant, payments, bodyOf(at, 1), `order-${at}`);
        await posts(merchant, payments, bodyOf(at, 2), `order-${at}`);
      }
      for (let at = 0; at < size; at++) await posts(merchant, payments, bodyOf(at, 2), `new-${at}`);
      return () => expectFound(merchant, 'key-reused-for-other-intent');
    },
  ],
  'lost captures of payments with one name, each read': [
    100,
    async (size) => {
      const merchant = shop();
      const parts = { custom: 'shop' };
      const ids: string[] = [];
      for (let at = 0; at < size; at++) ids.push(await authorizes(merchant, parts));
      merchant.force({ op: 'auth.capture', outcome: 'error-500-after-commit', times: size });
      const body = { amount: { total: '7.47', currency: 'USD' }, is_final_capture: true };
      for (const id of ids) {
        await posts(merchant, `/v1/payments/authorization/${id}/capture`, body);
        await merchant.fetch(`/v1/payments/authorization/${id}`);
        await authorizes(merchant, parts);
      }
      return () => merchant.verdict();
    },
  ],
  'lost payments under one name, each read, and payments under another one': [
    100,
    async (size) => {
      const merchant = shop();
      merchant.force({ op: 'payment.create', outcome: 'error-500-after-commit', times: size });
      const bodyOf = (custom: string): unknown => rawPaymentBody({}, { transaction: { custom } });
      for (let at = 0; at < size; at++) await posts(merchant, payments, bodyOf('shop'));
      for (const id of await soldBy(merchant)) await merchant.fetch(`/v1/payments/sale/${id}`);
      for (let at = 0; at < size; at++) await posts(merchant, payments, bodyOf('shop try 2'));
      return () => merchant.verdict();
    },
  ],
  'lost payments of one purchase': [
    100,
    async (size) => {
      const merchant = shop();
      merchant.force({ op: 'payment.create', outcome: 'error-500-after-commit', times: size });
      const body = rawPaymentBody({}, { transaction: { custom: 'order' } });
      for (let at = 0; at < size; at++) await posts(merchant, payments, body);
      return () => expectFound(merchant, 'orphaned-charge');
    },
  ],
  'small refunds of one sale whose answers are lost': [
    100,
    async (size) => {
      const merchant = await paid(1);
      merchant.force({ op: 'sale.refund', outcome: 'error-500-after-commit', times: size });
      const [id = ''] = await soldBy(merchant);
      const body = { amount: { total: '0.01', currency: 'USD' } };
      for (let at = 0; at < size; at++) {
        await posts(merchant, `/v1/payments/sale/${id}/refund`, body);
      }
      return () => expectFound(merchant, 'orphaned-refund');
    },
  ],
  'payments under numbers made from one invoice number that is refused': [
    50,
    async (size) => {
      const merchant = shop();
      const bodyOf = (invoice_number: string): unknown =>
        rawPaymentBody({}, { transaction: { invoice_number } });
      for (let at = 0; at < size; at++) {
        await posts(merchant, payments, bodyOf('order-7'));
        await posts(merchant, payments, bodyOf(`order-7-${at}`));
      }
      return () => expectFound(merchant, 'double-charge');
    },
  ],
  'payments that hang for a minute, and payments sent again': [
    25,
    async (size) => {
      const merchant = shop();
      const bodies = list(size, (at) =>
        rawPaymentBody({}, { transaction: { invoice_number: `order-${at}` } }),
      );
      merchant.force({
        op: 'payment.create',
        outcome: 'hang-after-commit',
        params: { cap: '1ms' },
        times: size,
      });
      // The minute passes while a gate holds them, so that no machine is too slow for it.
      merchant.hold({ op: 'payment.create', count: size, timeoutMs: 240_000 });
      const hanging = bodies.map((body) => posts(merchant, payments, body).catch(() => undefined));
      await merchant.waitForHeld({ timeoutMs: 240_000 });
      merchant.clock.advance('PT1M');
      merchant.release();
      await Promise.all(hanging);
      for (const body of bodies) await posts(merchant, payments, body);
      return () => expectFound(merchant, 'no-deadline');
    },
  ],
  'equal payments on as many connections': [
    50,
    async (size) => {
      // No time passes, so they are as close to one another on a slow machine.
      const systemClock = { nowMs: () => 0, monotonicMs: () => 0 };
      const sandbox = createSandbox({ fixtures: 'empty', systemClock });
      onTestFinished(() => sandbox.close());
      const { url } = await sandbox.listen();
      const merchant = sandbox.merchant('shop');
      const headers = { ...json, Authorization: `Bearer ${merchant.token}` };
      const body = JSON.stringify(rawPaymentBody({}, { transaction: { custom: 'order' } }));
      for (let at = 0; at < size; at++) {
        const sent = request(url + payments, { method: 'POST', agent: false, headers });
        sent.end(body);
        await once(sent, 'response').then(([answer]) => readText(answer as IncomingMessage));
      }
      return () => expectFound(merchant, 'concurrent-duplicates');
    },
  ],
  'beliefs of a verdict': [
    25,
    async (size) => {
      const merchant = await paid(4);
      const beliefs = Object.fromEntries(list(size, (at) => [`order-${at}`, 'paid' as const]));
      return () => merchant.verdict({ beliefs });
    },
  ],
  'payments of a ledger': [
    25,
    async (size) => {
      const merchant = await paid(size);
      return () => merchant.ledger();
    },
  ],
  'payments of an import': [
    25,
    async (size) => {
      const document = (await paid(size)).export();
      const other = shop();
      return () => other.import(document);
    },
  ],
};

/** What the second doubling added, and the most that it may add. */
async function growthOf([size, prepare]: Kind): Promise<readonly [added: number, most: number]> {
  const counted: number[] = [];
  // The first run loads what is loaded late, and is not compared.
  for (const length of [size, size, 2 * size, 4 * size]) {
    const action = await prepare(length);
    counted.push(await steps.count(async () => pageOf(await action())));
  }
  const [, one = 0, two = 0, four = 0] = counted;
  const [first, second] = [two - one, four - two];
  // A size that is read only up to a bound adds nothing.
  return [second, mostGrowth * Math.max(first, one / 10, size)];
}

it.each(Object.entries(kinds))('the work grows like the input: %s', async (_, kind) => {
  let [added, most] = await growthOf(kind);
  // Sandboxes of earlier tests that end meanwhile are counted, too. They are not counted a second time.
  if (added > most) [added, most] = await growthOf(kind);
  expect(added).toBeLessThanOrEqual(most);
});
