/** Whether all fresh processes are equally fast. V8 may optimise badly in one, which then stays slow. */
import type { Generator } from '../load/burst.ts';
import { Contest, perCpuSecond } from '../load/contest.ts';
import { alone, type Measure } from '../measure.ts';
import type { Settings } from '../settings.ts';
import { everythingOn, withSides } from '../load/sides.ts';
import { median } from '../statistics.ts';

/**
 * What of a median process the slowest should come to. A plain Hono server that settled badly showed 0.46 of the cards
 * of one that did not, and stored 0.67.
 */
const least = { show: 0.6, create: 0.75 } as const;
const measured = ['show', 'create'] as const;

const pairs = 3;
const short = { burstSeconds: 1, warmUpSeconds: 1 };

/** Compares each process with its own floor, so that a slower machine does not count. */
export async function freshProcesses(settings: Settings, load: Generator): Promise<Measure[]> {
  const found = measured.map((operation) => ({ operation, ratios: [] as number[] }));
  for (let start = 0; start < settings.processes; start++) {
    await withSides(measured, everythingOn, async (sidesFor) => {
      for (const { operation, ratios } of found) {
        const contest = new Contest(sidesFor(operation), { ...settings, ...short });
        await contest.warmUp(load);
        const ofPairs: number[] = [];
        for (let pair = 0; pair < pairs; pair++) {
          const [ours, floor] = await contest.pair(pair, load);
          ofPairs.push(perCpuSecond(ours) / perCpuSecond(floor));
        }
        ratios.push(median(ofPairs));
      }
    });
  }
  return found.flatMap(({ operation: part, ratios }) => [
    alone({ part, name: `${ratios.length} fresh processes`, unit: 'ratio to the floor' }, ratios),
    alone(
      {
        part,
        name: 'the slowest of them',
        unit: 'of the median ratio',
        target: { atLeast: least[part] },
      },
      [Math.min(...ratios) / median(ratios)],
    ),
  ]);
}
