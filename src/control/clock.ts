/** One of the four ways to move a merchant's clock, as a call of the verb for it. */
import type { z } from '@hono/zod-openapi';
import { ClockChange, type ClockReading } from '../contract/control.ts';
import { addDuration, durationForm, readDuration } from '../fixtures/duration.ts';
import { ClockMistake, instantMs } from '../world/clock.ts';
import { ControlMistake } from './mistake.ts';
import type { ControlVerbs } from './verbs.ts';

/** Moves the clock as asked and says where it stands. */
export function changeClock(
  verbs: ControlVerbs,
  merchant: string,
  change: z.output<typeof ClockChange>,
): z.output<typeof ClockReading> {
  const given = Object.keys(change);
  if (given.length !== 1) throw notOne(given);
  if (change.freeze) return verbs.freezeClock(merchant);
  if (change.resume) return verbs.resumeClock(merchant);
  if (change.set !== undefined) return verbs.setClock(merchant, timeMs(change.set));
  const nowMs = Date.parse(verbs.readClock(merchant).now);
  return verbs.advanceClock(merchant, spanMs(change.advance ?? 0, nowMs));
}

function timeMs(set: unknown): number {
  try {
    return instantMs(set);
  } catch (error) {
    if (!(error instanceof ClockMistake)) throw error;
    throw new ControlMistake('invalid-body', error.message, { place: 'body.set' });
  }
}

function spanMs(advance: string | number, nowMs: number): number {
  if (typeof advance === 'number') return advance;
  if (durationForm.test(advance)) return addDuration(nowMs, readDuration(advance)) - nowMs;
  throw new ControlMistake(
    'invalid-body',
    `'advance' must be an ISO 8601 duration in whole numbers, such as "P1D", "PT90M" or "P3DT12H", or a number of milliseconds.`,
    { place: 'body.advance' },
  );
}

function notOne(given: readonly string[]): ControlMistake {
  const words = Object.keys(ClockChange.shape);
  const sent = given.length === 0 ? 'none' : given.join(' and ');
  return new ControlMistake(
    'invalid-body',
    `Send exactly one of ${words.join(', ')}, such as {"advance": "P1D"}; this body has ${sent}.`,
    { place: 'body', allowed: words },
  );
}
