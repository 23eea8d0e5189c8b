/** Findings about tokens. Each has a story that causes it and a close one that does not. */
import { once } from 'node:events';
import { Agent, request, type IncomingMessage } from 'node:http';
import { text as readText } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { onEveryTransport, TestTransport, type Shop } from '../../../support/transports.ts';
import { storeCard } from '../../../support/purchases.ts';
import { paymentBody } from '../../../support/samples.ts';
import { findingOf, foundIn, namesOf } from '../support/findings.ts';
import { onTestTime } from '../support/payment-attempts.ts';

const form = 'grant_type=client_credentials';

async function newToken(shop: Shop): Promise<string> {
  const { access_token: token } = await shop.ask('token.create', 200, { body: form });
  return `Bearer ${token}`;
}

onEveryTransport('a token for each call', (transport) => {
  it('is reported, with more confidence if one flow continues with another token', async () => {
    const shop = transport.shop();
    for (let calls = 0; calls < 6; calls++) {
      await shop.ask('card.list', 200, { authorization: await newToken(shop) });
    }
    const { severity, confidence, what } = findingOf(
      await shop.merchant.verdict(),
      'token-per-call',
    );
    expect([severity, confidence]).toEqual(['low', 'possible']);
    expect(what).toBe(
      'The client requested 5 tokens for 6 calls while the previous token was still valid.',
    );
    const other = transport.shop();
    for (let calls = 0; calls < 3; calls++) {
      await newToken(other);
      const cardId = await storeCard(other);
      await newToken(other);
      await other.ask('card.get', 200, { params: { card_id: cardId } });
    }
    expect(findingOf(await other.merchant.verdict(), 'token-per-call')).toMatchObject({
      severity: 'medium',
      confidence: 'likely',
    });
  });

  it('says in process, where no connection tells, that each command may be a process', async () => {
    const shop = transport.shop();
    for (let calls = 0; calls < 6; calls++) {
      await shop.ask('card.list', 200, { authorization: await newToken(shop) });
    }
    const { remedy } = findingOf(await shop.merchant.verdict(), 'token-per-call');
    expect(
      remedy.includes('In process, the sandbox cannot tell: test such a client over a socket'),
    ).toBe(shop.transport.name === 'in process');
  });

  it.each([
    ['is likely if a payment continues with the card that was stored', true],
    ['is possible if each payment has another card', false],
  ])('%s', async (_, isSameCard) => {
    const shop = transport.shop();
    const other = await storeCard(shop);
    for (let calls = 0; calls < 3; calls++) {
      await newToken(shop);
      const cardId = await storeCard(shop, { external_customer_id: `${calls}` });
      await newToken(shop);
      const body = paymentBody(
        isSameCard ? { cardId, externalCustomerId: `${calls}` } : { cardId: other },
      );
      await shop.ask('payment.create', 201, { body });
    }
    expect(findingOf(await shop.merchant.verdict(), 'token-per-call').confidence).toBe(
      isSameCard ? 'likely' : 'possible',
    );
  });

  it.each([
    [
      'possible if each payment is a process of its own, and the first follows its card',
      5,
      'possible',
    ],
    ['likely if a second payment follows its card', 2, 'likely'],
  ])('is %s', async (_, paymentsPerCard, confidence) => {
    const shop = transport.shop();
    for (let cards = 0; cards * paymentsPerCard < 5; cards++) {
      const cardId = await storeCard(shop);
      for (let orders = 0; orders < paymentsPerCard; orders++) {
        await newToken(shop);
        const body = paymentBody({ cardId, transaction: { custom: `order-${cards}-${orders}` } });
        await shop.ask('payment.create', 201, { body });
      }
    }
    expect(findingOf(await shop.merchant.verdict(), 'token-per-call').confidence).toBe(confidence);
  });

  it('is possible if a later run of a job continues with a record of an earlier run', async () => {
    const shop = transport.shop();
    await newToken(shop);
    for (let runs = 0; runs < 7; runs++) {
      const cardId = await storeCard(shop, { external_customer_id: `${runs}` });
      shop.merchant.clock.advance(600_000);
      await newToken(shop);
      await shop.ask('card.get', 200, { params: { card_id: cardId } });
      await newToken(shop);
    }
    expect(findingOf(await shop.merchant.verdict(), 'token-per-call')).toMatchObject({
      severity: 'low',
      confidence: 'possible',
    });
  });

  it('is not reported for few calls, two calls each, or half-expired tokens', async () => {
    const few = transport.shop();
    for (let calls = 0; calls < 5; calls++) {
      await few.ask('card.list', 200, { authorization: await newToken(few) });
    }
    expect(await foundIn(few)).toEqual([]);
    const twice = transport.shop();
    for (let calls = 0; calls < 6; calls++) {
      const authorization = await newToken(twice);
      await twice.ask('card.list', 200, { authorization });
      await twice.ask('payment.list', 200, { authorization });
    }
    expect(await foundIn(twice)).toEqual([]);
    const slow = transport.shop();
    for (let calls = 0; calls < 8; calls++) {
      await slow.ask('card.list', 200, { authorization: await newToken(slow) });
      slow.merchant.clock.advance(5 * 3_600_000);
    }
    expect(await foundIn(slow)).toEqual([]);
  });

  it.each([
    [3, false],
    [240, false],
    [1_200, true],
  ])(
    'of %i seconds for each call is reported, because clients renew tokens minutes early: %s',
    async (expiresIn, isFound) => {
      const shop = transport.shop();
      const outcome = { outcome: 'token-short-lived', with: { expiresIn } } as const;
      shop.merchant.force({ op: 'token.create', outcome, times: 7 });
      for (let calls = 0; calls < 7; calls++) {
        await shop.ask('card.list', 200, { authorization: await newToken(shop) });
        shop.merchant.clock.advance(1_000);
      }
      const found = await foundIn(shop);
      expect(found.filter((one) => one.includes('token-per-call'))).toHaveLength(isFound ? 1 : 0);
    },
  );

  it('is not reported if a 401 made each token necessary', async () => {
    const shop = transport.shop();
    shop.merchant.force({ op: 'card.list', outcome: 'token-revoked', times: 7 });
    for (let calls = 0; calls < 7; calls++) {
      await shop.send('card.list', { authorization: await newToken(shop) });
      shop.merchant.clock.advance(40_000);
    }
    expect(await foundIn(shop)).toEqual([]);
  });
});

