/** How much a verdict costs about the journal of a day of tests, for several kinds of clients. */
import { alone, inViewOf, type Measure, type Target } from '../measure.ts';
import type { Settings } from '../settings.ts';
import type { Judged } from '../processes/verdict-worker.ts';
import { startWorker } from '../processes/worker-link.ts';

/**
 * What must not make a rule quadratic: purchases, attempts, reads of one record, cards, open requests, unknown outcomes,
 * refunds, raw cards, and payments of a second run.
 */
const clients = [
  'shop',
  'stubborn',
  'waiting',
  'hoarding',
  'impatient',
  'forgetful',
  'refunding',
  'guest',
  'billing',
] as const;
type Client = (typeof clients)[number];

const mostExchanges = 100_000;
const target: Target = { atMost: 2_000 };

export async function verdict({ cards, pairs, starts }: Settings): Promise<Measure[]> {
  const exchanges = Math.min(cards, mostExchanges);
  const measures: Measure[] = [];
  for (const client of clients) {
    const first: Judged[] = [];
    const later: Judged[] = [];
    for (let start = 0; start < starts; start++) {
      const [one, ...others] = await judge(client, exchanges, start === 0 ? pairs : 0);
      first.push(one);
      later.push(...others);
    }
    measures.push(...measuresOf(client, first, later));
  }
  return measures;
}

/** Fills a journal in a fresh process, and asks for the first verdict and some later ones. */
async function judge(
  client: Client,
  exchanges: number,
  laterCount: number,
): Promise<[Judged, ...Judged[]]> {
  const worker = startWorker('verdict-worker');
  try {
    await worker.run(client, exchanges);
    const judged: [Judged, ...Judged[]] = [await worker.run<Judged>('judge')];
    for (let times = 0; times < laterCount; times++) {
      judged.push(await worker.run<Judged>('judge'));
    }
    return judged;
  } finally {
    await worker.stop();
  }
}

/**
 * A test run asks for one verdict and waits for it, so the first one counts on the clock. Its CPU time stands beside it:
 * other threads compile code and collect garbage meanwhile.
 */
function measuresOf(client: Client, first: readonly Judged[], later: readonly Judged[]): Measure[] {
  const requests = first[0]?.requests ?? 0;
  const part = 'verdict';
  const name = `${client} client, ${requests.toLocaleString('en')} exchanges`;
  const cpuOf = (verdicts: readonly Judged[]): number[] => verdicts.map(({ cpuMs }) => cpuMs);
  return [
    inViewOf(
      { part, name: `${name}, first`, unit: 'ms on the clock', target },
      first.map(({ clockMs }) => clockMs),
      'ms of CPU, all threads',
      cpuOf(first),
    ),
    alone({ part, name: `${name}, later`, unit: 'ms of CPU', target }, cpuOf(later)),
  ];
}
