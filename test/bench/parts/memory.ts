/** Memory of the command line's process: resident while idle; its heap per card, and over many requests and worlds. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Generator } from '../load/burst.ts';
import { alone, type Measure } from '../measure.ts';
import { startOurs, startProbed, type Probed, type Running } from '../processes/servers.ts';
import type { Settings } from '../settings.ts';
import { bearer, stockUp, storing, trafficOf } from '../load/traffic.ts';

const part = 'memory';
const megabyte = 2 ** 20;
/** By then, every request is answered and the timers of the start have ended. */
const settleMs = 1_000;
/** V8 returns the memory of the start after about half a minute without work. */
const idleMs = 40_000;

export async function memory(settings: Settings, load: Generator): Promise<Measure[]> {
  return [
    await idle(settings),
    ...(await perCard(settings, load)),
    await overRequests(settings, load),
    await overChurn(settings, 'resets', async (url, n) => {
      await touch(url, 'churn');
      await call(`${url}/_sandbox/reset?merchant=churn`, 'POST', n);
    }),
    await overChurn(settings, 'worlds made and deleted', async (url, n) => {
      await touch(url, `world-${n}`);
      await call(`${url}/_sandbox/merchants/world-${n}`, 'DELETE', n);
    }),
  ];
}

async function idle({ starts }: Settings): Promise<Measure> {
  const idling = Array.from({ length: starts }, async () => {
    const server = await startOurs();
    try {
      await sleep(idleMs);
      return server.read().rssBytes / megabyte;
    } finally {
      await server.stop();
    }
  });
  const megabytes = await Promise.all(idling);
  return alone({ part, name: 'idle', unit: 'MB', target: { atMost: 75 } }, megabytes);
}

/** Cards stored until the code is warm and the heap has found its size. */
const firstCards = 20_000;

/** The journal is full and the code is warm before cards are counted. Resident memory has room for garbage as well. */
async function perCard({ cards }: Settings, load: Generator): Promise<Measure[]> {
  const taken = await withServer(async (server) => {
    const before = await memoryAt(server, load, firstCards);
    const after = await memoryAt(server, load, cards);
    const added = after.cards - before.cards;
    return {
      heap: (after.heapBytes - before.heapBytes) / added,
      resident: (after.rssBytes - before.rssBytes) / added,
    };
  });
  const name = `a card, ${cards.toLocaleString('en')} of them`;
  return [
    alone({ part, name, unit: 'bytes of heap', target: { atMost: 1_536 } }, [taken.heap]),
    alone({ part, name, unit: 'bytes resident, before collection' }, [taken.resident]),
  ];
}

async function memoryAt(server: Probed, load: Generator, atLeast: number) {
  const { cards, rssBytes } = await filled(server, load, atLeast);
  return { cards, rssBytes, heapBytes: await server.heapBytes() };
}

const fillSeconds = 2;

/** Stores cards up to this number. */
export async function filled(
  server: Running,
  load: Generator,
  atLeast: number,
  merchant = 'bench',
): Promise<{ readonly cards: number; readonly rssBytes: number }> {
  let cards = await cardsOf(server.url, merchant);
  while (cards < atLeast) {
    const { url } = server;
    await load.send({
      url,
      traffic: storing(),
      seconds: fillSeconds,
      merchant,
      firstNumber: cards,
    });
    cards = await cardsOf(url, merchant);
  }
  await sleep(settleMs);
  return { cards, rssBytes: server.read().rssBytes };
}

async function cardsOf(url: string, merchant: string): Promise<number> {
  const answer = await fetch(`${url}/v1/vault/credit-cards?page_size=1`, {
    headers: bearer(merchant),
  });
  const page: unknown = await answer.json();
  const total =
    typeof page === 'object' && page !== null ? Reflect.get(page, 'total_items') : undefined;
  if (typeof total !== 'number') throw new Error('The list of cards says no total.');
  return total;
}

/** Reads change nothing, so growth during reads is a leak. */
async function overRequests(settings: Settings, load: Generator): Promise<Measure> {
  const growth = await withServer(async (server) => {
    const { url } = server;
    const stock = await stockUp(url);
    const traffic = trafficOf('show', stock);
    const seconds = settings.burstSeconds * settings.pairs * 4;
    return grownBy(server, () => load.send({ url, traffic, seconds, firstNumber: 0 }));
  });
  const name = 'growth over reads, after as many';
  return alone({ part, name, unit: 'MB of heap', target: { atMost: 1 } }, [growth]);
}

async function overChurn(
  { churn }: Settings,
  what: string,
  turn: (url: string, n: number) => Promise<void>,
): Promise<Measure> {
  let n = 0;
  const growth = await withServer((server) =>
    grownBy(server, async () => {
      for (const end = n + churn; n < end; n++) await turn(server.url, n);
    }),
  );
  const name = `growth over ${churn.toLocaleString('en')} ${what}, after as many`;
  return alone({ part, name, unit: 'MB of heap', target: { atMost: 1 } }, [growth]);
}

/** How much more the heap holds after something was done the second time, in megabytes. */
async function grownBy(server: Probed, work: () => Promise<unknown>): Promise<number> {
  await work();
  const before = await server.heapBytes();
  await work();
  return ((await server.heapBytes()) - before) / megabyte;
}

async function withServer<T>(use: (server: Probed) => Promise<T>): Promise<T> {
  const server = await startProbed();
  try {
    return await use(server);
  } finally {
    await server.stop();
  }
}

/** Creates the world of a merchant with some journal entries. */
async function touch(url: string, merchant: string): Promise<void> {
  const answer = await fetch(`${url}/v1/vault/credit-cards`, {
    headers: bearer(merchant),
  });
  await answer.arrayBuffer();
}

async function call(url: string, method: string, n: number): Promise<void> {
  const answer = await fetch(url, { method });
  await answer.arrayBuffer();
  if (!answer.ok) throw new Error(`${method} ${url} was answered ${answer.status} at turn ${n}.`);
}
