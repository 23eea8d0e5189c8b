/**
 * Following `next` shows every remaining record exactly once, whatever is added or removed
 * meanwhile.
 */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { CardListOut } from '../../../src/contract/service/vault.ts';
import { onEveryTransport, type Shop } from '../../support/transports.ts';
import { cardBody, rawPaymentBody } from '../../support/samples.ts';
import { runsFor } from '../support/own-transport.ts';
import { pick } from '../support/client-walk.ts';

const owner = fc.record({
  external_customer_id: fc.constantFrom(undefined, 'ann', 'bob'),
  external_card_id: fc.constantFrom(undefined, 'gold'),
  merchant_id: fc.constantFrom(undefined, 'north'),
});
type Edge = typeof edge extends fc.Arbitrary<infer T> ? T : never;
type Owner = typeof owner extends fc.Arbitrary<infer T> ? T : never;

type Event =
  | { readonly kind: 'add'; readonly owner: Owner; readonly waitMs: number }
  | { readonly kind: 'remove' | 'touch'; readonly which: number; readonly waitMs: number };

const waitMs = fc.constantFrom(0, 0, 1, 400);
const add = fc.record({ kind: fc.constant('add' as const), owner, waitMs });
const alter = fc.record({
  kind: fc.constantFrom('remove' as const, 'touch' as const),
  which: fc.nat({ max: 60 }),
  waitMs,
});
/** Events before listing mostly store cards; events between pages are arbitrary. */
const before: fc.Arbitrary<Event> = fc.oneof(
  { arbitrary: add, weight: 7 },
  { arbitrary: alter, weight: 2 },
);
const between: fc.Arbitrary<Event> = fc.oneof(add, alter);
const pageSizes = fc.oneof(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 20 }));
/** Mostly absent, because filters and spans leave few cards to list. */
const seldom = <T extends object>(of: fc.Arbitrary<T>) =>
  fc.oneof({ arbitrary: fc.constant({} as Partial<T>), weight: 2 }, { arbitrary: of, weight: 1 });

interface Kept {
  readonly id: string;
  readonly owner: Owner;
  readonly createdAtMs: number;
}

/** A model of the vault: two plain arrays. */
class VaultModel {
  readonly shop: Shop;
  /** In the order of creation. */
  readonly kept: Kept[] = [];
  /** In the order of creation or update. */
  readonly byUpdate: Kept[] = [];
  /** Ids of updated cards. */
  readonly touched = new Set<string>();

  constructor(shop: Shop) {
    this.shop = shop;
  }

  nowMs(): number {
    return Date.parse(this.shop.merchant.clock.read().now);
  }

  async play(of: Event): Promise<void> {
    this.shop.merchant.clock.advance(of.waitMs);
    if (of.kind === 'add') {
      const { id } = await this.shop.ask('card.create', 201, { body: cardBody(of.owner) });
      const card = { id, owner: of.owner, createdAtMs: this.nowMs() };
      this.kept.push(card);
      this.byUpdate.push(card);
      return;
    }
    const card = pick(this.kept, of.which);
    if (card === undefined) return;
    const params = { card_id: card.id };
    this.byUpdate.splice(this.byUpdate.indexOf(card), 1);
    if (of.kind === 'remove') {
      await this.shop.ask('card.delete', 204, { params });
      this.kept.splice(this.kept.indexOf(card), 1);
    } else {
      const body = [{ op: 'add', path: '/last_name', value: `Seen ${this.nowMs()}` }];
      await this.shop.ask('card.update', 200, { params, body });
      this.byUpdate.push(card);
      this.touched.add(card.id);
    }
  }
}

const filter = fc.record(
  {
    external_customer_id: fc.constantFrom('ann', 'bob', 'carl'),
    external_card_id: fc.constant('gold'),
    merchant_id: fc.constant('north'),
  },
  { requiredKeys: [] },
);

/** A time at or next to that of a card. */
const edge = fc.record({ which: fc.nat({ max: 60 }), offMs: fc.constantFrom(-1, 0, 0, 1) });
const span = fc.record({ start: edge, end: edge }, { requiredKeys: [] });

/** More than any listing of these tests needs. */
const mostPages = 150;

