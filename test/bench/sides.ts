/** Ours and the floor, each in a fresh process, with the same load on each in turn. */
import type { BurstResult } from './burst.ts';
import type { Generator } from './load.ts';
import { armNeverMatching } from './rule.ts';
import { startFloor, startOurs, type Running } from './servers.ts';
import type { Settings } from './settings.ts';
import { inTurn } from './statistics.ts';
import { stockUp, trafficOf, type Operation, type Stock } from './traffic.ts';
import { warmUp } from './warm-up.ts';

/** How our side is started. */
export interface Setting {
  readonly flags: readonly string[];
  /** Whether a rule looks at every request. */
  readonly hasRule: boolean;
}

/** Validation, journal, redaction, accounting of deliveries, and a rule that looks and never fires. */
export const everythingOn: Setting = { flags: ['--quiet'], hasRule: true };

export type Which = 'ours' | 'floor';

/** One burst on one side. */
export interface Sent {
  readonly result: BurstResult;
  /** Of the server. */
  readonly cpuSeconds: number;
}

interface Side {
  readonly server: Running;
  readonly stock: Stock;
}

export type Sides = Readonly<Record<Which, Side>>;

/** So many that none is refunded often: a payment shows all that came of it. */
const refundedSales = 1_500;

/** Starts both, stocked for these operations; they are gone when `use` is over. */
export async function withSides(
  wanted: readonly Operation[],
  { flags, hasRule }: Setting,
  use: (sides: Sides) => Promise<void>,
): Promise<void> {
  const size = { saleCount: wanted.includes('refund') ? refundedSales : 0 };
  const [ours, floor] = await Promise.all([startOurs(flags), startFloor()]);
  try {
    if (hasRule) await armNeverMatching(ours.url);
    await use({
      ours: { server: ours, stock: await stockUp(ours.url, size) },
      floor: { server: floor, stock: await stockUp(floor.url, size) },
    });
  } finally {
    await Promise.all([ours.stop(), floor.stop()]);
  }
}

/** The bursts of one operation. */
export class Bursts {
  readonly #operation: Operation;
  readonly #sides: Sides;
  readonly #settings: Settings;
  #sent = 0;

  constructor(operation: Operation, sides: Sides, settings: Settings) {
    this.#operation = operation;
    this.#sides = sides;
    this.#settings = settings;
  }

  async warmUp(by: Generator): Promise<void> {
    for (const which of ['floor', 'ours'] as const) {
      await warmUp(this.#settings, async (seconds) => {
        const { result } = await this.#burst(which, seconds, by);
        return result.requests;
      });
    }
  }

  /** One on each side; who goes first alternates with the number of the pair. */
  async pair(number: number, by: Generator): Promise<Readonly<Record<Which, Sent>>> {
    const { burstSeconds } = this.#settings;
    const [first, second] = inTurn(['ours', 'floor'] as const, number);
    const sent = {
      [first]: await this.#burst(first, burstSeconds, by),
      [second]: await this.#burst(second, burstSeconds, by),
    };
    // One of the two is ours, and the other one the floor's.
    return sent as Record<Which, Sent>;
  }

  async #burst(which: Which, seconds: number, by: Generator): Promise<Sent> {
    const { server, stock } = this.#sides[which];
    const before = server.read().cpuSeconds;
    const result = await by({
      url: server.url,
      traffic: trafficOf(this.#operation, stock),
      seconds,
      firstNumber: this.#sent,
    });
    this.#sent += result.requests;
    return { result, cpuSeconds: server.read().cpuSeconds - before };
  }
}

/** What a second of its CPU answered. */
export function perCpuSecond({ result, cpuSeconds }: Sent): number {
  return result.requests / cpuSeconds;
}
