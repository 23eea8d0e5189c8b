/** One kind of traffic for a while, over many connections. */
import type { Traffic } from './traffic.ts';

export const connections = 64;

export interface Burst {
  readonly url: string;
  readonly traffic: Traffic;
  readonly seconds: number;
  readonly merchant?: string;
  /** What `{n}` counts on from. */
  readonly firstNumber: number;
}

export interface BurstResult {
  readonly requests: number;
  readonly seconds: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}
