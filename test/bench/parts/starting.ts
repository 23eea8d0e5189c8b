/** Starts: of the command, of a process that imports the library, of further worlds, and resets. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { alone, paired, type Measure } from '../measure.ts';
import { startOurs } from '../processes/servers.ts';
import type { Settings } from '../settings.ts';
import { inTurn } from '../statistics.ts';
import { startWorker } from '../processes/worker-link.ts';

const part = 'start';
const fewCards = 1_000;
const manyCards = 100_000;
/** A start takes a fraction of a burst, so there can be more of them. */
const startsPerRound = 7;
const importsPerStart = 3;

/** From spawning the command to its first answer, compared with a Node that does nothing. */
export async function coldStart(settings: Settings): Promise<Measure[]> {
  const ours: number[] = [];
  const bare: number[] = [];
  const runs = {
    ours: async () => ours.push(await startedInMs()),
    bare: async () => bare.push(await bareNodeMs()),
  };
  for (let round = 0; round < settings.starts * startsPerRound; round++) {
    for (const which of inTurn(['ours', 'bare'] as const, round)) await runs[which]();
  }
  const named = { part, name: 'cold start of the command', unit: 'ms to the first answer' };
  return [paired(named, ours, 'node -e 0', bare)];
}

async function startedInMs(): Promise<number> {
  const server = await startOurs();
  await server.stop();
  return server.startedInMs;
}

async function bareNodeMs(): Promise<number> {
  const beginMs = performance.now();
  await once(spawn(process.execPath, ['-e', '0'], { stdio: 'ignore' }), 'exit');
  return performance.now() - beginMs;
}

/** What every process of a test suite pays once: import, first sandbox and first answer, in CPU time. */
export async function firstRequest(settings: Settings): Promise<Measure[]> {
  const sides = ['ours', 'hono', 'msw'] as const;
  const spent: Record<(typeof sides)[number], number[]> = { ours: [], hono: [], msw: [] };
  for (let round = 0; round < settings.starts * importsPerStart; round++) {
    for (const side of sides) {
      spent[side].push(await inWorker<number>('first-request-worker', 'run', 0, [side]));
    }
  }
  const named = { part, name: 'import, first sandbox and first request', unit: 'ms of CPU' };
  return [
    paired({ ...named, target: { atMost: 1.1 } }, spent.ours, 'Hono, one route', spent.hono),
    paired({ ...named, target: { atMost: 0.75 } }, spent.ours, 'MSW, one handler', spent.msw),
  ];
}

interface Again {
  readonly world: number;
  readonly reset: number;
}

const names = { world: 'further world', reset: 'reset' } as const;
/** A hundred times the fixtures may cost what the caches of a machine make of them, and no more. */
const sameAtAnySize = { atMost: 1.5 };

/** Further worlds and resets, over few and many fixtures. */
export async function worlds(settings: Settings): Promise<Measure[]> {
  const few: Again[] = [];
  const many: Again[] = [];
  for (let start = 0; start < settings.starts; start++) {
    few.push(await inWorker<Again>('start-worker', 'again', fewCards));
    many.push(await inWorker<Again>('start-worker', 'again', manyCards));
  }
  const of = (name: string) => ({ part, name, unit: 'ms' });
  return [
    alone(
      { ...of('further world, 100,000 fixtures'), target: { atMost: 0.2 } },
      many.map(({ world }) => world),
    ),
    ...(['world', 'reset'] as const).map((what) =>
      paired(
        { ...of(`${names[what]}, 100,000 fixtures against few`), target: sameAtAnySize },
        many.map((one) => one[what]),
        '1,000 fixtures',
        few.map((one) => one[what]),
      ),
    ),
  ];
}

async function inWorker<Answer>(
  name: string,
  task: string,
  argument: number,
  args: readonly string[] = [],
): Promise<Answer> {
  const worker = startWorker(name, args);
  try {
    return await worker.run<Answer>(task, argument);
  } finally {
    await worker.stop();
  }
}
