/** Several sandboxes, each in its own process, behind HAProxy with the documented configuration. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { startOurs, untilAnswered, type Running } from '../../bench/processes/servers.ts';
import { freePort } from '../../support/free-port.ts';
import { root } from '../../support/repository/source-files.ts';

/** The number of servers in the configuration. The last one is not active at first. */
const replicaCount = 4;
const patienceMs = 10_000;
const pollMs = 20;

/** Whether a replica takes requests. */
export type State = 'ready' | 'maint';

export interface Fleet {
  /** The address of the proxy. */
  readonly url: string;
  readonly port: number;
  readonly replicas: readonly Running[];
  /** Activates or removes a replica, by its number from 1. */
  set(replica: number, state: State): Promise<void>;
  stop(): Promise<void>;
}

/** The reason why no proxy can be tested; `undefined` if HAProxy is installed. */
export function proxyMissing(): string | undefined {
  if (spawnSync('haproxy', ['-v'], { stdio: 'ignore' }).error === undefined) return undefined;
  return 'HAProxy is not installed, so nothing was tested. On Debian and Ubuntu: apt-get install haproxy';
}

/** Starts the replicas with one seed, and the proxy with the documented configuration. */
export async function startFleet(): Promise<Fleet> {
  const folder = mkdtempSync(join(tmpdir(), 'card-vault-sandbox-scale-'));
  const socket = join(folder, 'admin.sock');
  const replicas = await Promise.all(
    Array.from({ length: replicaCount }, () => startOurs(['--quiet', '--seed', 'scale'])),
  );
  const port = await freePort();
  const addresses = replicas.map(({ url }, at) => [`REPLICA_${at + 1}`, new URL(url).host]);
  const proxy = spawn('haproxy', ['-db', '-f', join(root, 'docs/guides/haproxy.cfg')], {
    env: {
      ...process.env,
      ...Object.fromEntries(addresses),
      BIND: `127.0.0.1:${port}`,
      ADMIN_SOCKET: socket,
    },
    // Its warnings explain why it does not start.
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const gone = once(proxy, 'exit');
  const stop = async () => {
    proxy.kill();
    await Promise.all([gone, ...replicas.map((replica) => replica.stop())]);
    rmSync(folder, { recursive: true, force: true });
  };
  const url = `http://127.0.0.1:${port}`;
  try {
    await untilAnswered(url, performance.now() + patienceMs);
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    url,
    port,
    replicas,
    set: async (replica, state) => {
      const output = await admin(socket, `set server replicas/replica-${replica} state ${state}`);
      if (output.trim() !== '') throw new Error(`HAProxy said: ${output}`);
      // It answers before the change has happened.
      const wanted = state === 'ready' ? 'UP' : 'MAINT';
      const endMs = performance.now() + patienceMs;
      while ((await statusOf(socket, replica)) !== wanted) {
        if (performance.now() > endMs) throw new Error(`Replica ${replica} is not ${wanted}.`);
        await sleep(pollMs);
      }
    },
    stop,
  };
}

/** Sends a command to the proxy's runtime API and returns its answer. */
function admin(socket: string, command: string): Promise<string> {
  const connection = createConnection(socket);
  connection.end(`${command}\n`);
  return text(connection);
}

const Merchants = z.array(z.string());

/** The state of a replica in the proxy's table of servers: name in the second column, state in the eighteenth. */
async function statusOf(socket: string, replica: number): Promise<string | undefined> {
  const rows = (await admin(socket, 'show stat')).split('\n').map((row) => row.split(','));
  return rows.find((row) => row[1] === `replica-${replica}`)?.[17];
}

/** The merchants that have a world at a replica. */
export async function merchantsAt({ url }: Running): Promise<string[]> {
  const answer = await fetch(`${url}/_sandbox/merchants`);
  return Merchants.parse(await answer.json());
}

/** The number of each merchant's replica, from 1. Fails if two replicas have the same merchant. */
export async function placesOf(fleet: Fleet): Promise<Map<string, number>> {
  const places = new Map<string, number>();
  const held = await Promise.all(fleet.replicas.map(merchantsAt));
  for (const [at, merchants] of held.entries()) {
    for (const merchant of merchants) {
      const other = places.get(merchant);
      if (other !== undefined) {
        throw new Error(`${merchant} has a world at replica ${other} and at ${at + 1}.`);
      }
      places.set(merchant, at + 1);
    }
  }
  return places;
}
