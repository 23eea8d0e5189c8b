/** Findings about the use of the protocol. Each has a story that causes it and a close one that does not. */
import { expect, it } from 'vitest';
import { see } from '../../forcing/tolerant-client.ts';
import { onEveryTransport, type Shop } from '../../../support/transports.ts';
import { pay, storeCard } from '../../../support/purchases.ts';
import { cardBody, pans, paymentBody } from '../../../support/samples.ts';
import { findingOf, foundIn, namesOf } from '../support/findings.ts';
import type { OutcomeId } from '../../../../src/outcomes/outcome-id.ts';

const key = (id: string) => ({ 'PayPal-Request-Id': id });
const owned = { external_customer_id: 'buyer-7' };
const body = cardBody(owned);
const others = [
  { number: pans.mastercard, type: 'mastercard' },
  { number: pans.discover, type: 'discover' },
];

/** Stores a card after two others of the same customer, and waits. */
async function storeThree(shop: Shop): Promise<string> {
  for (const other of others) await storeCard(shop, { ...owned, ...other });
  const last = await storeCard(shop, owned);
  shop.merchant.clock.advance(3_600_000);
  return last;
}

onEveryTransport('a list that is taken for complete', (transport) => {
  const page = { page_size: '2', external_customer_id: 'buyer-7' };

  it('is reported if a card of the next page is stored again', async () => {
    const shop = transport.shop();
    const last = await storeThree(shop);
    await shop.ask('card.list', 200, { query: page });
    const again = await storeCard(shop, owned);
    const verdict = await shop.merchant.verdict();
    expect(namesOf(verdict)).toEqual(['medium ignores-next-link']);
    const { what, evidence } = findingOf(verdict, 'ignores-next-link');
    expect(what).toContain(last);
    expect(evidence.length).toBe(3);
    expect(again).not.toBe(last);
  });

  it('is not reported if the next link was followed or a filter excluded the card', async () => {
    const shop = transport.shop();
    await storeThree(shop);
    const { links } = await shop.ask('card.list', 200, { query: page });
    const next = links.find(({ rel }) => rel === 'next');
    if (next === undefined) throw new Error('There is no next page.');
    await shop.follow(next);
    await storeCard(shop, owned);
    await shop.ask('card.list', 200, { query: { external_customer_id: 'another-customer' } });
    await storeCard(shop, owned);
    expect(await foundIn(shop)).toEqual([]);
  });

  it('is not reported for deleted cards or cards without a customer', async () => {
    const shop = transport.shop();
    const last = await storeThree(shop);
    await shop.ask('card.delete', 204, { params: { card_id: last } });
    await shop.ask('card.list', 200, { query: page });
    await storeCard(shop, owned);
    const other = transport.shop();
    for (let cards = 0; cards < 3; cards++) await storeCard(other);
    await other.ask('card.list', 200, { query: { page_size: '2' } });
    await storeCard(other);
    expect([...(await foundIn(shop)), ...(await foundIn(other))]).toEqual([]);
  });
});

onEveryTransport('a list that is taken for proof', (transport) => {
  async function storeUnsure(shop: Shop, keys: readonly [string, string]): Promise<void> {
    shop.merchant.force({ op: 'card.create', outcome: 'error-500-before-commit' });
    await shop.send('card.create', { body, headers: key(keys[0]) });
    await shop.ask('card.list', 200, { query: owned });
    await shop.ask('card.create', 201, { body, headers: key(keys[1]) });
  }

  it('is reported if something is created again with another request id', async () => {
    const shop = transport.shop();
    await storeUnsure(shop, ['one', 'two']);
    const verdict = await shop.merchant.verdict();
    expect(namesOf(verdict)).toContain('medium list-as-proof-of-absence');
    expect(findingOf(verdict, 'list-as-proof-of-absence').evidence.length).toBe(3);
  });

  it.each([
    ['is not reported if the list was read a minute after the request', 60_000, false],
    ['is reported if it was read sooner', 59_000, true],
  ])('%s', async (_, afterMs, isFound) => {
    const shop = transport.shop();
    shop.merchant.force({ op: 'card.create', outcome: 'error-500-before-commit' });
    await shop.send('card.create', { body, headers: key('one') });
    shop.merchant.clock.advance(afterMs);
    await shop.ask('card.list', 200, { query: owned });
    await shop.ask('card.create', 201, { body, headers: key('two') });
    const found = await foundIn(shop);
    expect(found.includes('medium list-as-proof-of-absence'), found.join()).toBe(isFound);
  });

  it('is not reported if the retry is safe or the list showed the record', async () => {
    const shop = transport.shop();
    await storeUnsure(shop, ['one', 'one']);
    const other = transport.shop();
    other.merchant.force({ op: 'card.create', outcome: 'error-500-after-commit' });
    await other.send('card.create', { body });
    await other.ask('card.list', 200, { query: owned });
    await other.ask('card.create', 201, { body });
    const found = [...(await foundIn(shop)), ...(await foundIn(other))];
    expect(found).not.toContain('medium list-as-proof-of-absence');
  });
});

