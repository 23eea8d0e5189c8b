/** One PayPal-Request-Id has one effect, whatever happens in between, in parallel or later. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  transportNames,
  onEveryTransport,
  type Reply,
  type Shop,
} from '../../support/transports.ts';
import { cardBody, paymentBody } from '../../support/samples.ts';
import { withTransport, runsFor } from '../support/own-transport.ts';

const dayMs = 86_400_000;
const retentionMs = 30 * dayMs;

/** Requests that accept a request id. Paths differ in scope, variants in body. */
interface Attempt {
  readonly merchant: 0 | 1;
  readonly path: 'card' | 'payment';
  readonly key: 'a' | 'b';
  readonly variant: 1 | 2 | 'refused';
  readonly waitMs: number;
}

const attempt: fc.Arbitrary<Attempt> = fc.record({
  merchant: fc.constantFrom(0 as const, 1 as const),
  path: fc.constantFrom('card' as const, 'payment' as const),
  key: fc.constantFrom('a' as const, 'b' as const),
  variant: fc.constantFrom(1 as const, 1 as const, 2 as const, 'refused' as const),
  waitMs: fc.constantFrom(0, 0, 0, 1, dayMs, retentionMs - 1, retentionMs),
});

interface Client {
  readonly shop: Shop;
  readonly cardId: string;
}

async function client(shop: Shop): Promise<Client> {
  const card = await shop.ask('card.create', 201, { body: cardBody() });
  return { shop, cardId: card.id };
}

function send(
  { shop, cardId }: Client,
  { path, key, variant }: Omit<Attempt, 'merchant' | 'waitMs'>,
) {
  const headers = { 'PayPal-Request-Id': key };
  if (path === 'card') {
    const change = {
      expire_year: 2099,
      ...(variant === 'refused' ? { number: '4111111111111112' } : {}),
    };
    return shop.send('card.create', {
      headers,
      body: cardBody({ ...change, first_name: `Variant ${variant}` }),
    });
  }
  return shop.send('payment.create', {
    headers,
    body: paymentBody({
      cardId: variant === 'refused' ? 'NOT-THERE' : cardId,
      total: `${variant === 2 ? 2 : 1}.00`,
    }),
  });
}

function idOf({ body }: Reply<unknown>): unknown {
  return Reflect.get(Object(body), 'id');
}

async function countOf({ shop }: Client, path: Attempt['path']): Promise<number> {
  if (path === 'card') return (await shop.ask('card.list', 200)).total_items ?? Number.NaN;
  return shop.merchant.ledger().transfers.length;
}

onEveryTransport('a request id', (transport) => {
  it('creates one record for each merchant and path until it expires', () =>
    fc.assert(
      fc.asyncProperty(fc.array(attempt, { maxLength: 25, size: 'max' }), async (attempts) => {
        const clients = [await client(transport.shop()), await client(transport.shop())] as const;
        const known = new Map<string, { variant: unknown; id: unknown; untilMs: number }>();
        for (const { waitMs, ...one } of attempts) {
          const by = clients[one.merchant];
          const { clock } = by.shop.merchant;
          clock.advance(waitMs);
          const nowMs = Date.parse(clock.read().now);
          const before = await countOf(by, one.path);
          const reply = await send(by, one);
          const made = (await countOf(by, one.path)) - before;
          const place = `${one.merchant} ${one.path} ${one.key}`;
          const earlier = known.get(place);
          const live = earlier !== undefined && nowMs < earlier.untilMs ? earlier : undefined;
          if (live !== undefined && live.variant === one.variant) {
            expect([reply.status, idOf(reply), made]).toEqual([201, live.id, 0]);
            expect(reply.headers.get('sandbox-replayed')).toBe('true');
          } else if (live !== undefined || one.variant === 'refused') {
            expect([400, 404], reply.text).toContain(reply.status);
            expect(made).toBe(0);
          } else {
            expect([reply.status, made]).toEqual([201, 1]);
            expect([...known.values()].map(({ id }) => id)).not.toContain(idOf(reply));
            expect(reply.headers.has('sandbox-replayed')).toBe(false);
            known.set(place, {
              variant: one.variant,
              id: idOf(reply),
              untilMs: nowMs + retentionMs,
            });
          }
        }
      }),
      runsFor(transport.name, 40),
    ));

  it('returns the current record and moves no money', async () => {
    const { shop, cardId } = await client(transport.shop());
    const body = paymentBody({ cardId, total: '10.00' });
    const headers = { 'PayPal-Request-Id': 'pay' };
    const payment = await shop.ask('payment.create', 201, { body, headers });
    const related = payment.transactions[0]?.related_resources[0];
    const saleId = related !== undefined && 'sale' in related ? related.sale.id : '';
    const refund = {
      params: { sale_id: saleId },
      body: {},
      headers: { 'PayPal-Request-Id': 'back' },
    };
    const first = await shop.ask('sale.refund', 201, refund);
    shop.merchant.clock.advance(dayMs);
    const ledger = structuredClone(shop.merchant.ledger());
    expect(await shop.ask('sale.refund', 200, refund)).toEqual(first);
    const repeated = await shop.ask('payment.create', 201, { body, headers });
    expect(repeated).toEqual(
      await shop.ask('payment.get', 200, { params: { payment_id: payment.id } }),
    );
    expect(repeated.transactions[0]?.related_resources).toHaveLength(2);
    expect(shop.merchant.ledger()).toEqual(ledger);
  });
});

for (const name of transportNames) {
  it(`a request id creates one record from many parallel requests, however slow the first is (${name})`, async () => {
    let pauses: readonly number[] = [];
    let entered = 0;
    const pause = async () => {
      const turns = pauses[entered++ % Math.max(1, pauses.length)] ?? 0;
      for (let turn = 0; turn < turns; turn++)
        await new Promise((resolve) => setImmediate(resolve));
    };
    await withTransport(
      name,
      { hooks: { beforeRead: pause, beforeCommit: pause, afterCommit: pause } },
      (transport) =>
        fc.assert(
          fc.asyncProperty(
            fc.array(fc.nat({ max: 5 }), { minLength: 1, maxLength: 8 }),
            fc.array(
              fc.record({
                path: fc.constantFrom('card' as const, 'payment' as const),
                key: fc.constantFrom('a' as const, 'b' as const),
                variant: fc.constantFrom(1 as const, 1 as const, 2 as const),
              }),
              { minLength: 2, maxLength: 12 },
            ),
            async (turns, attempts) => {
              pauses = [];
              const by = await client(transport.shop());
              pauses = turns;
              entered = 0;
              const replies = await Promise.all(
                attempts.map(async (one) => ({ ...one, reply: await send(by, one) })),
              );
              pauses = [];
              for (const path of ['card', 'payment'] as const) {
                const ids = new Set<unknown>();
                for (const key of ['a', 'b'] as const) {
                  const same = replies.filter((one) => one.path === path && one.key === key);
                  const good = same.filter(({ reply }) => reply.status === 201);
                  expect(new Set(good.map(({ reply }) => idOf(reply))).size).toBe(
                    Math.min(1, same.length),
                  );
                  expect(new Set(good.map(({ variant }) => variant)).size).toBeLessThanOrEqual(1);
                  for (const { reply } of same) expect([201, 400, 409]).toContain(reply.status);
                  for (const { reply } of good) ids.add(idOf(reply));
                }
                expect(await countOf(by, path)).toBe(ids.size + (path === 'card' ? 1 : 0));
              }
            },
          ),
          runsFor(name, 60),
        ),
    );
  });
}
