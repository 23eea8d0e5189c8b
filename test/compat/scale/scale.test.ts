import { availableParallelism } from 'node:os';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { generatorNamed } from '../../bench/load/load.ts';
import { storing } from '../../bench/load/traffic.ts';
import { placesOf, proxyMissing, startFleet, type Fleet } from './fleet.ts';
import {
  showStatus,
  withCurl,
  withNodeSdk,
  withShortcut,
  withToken,
  type Program,
} from './merchant.ts';

const loadSeconds = 3;

/** Names with every character that a client id may have, because the proxy reads the names from tokens. */
const kinds: readonly (readonly [name: string, count: number, program: Program])[] = [
  ['token.v1_', 150, withToken],
  ['short~cut-', 100, withShortcut],
  ['sdk@shop+', 40, withNodeSdk],
  ['curl-', 10, withCurl],
];

interface Merchant {
  readonly name: string;
  readonly cardId: string;
}

describe('replicas behind a stock proxy', () => {
  let fleet: Fleet;
  const merchants: Merchant[] = [];
  let before: ReadonlyMap<string, number>;

  beforeAll(async () => {
    const missing = proxyMissing();
    if (missing !== undefined) throw new Error(missing);
    fleet = await startFleet();
    for (const [prefix, count, program] of kinds) {
      const names = Array.from({ length: count }, (_, n) => `${prefix}${n}`);
      const all = names.map(async (name) => ({ name, ...(await program(fleet, name)) }));
      merchants.push(...(await Promise.all(all)));
    }
    before = await placesOf(fleet);
  });

  afterAll(() => fleet?.stop());

  function merchantAt(replica: number): Merchant {
    const found = merchants.find(({ name }) => before.get(name) === replica);
    if (found === undefined) throw new Error(`No merchant is at replica ${replica}.`);
    return found;
  }

  it('send each merchant to one world, whatever client it uses', async () => {
    expect([...before.keys()].toSorted()).toEqual(merchants.map(({ name }) => name).toSorted());
    for (const { name, cardId } of merchants) {
      expect([name, await showStatus(fleet, name, cardId)]).toEqual([name, 200]);
    }
    expect(await placesOf(fleet)).toEqual(before);
  });

  it('share the merchants evenly', () => {
    const shares = [1, 2, 3].map((replica) => shareOf(before, replica));
    process.stdout.write(`merchants at each replica: ${shares.join(', ')}\n`);
    for (const share of shares) {
      expect(share).toBeGreaterThan(merchants.length / 6);
      expect(share).toBeLessThan(merchants.length / 2);
    }
  });

  it('receive the control calls of their merchants', async () => {
    for (const { name } of merchants.slice(0, 20)) {
      const query = new URLSearchParams({ merchant: name, operation: 'card.get' });
      const answer = await fetch(`${fleet.url}/_sandbox/journal?${query.toString()}`);
      expect(await answer.json()).toMatchObject({ entries: [{ operation: 'card.get' }] });
    }
  });

  it('change the place of few merchants if a replica is added, and of none after it is removed', async () => {
    await fleet.set(4, 'ready');
    const statuses = await statusesOf(fleet, merchants);
    const moved = statuses.filter((status) => status === 404).length;
    process.stdout.write(`moved to the fourth: ${moved} of ${merchants.length}\n`);
    expect(moved).toBeGreaterThan(merchants.length / 10);
    expect(moved).toBeLessThan(merchants.length / 2.5);
    expect(statuses.filter((status) => status === 200)).toHaveLength(merchants.length - moved);

    await fleet.set(4, 'maint');
    expect(new Set(await statusesOf(fleet, merchants))).toEqual(new Set([200]));
  });

  it('can import the world of a merchant that moved', async () => {
    const { name, cardId } = merchantAt(1);
    const world = `${fleet.url}/_sandbox/world?${new URLSearchParams({ merchant: name }).toString()}`;
    const written = await (await fetch(world)).text();
    await fleet.set(1, 'maint');
    expect(await showStatus(fleet, name, cardId)).toBe(404);
    const put = { method: 'PUT', headers: { 'Content-Type': 'application/json' }, body: written };
    expect((await fetch(world, put)).status).toBe(200);
    expect(await showStatus(fleet, name, cardId)).toBe(200);
    await fleet.set(1, 'ready');
  });

  it('answer every request under load with one, two and three replicas', async () => {
    const { name: generator, send } = generatorNamed(undefined);
    // One merchant of each replica, so that each replica has work as soon as it is active.
    const names = [1, 2, 3].map((replica) => merchantAt(replica).name);
    const perSecond: number[] = [];
    for (const active of [1, 2, 3]) {
      for (const replica of [1, 2, 3]) {
        await fleet.set(replica, replica <= active ? 'ready' : 'maint');
      }
      const cpuBefore = fleet.replicas.map((replica) => replica.read().cpuSeconds);
      const bursts = names.map((merchant) =>
        send({
          url: fleet.url,
          traffic: storing(),
          seconds: loadSeconds,
          merchant,
          firstNumber: 0,
        }),
      );
      const requests = (await Promise.all(bursts)).reduce((sum, one) => sum + one.requests, 0);
      const cpu = fleet.replicas.map((one, at) => one.read().cpuSeconds - (cpuBefore[at] ?? 0));
      perSecond.push(requests / loadSeconds);
      const shares = cpu.slice(0, 3).map((seconds) => seconds.toFixed(1));
      process.stdout.write(
        `${active} replicas: ${Math.round(perSecond.at(-1) ?? 0)} requests a second, CPU seconds of each: ${shares.join(', ')}\n`,
      );
    }
    const cores = availableParallelism();
    process.stdout.write(`${cores} cores for all of it, load by ${generator}\n`);
    expect(Math.min(...perSecond)).toBeGreaterThan(0);
    // Three replicas, three generators and the proxy need seven cores. With fewer, throughput cannot grow.
    if (cores >= 7) expect(perSecond[2]).toBeGreaterThan((perSecond[0] ?? 0) * 1.5);
  });
});

/** The status of each merchant's request for its card: 404 if the merchant has a new world. */
function statusesOf(fleet: Fleet, merchants: readonly Merchant[]): Promise<number[]> {
  return Promise.all(merchants.map(({ name, cardId }) => showStatus(fleet, name, cardId)));
}

function shareOf(places: ReadonlyMap<string, number>, replica: number): number {
  return [...places.values()].filter((place) => place === replica).length;
}
