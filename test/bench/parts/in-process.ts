/** A call without a socket, against a Hono handler that validates with the same schemas and answers from a Map. */
import { paired, type Measure } from '../measure.ts';
import type { Settings } from '../settings.ts';
import { inTurn } from '../statistics.ts';
import { startWorker } from '../processes/worker-link.ts';

const calls = ['create', 'show', 'pay'] as const;
type Call = (typeof calls)[number];
const callsPerSecond = 4_000;
const target = { atMost: 1.6 };
/** A machine changes its speed within a second, so both sides of a pair take much shorter turns. */
const turnsPerPair = 20;

export async function inProcess(settings: Settings): Promise<Measure[]> {
  const micros = await compare(settings, calls, { ours: ['ours'], other: ['hono'] });
  return [...micros].map(([call, { ours, other }]) => {
    const named = { part: 'in-process', name: call, unit: 'µs of CPU per call', target };
    return paired(named, ours, 'Hono handler', other);
  });
}

const realisticTarget = { atMost: 1.15 };

/** Ids that look a little like card numbers, against plain ones: both are searched for card numbers. */
export async function realisticIds(settings: Settings): Promise<Measure[]> {
  const sides = { ours: ['ours', 'realistic'], other: ['ours', 'plain'] };
  const micros = await compare(settings, ['create', 'pay'], sides);
  return [...micros].map(([call, { ours, other }]) => {
    const named = { part: 'realistic-ids', name: call, unit: 'µs of CPU per call' };
    return paired({ ...named, target: realisticTarget }, ours, 'plain ids', other);
  });
}

/** CPU time of calls in two workers that take turns, pair by pair. */
async function compare(
  settings: Settings,
  wanted: readonly Call[],
  sides: Readonly<Record<keyof Micros, readonly string[]>>,
): Promise<ReadonlyMap<Call, Micros>> {
  const count = Math.ceil((settings.burstSeconds * callsPerSecond) / turnsPerPair) * turnsPerPair;
  const micros = new Map<Call, Micros>(wanted.map((call) => [call, { ours: [], other: [] }]));
  for (let start = 0; start < settings.starts; start++) {
    const workers = {
      ours: startWorker('in-process-worker', sides.ours),
      other: startWorker('in-process-worker', sides.other),
    };
    for (const [call, into] of micros) {
      await workers.ours.run(call, settings.warmUpRequests);
      await workers.other.run(call, settings.warmUpRequests);
      for (let pair = 0; pair < settings.pairs; pair++) {
        const sums = { ours: 0, other: 0 };
        for (let turn = 0; turn < turnsPerPair; turn++) {
          for (const which of inTurn(['ours', 'other'] as const, turn)) {
            sums[which] += await workers[which].run<number>(call, count / turnsPerPair);
          }
        }
        into.ours.push(sums.ours / turnsPerPair);
        into.other.push(sums.other / turnsPerPair);
      }
    }
    await Promise.all([workers.ours.stop(), workers.other.stop()]);
  }
  return micros;
}

interface Micros {
  readonly ours: number[];
  readonly other: number[];
}