onEveryTransport('pages of cards', (transport) => {
  it('shows every remaining card exactly once, in order, with correct totals', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(before, { maxLength: 50, size: 'max' }),
        fc.oneof(
          fc.constant([]),
          fc.array(fc.array(between, { maxLength: 6 }), { maxLength: 12, size: 'max' }),
        ),
        pageSizes,
        fc.constantFrom('create_time', 'update_time'),
        fc.constantFrom('asc', 'desc'),
        seldom(filter),
        seldom(span),
        async (first, meanwhile, pageSize, sortBy, order, wanted, { start, end }) => {
          const model = new VaultModel(transport.shop());
          for (const one of first) await model.play(one);
          model.touched.clear();
          const atMs = (of: Edge | undefined) =>
            of === undefined
              ? undefined
              : (pick(model.kept, of.which)?.createdAtMs ?? model.nowMs()) + of.offMs;
          const [fromMs, toMs] = [atMs(start), atMs(end)];
          const fits = (card: Kept) =>
            Object.entries(wanted).every(
              ([key, value]) => Reflect.get(card.owner, key) === value,
            ) &&
            (fromMs === undefined || card.createdAtMs >= fromMs) &&
            (toMs === undefined || card.createdAtMs <= toMs);
          const query: Record<string, string> = {
            page_size: String(pageSize),
            sort_by: sortBy,
            sort_order: order,
            ...wanted,
            ...(fromMs === undefined ? {} : { start_time: new Date(fromMs).toISOString() }),
            ...(toMs === undefined ? {} : { end_time: new Date(toMs).toISOString() }),
          };
          const byUpdate = sortBy === 'update_time';
          const there = (byUpdate ? model.byUpdate : model.kept).filter(fits);
          const seen: string[] = [];
          let page = await model.shop.ask('card.list', 200, { query });
          for (let at = 0; ; at++) {
            const count = model.kept.filter(fits).length;
            expect(page.total_items).toBe(count);
            expect(page.total_pages).toBe(Math.ceil(count / pageSize));
            seen.push(...page.items.map(({ id }) => id));
            const next = page.links.find(({ rel }) => rel === 'next');
            if (next === undefined) break;
            expect(at, 'pages without end').toBeLessThan(mostPages);
            expect(page.items).toHaveLength(pageSize);
            for (const one of meanwhile[at] ?? []) await model.play(one);
            page = CardListOut.parse(await (await model.shop.follow(next)).json());
          }
          for (const { id } of there.filter((card) => model.kept.includes(card))) {
            // An updated card moves to the end of that order, so it may appear twice or not at
            // all.
            if (byUpdate && model.touched.has(id)) continue;
            expect(
              seen.filter((one) => one === id),
              id,
            ).toHaveLength(1);
          }
          if (!byUpdate) expect(new Set(seen).size).toBe(seen.length);
          if (meanwhile.length === 0) {
            const ids = there.map(({ id }) => id);
            expect(seen).toEqual(order === 'asc' ? ids : ids.reverse());
          }
        },
      ),
      runsFor(transport.name, 40),
    ));
});

onEveryTransport('pages of payments', (transport) => {
  it('show every payment exactly once by next_id while new ones are created', () =>
    fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: 45 }),
        fc.array(fc.nat({ max: 3 }), { maxLength: 8, size: 'max' }),
        pageSizes,
        fc.constantFrom('asc', 'desc'),
        async (size, meanwhile, count, order) => {
          const shop = transport.shop();
          const made: string[] = [];
          const make = async (howMany: number) => {
            for (let i = 0; i < howMany; i++) {
              shop.merchant.clock.advance(i % 2);
              made.push((await shop.ask('payment.create', 201, { body: rawPaymentBody() })).id);
            }
          };
          await make(size);
          const there = [...made];
          const seen: string[] = [];
          let next: string | undefined;
          for (let at = 0; ; at++) {
            const query: Record<string, string> = {
              count: String(count),
              sort_order: order,
              ...(next === undefined ? {} : { start_id: next }),
            };
            const page = await shop.ask('payment.list', 200, { query });
            expect(page.count).toBe(page.payments.length);
            seen.push(...page.payments.map(({ id }) => id));
            next = page.next_id;
            if (next === undefined) break;
            expect(at, 'pages without end').toBeLessThan(mostPages);
            expect(page.count).toBe(count);
            await make(meanwhile[at] ?? 0);
          }
          // Oldest first, new payments come last. Newest first, they come before the first page.
          const expected = order === 'asc' ? made.slice(0, seen.length) : there.reverse();
          expect(seen).toEqual(expected);
          expect(seen.length).toBeGreaterThanOrEqual(size);
        },
      ),
      runsFor(transport.name, 40),
    ));
});
