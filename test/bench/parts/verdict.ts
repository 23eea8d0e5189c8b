/** How much a verdict costs about the journal of a day of tests, for several kinds of clients. */
import { alone, type Measure } from '../measure.ts';
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
const mostExchanges = 100_000;

export async function verdict({ cards, pairs }: Settings): Promise<Measure[]> {
  const exchanges = Math.min(cards, mostExchanges);
  const measures: Measure[] = [];
  for (const client of clients) {
    const worker = startWorker('verdict-worker');
    const milliseconds: number[] = [];
    let seen = 0;
    try {
      await worker.run(client, exchanges);
      for (let times = 0; times < pairs; times++) {
        const judged = await worker.run<Judged>('judge');
        milliseconds.push(judged.cpuMs);
        seen = judged.requests;
      }
    } finally {
      await worker.stop();
    }
    measures.push(
      alone(
        {
          part: 'verdict',
          name: `${client} client, ${seen.toLocaleString('en')} exchanges`,
          unit: 'ms of CPU',
          target: { atMost: 2_000 },
        },
        milliseconds,
      ),
    );
  }
  return measures;
}