describe('a command that is a process', () => {
  const transport = new TestTransport('socket', onTestTime);
  beforeAll(() => transport.open());
  afterAll(() => transport.close());

  /** Requests a token and reads a card, on the connections of an agent or on one for each request. */
  async function readCard({ merchant }: Shop, cardId: string, agent: Agent | false) {
    const send = async (path: string, headers: Readonly<Record<string, string>>, body?: string) => {
      const method = body === undefined ? 'GET' : 'POST';
      const sent = request(`${transport.base}${path}`, { method, agent, headers });
      sent.end(body);
      // `response` has one argument of this type.
      const [answer] = (await once(sent, 'response')) as [IncomingMessage];
      return readText(answer);
    };
    const answer = await send(
      '/v1/oauth2/token',
      {
        Authorization: `Basic ${btoa(`${merchant.id}:secret`)}`,
        'Content-Type': 'application/x-www-form-urlencoded',
      },
      form,
    );
    const token = /"access_token":"([^"]+)"/.exec(answer)?.[1] ?? '';
    await send(`/v1/vault/credit-cards/${cardId}`, { Authorization: `Bearer ${token}` });
  }

  it.each([
    ['a remark if each uses its own connection for the token and its call', 'command', 'low'],
    ['a remark if each request has a connection of its own, as in PHP', 'request', 'low'],
    ['more than a remark if one connection serves all of them', 'program', 'medium'],
  ] as const)('gets %s', async (_, connectionFor, severity) => {
    const shop = transport.shop();
    const openAgent = (): Agent => new Agent({ keepAlive: true, maxSockets: 1 });
    const shared = openAgent();
    for (let commands = 0; commands < 4; commands++) {
      const cardId = await storeCard(shop, { external_customer_id: `${commands}` });
      for (let reads = 0; reads < 2; reads++) {
        const own = openAgent();
        const agent = { command: own, request: false as const, program: shared }[connectionFor];
        await readCard(shop, cardId, agent);
        own.destroy();
      }
    }
    shared.destroy();
    const { findings } = await shop.merchant.verdict();
    const found = findings.find(({ rule }) => rule === 'token-per-call');
    expect(found?.severity ?? 'none').toBe(severity);
  });
});

onEveryTransport('a refresh loop', (transport) => {
  /** Asks for a token after each 401, and goes on with the one that it has. */
  async function refresh(shop: Shop, cycles: number): Promise<void> {
    const old = await newToken(shop);
    shop.merchant.clock.advance(10 * 3_600_000);
    await shop.ask('card.list', 401, { authorization: old });
    for (let cycle = 0; cycle < cycles; cycle++) {
      await newToken(shop);
      await shop.ask('card.list', 401, { authorization: old });
    }
  }

  it('is reported if a new token is requested but not used', async () => {
    const shop = transport.shop();
    await refresh(shop, 3);
    const verdict = await shop.merchant.verdict();
    const { severity, evidence } = findingOf(verdict, 'refresh-loop');
    expect([severity, evidence.length, verdict.passed]).toEqual(['high', 6, false]);
  });

  it('is not reported for two attempts, or with other calls between', async () => {
    const shop = transport.shop();
    await refresh(shop, 2);
    await shop.ask('card.list', 200);
    await refresh(shop, 2);
    expect(await foundIn(shop)).toEqual([]);
  });

  it('is less severe if the refusal was forced', async () => {
    const shop = transport.shop();
    shop.merchant.force({ op: 'card.list', outcome: 'token-revoked', times: 4 });
    for (let cycle = 0; cycle < 4; cycle++) {
      await shop.ask('card.list', 401, { authorization: await newToken(shop) });
    }
    const verdict = await shop.merchant.verdict();
    expect(findingOf(verdict, 'refresh-loop')).toMatchObject({
      severity: 'medium',
      confidence: 'possible',
    });
    expect(verdict.passed).toBe(true);
  });

  it.each([
    ['longer and longer waits, as those of a queue', [5_000, 10_000, 20_000], 'low'],
    ['equal waits', [5_000, 5_000, 5_000], 'medium'],
    ['short waits', [200, 400, 800], 'medium'],
  ])('with %s is judged', async (_, waitsMs, severity) => {
    const shop = transport.shop();
    shop.merchant.force({ op: 'card.list', outcome: 'token-revoked', times: 4 });
    for (const waitMs of [0, ...waitsMs]) {
      shop.merchant.clock.advance(waitMs);
      await shop.ask('card.list', 401, { authorization: await newToken(shop) });
    }
    expect(findingOf(await shop.merchant.verdict(), 'refresh-loop').severity).toBe(severity);
  });
});

