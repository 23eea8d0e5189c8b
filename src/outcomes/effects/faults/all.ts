/** Every fault by its name. A new one is a file here and a line in one of these tables. */
import type { FaultName, ReplacementName } from '../../outcome.ts';
import type { Fault, Replacement } from './fault.ts';
import { reset } from './reset.ts';
import { close } from './close.ts';
import { hang } from './hang.ts';
import { resetIfReused } from './reset-if-reused.ts';
import { slowFirstByte } from './slow-first-byte.ts';
import { slowDribble } from './slow-dribble.ts';
import { slowClose } from './slow-close.ts';
import { varyingDelay } from './varying-delay.ts';
import { truncatedBody } from './truncated-body.ts';
import { truncatedJson } from './truncated-json.ts';
import { malformedJson } from './malformed-json.ts';
import { malformedChunk } from './malformed-chunk.ts';
import { garbage } from './garbage.ts';
import { htmlPage } from './html-page.ts';
import { emptyBody } from './empty-body.ts';
import { wrongContentType } from './wrong-content-type.ts';
import { wrongContentEncoding } from './wrong-content-encoding.ts';
import { redirect } from './redirect.ts';

/** What the wire does. */
export const faults: Readonly<Record<Exclude<FaultName, ReplacementName>, Fault>> = {
  reset: reset,
  close: close,
  hang: hang,
  'reset-if-reused': resetIfReused,
  'slow-first-byte': slowFirstByte,
  'varying-delay': varyingDelay,
  'slow-dribble': slowDribble,
  'slow-close': slowClose,
  'truncated-body': truncatedBody,
  'truncated-json': truncatedJson,
  'malformed-json': malformedJson,
  'malformed-chunk': malformedChunk,
  garbage: garbage,
  'empty-body': emptyBody,
  'wrong-content-type': wrongContentType,
  'wrong-content-encoding': wrongContentEncoding,
};

/** What is sent like any other answer, in the place of the one there was. */
export const replacements: Readonly<Record<ReplacementName, Replacement>> = {
  'html-page': htmlPage,
  redirect: redirect,
};

export function isReplacement(fault: FaultName): fault is ReplacementName {
  return Object.hasOwn(replacements, fault);
}
