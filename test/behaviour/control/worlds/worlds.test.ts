/** Snapshots, export and import over HTTP: what the verbs in process do, and every way they refuse. */
import { expect, it } from 'vitest';
import { testNow, onEveryTransport, type Shop } from '../../../support/transports.ts';
import { storeCard } from '../../../support/purchases.ts';
import { call } from '../call.ts';

const ofShop = (shop: Shop): string => `merchant=${shop.merchant.id}`;

onEveryTransport('snapshots over HTTP', (transport) => {
  it('are created, listed, restored more than once, and deleted', async () => {
    const shop = transport.shop();
    const of = ofShop(shop);
    const cardId = await storeCard(shop);
    const taken = await call(transport, `POST /_sandbox/snapshots?${of}`, { name: 'one-card' });
    expect(taken).toMatchObject({ status: 201, body: { name: 'one-card' } });
    const listed = await call(transport, `GET /_sandbox/snapshots?${of}`);
    expect(listed.body).toEqual([{ name: 'one-card', at: testNow, records: 1 }]);
    expect(listed.body).toEqual(shop.merchant.snapshots());
    for (let time = 0; time < 2; time++) {
      await shop.ask('card.delete', 204, { params: { card_id: cardId } });
      expect((await call(transport, `POST /_sandbox/snapshots/one-card?${of}`)).status).toBe(200);
      await shop.ask('card.get', 200, { params: { card_id: cardId } });
    }
    expect((await call(transport, `DELETE /_sandbox/snapshots/one-card?${of}`)).status).toBe(200);
    expect(shop.merchant.snapshots()).toEqual([]);
  });

  it('get a name if the request has none', async () => {
    const { body } = await call(
      transport,
      `POST /_sandbox/snapshots?${ofShop(transport.shop())}`,
      {},
    );
    expect(body).toEqual({ merchant: expect.any(String), name: 'snapshot-1' });
  });

  it.each<[string, number, object, unknown?]>([
    [
      'POST /_sandbox/snapshots',
      400,
      { error: 'invalid-name', place: 'body.name' },
      { name: 'a/b' },
    ],
    [
      'POST /_sandbox/snapshots',
      400,
      { error: 'unknown-key', place: 'body.nmae', nearest: 'name', allowed: ['name'] },
      { nmae: 'a' },
    ],
    ['POST /_sandbox/snapshots', 400, { error: 'invalid-body', place: 'body.name' }, { name: 1 }],
    ['POST /_sandbox/snapshots', 400, { error: 'malformed-json' }, '{'],
    ['POST /_sandbox/snapshots', 413, { error: 'body-too-large' }, { name: 'x'.repeat(70_000) }],
    ['POST /_sandbox/snapshots?nam=a', 400, { error: 'unknown-parameter' }, {}],
    ['POST /_sandbox/snapshots/a', 400, { error: 'invalid-body' }, { name: 'a' }],
    ['GET /_sandbox/snapshots/a', 405, { allowed: ['POST', 'DELETE'] }],
  ])('%s answers %i', async (line, status, answer, body) => {
    const refused = await call(transport, line, body);
    expect(refused).toMatchObject({ status, body: answer });
    expect(transport.sandbox.snapshots()).toEqual([]);
  });

  it.each([
    ['is no JSON', 'Content-Type', 'text/plain'],
    ['is compressed', 'Content-Encoding', 'gzip'],
  ])('415 refuses a body that %s', async (_what, header, value) => {
    const refused = await call(
      transport,
      'POST /_sandbox/snapshots',
      { name: 'a' },
      { [header]: value },
    );
    expect(refused).toMatchObject({
      status: 415,
      body: { error: 'unsupported-media-type', place: `header ${header}` },
    });
    expect(transport.sandbox.snapshots()).toEqual([]);
  });

  it.each(['POST', 'DELETE'])(
    '404 refuses an unknown snapshot and one of another merchant: %s',
    async (how) => {
      const [shop, other] = [transport.shop(), transport.shop()];
      shop.merchant.snapshot('seeded');
      const near = await call(transport, `${how} /_sandbox/snapshots/seded?${ofShop(shop)}`);
      expect(near).toMatchObject({
        status: 404,
        body: {
          error: 'unknown-snapshot',
          place: 'path.name',
          allowed: ['seeded'],
          nearest: 'seeded',
        },
      });
      const foreign = await call(transport, `${how} /_sandbox/snapshots/seeded?${ofShop(other)}`);
      expect(foreign).toMatchObject({ status: 404, body: { allowed: [] } });
      expect(shop.merchant.snapshots()).toHaveLength(1);
    },
  );
});

