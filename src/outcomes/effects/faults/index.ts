/** Every fault by its name. A new fault is a function in one of these files and a line in one of these tables. */
import type { FaultName, ReplacementName } from '../../outcome.ts';
import * as body from './body.ts';
import * as connection from './connection.ts';
import type { Fault, Replacement } from './fault.ts';
import * as replacement from './replacement.ts';
import * as timing from './timing.ts';

/** What the transport does to a response. */
export const faults: Readonly<Record<Exclude<FaultName, ReplacementName>, Fault>> = {
  reset: connection.reset,
  close: connection.close,
  hang: connection.hang,
  'reset-if-reused': connection.resetIfReused,
  garbage: connection.garbage,
  'slow-first-byte': timing.slowFirstByte,
  'varying-delay': timing.varyingDelay,
  'slow-dribble': timing.slowDribble,
  'slow-close': timing.slowClose,
  'truncated-body': body.truncatedBody,
  'truncated-json': body.truncatedJson,
  'malformed-json': body.malformedJson,
  'malformed-chunk': body.malformedChunk,
  'empty-body': body.emptyBody,
  'wrong-content-type': body.wrongContentType,
  'wrong-content-encoding': body.wrongContentEncoding,
};

/** Responses that replace the real one and are then sent like any other. */
export const replacements: Readonly<Record<ReplacementName, Replacement>> = {
  'html-page': replacement.htmlPage,
  redirect: replacement.redirect,
};

export function isReplacement(fault: FaultName): fault is ReplacementName {
  return Object.hasOwn(replacements, fault);
}
