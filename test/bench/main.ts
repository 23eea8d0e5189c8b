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
  const failed: string[] = [];
  const measure = async (name: string, part: () => Promise<Measure[]>): Promise<void> => {
    // A run takes minutes.
    process.stderr.write(`measuring ${name} …\n`);
    try {
      measures.push(...(await part()));
    } catch (error) {
      // The figures of the other parts took as long, and stay.
      failed.push(`${name}: ${messageOf(error)}`);
    }
  };
  const wanted = operations.filter((one) => settings.parts.includes(one));
  if (wanted.length > 0)
    await measure(wanted.join(', '), () => throughput(wanted, settings, generator));
  for (const name of settings.parts) {
    const part = parts[name];
    if (part !== undefined) await measure(name, () => part(settings, generator));
  }
  if (settings.readme && failed.length === 0) writeFigures(machine, settings, measures);
  const text = settings.json
    ? JSON.stringify({ machine, settings, measures }, null, 2)
    : `${Object.values(machine).join(', ')}\n\n${tableOf(measures)}`;
  process.stdout.write(`${text}\n`);
  if (failed.length > 0) throw new Error(failed.join('\n'));
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

try {
  const args = process.argv.slice(2);
  if (args.includes('--help')) process.stdout.write(usage(partNames));
  else await run(readSettings(args, partNames));
} catch (error) {
  process.stderr.write(`bench: ${messageOf(error)}\n`);
  process.exit(1); // A server or worker that still runs would keep this process alive.
}
