/** Requests per second of server CPU, and per second, against the floor: bursts alternate, pair by pair. */
import { autocannonBurst, type Generator } from './load.ts';
import { inViewOf, paired, type Measure } from './measure.ts';
import type { Settings } from './settings.ts';
import { Bursts, everythingOn, perCpuSecond, withSides, type Sent, type Setting } from './sides.ts';
import type { Operation } from './traffic.ts';

/** What our side should reach, with what is switched on. */
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
 * Node takes one new connection in each turn of its loop, so the first answer on the last of 64 is long in coming. `wrk`
 * counts each such answer as the many that could have been asked for meanwhile, and its p99 tells of nothing else.
 */
const tailGenerator = autocannonBurst;
const withTarget: readonly Operation[] = ['create', 'show', 'pay'];

interface Figures {
  readonly perCpuSecond: number[];
  readonly perSecond: number[];
  readonly tails: number[];
}

/** With everything on. */
export function throughput(
  wanted: readonly Operation[],
  settings: Settings,
  send: Generator,
): Promise<Measure[]> {
  return compared(wanted, withEverything, settings, send);
}

/** What the journal costs: the same without it, and without a rule. */
export function journalOff(settings: Settings, send: Generator): Promise<Measure[]> {
  return compared(withTarget, withoutJournal, settings, send);
}

async function compared(
  wanted: readonly Operation[],
  course: Course,
  settings: Settings,
  send: Generator,
): Promise<Measure[]> {
  const figures = wanted.map((operation) => ({ operation, ours: none(), floor: none() }));
  for (let start = 0; start < settings.starts; start++) {
    await withSides(wanted, course, async (sides) => {
      // What was stored before slows nobody down; if it did, it would not always be the same operation.
      for (const into of start % 2 === 0 ? figures : figures.toReversed()) {
        const bursts = new Bursts(into.operation, sides, settings);
        await bursts.warmUp(send);
        for (let pair = 0; pair < settings.pairs; pair++) {
          const sent = await bursts.pair(pair, send);
          const tails = await bursts.pair(pair, tailGenerator);
          note(into.ours, sent.ours, tails.ours);
          note(into.floor, sent.floor, tails.floor);
        }
      }
    });
  }
  return figures.flatMap(({ operation, ours, floor }) => measures(operation, course, ours, floor));
}

function none(): Figures {
  return { perCpuSecond: [], perSecond: [], tails: [] };
}

function note(into: Figures, sent: Sent, tails: Sent): void {
  into.perCpuSecond.push(perCpuSecond(sent));
  into.perSecond.push(sent.result.requests / sent.result.seconds);
  into.tails.push(tails.result.p99Ms / tails.result.p50Ms);
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
