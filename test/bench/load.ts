/** Sends a burst, and says how it went. */
import { spawnSync } from 'node:child_process';
import autocannon from 'autocannon';
import { connections, type Burst, type BurstResult } from './burst.ts';
import { wrkBurst } from './load-wrk.ts';
import { bearer } from './traffic.ts';

export type Generator = (burst: Burst) => Promise<BurstResult>;

/** `wrk` takes less of the machine away from the server, so it is taken where it is there. */
export function generatorNamed(name: 'wrk' | 'autocannon' | undefined): {
  readonly name: string;
  readonly send: Generator;
} {
  const wrk = name === 'wrk' || (name === undefined && isInstalled('wrk'));
  return wrk ? { name: 'wrk', send: wrkBurst } : { name: 'autocannon', send: autocannonBurst };
}

function isInstalled(command: string): boolean {
  return spawnSync(command, ['--version'], { stdio: 'ignore' }).error === undefined;
}

/** Sends a burst from this process; times are in whole milliseconds. */
export async function autocannonBurst(burst: Burst): Promise<BurstResult> {
  const { method, paths, bodies } = burst.traffic;
  const headers = { ...bearer(burst.merchant), 'Content-Type': 'application/json' };
  let n = burst.firstNumber;
  const result = await autocannon({
    url: burst.url,
    connections,
    duration: burst.seconds,
    requests: [
      {
        method,
        headers,
        setupRequest: (request) => {
          n++;
          const path = paths[n % paths.length] ?? '/';
          const body = bodies[n % bodies.length]?.replace('{n}', String(n));
          return { ...request, path, ...(body === undefined ? {} : { body }) };
        },
      },
    ],
  });
  const { non2xx, errors, requests, duration, latency } = result;
  if (non2xx + errors > 0) {
    throw new Error(`Of the requests, ${non2xx} were refused and ${errors} had no answer.`);
  }
  return { requests: requests.total, seconds: duration, p50Ms: latency.p50, p99Ms: latency.p99 };
}
