/** `npm run bench`: runs the selected parts and prints their results. */
import { cpus } from 'node:os';
import { generatorNamed } from './load/load.ts';
import type { Measure } from './measure.ts';
import { partNames, parts } from './parts.ts';
import { writeFigures } from './readme-figures.ts';
import { readSettings, usage, type Settings } from './settings.ts';
import { tableOf } from './table.ts';
import { throughput } from './parts/throughput.ts';
import { operations } from './load/traffic.ts';

async function run(settings: Settings): Promise<void> {
  const generator = generatorNamed(settings.generator);
  const machine = {
    date: new Date().toISOString(),
    node: process.version,
    cpu: `${cpus().length} × ${cpus()[0]?.model.trim()}`,
    load: generator.name,
  };
  const measures: Measure[] = [];
  const wanted = operations.filter((one) => settings.parts.includes(one));
  if (wanted.length > 0)
    measures.push(...(await announced(wanted.join(', '), throughput(wanted, settings, generator))));
  for (const name of settings.parts) {
    const part = parts[name];
    if (part !== undefined) measures.push(...(await announced(name, part(settings, generator))));
  }
  if (settings.readme) writeFigures(machine, settings, measures);
  const text = settings.json
    ? JSON.stringify({ machine, settings, measures }, null, 2)
    : `${Object.values(machine).join(', ')}\n\n${tableOf(measures)}`;
  process.stdout.write(`${text}\n`);
}

/** Prints on stderr what is measured, because a run takes minutes. */
async function announced(name: string, found: Promise<Measure[]>): Promise<Measure[]> {
  process.stderr.write(`measuring ${name} …\n`);
  return found;
}

try {
  const args = process.argv.slice(2);
  if (args.includes('--help')) process.stdout.write(usage(partNames));
  else await run(readSettings(args, partNames));
} catch (error) {
  process.stderr.write(`bench: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1); // A server or worker that still runs would keep this process alive.
}
