/** What a client was told: the ids that stood in answers which reached it whole. */
import type { OperationName } from '../contract/operations.ts';
import { isCut } from '../journal/kept-text.ts';
import type { Trail } from './trail.ts';

/** Ids by how they came: in the answer to what made them, or in one that was read later. */
export interface Told {
  readonly answered: ReadonlySet<string>;
  readonly read: ReadonlySet<string>;
  /** An answer was too long to be kept whole: what stood in the rest of it is not known. */
  readonly unsure: boolean;
}

const readings: ReadonlySet<OperationName> = new Set([
  'payment.get',
  'payment.list',
  'sale.get',
  'sale.refunds',
  'auth.get',
  'capture.get',
  'refund.get',
]);

/** Reads it off the answers that a client could conclude `OK` from. */
export function toldTo({ entries }: Trail): Told {
  const answered = new Set<string>();
  const read = new Set<string>();
  let unsure = false;
  for (const { operation, concludes, response, subject } of entries) {
    if (operation === undefined || concludes !== 'OK') continue;
    if (subject !== undefined) answered.add(subject);
    if (response === undefined || !readings.has(operation)) continue;
    for (const [, id] of response.matchAll(/"id":"([^"]+)"/g)) if (id !== undefined) read.add(id);
    unsure ||= isCut(response);
  }
  return { answered, read, unsure };
}