onEveryTransport('a list of payments that is read once as proof', (transport) => {
  it.each<[string, OutcomeId | undefined, Readonly<Record<string, string>>, string[]]>([
    [
      'is reported for a payment that names an order',
      'reset-after-commit',
      { custom: 'order-7' },
      ['medium'],
    ],
    ['is not reported for a payment without names', 'reset-after-commit', {}, []],
    ['is not reported if the first payment was answered', undefined, { custom: 'order-7' }, []],
  ])('%s', async (_, outcome, transaction, found) => {
    const shop = transport.shop();
    const cardId = await storeCard(shop);
    const payAs = (name: string) =>
      see(shop, 'payment.create', {
        body: paymentBody({ cardId, transaction }),
        headers: key(name),
      });
    if (outcome !== undefined) shop.merchant.force({ op: 'payment.create', outcome });
    shop.merchant.force({ op: 'payment.list', outcome: 'list-lags-create' });
    await payAs('one');
    expect((await shop.ask('payment.list', 200, {})).payments).toEqual([]);
    await payAs('two');
    const lists = (await shop.merchant.verdict()).findings.filter(
      ({ rule }) => rule === 'list-as-proof-of-absence',
    );
    expect(lists.map(({ severity }) => severity)).toEqual(found);
  });
});

onEveryTransport('a URL built by hand', (transport) => {
  it('is reported if the link in the answer differs', async () => {
    const shop = transport.shop();
    const payment = await pay(shop);
    await shop.ask('payment.get', 200, {
      params: { payment_id: payment.id },
      path: '/v1/payments/payment/{payment_id}/',
    });
    await storeThree(shop);
    await shop.ask('card.list', 200, { query: { page_size: '2' } });
    await shop.ask('card.list', 200, { query: { page_size: '2', page: '2' } });
    const found = (await foundIn(shop)).filter((one) => one.endsWith('hand-built-url'));
    expect(found).toEqual(['info hand-built-url', 'info hand-built-url']);
  });

  it('is not reported for both spellings of the vault, or for a collection', async () => {
    const shop = transport.shop();
    const params = { card_id: await storeCard(shop) };
    await shop.ask('card.get', 200, { params });
    await shop.ask('card.get', 200, { params, path: '/v1/vault/credit-card/{card_id}' });
    await shop.ask('card.list', 200, { path: '/v1/vault/credit-cards/', query: { page: '2' } });
    expect(await foundIn(shop)).toEqual([]);
  });
});

