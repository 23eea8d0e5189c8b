/** Cold start, the first sandbox after import, further worlds, resets over few and many fixtures. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { alone, paired, type Measure, type Named } from './measure.ts';
import { nothingKept, startFirst, startOurs, type Running } from './servers.ts';
import type { Settings } from './settings.ts';
import { inTurn } from './statistics.ts';
import { startWorker } from './worker-link.ts';

const part = 'start';
const fewCards = 1_000;
const manyCards = 100_000;
/** A start takes a fraction of a burst, so there may be more of them. */
const startsPerRound = 7;
const importsPerStart = 3;

/** From spawning the command to its first answer, against a Node that does nothing. */
export async function coldStart(settings: Settings): Promise<Measure[]> {
  const starts = async (start: () => Promise<Running>, named: Pick<Named, 'name' | 'target'>) => {
    const ours: number[] = [];
    const bare: number[] = [];
    const runs = {
      ours: async () => ours.push(await startedInMs(start)),
      bare: async () => bare.push(await bareNodeMs()),
    };
    for (let round = 0; round < settings.starts * startsPerRound; round++) {
      for (const which of inTurn(['ours', 'bare'] as const, round)) await runs[which]();
    }
    return paired({ part, unit: 'ms to the first answer', ...named }, ours, 'node -e 0', bare);
  };
  const first = await starts(startFirst, { name: 'cold start, the first on a machine' });
  // What a start leaves for the next one is there from now on.
  await startedInMs(startOurs);
  const further = await starts(startOurs, { name: 'cold start', target: { atMost: 2.2 } });
  return [further, first];
}

async function startedInMs(start: () => Promise<Running>): Promise<number> {
  const server = await start();
  await server.stop();
  return server.startedInMs;
}

async function bareNodeMs(): Promise<number> {
  const beginMs = performance.now();
  await once(spawn(process.execPath, ['-e', '0'], { stdio: 'ignore' }), 'exit');
  return performance.now() - beginMs;
}

interface First {
  readonly imported: number;
  readonly first: number;
}

interface Again {
  readonly world: number;
  readonly reset: number;
}

const names = { world: 'further world', reset: 'reset' } as const;
/** A hundred times the fixtures may cost what the caches of a machine make of them, and no more. */
const sameAtAnySize = { atMost: 1.5 };

/** What a test suite waits for that imports the library. */
export async function firstSandbox(settings: Settings): Promise<Measure[]> {
  const firsts: First[] = [];
  const firstsEver: First[] = [];
  const few: Again[] = [];
  const many: Again[] = [];
  // What a process leaves for the next one is there from now on.
  await inWorker<First>('first', 0);
  for (let start = 0; start < settings.starts * importsPerStart; start++) {
    firsts.push(await inWorker<First>('first', 0));
    firstsEver.push(await inWorker<First>('first', 0, nothingKept));
  }
  for (let start = 0; start < settings.starts; start++) {
    few.push(await inWorker<Again>('again', fewCards));
    many.push(await inWorker<Again>('again', manyCards));
  }
  const of = (name: string) => ({ part, name, unit: 'ms' });
  const ever = 'the first on a machine';
  return [
    alone(
      of('import the library'),
      firsts.map(({ imported }) => imported),
    ),
    alone(
      of(`import the library, ${ever}`),
      firstsEver.map(({ imported }) => imported),
    ),
    alone(
      { ...of('first sandbox'), target: { atMost: 5 } },
      firsts.map(({ first }) => first),
    ),
    alone(
      of(`first sandbox, ${ever}`),
      firstsEver.map(({ first }) => first),
    ),
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
  task: string,
  argument: number,
  env?: Readonly<Record<string, string>>,
): Promise<Answer> {
  const worker = startWorker('start-worker', [], env);
  try {
    return await worker.run<Answer>(task, argument);
  } finally {
    await worker.stop();
  }
}
