/** Requests per second of server CPU, and per second, against the floor: bursts alternate, pair by pair. */
import type { BurstResult } from './burst.ts';
import { autocannonBurst, type Generator } from './load.ts';
import { inViewOf, paired, type Measure } from './measure.ts';
import { startFloor, startOurs, type Running } from './servers.ts';
import { armNeverMatching } from './rule.ts';
import type { Settings } from './settings.ts';
import { inTurn } from './statistics.ts';
import { warmUp } from './warm-up.ts';
import { stockUp, trafficOf, type Operation, type Stock } from './traffic.ts';

/** How our side is started, and what it should reach. */
interface Setting {
  readonly flags: readonly string[];
  /** Whether a rule looks at every request. */
  readonly hasRule: boolean;
  readonly suffix: string;
  readonly perCpu: { readonly atLeast: number };
}

/** Validation, journal, redaction, accounting of deliveries, and a rule that looks and never fires. */
const everythingOn: Setting = {
  flags: ['--quiet'],
  hasRule: true,
  suffix: '',
  perCpu: { atLeast: 0.65 },
};

const withoutJournal: Setting = {
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

/** So many that none is refunded often: a payment shows all that came of it. */
const refundedSales = 1_500;

interface Side {
  readonly server: Running;
  readonly stock: Stock;
}

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
  return compared(wanted, everythingOn, settings, send);
}

/** What the journal costs: the same without it, and without a rule. */
export function journalOff(settings: Settings, send: Generator): Promise<Measure[]> {
  return compared(withTarget, withoutJournal, settings, send);
}

async function compared(
  wanted: readonly Operation[],
  setting: Setting,
  settings: Settings,
  send: Generator,
): Promise<Measure[]> {
  const figures = new Map(wanted.map((one) => [one, { ours: none(), floor: none() }]));
  for (let start = 0; start < settings.starts; start++) {
    const sides = await open(wanted, setting);
    try {
      // What was stored before slows nobody down; if it did, it would not always be the same operation.
      const order = start % 2 === 0 ? wanted : wanted.toReversed();
      for (const operation of order) {
        const into = figures.get(operation);
        if (into !== undefined) await alternate(operation, sides, into, settings, send);
      }
    } finally {
      await Promise.all([sides.ours.server.stop(), sides.floor.server.stop()]);
    }
  }
  return [...figures].flatMap(([operation, { ours, floor }]) =>
    measures(operation, setting, ours, floor),
  );
}

async function open(wanted: readonly Operation[], { flags, hasRule }: Setting) {
  const size = { saleCount: wanted.includes('refund') ? refundedSales : 0 };
  const [ours, floor] = await Promise.all([startOurs(flags), startFloor()]);
  if (hasRule) await armNeverMatching(ours.url);
  return {
    ours: { server: ours, stock: await stockUp(ours.url, size) },
    floor: { server: floor, stock: await stockUp(floor.url, size) },
  };
}

async function alternate(
  operation: Operation,
  sides: { readonly ours: Side; readonly floor: Side },
  into: { readonly ours: Figures; readonly floor: Figures },
  settings: Settings,
  send: Generator,
): Promise<void> {
  let sent = 0;
  const burst = async (which: 'ours' | 'floor', seconds: number, by = send) => {
    const { server, stock } = sides[which];
    const before = server.read().cpuSeconds;
    const result = await by({
      url: server.url,
      traffic: trafficOf(operation, stock),
      seconds,
      firstNumber: sent,
    });
    sent += result.requests;
    return { result, cpuSeconds: server.read().cpuSeconds - before };
  };
  for (const which of ['floor', 'ours'] as const) {
    await warmUp(settings, async (seconds) => (await burst(which, seconds)).result.requests);
  }
  for (let pair = 0; pair < settings.pairs; pair++) {
    for (const which of inTurn(['ours', 'floor'] as const, pair)) {
      const { result, cpuSeconds } = await burst(which, settings.burstSeconds);
      note(into[which], result, cpuSeconds);
    }
    for (const which of inTurn(['ours', 'floor'] as const, pair)) {
      const { result } = await burst(which, settings.burstSeconds, tailGenerator);
      into[which].tails.push(result.p99Ms / result.p50Ms);
    }
  }
}

function none(): Figures {
  return { perCpuSecond: [], perSecond: [], tails: [] };
}

function note(into: Figures, result: BurstResult, cpuSeconds: number): void {
  into.perCpuSecond.push(result.requests / cpuSeconds);
  into.perSecond.push(result.requests / result.seconds);
}

function measures(
  part: Operation,
  { suffix, perCpu }: Setting,
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
