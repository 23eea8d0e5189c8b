/** Snapshots as verbs: names, limits, content and lifetime. */
import { describe, expect, it } from 'vitest';
import { createSandbox, SnapshotError, type Merchant } from '../../../src/index.ts';
import { call } from '../control/call.ts';
import { testNow, onEveryTransport } from '../../support/transports.ts';
import { storeCard } from '../../support/purchases.ts';
import { cardBody } from '../../support/samples.ts';
import { Gate } from '../../support/gate.ts';
import { withTransport } from '../../properties/support/own-transport.ts';

const newMerchant = (limits = {}): Merchant =>
  createSandbox({ fixtures: 'empty', clock: { start: testNow, frozen: true }, limits }).merchant(
    'shop',
  );

function mistakeOf(use: () => unknown): SnapshotError {
  try {
    use();
  } catch (mistake) {
    if (mistake instanceof SnapshotError) return mistake;
    throw mistake;
  }
  throw new Error('It was taken.');
}

const namesOf = (merchant: Merchant) => merchant.snapshots().map(({ name }) => name);

describe('a snapshot name', () => {
  it('is chosen if omitted, and never one in use', () => {
    const merchant = newMerchant();
    merchant.snapshot('snapshot-2');
    expect([merchant.snapshot(), merchant.snapshot()]).toEqual(['snapshot-1', 'snapshot-3']);
  });

  it('can be reused: the new snapshot replaces the old one and moves to the end', () => {
    const merchant = newMerchant();
    merchant.snapshot('one');
    merchant.snapshot('two');
    merchant.clock.advance(1000);
    expect(merchant.snapshot('one')).toBe('one');
    expect(merchant.snapshots()).toEqual([
      { name: 'two', at: '2026-05-06T07:08:09.123Z', records: 0 },
      { name: 'one', at: '2026-05-06T07:08:10.123Z', records: 0 },
    ]);
  });

  it.each(['', '.', '..', 'a/b', 'a b', '-a', 'é', 'a'.repeat(129)])('cannot be %j', (name) => {
    const merchant = newMerchant();
    const mistake = mistakeOf(() => merchant.snapshot(name));
    expect(mistake.code).toBe('invalid-name');
    expect(mistake.message).toBe(
      'Invalid snapshot name. Use 1 to 128 letters, digits and . _ ~ @ + -, starting with a letter or digit.',
    );
    expect(merchant.snapshots()).toEqual([]);
  });

  it.each(['constructor', 'toString'])('can be %s', (name) => {
    const merchant = newMerchant();
    expect(mistakeOf(() => merchant.restore(name)).code).toBe('unknown-snapshot');
    merchant.snapshot(name);
    merchant.restore(name);
    expect(namesOf(merchant)).toEqual([name]);
  });

  it('is reported with the nearest and all existing names if it is unknown', () => {
    const merchant = newMerchant();
    expect(mistakeOf(() => merchant.restore('seeded')).message).toBe(
      'The merchant shop has no snapshot "seeded". Known: none yet.',
    );
    merchant.snapshot('seeded');
    merchant.snapshot('paid');
    for (const ask of [() => merchant.restore('seded'), () => merchant.dropSnapshot('seded')]) {
      const mistake = mistakeOf(ask);
      expect(mistake).toMatchObject({
        name: 'SnapshotError',
        code: 'unknown-snapshot',
        allowed: ['seeded', 'paid'],
        nearest: 'seeded',
        message:
          'The merchant shop has no snapshot "seded". Did you mean "seeded"? Known: seeded, paid.',
      });
    }
    expect(namesOf(merchant)).toEqual(['seeded', 'paid']);
  });
});

describe('snapshots', () => {
  it('are limited for each merchant, with an explanation of what to do', () => {
    const merchant = newMerchant({ maxSnapshots: 2 });
    merchant.snapshot('one');
    merchant.snapshot('two');
    const mistake = mistakeOf(() => merchant.snapshot('three'));
    expect(mistake.code).toBe('snapshots-full');
    expect(mistake.message).toBe(
      'The merchant shop has reached the limit of 2 snapshots (limits.maxSnapshots). Drop one first, or reuse the name of one that you no longer need.',
    );
    expect(merchant.snapshot('one')).toBe('one');
    merchant.dropSnapshot('two');
    expect(merchant.snapshot('three')).toBe('three');
    expect(namesOf(merchant)).toEqual(['one', 'three']);
  });

  it('are limited to 100 by default', () => {
    const merchant = newMerchant();
    for (let at = 0; at < 100; at++) merchant.snapshot();
    expect(mistakeOf(() => merchant.snapshot()).code).toBe('snapshots-full');
  });
});