onEveryTransport('a deletion', (transport) => {
  it('is reported if it is repeated at once, but not after a while', async () => {
    const shop = transport.shop();
    await shop.send('token.create', {
      body: new TextEncoder().encode('x=1'),
      headers: { 'Content-Type': 'text/x' },
    });
    const params = { card_id: await storeCard(shop) };
    await shop.ask('card.delete', 204, { params });
    shop.merchant.clock.advance(5_001);
    await shop.ask('card.delete', 404, { params });
    expect(await foundIn(shop)).toEqual([]);
    const again = { card_id: await storeCard(shop) };
    await shop.ask('card.delete', 204, { params: again });
    await shop.ask('card.delete', 404, { params: again });
    expect(await foundIn(shop)).toEqual(['medium mishandles-204']);
  });

  it.each([
    ['the worker deleted another card in between', 'before', ['low mishandles-204']],
    ['the worker deleted another card once, afterwards', 'after', ['low mishandles-204']],
    ['the worker deleted nothing else', 'never', ['medium mishandles-204']],
  ])('that a queue delivers twice is judged: %s', async (_, when, expected) => {
    const shop = transport.shop();
    const [params, other] = [
      { card_id: await storeCard(shop) },
      { card_id: await storeCard(shop, { number: pans.mastercard, type: 'mastercard' }) },
    ];
    await shop.ask('card.delete', 204, { params });
    if (when === 'before') await shop.ask('card.delete', 204, { params: other });
    await shop.ask('card.delete', 404, { params });
    if (when === 'after') await shop.ask('card.delete', 204, { params: other });
    expect(await foundIn(shop)).toEqual(expected);
  });

  it.each([
    ['takes another 204 for success', [1, 2], ['low mishandles-204']],
    ['repeats each deletion', [2, 2], ['medium mishandles-204', 'medium mishandles-204']],
  ])('that a test repeats in its cleanup is a remark if it %s', async (_, times, expected) => {
    const shop = transport.shop();
    for (const count of times) {
      const params = { card_id: await storeCard(shop) };
      await shop.ask('card.delete', 204, { params });
      for (let at = 1; at < count; at++) await shop.ask('card.delete', 404, { params });
    }
    const found = (await foundIn(shop)).filter((one) => one.endsWith('mishandles-204'));
    expect(found).toEqual(expected);
  });

  it.each([
    ['two processes with a token each', 'each', ['low mishandles-204']],
    ['one process with one token', 'one', ['medium mishandles-204']],
  ])('that %s send is judged', async (_, tokens, expected) => {
    const shop = transport.shop();
    const params = { card_id: await storeCard(shop) };
    const newToken = async (): Promise<string> => {
      const form = { body: 'grant_type=client_credentials' };
      return `Bearer ${(await shop.ask('token.create', 200, form)).access_token}`;
    };
    const first = await newToken();
    const second = tokens === 'each' ? await newToken() : first;
    for (const authorization of [first, second]) {
      await shop.ask('card.list', 200, { authorization });
    }
    await shop.ask('card.delete', 204, { params, authorization: first });
    await shop.ask('card.delete', 404, { params, authorization: second });
    const found = (await foundIn(shop)).filter((one) => one.endsWith('mishandles-204'));
    expect(found).toEqual(expected);
  });

  it.each([
    ['a stale list shows the card once more', 'stale-read-after-delete', []],
    ['a list that was read before had shown the card', undefined, ['low mishandles-204']],
  ] as const)('that is repeated because %s', async (_, outcome, expected) => {
    const shop = transport.shop();
    const params = { card_id: await storeCard(shop) };
    await shop.ask('card.list', 200);
    await shop.ask('card.delete', 204, { params });
    if (outcome !== undefined) shop.merchant.force({ op: 'card.list', outcome });
    const { items } = await shop.ask('card.list', 200);
    expect(items).toHaveLength(expected.length === 0 ? 1 : 0);
    await shop.ask('card.delete', 404, { params });
    expect(await foundIn(shop)).toEqual(expected);
  });

  it('may be repeated if a list that shifts had shown the card on two pages', async () => {
    const shop = transport.shop();
    for (let count = 0; count < 3; count++) await storeCard(shop);
    const query = { page_size: '1', page: '1' };
    shop.merchant.force({ op: 'card.list', outcome: 'page-shift' });
    const pages = [];
    for (const page of ['1', '2']) {
      pages.push(await shop.ask('card.list', 200, { query: { ...query, page } }));
    }
    const ids = pages.flatMap(({ items }) => items.map(({ id }) => id));
    expect(new Set(ids).size).toBeLessThan(ids.length);
    const [card_id = ''] = ids;
    await shop.ask('card.delete', 204, { params: { card_id } });
    await shop.ask('card.delete', 404, { params: { card_id } });
    expect(await foundIn(shop)).not.toContain('medium mishandles-204');
  });

  it('may be repeated after a lost answer', async () => {
    const shop = transport.shop();
    const params = { card_id: await storeCard(shop) };
    shop.merchant.force({ op: 'card.delete', outcome: 'reset-after-commit' });
    await shop.send('card.delete', { params }).catch(() => undefined);
    await shop.ask('card.delete', 404, { params });
    expect(await foundIn(shop)).not.toContain('medium mishandles-204');
  });
});

