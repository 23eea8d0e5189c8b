/** Sends a burst, and says how it went. */
import { spawnSync } from 'node:child_process';
import autocannon from 'autocannon';
import { connections, type Burst, type BurstResult } from './burst.ts';
import { wrkBurst } from './load-wrk.ts';
import { percentile } from './statistics.ts';
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

/** Sends a burst from this process. */
export async function autocannonBurst(burst: Burst): Promise<BurstResult> {
  const { method, paths, bodies } = burst.traffic;
  const headers = { ...bearer(burst.merchant), 'Content-Type': 'application/json' };
  let n = burst.firstNumber;
  // Its own histogram is of whole milliseconds, of which an answer takes few.
  const tookMs: number[] = [];
  const result = await autocannon({
    url: burst.url,
    connections,
    setupClient: (client) => {
      client.on('response', (_status, _bytes, responseMs) => tookMs.push(responseMs));
    },
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
  const { non2xx, errors, requests, duration } = result;
  if (non2xx + errors > 0) {
    throw new Error(`Of the requests, ${non2xx} were refused and ${errors} had no answer.`);
  }
  const [p50Ms, p99Ms] = [percentile(tookMs, 0.5), percentile(tookMs, 0.99)];
  return { requests: requests.total, seconds: duration, p50Ms, p99Ms };
}
