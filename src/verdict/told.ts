/** What a client was told: the ids that stood in answers which reached it whole, and which answer was the first. */
import type { OperationName } from '../contract/operations.ts';
import type { Entry } from '../journal/entry.ts';
import { isCut } from '../journal/kept-text.ts';
import { recordIn } from './trail.ts';

/** How an exchange told of money: in the answer to the request that moved it, in a repeat of that, or when asked. */
export type HowTold = 'answer' | 'replay' | 'show' | 'list';

const lists: ReadonlySet<OperationName> = new Set(['payment.list', 'sale.refunds']);

/** Reads of what their path names. */
const shows: ReadonlySet<OperationName> = new Set(['payment.get', 'sale.get', 'capture.get']);

/** Answers that tell of sales and captures beside what was asked for: a payment shows its own, a list those of many. */
const tellOfOthers: ReadonlySet<OperationName> = new Set(['payment.list', 'payment.get']);

interface Tellings {
  /** The first exchange that told the client an id. */
  readonly by: ReadonlyMap<string, Entry>;
  /** An answer was too long to be kept whole: what stood in the rest of it is not known. */
  readonly unsure: boolean;
}

/** Reads it off the answers that a client could conclude `OK` from; not before it is asked about a doubt. */
export class Told {
  readonly #entries: readonly Entry[];
  #tellings: Tellings | undefined;

  constructor(entries: readonly Entry[]) {
    this.#entries = entries;
  }

  /** The first exchange that told of what `maker` made, by its own id or that of what it is part of. */
  firstTold(maker: Entry, id: string, whole: string): Entry | undefined {
    const { subject, concludes } = maker;
    // Nobody can be told of anything before the request that makes it.
    if (concludes === 'OK' && (subject === id || subject === whole)) return maker;
    const { by } = this.#read();
    return [id, whole].flatMap((one) => by.get(one) ?? []).toSorted((a, b) => a.seq - b.seq)[0];
  }

  /** Whether more may have been told than the journal has kept. */
  get isUnsure(): boolean {
    return this.#read().unsure;
  }

  #read(): Tellings {
    return (this.#tellings ??= tellingsIn(this.#entries));
  }
}

/** How `teller` told of what `maker` did. */
export function howTold(teller: Entry, maker: Entry): HowTold {
  if (teller === maker) return 'answer';
  if (teller.replayed && teller.operation === maker.operation) return 'replay';
  return teller.operation !== undefined && lists.has(teller.operation) ? 'list' : 'show';
}

function tellingsIn(entries: readonly Entry[]): Tellings {
  const by = new Map<string, Entry>();
  let unsure = false;
  for (const entry of entries) {
    const { operation, concludes, response, subject } = entry;
    if (operation === undefined || concludes !== 'OK') continue;
    const shown = shows.has(operation) ? recordIn(entry) : undefined;
    for (const id of [subject, shown]) {
      if (id !== undefined && !by.has(id)) by.set(id, entry);
    }
    if (response === undefined || !tellOfOthers.has(operation)) continue;
    unsure ||= isCut(response);
    // Whoever was told of a payment was told of its sale.
    if (operation === 'payment.get' && !response.includes('"capture"')) continue;
    for (const [, id] of response.matchAll(/"id":"([^"]+)"/g)) {
      if (id !== undefined && !by.has(id)) by.set(id, entry);
    }
  }
  return { by, unsure };
}
