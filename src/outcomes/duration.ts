/** Durations in rules: `800ms`, `3s`, `5m`, `2h`, `P2D`, `PT1H`, or a number of milliseconds. */
import { addDuration, durationForm, readDuration } from '../documents/duration.ts';

const unitsMs = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** The longest wait of real time. Timers of Node cannot wait much longer and would fire at once. */
export const maxWaitMs = 24 * unitsMs.d;

/** Reads a duration in milliseconds, or returns `undefined`. Months and years are counted from 1970. */
export function readDurationMs(duration: string | number): number | undefined {
  if (typeof duration === 'number') {
    return Number.isFinite(duration) && duration >= 0 ? duration : undefined;
  }
  const text = duration.replace(/^\+/, '');
  const short = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)$/.exec(text);
  if (short !== null) {
    const unit = short[2] as keyof typeof unitsMs; // The expression allows only these units.
    return Math.round(Number(short[1]) * unitsMs[unit]);
  }
  return durationForm.test(text) ? addDuration(0, readDuration(text)) : undefined;
}
