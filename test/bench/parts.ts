/** The parts of the benchmark, by their names on the command line. */
import type { Generator } from './load/burst.ts';
import { freshProcesses } from './parts/fresh-processes.ts';
import { growth } from './parts/growth.ts';
import { inProcess, realisticIds } from './parts/in-process.ts';
import type { Measure } from './measure.ts';
import { memory } from './parts/memory.ts';
import type { Settings } from './settings.ts';
import { soak } from './parts/soak.ts';
import { coldStart, firstRequest, worlds } from './parts/starting.ts';
import { journalOff } from './parts/throughput.ts';
import { operations } from './load/traffic.ts';
import { verdict } from './parts/verdict.ts';

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
