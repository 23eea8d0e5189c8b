/** Requests per second of server CPU, and per second, against the floor: bursts alternate, pair by pair. */
import type { BurstResult, Generator } from '../load/burst.ts';
import { Contest, perCpuSecond, type Answered } from '../load/contest.ts';
import { inThisProcess } from '../load/load.ts';
import { inViewOf, paired, type Measure } from '../measure.ts';
import type { Settings } from '../settings.ts';
import { everythingOn, withSides, type Setting } from '../load/sides.ts';
import type { Operation } from '../load/traffic.ts';

/** Options of our side, and the target. */
interface Course extends Setting {
  readonly suffix: string;
  readonly perCpu: { readonly atLeast: number };
}

const withEverything: Course = { ...everythingOn, suffix: '', perCpu: { atLeast: 0.65 } };

const withoutJournal: Course = {
  flags: ['--quiet', '--max-journal-entries', '0'],
  hasRule: false,
  suffix: ', journal off',
  perCpu: { atLeast: 0.75 },
};

const tail = { atMost: 3 };

/**
 * Node accepts one new connection in each turn of its loop, so the first answer on the last of 64 is slow. `wrk` weights
 * such an answer by the requests that it could have sent meanwhile, so its p99 would show only these.
 */
const tailLoad = inThisProcess;
const withTarget: readonly Operation[] = ['create', 'show', 'browse', 'pay'];

interface Figures {
  readonly perCpuSecond: number[];
  readonly perSecond: number[];
  readonly tails: number[];
}

/** Measures throughput with the defaults. */
export function throughput(
  wanted: readonly Operation[],
  settings: Settings,
  load: Generator,
): Promise<Measure[]> {
  return compared(wanted, withEverything, settings, load);
}

/** Measures throughput without the journal and without a rule. */
export function journalOff(settings: Settings, load: Generator): Promise<Measure[]> {
  return compared(withTarget, withoutJournal, settings, load);
}

async function compared(
  wanted: readonly Operation[],
  course: Course,
  settings: Settings,
  load: Generator,
): Promise<Measure[]> {
  const figures = wanted.map((operation) => ({ operation, ours: none(), floor: none() }));
  for (let start = 0; start < settings.starts; start++) {
    await withSides(wanted, course, async (sidesFor) => {
      // The order alternates, in case stored records slow down the operations that come later.
      for (const into of start % 2 === 0 ? figures : figures.toReversed()) {
        const contest = new Contest(sidesFor(into.operation), settings);
        await contest.warmUp(load);
        for (let pair = 0; pair < settings.pairs; pair++) {
          const [ours, floor] = await contest.pair(pair, load);
          const [oursAlone, floorAlone] = await contest.latencies(pair, tailLoad);
          note(into.ours, ours, oursAlone);
          note(into.floor, floor, floorAlone);
        }
      }
    });
  }
  return figures.flatMap(({ operation, ours, floor }) => measures(operation, course, ours, floor));
}

function none(): Figures {
  return { perCpuSecond: [], perSecond: [], tails: [] };
}

function note(into: Figures, answered: Answered, { p99Ms, p50Ms }: BurstResult): void {
  into.perCpuSecond.push(perCpuSecond(answered));
  into.perSecond.push(answered.requests / answered.seconds);
  into.tails.push(p99Ms / p50Ms);
}

function measures(
  part: Operation,
  { suffix, perCpu }: Course,
  ours: Figures,
  floor: Figures,
): Measure[] {
  const name = `throughput${suffix}`;
  const goal = withTarget.includes(part) ? { target: perCpu } : {};
  return [
    paired(
      { part, name, unit: 'requests per CPU second', ...goal },
      ours.perCpuSecond,
      'floor',
      floor.perCpuSecond,
    ),
    paired({ part, name, unit: 'requests per second' }, ours.perSecond, 'floor', floor.perSecond),
    inViewOf(
      { part, name: `p99 over p50${suffix}`, unit: 'of 64 connections', target: tail },
      ours.tails,
      'floor',
      floor.tails,
    ),
  ];
}
