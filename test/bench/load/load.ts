/** Sends bursts from this process or with `wrk`. */
import { spawnSync } from 'node:child_process';
import autocannon from 'autocannon';
import { connections, turnMs, type Burst, type BurstResult, type Generator } from './burst.ts';
import { wrk } from './load-wrk.ts';
import { percentile } from '../statistics.ts';
import { bearer } from './traffic.ts';

/** Prefers `wrk` if it is installed, because it leaves more of the machine to the server. */
export function generatorNamed(name: 'wrk' | 'autocannon' | undefined): Generator {
  return name === 'wrk' || (name === undefined && isInstalled('wrk')) ? wrk : inThisProcess;
}

function isInstalled(command: string): boolean {
  return spawnSync(command, ['--version'], { stdio: 'ignore' }).error === undefined;
}

/** How exactly a burst ends. */
const sampleMs = 20;

/** Sends from this process. */
export const inThisProcess: Generator = {
  name: 'autocannon',
  send: async (burst) => {
    const { tookMs, ...sent } = await autocannonBurst(burst);
    return { ...sent, p50Ms: percentile(tookMs, 0.5), p99Ms: percentile(tookMs, 0.99) };
  },
  sendInTurns: async ([one, other]) => {
    const turns = Math.max(1, Math.round((one.seconds * 1000) / turnMs));
    const sums: [BurstResult, BurstResult] = [nothing, nothing];
    for (let turn = 0; turn < turns; turn++) {
      for (const at of [0, 1] as const) {
        const burst = at === 0 ? one : other;
        const sum = sums[at];
        sums[at] = together(
          sum,
          await autocannonBurst({
            ...burst,
            seconds: burst.seconds / turns,
            firstNumber: burst.firstNumber + sum.requests,
          }),
        );
      }
    }
    return sums;
  },
};

const nothing: BurstResult = { requests: 0, seconds: 0, p50Ms: Number.NaN, p99Ms: Number.NaN };

function together(one: BurstResult, other: Sent): BurstResult {
  return {
    ...nothing,
    requests: one.requests + other.requests,
    seconds: one.seconds + other.seconds,
  };
}

interface Sent extends Pick<BurstResult, 'requests' | 'seconds'> {
  /** How long each answer took. A turn may end before a slow one. */
  readonly tookMs: readonly number[];
}

async function autocannonBurst(burst: Burst): Promise<Sent> {
  const { method, paths, bodies } = burst.traffic;
  const headers = { ...bearer(burst.merchant), 'Content-Type': 'application/json' };
  let n = burst.firstNumber;
  // The histogram of autocannon has whole milliseconds, which is too coarse.
  const tookMs: number[] = [];
  let refusal = '';
  const result = await autocannon({
    url: burst.url,
    connections,
    setupClient: (client) => {
      let body: Buffer | undefined;
      client.on('body', (chunk) => {
        body = chunk;
      });
      client.on('response', (status, _bytes, responseMs) => {
        tookMs.push(responseMs);
        if (status >= 300 && refusal === '') refusal = String(body);
      });
    },
    duration: burst.seconds,
    // A run ends with a sample. By default these are a second apart, and a turn takes less.
    sampleInt: sampleMs,
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
  const { non2xx, errors, requests, duration, statusCodeStats } = result;
  if (non2xx + errors > 0) {
    const counts = Object.entries(statusCodeStats ?? {}).map(
      ([status, { count = 0 }]) => `${count} were answered ${status}`,
    );
    throw new Error(
      `Of the requests (${method} ${paths[0]}), ${[...counts, `${errors} had no answer`].join(', ')}. The first refusal: ${refusal}`,
    );
  }
  return { requests: requests.total, seconds: duration, tookMs };
}
