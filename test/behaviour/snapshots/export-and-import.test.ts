/** An imported world continues exactly like the exported one would have. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SandboxOptions, WorldExport } from '../../../src/index.ts';
import {
  transportNames,
  testNow,
  type TestTransport,
  type TransportName,
  type Shop,
} from '../../support/transports.ts';
import { withTransport, runsFor } from '../../properties/support/own-transport.ts';
import { cardBody } from '../../support/samples.ts';
import { authorize, capture, merchantBalanceMinor, storeCard } from '../../support/purchases.ts';
import {
  busyScenario,
  MerchantHistory,
  consistentHistories,
  type HistoryStep,
} from './merchant-history.ts';
import type { WorldDocument } from '../../../src/world/export/document.ts';
import { worldDocumentOf } from '../../support/worlds/world-document.ts';

const options = {
  baseUrl: 'https://shop.test',
  clock: { start: testNow, frozen: true },
  systemClock: { nowMs: () => Date.parse(testNow) },
};

/** The document as read from a file. */
const sent = (document: WorldExport): WorldExport => JSON.parse(JSON.stringify(document));

async function lived(
  transport: TestTransport,
  plays: boolean,
  acts: readonly HistoryStep[],
): Promise<MerchantHistory> {
  const history = new MerchantHistory(transport, 'merchant');
  if (plays) history.merchant.playScenario(busyScenario);
  return history.live(acts);
}

describe.each(transportNames)('an exported world (%s)', (name) => {
  it('continues byte for byte in a sandbox of the same seed, whatever that merchant did before', () =>
    fc.assert(
      fc.asyncProperty(
        consistentHistories,
        consistentHistories,
        fc.constantFrom('empty', 'default'),
        fc.boolean(),
        async (before, after, fixtures, plays) => {
          const [document, then, straight] = await withTransport(
            name,
            { ...options, fixtures },
            async (transport) => {
              const history = await lived(transport, plays, before);
              const exported = sent(history.merchant.export());
              expect(history.merchant.export(), 'the same world').toEqual(exported);
              const stayed = await history.at(transport).live(after);
              return [exported, history, stayed.transcript] as const;
            },
          );
          await withTransport(name, { ...options, fixtures: 'shop' }, async (transport) => {
            const merchant = transport.sandbox.merchant('merchant');
            merchant.import(document);
            const again = JSON.stringify(merchant.export());
            expect(again, 'nothing is lost on the way').toBe(JSON.stringify(document));
            const moved = await then.at(transport).live(after);
            expect(moved.transcript).toEqual(straight);
          });
        },
      ),
      runsFor(name, 60),
    ));
});

/** Uses two sandboxes with the same options. */
async function fromOneToOther<T>(
  use: (one: TestTransport, other: TestTransport) => Promise<T>,
  more: SandboxOptions = {},
  name: TransportName = 'in process',
): Promise<T> {
  return withTransport(name, { ...options, ...more }, (one) =>
    withTransport(name, { ...options, ...more }, (other) => use(one, other)),
  );
}

