/** Writes the metrics in the text format of Prometheus. */
import { Counter, Gauge, Registry } from 'prom-client';
import type { Counts } from '../journal/counters.ts';
import { addDurationHistogram } from './duration-histogram.ts';
import type { Levels } from './levels.ts';
import { readProcessUse } from './process-use.ts';
import { metricRows, type MetricName } from './rows.ts';
import { none, type Traffic } from './traffic.ts';

/** Everything that the metrics show. */
export interface MetricsSource {
  readonly version: string;
  readonly profile: string;
  readonly traffic: Traffic;
  readonly forced: Counts['tried'];
  readonly levels: Levels;
}

/** Renders all metrics. It uses a registry of its own: the registry of the importing program stays untouched. */
export async function renderMetrics(source: MetricsSource): Promise<string> {
  const { version, profile, traffic, forced, levels } = source;
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
  addDurationHistogram(registry, operations);
  write('underWay', [[{}, traffic.underWay]]);
  for (const [name, value] of entriesOf(levels)) write(name, [[{}, value]]);
  for (const [name, value] of entriesOf(use)) write(name, [[{}, value]]);
  return registry.metrics();
}

type Series = readonly (readonly [labels: Readonly<Record<string, string>>, value: number])[];

/** A function that writes one metric, as its row says. */
function writerFor(registry: Registry): (name: MetricName, series: Series) => void {
  return (name, series) => {
    const { name: written, help, labels, type } = metricRows[name];
    const settings = { name: written, help, labelNames: labels, registers: [registry] };
    const metric = type === 'counter' ? new Counter(settings) : new Gauge(settings);
    for (const [labelled, value] of series) metric.inc(labelled, value);
  };
}

/** The entries of an object, with the types of its keys. */
function entriesOf<K extends string>(object: Readonly<Record<K, number>>): [K, number][] {
  return Object.entries(object) as [K, number][];
}
