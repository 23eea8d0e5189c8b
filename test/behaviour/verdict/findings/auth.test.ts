/** Findings about tokens, with the story that makes each, and the nearest story that does not. */
import { expect, it } from 'vitest';
import { throughEveryDoor, type Shop } from '../../../support/transports.ts';
import { storeCard } from '../../../support/purchases.ts';
import { findingOf, foundIn, namesOf } from '../support/findings.ts';

const form = 'grant_type=client_credentials';

async function newToken(shop: Shop): Promise<string> {
  const { access_token: token } = await shop.ask('token.create', 200, { body: form });
  return `Bearer ${token}`;
}

throughEveryDoor('a token for each call', (door) => {
  it('is found, and surer where one flow goes on with another token', async () => {
    const shop = door.shop();
    for (let calls = 0; calls < 6; calls++) {
      await shop.ask('card.list', 200, { authorization: await newToken(shop) });
    }
    const { severity, confidence, what } = findingOf(
      await shop.merchant.verdict(),
      'token-per-call',
    );
    expect([severity, confidence]).toEqual(['medium', 'possible']);
    expect(what).toBe(
      'The client requested 5 tokens for 6 calls while the previous token was still valid.',
    );
    const other = door.shop();
    for (let calls = 0; calls < 3; calls++) {
      await newToken(other);
      const cardId = await storeCard(other);
      await newToken(other);
      await other.ask('card.get', 200, { params: { card_id: cardId } });
    }
    expect(findingOf(await other.merchant.verdict(), 'token-per-call').confidence).toBe('likely');
  });

  it('is none for few calls, for two calls each, and where tokens had half run out', async () => {
    const few = door.shop();
    for (let calls = 0; calls < 5; calls++) {
      await few.ask('card.list', 200, { authorization: await newToken(few) });
    }
    expect(await foundIn(few)).toEqual([]);
    const twice = door.shop();
    for (let calls = 0; calls < 6; calls++) {
      const authorization = await newToken(twice);
      await twice.ask('card.list', 200, { authorization });
      await twice.ask('payment.list', 200, { authorization });
    }
    expect(await foundIn(twice)).toEqual([]);
    const slow = door.shop();
    for (let calls = 0; calls < 8; calls++) {
      await slow.ask('card.list', 200, { authorization: await newToken(slow) });
      slow.merchant.clock.advance(5 * 3_600_000);
    }
    expect(await foundIn(slow)).toEqual([]);
  });

  it('is none where each answer of 401 made it needed', async () => {
    const shop = door.shop();
    shop.merchant.force({ op: 'card.list', outcome: 'token-revoked', times: 7 });
    for (let calls = 0; calls < 7; calls++) {
      await shop.send('card.list', { authorization: await newToken(shop) });
      shop.merchant.clock.advance(40_000);
    }
    expect(await foundIn(shop)).toEqual([]);
  });
});

throughEveryDoor('a refresh loop', (door) => {
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

  it('is found where a new token is asked for and not sent', async () => {
    const shop = door.shop();
    await refresh(shop, 3);
    const verdict = await shop.merchant.verdict();
    const { severity, evidence } = findingOf(verdict, 'refresh-loop');
    expect([severity, evidence.length, verdict.passed]).toEqual(['high', 6, false]);
  });

  it('is none for two tries, nor where other calls come between', async () => {
    const shop = door.shop();
    await refresh(shop, 2);
    await shop.ask('card.list', 200);
    await refresh(shop, 2);
    expect(await foundIn(shop)).toEqual([]);
  });

  it('is less of one where the sandbox was made to refuse', async () => {
    const shop = door.shop();
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
});

throughEveryDoor('a token in an address', (door) => {
  it('is found, whether or not it stands in the header as well', async () => {
    const shop = door.shop();
    const token = (await newToken(shop)).replace('Bearer ', '');
    await shop.ask('card.list', 200, { query: { access_token: token } });
    await shop.ask('card.list', 401, { query: { access_token: token }, authorization: null });
    const { what, severity } = findingOf(await shop.merchant.verdict(), 'token-in-url');
    expect([severity, what]).toEqual(['critical', 'A token was sent in the URL of 2 requests.']);
    expect(what).not.toContain(token);
  });

  it('lets nobody in, and one of nobody is in no journal', async () => {
    const shop = door.shop();
    await shop.ask('card.list', 401, { query: { access_token: 'nobody' }, authorization: null });
    expect(shop.merchant.journal().entries).toEqual([]);
  });

  it('is found in a body, and not where it is empty or asked for', async () => {
    const shop = door.shop();
    await newToken(shop);
    await shop.ask('card.list', 200, { query: 'access_token=&page=1' });
    expect(await foundIn(shop)).toEqual([]);
    await shop.send('card.create', { body: { access_token: `sandbox.${shop.merchant.id}` } });
    expect(await foundIn(shop)).toEqual(['critical token-in-url']);
  });
});

throughEveryDoor('live-looking credentials', (door) => {
  it('are found, without a word of them', async () => {
    const shop = door.shop();
    const secret = ['sk', 'live', 'neverWasOne0123456789'].join('_');
    await shop.send('token.create', {
      body: form,
      authorization: `Basic ${btoa(`${shop.merchant.id}:${secret}`)}`,
    });
    const verdict = await shop.merchant.verdict();
    expect(namesOf(verdict)).toEqual(['critical live-looking-credential']);
    expect(JSON.stringify(verdict)).not.toContain('neverWasOne');
  });

  it('are none that look like any others', async () => {
    const shop = door.shop();
    await newToken(shop);
    expect(await foundIn(shop)).toEqual([]);
  });
});
