/** A response to HEAD has no body that could be sent, damaged or counted. */
import { expect, it } from 'vitest';
import { request } from '../../bad-input/raw-socket.ts';
import { TestTransport, onEveryTransport, type Shop } from '../../../support/transports.ts';
import { storeCard } from '../../../support/purchases.ts';
import { Line } from './tcp-client.ts';
import type { OutcomeId } from '../../../../src/outcomes/outcome-id.ts';

/** Some outcomes of each kind: they damage a body, slow it down or rewrite it. */
const ofBodies: readonly OutcomeId[] = [
  'malformed-chunk',
  'truncated-body',
  'truncated-json',
  'empty-body-200',
  'wrong-content-encoding',
  'slow-dribble',
  'unknown-field-added',
  'id-format-longer',
];

/** Sends a HEAD request for a new card. */
async function headOf(
  transport: TestTransport,
  shop: Shop,
  headers: Readonly<Record<string, string>> = {},
) {
  const path = `/v1/vault/credit-cards/${await storeCard(shop)}`;
  return transport.fetch(transport.base + path, {
    method: 'HEAD',
    headers: { Authorization: `Bearer ${shop.merchant.token}`, ...headers },
  });
}

async function expectJournaledWhole({ merchant }: Shop): Promise<void> {
  const [entry] = await merchant.waitFor({ operation: 'card.get' });
  expect(entry).toMatchObject({
    method: 'HEAD',
    status: 200,
    concludes: 'OK',
    delivery: { state: 'delivered', bytesTotal: 0, bytesDelivered: 0 },
  });
  expect(entry?.response).toBeUndefined();
}

onEveryTransport('HEAD', (transport) => {
  it.each(ofBodies)('does not use up a rule for %s, which needs a body', async (outcome) => {
    const shop = transport.shop();
    const [id] = shop.merchant.force({ op: 'card.get', outcome });
    const answer = await headOf(transport, shop);
    expect([answer.status, await answer.text()]).toEqual([200, '']);
    expect(answer.headers.get('sandbox-outcome')).toBeNull();
    await expectJournaledWhole(shop);
    expect(shop.merchant.unfired()).toMatchObject([
      { id, met: 0, fired: 0, lastMiss: 'the response has no body' },
    ]);
  });

  it.each(ofBodies)('reports that the header for %s cannot apply', async (id) => {
    const shop = transport.shop();
    const answer = await headOf(transport, shop, { 'Sandbox-Outcome': id });
    expect([answer.status, answer.headers.get('sandbox-outcome')]).toEqual([
      200,
      'not-forced; by=header',
    ]);
    await expectJournaledWhole(shop);
  });

  it('is journaled with the headers that were sent', async () => {
    const shop = transport.shop();
    shop.merchant.force({ op: 'card.get', outcome: 'deprecation-headers' });
    const answer = await headOf(transport, shop);
    expect(answer.headers.get('sandbox-outcome')).toBe('deprecation-headers; by=armed');
    await expectJournaledWhole(shop);
  });

  it('can be lost like any other response', async () => {
    const shop = transport.shop();
    shop.merchant.force({ op: 'card.list', outcome: 'garbage-then-close' });
    const asked = transport.fetch(`${transport.base}/v1/vault/credit-cards`, {
      method: 'HEAD',
      headers: { Authorization: `Bearer ${shop.merchant.token}` },
    });
    await expect(asked).rejects.toThrow('fetch failed');
    const [entry] = await shop.merchant.waitFor({ operation: 'card.list' });
    expect(entry).toMatchObject({ concludes: 'UNKNOWN', delivery: { state: 'lost' } });
  });
});

it.each(['malformed-chunk', 'truncated-body', 'slow-dribble'] as const)(
  'HEAD leaves the connection usable for the next request: %s',
  async (outcome) => {
    const transport = new TestTransport('socket', {});
    await transport.open();
    const shop = transport.shop();
    const path = `/v1/vault/credit-cards/${await storeCard(shop)}`;
    shop.merchant.force({ op: 'card.get', outcome });
    const line = new Line(transport);
    line.send(request(shop, { method: 'HEAD', path }));
    await expect.poll(() => line.text).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]*\r\n\r\n$/);
    const head = line.text;
    line.send(request(shop, { path: '/v1/vault/credit-cards/CARD-0AA00000AA0000000AAAAAAA' }));
    await expect.poll(() => line.text.slice(head.length)).toMatch(/^HTTP\/1\.1 404 /);
    line.leave();
    await transport.close();
  },
);
