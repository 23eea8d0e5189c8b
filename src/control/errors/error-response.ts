/** What the verbs and the framework throw, in the words of the control plane. */
import type { Context } from 'hono';
import { HTTPException } from 'hono/http-exception';
import { ArgumentMistake } from '../../outcomes/argument-error.ts';
import { QueryMistake, WaitEnded, WaitsFull } from '../../journal/errors.ts';
import { ClockMistake } from '../../world/time/clock.ts';
import { SnapshotMistake } from '../../world/snapshots.ts';
import { callOf } from '../routes/declared-call.ts';
import { ControlMistake, refuseMistake, type ControlFaultListener } from './control-error.ts';
import { MerchantMistake } from '../verbs.ts';

/** Answers with what went wrong in a call, and tells `onFault` of it where it is a bug of ours. */
export function refuse(
  error: unknown,
  c: Context,
  onFault: ControlFaultListener | undefined,
): Response {
  return refuseMistake(inControlWords(error, c), c, onFault);
}

/** What a verb or the framework throws, as a mistake of the call; anything else as it is. */
function inControlWords(error: unknown, c: Context): unknown {
  if (error instanceof ClockMistake) return new ControlMistake('clock-refused', error.message);
  if (error instanceof WaitEnded) return new ControlMistake('wait-ended', error.message);
  if (error instanceof WaitsFull) {
    return new ControlMistake('waits-full', error.message, { place: 'query.merchant' });
  }
  if (error instanceof QueryMistake) {
    const { message, allowed, nearest } = error;
    const place = error.place === '' ? 'body' : `body.${error.place}`;
    return new ControlMistake('invalid-query', message, { place, allowed, nearest });
  }
  if (error instanceof MerchantMistake) {
    const { kind, message, allowed, nearest } = error;
    return new ControlMistake(kind, message, { place: merchantPlaces[kind], allowed, nearest });
  }
  if (error instanceof HTTPException) return unreadable(error.status, callOf(c).types);
  if (error instanceof ArgumentMistake) {
    const { message, place, allowed, nearest } = error;
    return new ControlMistake('invalid-body', message, {
      place: `body.${place}`,
      allowed,
      nearest,
    });
  }
  if (error instanceof SnapshotMistake) {
    const { kind, message, allowed, nearest } = error;
    return new ControlMistake(kind, message, { place: snapshotPlaces[kind], allowed, nearest });
  }
  return error;
}

const merchantPlaces = {
  'merchants-full': undefined,
  'unknown-merchant': 'path.id',
} as const satisfies Record<MerchantMistake['kind'], string | undefined>;

const snapshotPlaces = {
  'invalid-name': 'body.name',
  'snapshots-full': 'query.merchant',
  'unknown-snapshot': 'path.name',
} as const satisfies Record<SnapshotMistake['kind'], string>;

/** The framework's own refusals: a body of another type, or one that is not JSON. */
function unreadable(status: number, types: readonly string[]): ControlMistake {
  return status === 415
    ? new ControlMistake(
        'unsupported-media-type',
        `Send the body as ${types.join(' or ')}, and say so in the header Content-Type (curl: -H "content-type: application/json").`,
        { place: 'header Content-Type', allowed: types },
      )
    : new ControlMistake(
        'malformed-json',
        'The body is not JSON. /docs/control shows one that is for every call.',
        { place: 'body' },
      );
}
