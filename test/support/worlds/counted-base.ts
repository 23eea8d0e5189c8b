/** A base of cards that counts reads, and writes over it. */
import { deleteCard, storeCard } from '../../../src/domain/card/card.ts';
import type { Card } from '../../../src/domain/records.ts';
import { cardIndexes, RecordStore, type WorldBase } from '../../../src/world/store/store.ts';
import { tableBase, type TableBase } from '../../../src/world/store/table.ts';
import type { World } from '../../../src/world/world.ts';
import { settings } from '../../unit/fixtures/build-world.ts';
import { commit } from './till.ts';

/** How many entries of a base were read. */
export interface Reads {
  count: number;
}

class CountedMap<V> extends Map<string, V> {
  readonly #reads: Reads;

  constructor(of: ReadonlyMap<string, V>, reads: Reads) {
    super(of);
    this.#reads = reads;
  }

  override get(key: string): V | undefined {
    this.#reads.count++;
    return super.get(key);
  }

  override *[Symbol.iterator](): MapIterator<[string, V]> {
    for (const pair of super.entries()) {
      this.#reads.count++;
      yield pair;
    }
  }

  override entries(): MapIterator<[string, V]> {
    return this[Symbol.iterator]();
  }
}

function countedList<T>(of: readonly T[], reads: Reads): readonly T[] {
  return new Proxy(of, {
    get(target, key, self) {
      if (typeof key === 'string' && /^\d+$/.test(key)) reads.count++;
      return Reflect.get(target, key, self);
    },
  });
}

const atMs = settings.clock.atMs ?? 0;

function card(at: number): Card {
  return {
    id: `CARD-${at}`,
    brand: 'visa',
    last4: '1111',
    panLength: 16,
    expireMonth: 1,
    expireYear: 2099,
    firstName: undefined,
    lastName: undefined,
    billingAddress: undefined,
    triggeredOutcome: undefined,
    createdAtMs: atMs,
    updatedAtMs: atMs,
    validUntilMs: atMs * 2,
    externalCustomerId: `customer-${at % 100}`,
    payerId: undefined,
    merchantReference: 'north',
    externalCardId: undefined,
  };
}

/** A base of `size` cards that counts its reads. */
export function countedBase(size: number, reads: Reads): WorldBase {
  const rows = Array.from({ length: size }, (_, at) => {
    const record = card(at);
    const place = { seq: at + 1, atMs, id: record.id };
    return { record, created: place, updated: place };
  });
  const cards = tableBase(cardIndexes, rows, size);
  const counted: TableBase<Card, keyof typeof cardIndexes> = {
    rows: new CountedMap(cards.rows, reads),
    created: countedList(cards.created, reads),
    updated: countedList(cards.updated, reads),
    indexes: {
      customer: new CountedMap(lists(cards.indexes.customer, reads), reads),
      externalCard: new CountedMap(lists(cards.indexes.externalCard, reads), reads),
      merchantReference: new CountedMap(lists(cards.indexes.merchantReference, reads), reads),
    },
    lastSeq: cards.lastSeq,
  };
  return { ...new RecordStore().toBase(), cards: counted };
}

function lists<T>(groups: ReadonlyMap<string, readonly T[]>, reads: Reads) {
  return new Map([...groups].map(([key, list]) => [key, countedList(list, reads)]));
}

/** Stores cards, changes some of the base and deletes others. */
export function write(world: World, writes: number): void {
  for (let at = 0; at < writes; at++) {
    const draft = {
      number: '4417119669820331',
      brand: 'visa' as const,
      expireMonth: 11,
      expireYear: 2031,
      cvv: undefined,
      firstName: undefined,
      lastName: undefined,
      billingAddress: undefined,
    };
    const owner = {
      externalCustomerId: `customer-${at % 7}`,
      payerId: undefined,
      merchantReference: 'north',
      externalCardId: undefined,
    };
    commit(world, storeCard(world, draft, owner));
    const old = world.cards.get(`CARD-${at}`);
    if (old !== undefined && at % 3 === 0) commit(world, deleteCard(world, old.id));
    else if (old !== undefined) world.cards.put({ ...old, firstName: 'Grace' });
  }
}
