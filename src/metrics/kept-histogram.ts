/** A histogram of what was counted elsewhere. */
import { Histogram, type Registry } from 'prom-client';
import { bucketsS } from './buckets.ts';
import { metricRows } from './rows.ts';
import type { OperationTraffic } from './traffic.ts';

const { name, help } = metricRows.duration;

/**
 * Adds Prometheus' histogram, whose values were kept by `Traffic`: the client itself takes five
 * times as long for an observation, on the way of every request.
 */
export function addKeptHistogram(registry: Registry, traffic: readonly OperationTraffic[]): void {
  // Says what kind of metric it is; the other one, asked for that, would come back to its own `get`.
  const empty = new Histogram<'operation'>({ name, help, registers: [] });
  class KeptHistogram extends Histogram<'operation'> {
    override async get(): ReturnType<Histogram<'operation'>['get']> {
      return { ...(await empty.get()), values: traffic.flatMap(valuesOf) };
    }

    /** What a registry asks first; the client does not declare it. */
    getForPromString(): ReturnType<Histogram<'operation'>['get']> {
      return this.get();
    }
  }
  registry.registerMetric(new KeptHistogram({ name, help, registers: [] }));
}

interface Value {
  readonly metricName: string;
  readonly labels: { operation: string; le?: number | '+Inf' };
  readonly value: number;
}

function valuesOf({ operation, durations: { counts, sumS } }: OperationTraffic): Value[] {
  let upTo = 0;
  const buckets = counts.map((count, at): Value => {
    upTo += count;
    return {
      metricName: `${name}_bucket`,
      labels: { le: bucketsS[at] ?? '+Inf', operation },
      value: upTo,
    };
  });
  return [
    ...buckets,
    { metricName: `${name}_sum`, labels: { operation }, value: sumS },
    { metricName: `${name}_count`, labels: { operation }, value: upTo },
  ];
}
