/** Whether a call costs more with more cards: compares processes with few and with many. */
import type { Generator } from '../load/burst.ts';
import { Contest, perCpuSecond } from '../load/contest.ts';
import { paired, type Measure } from '../measure.ts';
import { filled } from './memory.ts';
import { startOurs, type Running } from '../processes/servers.ts';
import type { Settings } from '../settings.ts';
import { getting, stockUp, trafficOf, type Stock, type Traffic } from '../load/traffic.ts';

const few = 1_000;
const list = '/v1/vault/credit-cards';
const pageSize = 10;

interface World {
  readonly server: Running;
  readonly cards: number;
  readonly stock: Stock;
}

interface Call {
  readonly name: string;
  readonly target: { readonly atMost: number };
  readonly traffic: (world: World) => Traffic;
}

/** Customer numbers that no world has yet. */
const strangersFrom = 10_000_000;

const perCall = { atMost: 1.15 };
const perPage = { atMost: 1.5 };

const stores: Call['traffic'] = ({ stock }) => trafficOf('create', stock);

/** Storing is last and has no warm-up, because it makes the smaller world larger. */
const calls: readonly Call[] = [
  { name: 'show', target: perCall, traffic: ({ stock }) => trafficOf('browse', stock) },
  { name: 'list, first page', target: perPage, traffic: ({ stock }) => trafficOf('list', stock) },
  {
    name: 'list, page in the middle',
    target: perPage,
    traffic: ({ cards }) => {
      const page = Math.floor(cards / pageSize / 2);
      return getting([`${list}?page_size=${pageSize}&page=${page}`]);
    },
  },
  {
    name: 'list, one customer',
    target: perPage,
    traffic: ({ stock }) =>
      getting(stock.cards.map(({ customer }) => `${list}?external_customer_id=${customer}`)),
  },
  { name: 'pay', target: perCall, traffic: ({ stock }) => trafficOf('pay', stock) },
  { name: 'create', target: perCall, traffic: stores },
];

interface Micros {
  readonly large: number[];
  readonly small: number[];
}

export async function growth(settings: Settings, load: Generator): Promise<Measure[]> {
  const micros = new Map<Call, Micros>(calls.map((call) => [call, { large: [], small: [] }]));
  for (let start = 0; start < settings.starts; start++) {
    const small = await worldOf();
    const large = await grown(await worldOf(), settings.cards, load);
    try {
      for (const [call, into] of micros)
        await compare(call, into, { small, large }, settings, load);
    } finally {
      await Promise.all([small.server.stop(), large.server.stop()]);
    }
  }
  const unit = `µs of CPU at ${settings.cards.toLocaleString('en')} cards`;
  return [...micros].map(([{ name, target }, { large, small }]) =>
    paired({ part: 'growth', name, unit, target }, large, '1,000', small),
  );
}

async function worldOf(): Promise<World> {
  const server = await startOurs();
  return { server, cards: few, stock: await stockUp(server.url, { cardCount: few }) };
}

async function grown(world: World, cards: number, load: Generator): Promise<World> {
  const held = await filled(world.server, load, cards);
  return { ...world, cards: held.cards };
}

async function compare(
  { traffic }: Call,
  into: Micros,
  { small, large }: { readonly small: World; readonly large: World },
  settings: Settings,
  load: Generator,
): Promise<void> {
  const contest = new Contest(
    [
      { server: large.server, traffic: traffic(large) },
      { server: small.server, traffic: traffic(small) },
    ],
    settings,
    strangersFrom,
  );
  if (traffic !== stores) await contest.warmUp(load);
  for (let pair = 0; pair < settings.pairs; pair++) {
    const [ofLarge, ofSmall] = await contest.pair(pair, load);
    into.large.push(1e6 / perCpuSecond(ofLarge));
    into.small.push(1e6 / perCpuSecond(ofSmall));
  }
}
