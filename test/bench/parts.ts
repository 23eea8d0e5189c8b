/** The parts of the benchmark, by their names on the command line. */
import type { Generator } from './burst.ts';
import { freshProcesses } from './fresh-processes.ts';
import { growth } from './growth.ts';
import { inProcess, realisticIds } from './in-process.ts';
import type { Measure } from './measure.ts';
import { memory } from './memory.ts';
import type { Settings } from './settings.ts';
import { soak } from './soak.ts';
import { coldStart, firstRequest, worlds } from './starting.ts';
import { journalOff } from './throughput.ts';
import { operations } from './traffic.ts';
import { verdict } from './verdict.ts';

type Part = (settings: Settings, load: Generator) => Promise<Measure[]>;

/** All parts except the operations, which are measured together. */
export const parts: Readonly<Record<string, Part>> = {
  'journal-off': journalOff,
  'fresh-processes': freshProcesses,
  'in-process': inProcess,
  'realistic-ids': realisticIds,
  'cold-start': coldStart,
  'first-request': firstRequest,
  worlds,
  memory,
  growth,
  soak,
  verdict,
};

/** Every name that the command line accepts. */
export const partNames = [...operations, ...Object.keys(parts)];
