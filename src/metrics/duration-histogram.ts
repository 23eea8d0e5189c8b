/** A Prometheus histogram of durations that `Traffic` has counted. */
import { Histogram, type Registry } from 'prom-client';
import { metricRows } from './rows.ts';
import { bucketsS, type OperationTraffic } from './traffic.ts';

const { name, help } = metricRows.duration;

/**
 * Adds the histogram of durations to a registry. `Traffic` counts the values, because an observation through the
 * Prometheus client would cost every request five times as much.
 */
export function addDurationHistogram(
  registry: Registry,
  traffic: readonly OperationTraffic[],
): void {
  // It supplies the metric's type; `super.get()` would call the overridden `get` again.
  const empty = new Histogram<'operation'>({ name, help, registers: [] });
  class CountedHistogram extends Histogram<'operation'> {
    override async get(): ReturnType<Histogram<'operation'>['get']> {
      return { ...(await empty.get()), values: traffic.flatMap(valuesOf) };
    }

    /** A registry calls this first; the client's types do not declare it. */
    getForPromString(): ReturnType<Histogram<'operation'>['get']> {
      return this.get();
    }
  }
  registry.registerMetric(new CountedHistogram({ name, help, registers: [] }));
}

interface Value {
  readonly metricName: string;
  readonly labels: { operation: string; le?: number | '+Inf' };
  readonly value: number;
}

function valuesOf({ operation, durations: { counts, sumS } }: OperationTraffic): Value[] {
  let cumulative = 0;
  const buckets = counts.map((count, at): Value => {
    cumulative += count;
    return {
      metricName: `${name}_bucket`,
      labels: { le: bucketsS[at] ?? '+Inf', operation },
      value: cumulative,
    };
  });
  return [
    ...buckets,
    { metricName: `${name}_sum`, labels: { operation }, value: sumS },
    { metricName: `${name}_count`, labels: { operation }, value: cumulative },
  ];
}