describe('an import', () => {
  it('continues the id streams of the exported merchant under any merchant id', () =>
    fromOneToOther(async (one, other) => {
      const [shop, copy] = [one.shop('shop'), other.shop('copy-of-it')];
      await storeCard(shop);
      copy.merchant.import(shop.merchant.export());
      expect(await storeCard(copy)).toBe(await storeCard(shop));
      expect(worldDocumentOf(copy.merchant).origin).toEqual({ seed: 'test', merchant: 'shop' });
    }));

  it('accepts an authorization that was captured for more than its amount', () =>
    fromOneToOther(async (one, other) => {
      const [shop, copy] = [one.shop('shop'), other.shop('shop')];
      const { id } = await authorize(shop, { total: '100.00' });
      await capture(shop, id, '115.00');
      copy.merchant.import(shop.merchant.export());
      expect(merchantBalanceMinor(copy)).toBe(115_00);
    }));

  it('keeps its own seed in a sandbox with another one', () =>
    withTransport('in process', options, (one) =>
      withTransport('in process', { ...options, seed: 'another' }, async (other) => {
        const [shop, copy] = [one.shop('shop'), other.shop('shop')];
        copy.merchant.import(shop.merchant.export());
        expect(await storeCard(copy)).toBe(await storeCard(shop));
        copy.merchant.reset();
        expect(await storeCard(copy), 'a reset is of this sandbox').not.toBe(await storeCard(shop));
      }),
    ));

  it('accepts any body for the first repeat of a request id, and compares later ones with it', () =>
    fromOneToOther(async (one, other) => {
      const [shop, copy] = [one.shop('shop'), other.shop('shop')];
      const headers = { 'PayPal-Request-Id': 'once' };
      const store = (at: Shop, name: string) =>
        at.send('card.create', { body: cardBody({ first_name: name }), headers });
      const first = await store(shop, 'Ada');
      copy.merchant.import(shop.merchant.export());
      expect((await store(copy, 'Grace')).body, 'the first repeat').toEqual(first.body);
      expect((await store(copy, 'Grace')).status).toBe(201);
      expect((await store(copy, 'Ada')).body).toMatchObject({ name: 'DUPLICATE_REQUEST_ID' });
    }));

  it('keeps the remaining lifetime of armed rules, and a running clock follows the real time', () => {
    let nowMs = Date.parse(testNow);
    const more = { clock: {}, systemClock: { nowMs: () => nowMs } };
    return fromOneToOther(async (one, other) => {
      const [shop, copy] = [one.shop('shop'), other.shop('shop')];
      shop.merchant.force({ op: 'card.create', outcome: 'error-500-after-commit', ttlMs: 1000 });
      nowMs += 900;
      shop.merchant.clock.advance(5000);
      const document = shop.merchant.export();
      nowMs += 60_000;
      copy.merchant.import(document);
      expect(Date.parse(copy.merchant.clock.read().now)).toBe(nowMs + 5000);
      nowMs += 99;
      await copy.ask('card.create', 500, { body: cardBody() });
      copy.merchant.import(document);
      nowMs += 100;
      await copy.ask('card.create', 201, { body: cardBody() });
    }, more);
  });

  it('never lets a clock run backwards on a machine with an earlier clock', () => {
    let nowMs = Date.parse(testNow);
    return fromOneToOther(
      async (one, other) => {
        const [shop, copy] = [one.shop('shop'), other.shop('shop')];
        const document = shop.merchant.export();
        nowMs -= 3_600_000;
        copy.merchant.import(document);
        expect(copy.merchant.clock.read().now).toBe(testNow);
      },
      { clock: {}, systemClock: { nowMs: () => nowMs } },
    );
  });

  it('shares nothing with its document, and neither does an export', () =>
    fromOneToOther(async (one) => {
      const shop = one.shop('shop');
      await storeCard(shop, { first_name: 'Ada' });
      const document = shop.merchant.export();
      const blank = (of: WorldExport) => {
        // An export is the whole document.
        for (const { record } of (of as WorldDocument).records.cards.rows)
          Object.assign(record, { firstName: 'Eve' });
      };
      blank(document);
      const [row] = worldDocumentOf(shop.merchant).records.cards.rows;
      expect(row?.record.firstName).toBe('Ada');
      const again = shop.merchant.export();
      shop.merchant.import(again);
      blank(again);
      expect(worldDocumentOf(shop.merchant).records.cards.rows[0]?.record.firstName).toBe('Ada');
    }));

  it("keeps the merchant's snapshots, and needs capacity for a new merchant", () =>
    fromOneToOther(
      async (one) => {
        const shop = one.shop('shop');
        const document = shop.merchant.export();
        shop.merchant.snapshot('before');
        shop.merchant.import(document);
        expect(shop.merchant.snapshots().map(({ name }) => name)).toEqual(['before']);
        expect(() => {
          one.sandbox.merchant('another').import(document);
        }).toThrow('This sandbox holds 1 merchants');
      },
      { limits: { maxMerchants: 1 } },
    ));
});
