/** Mixed traffic for minutes, with faults, resets and new worlds. Afterwards all counts must agree. */
import { Agent, request } from 'node:http';
import { alone, type Measure } from '../measure.ts';
import type { Settings } from '../settings.ts';
import type { Books, Resources } from '../processes/soak-worker.ts';
import { bearer, cardBody, paymentBody } from '../load/traffic.ts';
import { startWorker, type Worker } from '../processes/worker-link.ts';

const part = 'soak';
const clients = 16;
const lasting = 8;
/** In one of this many rounds, a client creates a world and deletes it. */
const churnEvery = 10;
const resetEvery = 500;
/** Rounds of five requests: more than the thousand exchanges that a journal keeps. */
const journalRounds = 240;

/** Faults without a delay, and how many requests there are for each. */
const faults = [
  'reset-before-commit',
  'reset-after-commit',
  'close-after-commit',
  'truncated-body',
  'error-500-after-commit',
  'error-503-before-commit',
  'empty-body-200',
  'malformed-json',
  'decline-generic',
];
const faultEvery = 5;

interface Reply {
  readonly status: number;
  readonly body: unknown;
}

export async function soak(settings: Settings): Promise<Measure[]> {
  const worker = startWorker('soak-worker');
  try {
    return await soaked(worker, settings.soakMinutes * 60_000);
  } finally {
    await worker.stop();
  }
}

async function soaked(worker: Worker, lastsMs: number): Promise<Measure[]> {
  const url = await worker.run<string>('url');
  const tally = new Tally();
  // A tenth of the time fills the journals and warms up the code. After that, nothing may grow.
  const stage = async (ms: number): Promise<Resources> => {
    const agent = new Agent({ keepAlive: true, maxSockets: clients });
    const endMs = performance.now() + ms;
    await Promise.all(
      Array.from({ length: clients }, (_, client) => visit({ url, agent, client, endMs, tally })),
    );
    agent.destroy();
    await resetAll(url, tally);
    return worker.run<Resources>('resources');
  };
  const before = await stage(lastsMs / 10);
  const after = await stage((lastsMs * 9) / 10);
  await burstWithoutReset(url, tally);
  const books = await worker.run<Books[]>('books');
  const named = (name: string, unit: string, atMost: number) => ({
    part,
    name,
    unit,
    target: { atMost },
  });
  return [
    alone({ part, name: 'mixed requests', unit: 'requests' }, [tally.requests]),
    alone({ part, name: 'of them spoilt on purpose', unit: 'requests' }, [tally.spoilt]),
    alone(named('ledgers that do not come to zero', 'ledgers', 0), [
      books.filter(({ sums }) => sums.some((sum) => sum !== 0)).length,
    ]),
    alone(named('exchanges that journals cannot account for', 'exchanges', 0), [
      books.reduce(
        (sum, one) => sum + Math.abs(tally.sentTo(one.merchant) - one.kept - one.dropped),
        0,
      ),
    ]),
    alone(named('heap that stays', 'MB', 5), [(after.heapBytes - before.heapBytes) / 2 ** 20]),
    alone(named('handles that stay', 'handles', 0), [
      Math.max(0, after.handles.length - before.handles.length),
    ]),
  ];
}

/** The requests to each merchant since its last reset. */
class Tally {
  requests = 0;
  spoilt = 0;
  readonly #sent = new Map<string, number>();

  sent(merchant: string): void {
    this.requests++;
    this.#sent.set(merchant, this.sentTo(merchant) + 1);
  }

  sentTo(merchant: string): number {
    return this.#sent.get(merchant) ?? 0;
  }

  forget(): void {
    this.#sent.clear();
  }
}

interface Visit {
  readonly url: string;
  readonly agent: Agent;
  readonly client: number;
  readonly endMs: number;
  readonly tally: Tally;
}

