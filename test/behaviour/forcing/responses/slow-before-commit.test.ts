/** A request that waits before its commit: another one with the same request id meets the natural 409. */
import { describe, expect, it } from 'vitest';
import { scenario } from '../../../../src/index.ts';
import { findCardBlock, makeCardNumber } from '../../../../src/outcomes/triggers/magic-values.ts';
import { paymentBody } from '../../../support/samples.ts';
import { sell, storeCard } from '../../../support/purchases.ts';
import { onEveryTransport, type Shop } from '../../../support/transports.ts';

/** No test waits that long: the client leaves, which ends the wait. */
const params = { delay: '10m' };
const key = { 'PayPal-Request-Id': 'order-7' };

onEveryTransport('slow-before-commit', (transport) => {
  /** Sends a payment whose client can leave. */
  function startPaying(shop: Shop, cardId: string, headers: Readonly<Record<string, string>> = {}) {
    const client = new AbortController();
    const answer = transport
      .fetch(`${transport.base}/v1/payments/payment`, {
        method: 'POST',
        headers: {
          Authorization: `Bearer ${shop.merchant.token}`,
          'Content-Type': 'application/json',
          ...headers,
        },
        body: JSON.stringify(paymentBody({ cardId })),
        signal: client.signal,
      })
      .catch(() => undefined);
    return {
      leave: async (times = 1) => {
        client.abort();
        await answer;
        await shop.merchant.waitFor({ operation: 'payment.create' }, { times });
      },
    };
  }

  /** Resolves when the payment waits: it was decided and has no answer. */
  async function isWaiting({ merchant }: Shop): Promise<void> {
    while (!merchant.journal().entries.some(({ operation }) => operation === 'payment.create')) {
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  it('answers 409 to a repeat during the wait, and commits once', async () => {
    const shop = transport.shop();
    const cardId = await storeCard(shop);
    shop.merchant.force({ op: 'payment.create', outcome: 'slow-before-commit', params });
    const first = startPaying(shop, cardId, key);
    await isWaiting(shop);
    expect(shop.merchant.ledger().transfers).toHaveLength(0);
    const body = paymentBody({ cardId });
    const second = await shop.send('payment.create', { body, headers: key });
    expect(second.status).toBe(409);
    await first.leave(2);
    expect(shop.merchant.ledger().transfers).toHaveLength(1);
    const third = await shop.send('payment.create', { body, headers: key });
    expect(third.status).toBe(201);
    expect(third.headers.get('sandbox-replayed')).toBe('true');
    expect(shop.merchant.ledger().transfers).toHaveLength(1);
  });

  it('plans again after the wait, so a card that was deleted meanwhile cannot pay', async () => {
    const shop = transport.shop();
    const cardId = await storeCard(shop);
    shop.merchant.force({ op: 'payment.create', outcome: 'slow-before-commit', params });
    const first = startPaying(shop, cardId);
    await isWaiting(shop);
    await shop.ask('card.delete', 204, { params: { card_id: cardId } });
    await first.leave();
    expect(shop.merchant.ledger().transfers).toHaveLength(0);
  });

  it.each(['card.delete', 'sale.refund', 'card.create'] as const)(
    'delays %s and then carries it out',
    async (op) => {
      const shop = transport.shop();
      const cardId = await storeCard(shop);
      const sale = await sell(shop);
      shop.merchant.force({ op, outcome: 'slow-before-commit', params: { delay: '1ms' } });
      if (op === 'card.create') await storeCard(shop);
      else {
        const { status, headers } = await shop.send(op, {
          params: { card_id: cardId, sale_id: sale.id },
          ...(op === 'sale.refund' && { body: {} }),
        });
        expect(status).toBe(op === 'sale.refund' ? 201 : 204);
        expect(headers.get('sandbox-outcome')).toBe('slow-before-commit; by=armed');
      }
      expect(shop.merchant.journal().entries.at(-1)?.committed).toBe(true);
    },
  );

  describe('when forced', () => {
    it('fires by a header', async () => {
      const shop = transport.shop();
      const cardId = await storeCard(shop);
      const first = startPaying(shop, cardId, {
        'Sandbox-Outcome': 'slow-before-commit; delay=9s',
      });
      await isWaiting(shop);
      await first.leave();
      expect(outcomesOf(shop)).toEqual(['slow-before-commit by header']);
    });

    it('fires by a scenario', async () => {
      const shop = transport.shop();
      shop.merchant.playScenario(
        scenario('busy').op('payment.create').params(params).then('slow-before-commit').build(),
      );
      const first = startPaying(shop, await storeCard(shop));
      await isWaiting(shop);
      await first.leave();
      expect(outcomesOf(shop)).toEqual(['slow-before-commit by scenario']);
    });

    it.each([
      ['name', { first_name: 'SBX-slow-before-commit' }],
      ['card', { number: makeCardNumber(findCardBlock('slow-before-commit') ?? noBlock, 7) }],
    ])('fires by a %s', async (by, change) => {
      const shop = transport.shop();
      const first = startPaying(shop, await storeCard(shop, change));
      await isWaiting(shop);
      await first.leave();
      expect(outcomesOf(shop)).toEqual([`slow-before-commit by ${by}`]);
    });
  });
});

const noBlock = { prefix: '', size: 1 };

function outcomesOf({ merchant }: Shop): string[] {
  const paid = merchant.journal().entries.filter(({ operation }) => operation === 'payment.create');
  return paid.flatMap(({ outcomes }) => outcomes.map(({ id, by }) => `${id} by ${by}`));
}
