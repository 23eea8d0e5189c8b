/** Writes what was counted in the form that Prometheus reads. */
import { Counter, Gauge, Registry } from 'prom-client';
import type { Counts } from '../journal/counters.ts';
import { addKeptHistogram } from './kept-histogram.ts';
import type { Levels } from './levels.ts';
import { readProcessUse } from './process-use.ts';
import { metricRows, type MetricName } from './rows.ts';
import { none, type Traffic } from './traffic.ts';

/** All that a sandbox counts. */
export interface Counting {
  readonly version: string;
  readonly profile: string;
  readonly traffic: Traffic;
  readonly forced: Counts['tried'];
  readonly levels: Levels;
}

/** A registry of its own each time, with what was counted: the registry of the importing program stays untouched. */
export async function exposition(counting: Counting): Promise<string> {
  const { version, profile, traffic, forced, levels } = counting;
  const registry = new Registry();
  const write = writerFor(registry);
  const { nodeVersion, ...use } = readProcessUse();
  write('info', [[{ version, profile, node: nodeVersion }, 1]]);
  const operations = traffic.read();
  write(
    'requests',
    operations.flatMap(({ operation, statuses }) =>
      [...statuses].map(([status, count]) => [
        { operation, status: status === 0 ? none : String(status) },
        count,
      ]),
    ),
  );
  write(
    'outcomes',
    Object.entries(forced).flatMap(([operation, outcomes]) =>
      Object.entries(outcomes).map(([outcome, count]) => [{ operation, outcome }, count]),
    ),
  );
  write(
    'warnings',
    [...traffic.warnings].map(([kind, count]) => [{ kind }, count]),
  );
  addKeptHistogram(registry, operations);
  write('underWay', [[{}, traffic.underWay]]);
  for (const [name, value] of entriesOf(levels)) write(name, [[{}, value]]);
  for (const [name, value] of entriesOf(use)) write(name, [[{}, value]]);
  return registry.metrics();
}

type Series = readonly (readonly [labels: Readonly<Record<string, string>>, value: number])[];

/** Writes one metric, as its row says. */
function writerFor(registry: Registry): (name: MetricName, series: Series) => void {
  return (name, series) => {
    const { name: written, help, labels, type } = metricRows[name];
    const settings = { name: written, help, labelNames: labels, registers: [registry] };
    const metric = type === 'counter' ? new Counter(settings) : new Gauge(settings);
    for (const [labelled, value] of series) metric.inc(labelled, value);
  };
}

/** The entries of an object that was written out above, with its own keys. */
function entriesOf<K extends string>(of: Readonly<Record<K, number>>): [K, number][] {
  return Object.entries(of) as [K, number][];
}