/** One client: stores a card, shows it, pays with it, refunds a part, and lists. */
async function visit(of: Visit): Promise<void> {
  for (let round = 0; performance.now() < of.endMs; round++) {
    const churns = round % churnEvery === 0;
    const merchant = churns ? `soak-${of.client}-${round}` : `shop-${of.client % lasting}`;
    await purchase(of, merchant, round);
    if (churns) await control(of, 'DELETE', `merchants/${merchant}`);
    else if (round % resetEvery === resetEvery - 1) {
      await control(of, 'POST', `reset?merchant=${merchant}`);
    }
  }
}

async function purchase(of: Visit, merchant: string, round: number): Promise<void> {
  const ask = (path: string, body: string | undefined, at: number) =>
    sendRequest(of, { merchant, path, body, spoilt: (round + at) % faultEvery === 0, round });
  const customer = `c-${of.client}-${round}`;
  const card = await ask('/v1/vault/credit-cards', cardBody(customer), 0);
  const id = textAt(card, 'id');
  await ask('/v1/vault/credit-cards?page_size=5', undefined, 1);
  if (id === undefined) return;
  await ask(`/v1/vault/credit-cards/${id}`, undefined, 2);
  const paid = await ask('/v1/payments/payment', paymentBody({ id, customer }, 'Soak'), 3);
  const sale = /"sale":\{"id":"(\w+)"/.exec(JSON.stringify(paid?.body ?? null))?.[1];
  if (sale === undefined) return;
  const amount = JSON.stringify({ amount: { total: '1.00', currency: 'USD' } });
  await ask(`/v1/payments/sale/${sale}/refund`, amount, 4);
}

function textAt(reply: Reply | undefined, key: string): string | undefined {
  const body = reply?.body;
  const value: unknown =
    typeof body === 'object' && body !== null ? Reflect.get(body, key) : undefined;
  return typeof value === 'string' ? value : undefined;
}

/** Ignores answers to requests with a fault, because their result is unknown. */
async function sendRequest(
  { url, agent, tally }: Visit,
  call: {
    readonly merchant: string;
    readonly path: string;
    readonly body: string | undefined;
    readonly spoilt: boolean;
    readonly round: number;
  },
): Promise<Reply | undefined> {
  const fault = faults[call.round % faults.length] ?? '';
  tally.sent(call.merchant);
  if (call.spoilt) tally.spoilt++;
  const headers = {
    ...bearer(call.merchant),
    'Content-Type': 'application/json',
    ...(call.spoilt ? { 'Sandbox-Outcome': fault } : {}),
  };
  const method = call.body === undefined ? 'GET' : 'POST';
  const reply = await send(url + call.path, { agent, method, headers }, call.body);
  if (reply === undefined && !call.spoilt) throw new Error(`${call.path} had no answer.`);
  return reply;
}

function send(
  url: string,
  options: { readonly agent?: Agent; readonly method: string; readonly headers?: object },
  body?: string,
): Promise<Reply | undefined> {
  return new Promise((resolve) => {
    const asking = request(url, { ...options, headers: { ...options.headers } }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', () => {
        resolve(undefined);
      });
      response.on('end', () => {
        resolve({ status: response.statusCode ?? 0, body: parsed(Buffer.concat(chunks)) });
      });
    });
    asking.on('error', () => {
      resolve(undefined);
    });
    asking.end(body);
  });
}

function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString());
  } catch {
    return undefined;
  }
}

async function control({ url, agent }: Visit, method: string, path: string): Promise<void> {
  const reply = await send(`${url}/_sandbox/${path}`, { agent, method });
  if (reply === undefined || reply.status >= 400) throw new Error(`${method} ${path} failed.`);
}

async function resetAll(url: string, tally: Tally): Promise<void> {
  await send(`${url}/_sandbox/reset?all=true`, { method: 'POST' });
  tally.forget();
}

/** Sends more than a journal keeps, without a reset, so that the dropped exchanges can be counted. */
async function burstWithoutReset(url: string, tally: Tally): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: clients });
  const visits = Array.from({ length: lasting }, async (_, client) => {
    for (let round = 1; round <= journalRounds; round++) {
      await purchase({ url, agent, client, endMs: 0, tally }, `shop-${client}`, round);
    }
  });
  await Promise.all(visits);
  agent.destroy();
}
