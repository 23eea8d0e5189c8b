/** Plays of services that are down, busy, changed, or do not know the caller any more. */
import { expect } from 'vitest';
import { inOrder } from '../../../support/in-order.ts';
import { cardBody } from '../../../support/samples.ts';
import { at } from '../../forcing/tolerant-client.ts';
import { heard, saleIn } from './buyer.ts';
import type { Play } from './play.ts';

/** Returns the numbers from 1. */
const counted = (count: number) => Array.from({ length: count }, (_, place) => `order ${place}`);

const blackFriday: Play = {
  good: async (buyer) => {
    const { clock } = buyer.shop.merchant;
    const cardId = await buyer.store();
    expect(heard(await buyer.buy({ cardId, name: 'early' }))).toEqual([201]);
    clock.advance(5000);
    const brown = await inOrder(counted(30), (name) => buyer.buy({ cardId, name }));
    expect(brown.map((tries) => tries.at(-1)?.status)).toEqual(brown.map(() => 201));
    const said = brown.flatMap(([first]) => first?.headers.get('sandbox-outcome') ?? 'none');
    expect(said).toContain('latency-degraded; by=scenario');
    expect(brown.filter((tries) => tries.length > 1).length).toBeGreaterThan(0);
    clock.advance(15_000);
    const shut = await buyer.pay({ cardId, name: 'late' }, 'late');
    expect([
      shut.status,
      shut.headers.get('content-type'),
      shut.headers.get('retry-after'),
    ]).toEqual([503, 'text/html', '30']);
    expect((await buyer.read('card.get', `/v1/vault/credit-card/${cardId}`)).status).toBe(200);
    clock.advance(30_000);
    expect(heard(await buyer.buy({ cardId, name: 'late' }))).toEqual([201]);
  },
  // The draws depend on the seed of the scenario and on the merchant's name.
  fired: { 'payments are closed': 1 },
  balanceMinor: 32 * 3011,
  careless: async (buyer) => {
    const { clock } = buyer.shop.merchant;
    const cardId = await buyer.store();
    clock.advance(20_000);
    await buyer.pay({ cardId, name: 'late' }, 'late');
    clock.advance(5_000);
    await buyer.pay({ cardId, name: 'late' }, 'late');
  },
  breaks: ['findings.none.ignores-retry-after'],
};

const partialOutage: Play = {
  good: async (buyer) => {
    const cardId = await buyer.store();
    const tries = await buyer.buy({ cardId, name: 'red' });
    expect(heard(tries)).toEqual([503, 503, 503, 503, 503, 201]);
    expect((await buyer.read('card.get', `/v1/vault/credit-card/${cardId}`)).status).toBe(200);
  },
  fired: { 'payments are down': 5 },
  balanceMinor: 3011,
  careless: async (buyer) => {
    const cardId = await buyer.store();
    await inOrder(counted(21), () => buyer.pay({ cardId, name: 'red' }));
  },
  breaks: ['sales.perIntent', 'findings.none.retry-storm'],
};

const vaultOutage: Play = {
  good: async (buyer) => {
    const cardId = buyer.given('stored');
    const downs = [
      await buyer.send('card.list', {}),
      await buyer.send('card.create', { body: cardBody() }),
      await buyer.read('card.get', `/v1/vault/credit-card/${cardId}`),
    ];
    expect(heard(downs)).toEqual([503, 503, 503]);
    expect(heard(await buyer.buy({ cardId, name: 'red' }))).toEqual([201]);
  },
  fired: { 'the vault is down': 3 },
  balanceMinor: 3011,
  careless: async (buyer) => {
    // It reads the card first and stops selling.
    await buyer.read('card.get', `/v1/vault/credit-card/${buyer.given('stored')}`);
  },
  breaks: ['sales.byCard.stored'],
};

