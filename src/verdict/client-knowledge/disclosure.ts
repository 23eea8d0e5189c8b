/** What a client was told: the ids that stood in answers which reached it whole, and which answer was the first. */
import type { OperationName } from '../../contract/service/operations.ts';
import type { StoredEntry } from '../../journal/stored-entry.ts';
import { memberOf } from '../../shared/unknown-value.ts';
import { storedId } from '../../outcomes/effects/long-id-dialect.ts';
import { madeBy } from '../evidence/created-ids.ts';
import { recordIn, type Trail } from '../evidence/journal-index.ts';

/** How an exchange told of money: in the answer to the request that moved it, in a repeat of that, or when asked. */
export type HowTold = 'answer' | 'replay' | 'show' | 'list';

/** Reads of what their path names. */
const shows: ReadonlySet<OperationName> = new Set([
  'payment.get',
  'sale.get',
  'auth.get',
  'capture.get',
]);

const captures: ReadonlySet<OperationName> = new Set(['auth.capture']);

/** Shows captures beside what its path names. */
const capturing = ['payment.get'] as const;

/** How `teller` told of what `maker` did. */
export function howTold(teller: StoredEntry, maker: StoredEntry): HowTold {
  if (teller === maker) return 'answer';
  if (teller.replayed) return 'replay';
  return teller.operation === 'payment.list' ? 'list' : 'show';
}

/** What a client is in doubt about: its ids, and whether captures are among them, which their payment shows as well. */
export interface Doubts {
  readonly ids: ReadonlySet<string>;
  readonly haveCaptures: boolean;
}

/** The first exchange that told of each id, among the answers that a client could conclude `OK` from. */
export function toldOf(
  { ids, haveCaptures }: Doubts,
  trail: Trail,
): ReadonlyMap<string, StoredEntry> {
  const by = new Map<string, StoredEntry>();
  const note = (id: string | undefined, entry: StoredEntry): void => {
    if (id === undefined || !ids.has(id)) return;
    const known = by.get(id);
    if (known === undefined || entry.seq < known.seq) by.set(id, entry);
  };
  if (ids.size === 0) return by;
  for (const entry of trail.of('payment.create', 'auth.capture')) {
    if (entry.concludes === 'OK') note(entry.subject, entry);
  }
  for (const id of ids) {
    const sale = lateSaleOf(id, trail);
    const shown = trail
      .about(id, shows)
      .find((entry) => tells(entry) && (sale === undefined || storedIdsIn(entry).includes(sale)));
    if (shown !== undefined) note(id, shown);
  }
  // A list tells of many; a payment of its sale, as whoever was told of it was, and of its captures.
  for (const entry of trail.of('payment.list', ...(haveCaptures ? capturing : []))) {
    if (!tells(entry)) continue;
    const told = storedIdsIn(entry);
    for (const id of told) {
      const sale = ids.has(id) ? lateSaleOf(id, trail) : undefined;
      if (sale === undefined || told.includes(sale)) note(id, entry);
    }
  }
  for (const entry of haveCaptures ? trail.of('auth.get') : []) {
    if (!tells(entry)) continue;
    for (const id of capturedBy(entry, trail)) note(id, entry);
  }
  return by;
}

function storedIdsIn({ shownIds }: StoredEntry): string[] {
  return shownIds.map(storedId);
}

/** The sale of a payment that was there before it: whoever reads the payment may find none, and nothing taken. */
function lateSaleOf(paymentId: string, { records }: Trail): string | undefined {
  const payment = records.payments.get(paymentId);
  const sale = records.sales.get(payment?.related.first?.id ?? '');
  return payment !== undefined && sale !== undefined && sale.createdAtMs > payment.createdAtMs
    ? sale.id
    : undefined;
}

/** Whether the client learnt what an answer shows. Nobody reads anything in one to HEAD. */
export function tells({ concludes, method }: StoredEntry): boolean {
  return concludes === 'OK' && method !== 'HEAD';
}

/**
 * The captures that an authorization tells of without naming them: all that it holds where it is captured, and the only
 * one where a part of it is.
 */
function capturedBy(shown: StoredEntry, trail: Trail): readonly string[] {
  const state = memberOf(trail.answerOf(shown), 'state');
  const made = trail
    .about(recordIn(shown) ?? '', captures)
    .filter(({ seq }) => seq < shown.seq)
    .flatMap(madeBy);
  const isTold = state === 'captured' || (state === 'partially_captured' && made.length === 1);
  return isTold ? made : [];
}
