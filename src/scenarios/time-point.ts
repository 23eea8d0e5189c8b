/** Points in time in scenarios: a fixed time, or a duration from the start of the scenario. */
import { z } from '@hono/zod-openapi';
import { readDuration, type TimePoint } from '../domain/duration.ts';

const fixedTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;

/** Reads a time such as `2026-05-06T07:08:09Z`. */
function readFixedTime(text: string): number | undefined {
  const atMs = fixedTime.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(atMs) ? undefined : atMs;
}

/** Reads a fixed time or a duration such as `+5s` or `+P20D`. Months stay months, because they differ in length. */
function readTimePoint(text: string): TimePoint | undefined {
  const fixed = readFixedTime(text);
  if (fixed !== undefined) return fixed;
  return text.startsWith('-') ? undefined : readDuration(text);
}

function readWith<T>(read: (text: string) => T | undefined, fault: string) {
  return z.string().transform((text, context): T => {
    const value = read(text);
    if (value !== undefined) return value;
    context.addIssue(fault);
    return z.NEVER;
  });
}

const example = '2026-05-06T07:08:09Z';

/** The schema of a fixed time. */
export function fixedTimeField(what: string) {
  return readWith(readFixedTime, 'Must be a valid time.').meta({
    description: `${what} RFC 3339 time in quotes, such as ${example}.`,
  });
}

/** The schema of a fixed time or a duration from the scenario's start. */
export function timePointField(what: string) {
  return readWith(readTimePoint, 'Must be a valid time.').meta({
    description: `${what} Duration from the scenario's start, such as +5s or +P20D, or RFC 3339 time, such as ${example}.`,
  });
}
