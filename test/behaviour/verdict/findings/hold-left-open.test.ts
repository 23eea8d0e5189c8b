/** Money of a buyer that stays on hold, because the client forgets it or its void is lost. */
import { expect, it } from 'vitest';
import type { OperationName } from '../../../../src/contract/service/operations.ts';
import { authorize, dayMs, sell } from '../../../support/purchases.ts';
import { onEveryTransport, type Shop } from '../../../support/transports.ts';
import { see } from '../../forcing/tolerant-client.ts';
import { findingOf, foundIn } from '../support/findings.ts';
import { newKey } from '../support/named-orders.ts';
import { keyed, onTestTime } from '../support/payment-attempts.ts';

const path = (id: string, end = '') => `/v1/payments/authorization/${id}${end}`;

function take(shop: Shop, id: string, total: string, isFinal = false) {
  const body = { amount: { total, currency: 'USD' }, is_final_capture: isFinal };
  return see(shop, 'auth.capture', { path: path(id, '/capture'), body, headers: keyed(newKey()) });
}

function release(shop: Shop, id: string) {
  return see(shop, 'auth.void', { path: path(id, '/void'), headers: keyed(newKey()) });
}

function look(shop: Shop, id: string) {
  return see(shop, 'auth.get', { path: path(id) });
}

async function leftOpenIn(shop: Shop): Promise<string[]> {
  return (await foundIn(shop)).filter((name) => name.endsWith('hold-left-open'));
}

onEveryTransport(
  'money on hold',
  (transport) => {
    it('is forgotten if the rest of what was captured expires', async () => {
      const shop = transport.shop();
      const { id } = await authorize(shop, { total: '100.00' });
      await take(shop, id, '60.00');
      await look(shop, id);
      shop.merchant.clock.advance(29 * dayMs);
      const { severity, confidence, what, remedy } = findingOf(
        await shop.merchant.verdict(),
        'hold-left-open',
      );
      expect([severity, confidence]).toEqual(['medium', 'likely']);
      expect(what).toMatch(
        / was authorized for 100\.00 USD, and 60\.00 USD was captured\. The client did not release the other 40\.00 USD, so it stayed on hold until the authorization expired, 29 days after it was made\.$/,
      );
      expect(remedy).toMatch(/^Send `is_final_capture` with the last capture/);
    });

    it('may be for an order that was never shipped if nothing of it was captured', async () => {
      const shop = transport.shop();
      await authorize(shop, { total: '100.00' });
      shop.merchant.clock.advance(29 * dayMs);
      expect(await leftOpenIn(shop)).toEqual([]);
    });

    it.each<[string, (shop: Shop, id: string) => Promise<unknown>]>([
      ['is not expired', async (shop, id) => take(shop, id, '60.00')],
      [
        'is released by a final capture',
        async (shop, id) => {
          await take(shop, id, '60.00', true);
          shop.merchant.clock.advance(30 * dayMs);
        },
      ],
      [
        'is captured in full',
        async (shop, id) => {
          await take(shop, id, '60.00');
          await take(shop, id, '40.00');
          shop.merchant.clock.advance(30 * dayMs);
        },
      ],
      [
        'is voided',
        async (shop, id) => {
          await take(shop, id, '60.00');
          await release(shop, id);
          shop.merchant.clock.advance(30 * dayMs);
        },
      ],
      [
        'is voided too late',
        async (shop, id) => {
          await take(shop, id, '60.00');
          shop.merchant.clock.advance(30 * dayMs);
          await release(shop, id);
        },
      ],
      [
        'is captured too late',
        async (shop, id) => {
          await take(shop, id, '60.00');
          shop.merchant.clock.advance(30 * dayMs);
          await take(shop, id, '40.00');
        },
      ],
      [
        'is looked at after it has expired',
        async (shop, id) => {
          await take(shop, id, '60.00');
          shop.merchant.clock.advance(30 * dayMs);
          await look(shop, id);
        },
      ],
    ])('is not forgotten if it %s', async (_, act) => {
      const shop = transport.shop();
      await act(shop, (await authorize(shop, { total: '100.00' })).id);
      expect(await leftOpenIn(shop)).toEqual([]);
    });

    it.each<[string, OperationName, (shop: Shop, id: string) => Promise<unknown>, string]>([
      [
        'void of the rest',
        'auth.void',
        release,
        'The authorization was not voided, so the rest of 40.00 USD is still on hold.',
      ],
      [
        'capture of the next part',
        'auth.capture',
        (shop, id) => take(shop, id, '30.00'),
        'The capture was not made: the merchant does not have the money, and it is still on hold.',
      ],
    ])('is still there if a lost %s was not made', async (_, op, act, harm) => {
      const shop = transport.shop();
      const { id } = await authorize(shop, { total: '100.00' });
      await take(shop, id, '60.00');
      shop.merchant.force({ op, outcome: 'reset-before-commit' });
      await act(shop, id);
      expect(await foundIn(shop)).toEqual(['high no-read-after-unknown']);
      const { what } = findingOf(await shop.merchant.verdict(), 'no-read-after-unknown');
      expect(what.endsWith(harm)).toBe(true);
      await look(shop, id);
      expect(await foundIn(shop)).toEqual([]);
    });

    it('may be taken by another capture after one that was not made', async () => {
      const shop = transport.shop();
      const { id } = await authorize(shop, { total: '100.00' });
      shop.merchant.force({ op: 'auth.capture', outcome: 'reset-before-commit' });
      await take(shop, id, '30.00');
      await take(shop, id, '60.00');
      expect(await foundIn(shop)).toEqual(['medium no-read-after-unknown']);
    });

    it('is no concern of a client that sells', async () => {
      const shop = transport.shop();
      await sell(shop);
      shop.merchant.clock.advance(30 * dayMs);
      expect(await leftOpenIn(shop)).toEqual([]);
    });
  },
  onTestTime,
);