const rateLimitStorm: Play = {
  good: async (buyer) => {
    const tries = await buyer.persist('card.create', { body: cardBody() }, 'store');
    expect(heard(tries)).toEqual([429, 429, 429, 503, 201]);
    const [seconds, date, none, busy] = tries.map(({ headers }) => headers.get('retry-after'));
    expect([seconds, none, busy]).toEqual(['1', null, '1']);
    const sentAt = tries[1]?.headers.get('date') ?? '';
    expect(Date.parse(date ?? '') - Date.parse(sentAt)).toBe(1000);
    const cardId = String(at(tries.at(-1)?.body, 'id'));
    expect(heard(await buyer.buy({ cardId, name: 'red' }))).toEqual([201]);
  },
  fired: { 'slow down': 6 },
  balanceMinor: 3011,
  careless: async (buyer) => {
    const call = { body: cardBody(), headers: { 'PayPal-Request-Id': 'store' } };
    await buyer.send('card.create', call);
    buyer.shop.merchant.clock.advance(600);
    await buyer.send('card.create', call);
  },
  breaks: ['findings.none.ignores-retry-after'],
};

const tokenCall = { body: 'grant_type=client_credentials' };

const tokenTrouble: Play = {
  good: async (buyer) => {
    const { clock } = buyer.shop.merchant;
    const askToken = async () => {
      const tries = await buyer.persist('token.create', tokenCall);
      buyer.token = String(at(tries.at(-1)?.body, 'access_token'));
      return tries;
    };
    const [short] = await askToken();
    expect(at(short?.body, 'expires_in')).toBe(30);
    const cardId = await buyer.store();
    clock.advance(30_000);
    expect((await buyer.pay({ cardId, name: 'red' }, 'red')).status).toBe(401);
    expect(heard(await askToken())).toEqual([429, 200]);
    expect((await buyer.pay({ cardId, name: 'red' }, 'red')).status).toBe(201);
  },
  fired: {
    'the first token expires soon': 1,
    'the second token is rate limited': 1,
    'the token expires during a payment': 1,
  },
  balanceMinor: 3011,
  careless: async (buyer) => {
    const cardId = await buyer.store();
    // It requests a new token after each refusal, without a limit.
    await inOrder(counted(5), () => buyer.send('token.create', tokenCall));
    await buyer.buy({ cardId, name: 'red' });
  },
  breaks: ['requests.token.create'],
};

const nextYearsApi: Play = {
  good: async (buyer) => {
    const cardId = await buyer.store();
    expect(cardId).toMatch(/^NEXT-CARD-/);
    const [plain] = await buyer.buy({ cardId, name: 'red' });
    expect(at(plain?.body, 'x_next_year', 'since')).toBe('v1.99');
    const [strange] = await buyer.buy({ cardId, name: 'green' });
    const sale = saleIn(strange?.body);
    expect([strange?.status, sale?.state, buyer.paid.has('green')]).toEqual([
      201,
      'in_review',
      false,
    ]);
    const read = await buyer.read('sale.get', `/v1/payments/sale/${String(sale?.id)}`);
    expect([read.status, at(read.body, 'state')]).toEqual([200, 'completed']);
    const [refused] = await buyer.buy({ cardId, name: 'blue' });
    expect([refused?.status, at(refused?.body, 'name')]).toEqual([400, 'NETWORK_TOKEN_REQUIRED']);
    expect([...buyer.paid]).toEqual(['red']);
  },
  // Five responses. A refusal before the request is read has its usual form.
  fired: {
    'changed form, always 1': 4,
    'changed form, always 4': 4,
    'an unknown state': 1,
    'an unknown error': 1,
  },
  balanceMinor: 2 * 3011,
  careless: async (buyer) => {
    const cardId = await buyer.store();
    await inOrder(['red', 'green', 'blue'], (name) => buyer.buy({ cardId, name }));
    // It ships regardless of the response.
    buyer.paid.add('blue');
  },
  breaks: ['beliefs.paidWithoutCompletedSale'],
};

export const outages = {
  'black-friday': blackFriday,
  'next-years-api': nextYearsApi,
  'partial-outage': partialOutage,
  'rate-limit-storm': rateLimitStorm,
  'token-trouble': tokenTrouble,
  'vault-outage': vaultOutage,
} as const;
