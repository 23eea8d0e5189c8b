/** What the verbs and the framework throw, in the words of the control plane. */
import type { Context } from 'hono';
import { HTTPException } from 'hono/http-exception';
import { ArgumentError } from '../../outcomes/argument-error.ts';
import { QueryError, WaitEndedError, WaitLimitError } from '../../journal/errors.ts';
import { ClockError } from '../../world/time/clock.ts';
import { SnapshotError } from '../../world/snapshots.ts';
import { callOf } from '../routes/declared-call.ts';
import {
  ControlRequestError,
  controlErrorResponse,
  type ControlFailureListener,
} from './control-error.ts';
import { MerchantError } from '../verbs.ts';

/** Answers with what went wrong in a call, and tells `onFault` of it where it is a bug of ours. */
export function refuse(
  error: unknown,
  c: Context,
  onFault: ControlFailureListener | undefined,
): Response {
  return controlErrorResponse(inControlWords(error, c), c, onFault);
}

/** What a verb or the framework throws, as a mistake of the call; anything else as it is. */
function inControlWords(error: unknown, c: Context): unknown {
  if (error instanceof ClockError) return new ControlRequestError('clock-refused', error.message);
  if (error instanceof WaitEndedError) return new ControlRequestError('wait-ended', error.message);
  if (error instanceof WaitLimitError) {
    return new ControlRequestError('waits-full', error.message, { place: 'query.merchant' });
  }
  if (error instanceof QueryError) {
    const { message, allowed, nearest } = error;
    const place = error.place === '' ? 'body' : `body.${error.place}`;
    return new ControlRequestError('invalid-query', message, { place, allowed, nearest });
  }
  if (error instanceof MerchantError) {
    const { kind, message, allowed, nearest } = error;
    return new ControlRequestError(kind, message, {
      place: merchantPlaces[kind],
      allowed,
      nearest,
    });
  }
  if (error instanceof HTTPException) return unreadable(error.status, callOf(c).types);
  if (error instanceof ArgumentError) {
    const { message, place, allowed, nearest } = error;
    return new ControlRequestError('invalid-body', message, {
      place: `body.${place}`,
      allowed,
      nearest,
    });
  }
  if (error instanceof SnapshotError) {
    const { kind, message, allowed, nearest } = error;
    return new ControlRequestError(kind, message, {
      place: snapshotPlaces[kind],
      allowed,
      nearest,
    });
  }
  return error;
}

const merchantPlaces = {
  'merchants-full': undefined,
  'unknown-merchant': 'path.id',
} as const satisfies Record<MerchantError['kind'], string | undefined>;

const snapshotPlaces = {
  'invalid-name': 'body.name',
  'snapshots-full': 'query.merchant',
  'unknown-snapshot': 'path.name',
} as const satisfies Record<SnapshotError['kind'], string>;

/** The framework's own refusals: a body of another type, or one that is not JSON. */
function unreadable(status: number, types: readonly string[]): ControlRequestError {
  return status === 415
    ? new ControlRequestError(
        'unsupported-media-type',
        `Send the body as ${types.join(' or ')}, and say so in the header Content-Type (curl: -H "content-type: application/json").`,
        { place: 'header Content-Type', allowed: types },
      )
    : new ControlRequestError(
        'malformed-json',
        'The body is not JSON. /docs/control shows one that is for every call.',
        { place: 'body' },
      );
}
