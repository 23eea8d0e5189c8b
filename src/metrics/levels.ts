/** How much all worlds hold together at this moment. */
import type { World } from '../world/world.ts';
import type { Worlds } from '../world/worlds.ts';
import type { MetricName } from './rows.ts';

/** The levels, by the metric that shows each. */
export type Levels = Readonly<
  Record<
    Extract<
      MetricName,
      | 'merchants'
      | 'merchantsMax'
      | 'records'
      | 'snapshots'
      | 'snapshotRecords'
      | 'journalEntries'
      | 'journalBytes'
      | 'journalDropped'
      | 'waits'
      | 'held'
      | 'requestIdsDropped'
      | 'rules'
      | 'rulesUnfired'
    >,
    number
  >
>;

/** Reads the levels. `journalDropped` includes worlds that are gone. */
export function readLevels(worlds: Worlds, journalDropped: number): Levels {
  const all = worlds.all();
  const sum = (count: (world: World) => number): number =>
    all.reduce((total, world) => total + count(world), 0);
  return {
    merchants: all.length,
    merchantsMax: worlds.max,
    records: sum(({ records }) => records),
    ...worlds.snapshots.totals(),
    journalEntries: sum(({ journal }) => journal.size),
    journalBytes: sum(({ journal }) => journal.bytes),
    journalDropped,
    waits: sum(({ journal, gates }) => journal.waiting + gates.waiting),
    held: sum(({ gates }) => gates.size),
    requestIdsDropped: worlds.droppedRequestIds,
    rules: sum(({ ruleBook }) => ruleBook.report().length),
    rulesUnfired: sum(({ ruleBook }) => ruleBook.unfired().length),
  };
}
