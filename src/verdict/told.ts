/** What a client was told: the ids that stood in answers which reached it whole, and which answer was the first. */
import type { OperationName } from '../contract/operations.ts';
import type { Entry } from '../journal/entry.ts';
import { isCut } from '../journal/kept-text.ts';
import { recordIn, type Trail } from './trail.ts';

/** How an exchange told of money: in the answer to the request that moved it, in a repeat of that, or when asked. */
export type HowTold = 'answer' | 'replay' | 'show' | 'list';

/** Reads of what their path names. */
const shows: ReadonlySet<OperationName> = new Set(['payment.get', 'sale.get', 'capture.get']);

/** Answers that tell of sales and captures beside what was asked for: a payment shows its own, a list those of many. */
const tellOfOthers: ReadonlySet<OperationName> = new Set(['payment.list', 'payment.get']);

/** Operations whose answers tell of sales and captures, among them those that make them. */
const tellers: readonly OperationName[] = [
  'payment.create',
  'auth.capture',
  'sale.get',
  'capture.get',
  'payment.get',
  'payment.list',
];

/** Who told the client of what it was in doubt about. */
export interface Told {
  /** The first exchange that told of each id. */
  readonly by: ReadonlyMap<string, Entry>;
  /** An answer was too long to be kept whole: what stood in the rest of it is not known. */
  readonly isUnsure: boolean;
}

/** How `teller` told of what `maker` did. */
export function howTold(teller: Entry, maker: Entry): HowTold {
  if (teller === maker) return 'answer';
  if (teller.replayed && teller.operation === maker.operation) return 'replay';
  return teller.operation === 'payment.list' ? 'list' : 'show';
}

/** What a client is in doubt about: its ids, and whether captures are among them, which their payment shows as well. */
export interface Doubts {
  readonly ids: ReadonlySet<string>;
  readonly haveCaptures: boolean;
}

/** Looks for it in the answers that a client could conclude `OK` from. */
export function toldOf({ ids, haveCaptures }: Doubts, trail: Trail): Told {
  const by = new Map<string, Entry>();
  let isUnsure = false;
  const note = (id: string | undefined, entry: Entry): void => {
    if (id !== undefined && ids.has(id) && !by.has(id)) by.set(id, entry);
  };
  for (const entry of ids.size === 0 ? [] : trail.of(...tellers)) {
    const { operation, concludes, response, subject } = entry;
    if (operation === undefined || concludes !== 'OK') continue;
    note(subject, entry);
    if (shows.has(operation)) note(recordIn(entry), entry);
    if (response === undefined || !tellOfOthers.has(operation)) continue;
    isUnsure ||= isCut(response);
    // Whoever was told of a payment was told of its sale.
    if (operation === 'payment.get' && !haveCaptures) continue;
    for (const [, id] of response.matchAll(/"id":"([^"]+)"/g)) note(id, entry);
  }
  return { by, isUnsure };
}
