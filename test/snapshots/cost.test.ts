/** A snapshot costs what was written since the base, and nothing for what the base holds. Counted, not timed. */
import { afterEach, describe, expect, it, vi } from 'vitest';
import { storeCard, deleteCard } from '../../src/domain/card.ts';
import { cardIndexes, Holdings, type WorldBase } from '../../src/world/holdings.ts';
import { tableBase, type TableBase } from '../../src/world/table.ts';
import { World } from '../../src/world/world.ts';
import { settings } from '../fixtures/build.ts';
import { commit } from '../support/till.ts';
import type { Card } from '../../src/domain/records.ts';

/** How many entries of a base were looked at, one by one or as a whole. */
interface Reads {
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
    asksFor: undefined,
    createdAtMs: atMs,
    updatedAtMs: atMs,
    validUntilMs: atMs * 2,
    externalCustomerId: `customer-${at % 100}`,
    payerId: undefined,
    merchantReference: 'north',
    externalCardId: undefined,
  };
}

/** A base of so many cards that counts who looks at it. */
function countedBase(size: number, reads: Reads): WorldBase {
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
  return { ...new Holdings().asBase(), cards: counted };
}

function lists<T>(groups: ReadonlyMap<string, readonly T[]>, reads: Reads) {
  return new Map([...groups].map(([key, list]) => [key, countedList(list, reads)]));
}

/** Stores cards, changes some of the base and deletes others. */
function write(world: World, writes: number): void {
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

/** What a snapshot and a restore of a world with so many writes look at in its base, and how much they write down. */
function costOf(
  size: number,
  writes: number,
): { readonly looked: number; readonly copied: number } {
  const reads = { count: 0 };
  const world = new World('merchant', settings, countedBase(size, reads));
  write(world, writes);
  reads.count = 0;
  const set = vi.spyOn(Map.prototype, 'set');
  const restored = new World('merchant', settings, world.keep());
  const copied = set.mock.calls.length;
  set.mockRestore();
  const looked = reads.count;
  expect(restored.records).toBe(world.records);
  expect(restored.cards.byUpdate.size).toBe(world.cards.byUpdate.size);
  return { looked, copied };
}

afterEach(() => {
  vi.restoreAllMocks();
});

describe('a snapshot and a restore', () => {
  it('look at nothing of a base of 100,000 cards and copy as much as over one of 100', () => {
    const [small, large] = [costOf(100, 60), costOf(100_000, 60)];
    expect(large.looked).toBe(0);
    expect(large.copied).toBe(small.copied);
  });

  it('copy in proportion to what was written', () => {
    const [none, some, many] = [
      costOf(100_000, 0).copied,
      costOf(100_000, 100).copied,
      costOf(100_000, 1000).copied,
    ];
    expect(none).toBe(0);
    expect(many - none).toBeLessThanOrEqual(10 * (some - none));
    expect(some / 100).toBeLessThan(8);
  });
});
