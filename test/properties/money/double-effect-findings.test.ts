/**
 * The verdict blames clients that retry with a new request id while in doubt, and no client that
 * keeps its request ids.
 */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { see, type Seen } from '../../behaviour/forcing/tolerant-client.ts';
import { onEveryTransport, type Shop } from '../../support/transports.ts';
import { saleOf, storeCard, type PaymentReply } from '../../support/purchases.ts';
import { paymentBody } from '../../support/samples.ts';
import { foundIn } from '../../behaviour/verdict/support/findings.ts';
import { rewriteBody } from '../../behaviour/verdict/support/equivalent-body.ts';
import { keyed, onTestTime } from '../../behaviour/verdict/support/payment-attempts.ts';
import { runsFor } from '../support/own-transport.ts';
import type { OutcomeId } from '../../../src/outcomes/outcome-id.ts';

/** Outcomes after which a client retries: it cannot know the result, or nothing was executed. */
const again = [
  'reset-after-commit',
  'close-after-commit',
  'error-500-before-commit',
  'error-500-after-commit',
  'rate-limited-no-header',
  'token-expired',
] as const;

interface Work {
  readonly op: 'payment.create' | 'sale.refund';
  /** The outcomes of the attempts, in order; the attempt after them succeeds. */
  readonly meets: readonly OutcomeId[];
  readonly waitMs: number;
}

const someWait = fc.constantFrom(0, 1_000, 119_000, 121_000, 3_600_000);

const works: fc.Arbitrary<readonly Work[]> = fc.array(
  fc.record({
    op: fc.constantFrom('payment.create' as const, 'sale.refund' as const),
    meets: fc.array(fc.constantFrom(...again), { maxLength: 3 }),
    waitMs: someWait,
  }),
  { maxLength: 8 },
);

/** Sells the same to the same card each time, or refunds the same part of one sale. */
class Worker {
  readonly #shop: Shop;
  readonly #body: Record<string, unknown>;
  #sold = '';
  #keys = 0;

  private constructor(shop: Shop, body: Record<string, unknown>) {
    this.#shop = shop;
    this.#body = body;
  }

  static async at(shop: Shop, custom: string | undefined): Promise<Worker> {
    const transaction = custom === undefined ? {} : { custom };
    const cardId = await storeCard(shop);
    const worker = new Worker(shop, paymentBody({ cardId, total: '30.00', transaction }));
    const { text } = await worker.try('payment.create', worker.newKey());
    const paid: PaymentReply = JSON.parse(text);
    worker.#sold = saleOf(paid).id;
    return worker;
  }

  newKey(): string {
    return `key-${this.#keys++}`;
  }

  wait(ms: number): void {
    if (ms > 0) this.#shop.merchant.clock.advance(ms);
  }

  /** Sends the same body, or the same data written differently. */
  try(op: Work['op'], key: string, meets?: OutcomeId, isRespelled = false): Promise<Seen> {
    if (meets !== undefined) {
      this.#shop.merchant.force({ op, outcome: meets, per: 'merchant' });
    }
    const headers = keyed(key);
    const path = op === 'payment.create' ? {} : { path: `/v1/payments/sale/${this.#sold}/refund` };
    const meant =
      op === 'payment.create' ? this.#body : { amount: { total: '1.00', currency: 'USD' } };
    return see(this.#shop, op, {
      ...path,
      body: isRespelled ? rewriteBody(meant) : meant,
      headers,
    });
  }

  /** Retries with one request id until success; yields after each attempt. */
  async *tries({ op, meets, waitMs }: Work): AsyncGenerator<void> {
    const key = this.newKey();
    for (const outcome of [...meets, undefined]) {
      this.wait(waitMs);
      await this.try(op, key, outcome);
      yield;
    }
  }

  async do(work: Work): Promise<void> {
    for await (const _ of this.tries(work));
  }

  /** Runs several in parallel, one attempt at a time. */
  async doTogether(all: readonly Work[], nextTurn: () => number): Promise<void> {
    const running = all.map((work) => this.tries(work));
    while (running.length > 0) {
      const place = nextTurn() % running.length;
      if ((await running[place]?.next())?.done === true) running.splice(place, 1);
    }
  }
}

const custom = fc.constantFrom(undefined, 'web');

async function surelyTwice(shop: Shop): Promise<string[]> {
  return (await foundIn(shop)).filter((name) => /^critical double-(?:charge|refund)$/.test(name));
}

async function surelyToBlame(shop: Shop): Promise<string[]> {
  return (await foundIn(shop)).filter((name) => /^(?:critical|high) /.test(name));
}

onEveryTransport(
  'a double charge or refund',
  (transport) => {
    it('is not reported when each attempt repeats its request id', () =>
      fc.assert(
        fc.asyncProperty(custom, works, async (words, all) => {
          const shop = transport.shop();
          const worker = await Worker.at(shop, words);
          for (const work of all) await worker.do(work);
          expect(await surelyTwice(shop)).toEqual([]);
        }),
        runsFor(transport.name, 60),
      ));

    it('is not reported for parallel work with late retries', () =>
      fc.assert(
        fc.asyncProperty(custom, works, fc.infiniteStream(fc.nat(7)), async (words, all, turns) => {
          const shop = transport.shop();
          const worker = await Worker.at(shop, words);
          await worker.doTogether(all, () => turns.next().value);
          expect(await surelyToBlame(shop)).toEqual([]);
        }),
        runsFor(transport.name, 100),
      ));

    it('is reported when a client retries with a new id before it could know the result', () =>
      fc.assert(
        fc.asyncProperty(
          custom,
          works,
          works,
          fc.constantFrom('payment.create' as const, 'sale.refund' as const),
          fc.constantFrom('reset-after-commit', 'error-500-after-commit'),
          fc.integer({ min: 0, max: 119_000 }),
          fc.boolean(),
          async (words, before, after, op, outcome, waitMs, isRespelled) => {
            const shop = transport.shop();
            const worker = await Worker.at(shop, words);
            for (const work of before) await worker.do(work);
            await worker.try(op, worker.newKey(), outcome);
            worker.wait(waitMs);
            await worker.try(op, worker.newKey(), undefined, isRespelled);
            for (const work of after) await worker.do(work);
            const rule = op === 'payment.create' ? 'double-charge' : 'double-refund';
            expect(await surelyTwice(shop)).toEqual([`critical ${rule}`]);
          },
        ),
        runsFor(transport.name, 60),
      ));
  },
  onTestTime,
);
