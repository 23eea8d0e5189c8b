/** A call without a socket, against a Hono handler that validates with the same schemas and answers from a Map. */
import { paired, type Measure } from './measure.ts';
import type { Settings } from './settings.ts';
import { inTurn } from './statistics.ts';
import { startWorker } from './worker-link.ts';

const calls = ['create', 'show', 'pay'] as const;
type Call = (typeof calls)[number];
const callsPerSecond = 4_000;
const target = { atMost: 1.6 };
/** A machine changes its speed within a second, so both sides of a pair take much shorter turns. */
const turnsPerPair = 20;

export async function inProcess(settings: Settings): Promise<Measure[]> {
  const count = Math.ceil((settings.burstSeconds * callsPerSecond) / turnsPerPair) * turnsPerPair;
  const micros = new Map<Call, Micros>(calls.map((call) => [call, { ours: [], hono: [] }]));
  for (let start = 0; start < settings.starts; start++) {
    const ours = startWorker('in-process-worker', ['ours']);
    const hono = startWorker('in-process-worker', ['hono']);
    const workers = { ours, hono };
    for (const [call, into] of micros) {
      await ours.run(call, settings.warmUpRequests);
      await hono.run(call, settings.warmUpRequests);
      for (let pair = 0; pair < settings.pairs; pair++) {
        const sums = { ours: 0, hono: 0 };
        for (let turn = 0; turn < turnsPerPair; turn++) {
          for (const which of inTurn(['ours', 'hono'] as const, turn)) {
            sums[which] += await workers[which].run<number>(call, count / turnsPerPair);
          }
        }
        into.ours.push(sums.ours / turnsPerPair);
        into.hono.push(sums.hono / turnsPerPair);
      }
    }
    await Promise.all([ours.stop(), hono.stop()]);
  }
  return [...micros].map(([call, { ours, hono }]) => {
    const named = { part: 'in-process', name: call, unit: 'µs of CPU per call', target };
    return paired(named, ours, 'Hono handler', hono);
  });
}

interface Micros {
  readonly ours: number[];
  readonly hono: number[];
}
