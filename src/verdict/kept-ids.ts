/** Clients that keep a request id show it by sending it once more, perhaps after requests for something else. */
import type { KeptEntry } from '../journal/kept-entry.ts';
import type { Evidence } from './evidence.ts';
import { once } from './once.ts';

/** `seq` of the last exchange of each request id, by operation. */
const lastSent = once(
  (evidence): ReadonlyMap<string, number> =>
    new Map(evidence.keyed.map((entry) => [nameOf(entry), entry.seq])),
);

/**
 * Whether the request id of one request comes once more after another one: then the other, with an id of its own, was
 * no new try of the first. Buyers of the same thing are served side by side.
 */
export function isSentAfter(evidence: Evidence, one: KeptEntry, other: KeptEntry): boolean {
  if (one.requestId === undefined) return false;
  return (lastSent(evidence).get(nameOf(one)) ?? 0) > other.seq;
}

function nameOf({ operation, requestId }: KeptEntry): string {
  return `${operation ?? ''} ${requestId ?? ''}`;
}
