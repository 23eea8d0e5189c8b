/** Spans of time as people write them in rules: `800ms`, `3s`, `5m`, `2h`, `P2D`, `PT1H`, or milliseconds. */
import { addDuration, durationForm, readDuration } from '../documents/duration.ts';

const unitsMs = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** The longest that this machine waits for anything: one that is to wait for more does not wait at all. */
export const maxWaitMs = 24 * unitsMs.d;

/** Milliseconds; `undefined` when it is no span. Months and years count from 1970: a span has no start of its own. */
export function readDurationMs(span: string | number): number | undefined {
  if (typeof span === 'number') return Number.isFinite(span) && span >= 0 ? span : undefined;
  const text = span.replace(/^\+/, '');
  const short = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)$/.exec(text);
  if (short !== null) {
    const unit = short[2] as keyof typeof unitsMs; // The form lets only these through.
    return Math.round(Number(short[1]) * unitsMs[unit]);
  }
  return durationForm.test(text) ? addDuration(0, readDuration(text)) : undefined;
}