onEveryTransport('a Content-Type', (transport) => {
  it('is reported if it is missing', async () => {
    const shop = transport.shop();
    const headers = { 'Content-Type': 'text/plain' };
    await shop.ask('card.create', 415, { body: JSON.stringify(body), headers });
    await shop.ask('card.create', 415, { body: new TextEncoder().encode('{}'), headers });
    const { what } = findingOf(await shop.merchant.verdict(), 'content-type-missing');
    expect(what).toBe('2 card.create bodies were sent without Content-Type: application/json.');
  });

  it('is not required for tokens and deletions', async () => {
    const shop = transport.shop();
    await shop.send('token.create', {
      body: new TextEncoder().encode('x=1'),
      headers: { 'Content-Type': 'text/x' },
    });
    const params = { card_id: await storeCard(shop) };
    await shop.ask('card.delete', 204, {
      params,
      body: '{}',
      headers: { 'Content-Type': 'text/x' },
    });
    expect(await foundIn(shop)).toEqual([]);
  });
});

onEveryTransport('polling', (transport) => {
  async function poll(shop: Shop, reads: number, everyMs: number): Promise<void> {
    shop.merchant.force({
      op: 'payment.create',
      outcome: { outcome: 'sale-pending-then-completed', with: { settleAfter: '1h' } },
    });
    const { id } = await pay(shop);
    for (let read = 0; read < reads; read++) {
      await shop.ask('payment.get', 200, { params: { payment_id: id } });
      shop.merchant.clock.advance(everyMs);
    }
  }

  it.each([
    [31, 0],
    [31, 5_000],
    [15, 900],
  ])('is reported for %i reads every %i ms', async (reads, everyMs) => {
    const shop = transport.shop();
    await poll(shop, reads, everyMs);
    expect(await foundIn(shop)).toEqual(['medium polling-too-fast']);
  });

  it.each([
    [30, 0],
    [11, 900],
    [40, 60_000],
  ])('is not reported for %i reads every %i ms', async (reads, everyMs) => {
    const shop = transport.shop();
    await poll(shop, reads, everyMs);
    expect(await foundIn(shop)).toEqual([]);
  });

  it('is not reported for reads of a card', async () => {
    const shop = transport.shop();
    const params = { card_id: await storeCard(shop) };
    for (let read = 0; read < 40; read++) await shop.ask('card.get', 200, { params });
    expect(await foundIn(shop)).toEqual([]);
  });
});

onEveryTransport('an unknown path', (transport) => {
  const ask = (shop: Shop, method: string, path: string) =>
    transport.fetch(transport.base + path, {
      method,
      headers: { Authorization: `Bearer ${shop.merchant.token}` },
    });

  it('is reported with the nearest known path', async () => {
    const shop = transport.shop();
    expect((await ask(shop, 'GET', '/v1/payments/payments')).status).toBe(404);
    const { severity, what } = findingOf(await shop.merchant.verdict(), 'unknown-path');
    expect(severity).toBe('low');
    expect(what).toContain('GET /v1/payments/payments');
    expect(what).toContain(' /v1/payments/payment. ');
  });

  it('is not reported if only the method or the record is wrong', async () => {
    const shop = transport.shop();
    expect((await ask(shop, 'DELETE', '/v1/payments/payment')).status).toBe(405);
    await shop.ask('card.get', 404, { params: { card_id: 'CARD-NONE' } });
    expect(await foundIn(shop)).toEqual([]);
  });

  it('enters no journal without a merchant', async () => {
    const shop = transport.shop();
    await transport.fetch(`${transport.base}/v1/nowhere`);
    expect(shop.merchant.journal().entries).toEqual([]);
  });
});
