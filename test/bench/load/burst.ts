/** A burst: one kind of traffic over many connections for some time. */
import type { Traffic } from './traffic.ts';

export const connections = 64;

export interface Burst {
  readonly url: string;
  readonly traffic: Traffic;
  readonly seconds: number;
  readonly merchant?: string;
  /** The first number for `{n}`. */
  readonly firstNumber: number;
}

/** A program or function that sends bursts. */
export interface Generator {
  readonly name: string;
  send(burst: Burst): Promise<BurstResult>;
  /**
   * Two that take turns, several in a second, each for as long as it says: a machine changes its pace within a second,
   * and then for both. Their latencies mean nothing.
   */
  sendInTurns(bursts: Both<Burst>): Promise<Both<BurstResult>>;
}

export type Both<T> = readonly [T, T];

/** How long one side runs before the other continues. */
export const turnMs = 200;

export interface BurstResult {
  readonly requests: number;
  readonly seconds: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}