onEveryTransport('a token that was refused', (transport) => {
  /** Sends a payment with an expired token, some times, and may get a new token before some of them. */
  async function repeat(shop: Shop, gapsMs: readonly number[], renewsAt?: number): Promise<void> {
    const old = await newToken(shop);
    shop.merchant.clock.advance(10 * 3_600_000);
    const body = paymentBody({ cardId: await storeCard(shop), transaction: { custom: 'order-7' } });
    for (const [at, gapMs] of [0, ...gapsMs].entries()) {
      if (at === renewsAt) await newToken(shop);
      shop.merchant.clock.advance(gapMs);
      const headers = { 'PayPal-Request-Id': 'order-7' };
      await shop.ask('payment.create', 401, { body, headers, authorization: old });
    }
  }

  it('is reported if it is sent again and again, and a belief says why nothing was paid', async () => {
    const shop = transport.shop();
    await repeat(shop, [1_000, 2_000, 4_000]);
    const verdict = await shop.merchant.verdict({ beliefs: { 'order-7': 'paid' } });
    expect(findingOf(verdict, 'retry-of-final-4xx')).toMatchObject({
      severity: 'high',
      what: 'POST /v1/payments/payment was sent 4 times with a token that had been refused with 401, and no new token was requested.',
    });
    expect(verdict.reasons.map(({ text }) => text)).toContain(
      'Your code reports "order-7" as paid; no purchase in the journal has this name; 4 payment requests were refused with 401.',
    );
  });

  it.each<[string, readonly number[], number?]>([
    ['twice', [1_000]],
    ['more slowly', [6_000, 6_000]],
    ['after a new token was received', [1_000, 1_000, 1_000], 2],
  ])('is not reported if it is sent %s', async (_, gapsMs, renewsAt) => {
    const shop = transport.shop();
    await repeat(shop, gapsMs, renewsAt);
    expect(await foundIn(shop)).toEqual([]);
  });
});

onEveryTransport('a token in a URL', (transport) => {
  it('is reported, with or without the same token in the header', async () => {
    const shop = transport.shop();
    const token = (await newToken(shop)).replace('Bearer ', '');
    await shop.ask('card.list', 200, { query: { access_token: token } });
    await shop.ask('card.list', 401, { query: { access_token: token }, authorization: null });
    const { what, severity } = findingOf(await shop.merchant.verdict(), 'token-in-url');
    expect([severity, what]).toEqual(['critical', 'A token was sent in the URL of 2 requests.']);
    expect(what).not.toContain(token);
  });

  it('does not authenticate, and an unknown one enters no journal', async () => {
    const shop = transport.shop();
    await shop.ask('card.list', 401, { query: { access_token: 'unknown' }, authorization: null });
    expect(shop.merchant.journal().entries).toEqual([]);
  });

  it('is reported in a body unless it is empty or the endpoint expects it', async () => {
    const shop = transport.shop();
    await newToken(shop);
    await shop.ask('card.list', 200, { query: 'access_token=&page=1' });
    expect(await foundIn(shop)).toEqual([]);
    await shop.send('card.create', { body: { access_token: `sandbox.${shop.merchant.id}` } });
    expect(await foundIn(shop)).toEqual(['critical token-in-url']);
  });
});

onEveryTransport('live-looking credentials', (transport) => {
  it('are reported without being quoted', async () => {
    const shop = transport.shop();
    const secret = ['sk', 'live', 'neverWasOne0123456789'].join('_');
    await shop.send('token.create', {
      body: form,
      authorization: `Basic ${btoa(`${shop.merchant.id}:${secret}`)}`,
    });
    const verdict = await shop.merchant.verdict();
    expect(namesOf(verdict)).toEqual(['critical live-looking-credential']);
    expect(JSON.stringify(verdict)).not.toContain('neverWasOne');
  });

  it('are not reported if they look like test credentials', async () => {
    const shop = transport.shop();
    await newToken(shop);
    expect(await foundIn(shop)).toEqual([]);
  });
});