onEveryTransport(
  'a merchant with the maximum number of snapshots',
  (transport) => {
    it('403 refuses another snapshot', async () => {
      const shop = transport.shop();
      shop.merchant.snapshot();
      const { status, body } = await call(
        transport,
        `POST /_sandbox/snapshots?${ofShop(shop)}`,
        {},
      );
      expect(status).toBe(403);
      expect(body).toMatchObject({ error: 'snapshots-full', place: 'query.merchant' });
    });
  },
  { limits: { maxSnapshots: 1 } },
);

onEveryTransport('an exported world over HTTP', (transport) => {
  it('can be imported by another merchant, as in process', async () => {
    const [shop, other] = [transport.shop(), transport.shop()];
    const cardId = await storeCard(shop);
    const written = await call(transport, `GET /_sandbox/world?${ofShop(shop)}`);
    expect(written.body).toEqual(JSON.parse(JSON.stringify(shop.merchant.export())));
    const put = await call(transport, `PUT /_sandbox/world?${ofShop(other)}`, written.body);
    expect(put.status).toBe(200);
    await other.ask('card.get', 200, { params: { card_id: cardId } });
    expect(await storeCard(other)).toBe(await storeCard(shop));
  });

  it('may be larger than the limit of other bodies', async () => {
    const shop = transport.shop();
    for (let at = 0; at < 250; at++) {
      await storeCard(shop, { first_name: `Ada ${at}` });
    }
    const { body } = await call(transport, `GET /_sandbox/world?${ofShop(shop)}`);
    expect(JSON.stringify(body).length).toBeGreaterThan(65_536);
    const put = await call(transport, `PUT /_sandbox/world?${ofShop(shop)}`, body);
    expect(put.status).toBe(200);
    const other = await call(transport, `POST /_sandbox/world?${ofShop(shop)}`, body);
    expect(other.status).toBe(413);
  });

  it('400 names the place of every mistake, and changes nothing', async () => {
    const shop = transport.shop();
    const cardId = await storeCard(shop);
    const broken = JSON.parse(JSON.stringify(shop.merchant.export()));
    broken.records.cards.rows[0].record.brand = 'vsa';
    broken.clok = broken.clock;
    const { status, body } = await call(transport, `PUT /_sandbox/world?${ofShop(shop)}`, broken);
    expect(status).toBe(400);
    expect(body).toMatchObject({ error: 'invalid-export' });
    const { issues: mistakes } = Object(body);
    expect(mistakes).toContainEqual(
      expect.objectContaining({
        place: 'body.records.cards.rows[0].record.brand',
        nearest: 'visa',
      }),
    );
    expect(mistakes).toContainEqual(
      expect.objectContaining({ place: 'body.clok', nearest: 'clock' }),
    );
    await shop.ask('card.get', 200, { params: { card_id: cardId } });
  });

  it.each<[string, unknown, number, object]>([
    ['an empty document', {}, 400, { error: 'invalid-export', place: 'body.format' }],
    [
      'one of another version',
      { format: 'card-vault-sandbox/world', version: 2 },
      400,
      { error: 'invalid-export', place: 'body.version' },
    ],
    ['a list', [], 400, { error: 'invalid-body', place: 'body' }],
    ['no JSON', '{"format"', 400, { error: 'malformed-json' }],
    ['nothing', '', 400, { error: 'invalid-export' }],
  ])('400 refuses %s', async (_what, document, status, answer) => {
    const refused = await call(transport, 'PUT /_sandbox/world', document);
    expect(refused).toMatchObject({ status, body: answer });
  });

  it('415 refuses a body that is not JSON', async () => {
    const headers = { 'Content-Type': 'text/yaml' };
    expect((await call(transport, 'PUT /_sandbox/world', 'format: x', headers)).status).toBe(415);
  });

  it('409 refuses an export while a rule matches a card number, which no export may contain', async () => {
    const shop = transport.shop();
    shop.merchant.force({
      op: 'card.create',
      match: { number: '4111111111111111' },
      outcome: 'cvv-mismatch-declined',
    });
    const { status, body } = await call(transport, `GET /_sandbox/world?${ofShop(shop)}`);
    expect(status).toBe(409);
    expect(body).toMatchObject({ error: 'export-refused' });
    expect(JSON.stringify(body)).not.toContain('4111111111111111');
  });
});
