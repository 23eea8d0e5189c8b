/** What a world shows of itself to whoever controls it. */
import type { World } from './world.ts';

/** A merchant's clock, as it stands. */
export interface ClockReading {
  /** RFC 3339, with milliseconds. */
  readonly now: string;
  readonly frozen: boolean;
}

export function clockReading({ clock }: World): ClockReading {
  return { now: new Date(clock.nowMs()).toISOString(), frozen: clock.frozen };
}
