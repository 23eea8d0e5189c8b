/** One of the four ways to move a merchant's clock, as a call of the verb for it. */
import type { z } from '@hono/zod-openapi';
import { ClockChange, type ClockReading } from '../../contract/control/routes.ts';
import { ClockError, instantMs, spanMs } from '../../world/time/clock.ts';
import { ControlRequestError } from '../errors/control-error.ts';
import type { ControlVerbs } from '../verbs.ts';

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
  const { set, advance = 0 } = change;
  if (set !== undefined) {
    return verbs.setClock(
      merchant,
      readAt('body.set', () => instantMs(set)),
    );
  }
  const nowMs = Date.parse(verbs.readClock(merchant).now);
  return verbs.advanceClock(
    merchant,
    readAt('body.advance', () => spanMs(advance, nowMs)),
  );
}

/** What a clock cannot read is wrong with the body, whatever the clock says. */
function readAt<T>(place: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof ClockError)) throw error;
    throw new ControlRequestError('invalid-body', error.message, { place });
  }
}

function notOne(given: readonly string[]): ControlRequestError {
  const words = Object.keys(ClockChange.shape);
  const sent = given.length === 0 ? 'none' : given.join(' and ');
  return new ControlRequestError(
    'invalid-body',
    `Send exactly one of ${words.join(', ')}, such as {"advance": "P1D"}; this body has ${sent}.`,
    { place: 'body', allowed: words },
  );
}