onEveryTransport('snapshots', (transport) => {
  it('survive a reset and a scenario, and belong to one merchant', async () => {
    const [shop, other] = [transport.shop(), transport.shop()];
    const id = await storeCard(shop);
    shop.merchant.snapshot('one-card');
    shop.merchant.reset();
    shop.merchant.playScenario('dunning');
    expect(other.merchant.snapshots()).toEqual([]);
    expect(mistakeOf(() => other.merchant.restore('one-card')).code).toBe('unknown-snapshot');
    shop.merchant.restore('one-card');
    expect((await shop.ask('card.get', 200, { params: { card_id: id } })).id).toBe(id);
    expect(shop.merchant.rules()).toEqual([]);
    expect(shop.merchant.clock.read()).toEqual({ now: testNow, frozen: true });
  });

  it('are removed with their merchant', () => {
    const { merchant } = transport.shop();
    merchant.snapshot();
    transport.sandbox.deleteMerchant(merchant.id);
    expect(merchant.snapshots()).toEqual([]);
  });

  it('survive a reset of all merchants, which keeps the merchants that have some', async () => {
    const [shop, other] = [transport.shop(), transport.shop()];
    const id = await storeCard(shop);
    await storeCard(other);
    shop.merchant.snapshot('one-card');
    expect((await call(transport, 'POST /_sandbox/reset?all=true')).status).toBe(200);
    expect(namesOf(shop.merchant)).toEqual(['one-card']);
    expect(transport.sandbox.merchants()).toContain(shop.merchant.id);
    expect(transport.sandbox.merchants()).not.toContain(other.merchant.id);
    expect((await shop.ask('card.list', 200)).total_items).toBe(0);
    shop.merchant.restore('one-card');
    expect((await shop.ask('card.get', 200, { params: { card_id: id } })).id).toBe(id);
    shop.merchant.dropSnapshot('one-card');
    transport.sandbox.all.reset();
    expect(transport.sandbox.merchants()).not.toContain(shop.merchant.id);
  });

  it('keep fired rules, used test cards and a moved clock', async () => {
    const shop = transport.shop();
    const store = () => shop.send('card.create', { body: cardBody() });
    shop.merchant.force({
      op: 'card.create',
      outcome: 'error-500-after-commit',
      times: 2,
      per: 'merchant',
    });
    expect((await store()).status).toBe(500);
    shop.merchant.snapshot('half');
    const [next] = shop.merchant.generateCards();
    for (let time = 0; time < 3; time++) {
      shop.merchant.restore('half');
      expect(shop.merchant.rules()[0]).toMatchObject({ met: 1, fired: 1 });
      expect([(await store()).status, (await store()).status]).toEqual([500, 201]);
      expect(shop.merchant.generateCards()[0]).toEqual(next);
      shop.merchant.clock.advance(1000);
      expect(shop.merchant.clock.read().now).toBe('2026-05-06T07:08:10.123Z');
    }
  });

  it('do not keep the journal', async () => {
    const shop = transport.shop();
    await storeCard(shop);
    shop.merchant.snapshot('one-card');
    shop.merchant.restore('one-card');
    expect(shop.merchant.journal()).toEqual({ dropped: 0, entries: [] });
  });
});

it('a restore ends waits, like a reset', async () => {
  const merchant = newMerchant();
  merchant.snapshot('empty');
  const waited = merchant.waitFor({ operation: 'card.create' });
  merchant.restore('empty');
  await expect(waited).rejects.toThrow('was reset');
});

it('a running request finishes in the old world and does not claim its request id in the restored one', async () => {
  const gate = new Gate();
  await withTransport('in process', { hooks: { beforeCommit: gate.pass } }, async (transport) => {
    const shop = transport.shop();
    const store = () =>
      shop.send('card.create', { body: cardBody(), headers: { 'PayPal-Request-Id': 'once' } });
    const standing = gate.close();
    const first = store();
    await standing;
    shop.merchant.snapshot('under-way');
    shop.merchant.restore('under-way');
    gate.open();
    expect((await first).status).toBe(201);
    expect((await shop.ask('card.list', 200)).total_items).toBe(0);
    const second = await store();
    expect(second.headers.get('sandbox-replayed')).toBeNull();
    expect((await shop.ask('card.list', 200)).total_items).toBe(1);
    expect((await store()).body).toEqual(second.body);
  });
});

it('the lifetime of armed rules does not run while their world is saved', async () => {
  let nowMs = Date.parse(testNow);
  await withTransport(
    'in process',
    { clock: {}, systemClock: { nowMs: () => nowMs } },
    async (transport) => {
      const shop = transport.shop();
      shop.merchant.force({ op: 'card.create', outcome: 'error-500-after-commit', ttlMs: 1000 });
      nowMs += 400;
      shop.merchant.clock.advance(5000);
      shop.merchant.snapshot('armed');
      shop.merchant.clock.advance(5000);
      nowMs += 60_000;
      shop.merchant.restore('armed');
      expect(Date.parse(shop.merchant.clock.read().now), 'a clock that runs keeps up').toBe(
        nowMs + 5000,
      );
      nowMs += 599;
      await shop.ask('card.create', 500, { body: cardBody() });
      shop.merchant.restore('armed');
      nowMs += 600;
      await shop.ask('card.create', 201, { body: cardBody() });
    },
  );
});
