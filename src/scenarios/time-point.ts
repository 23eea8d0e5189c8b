/** Points in time as scenarios write them: a fixed time, or how long after the scenario began. */
import { z } from '@hono/zod-openapi';
import { durationForm, readDuration, type TimePoint } from '../documents/duration.ts';
import { readDurationMs } from '../outcomes/duration.ts';

const fixedTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;

/** A time such as `2026-05-06T07:08:09Z`; `undefined` for any other text. */
function readFixedTime(text: string): number | undefined {
  const atMs = fixedTime.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(atMs) ? undefined : atMs;
}

/** A fixed time, or a span such as `+5s` or `+P20D`. Spans of months keep them, since months differ in length. */
function readTimePoint(text: string): TimePoint | undefined {
  const fixed = readFixedTime(text);
  if (fixed !== undefined) return fixed;
  if (text.startsWith('-')) return undefined;
  if (durationForm.test(text)) return readDuration(text);
  const ms = readDurationMs(text);
  return ms === undefined ? undefined : { months: 0, ms };
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

/** Only a fixed time. */
export function fixedTimeField(what: string) {
  return readWith(readFixedTime, 'This is no time that can be read here.').meta({
    description: `${what} An RFC 3339 time in quotes, like ${example}.`,
  });
}

/** A fixed time, or one that counts from the scenario's start. */
export function timePointField(what: string) {
  return readWith(readTimePoint, 'This is no time that can be read here.').meta({
    description: `${what} A span from the scenario's start, like +5s or +P20D, or an RFC 3339 time, like ${example}.`,
  });
}

/** A span of machine time, in milliseconds. */
export function durationField(what: string) {
  return z
    .union([z.string(), z.number()])
    .transform((span, context): number => {
      const ms = readDurationMs(span);
      if (ms !== undefined) return ms;
      context.addIssue('This is no span of time.');
      return z.NEVER;
    })
    .meta({ description: `${what} Like 800ms, 30s, 5m or PT1H; a number is milliseconds.` });
}
