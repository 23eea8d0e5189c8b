/** What the answer to a void discloses about a capture, and lost answers to voids. */
import { expect, it } from 'vitest';
import type { OperationName } from '../../../../src/contract/service/operation-name.ts';
import { see } from '../../forcing/tolerant-client.ts';
import { onEveryTransport, type Shop } from '../../../support/transports.ts';
import { authorize, dayMs } from '../../../support/purchases.ts';
import { findingOf, foundIn } from '../support/findings.ts';
import { onTestTime } from '../support/payment-attempts.ts';
import type { OutcomeId } from '../../../../src/outcomes/outcome-id.ts';

type Work = 'capture' | 'void';

/** Sends a request and accepts any answer. A named outcome is forced on it. */
async function ask(shop: Shop, id: string, work: Work, outcome?: OutcomeId): Promise<void> {
  const op: OperationName = `auth.${work}`;
  if (outcome !== undefined) shop.merchant.force({ op, outcome });
  const all = { amount: { total: '30.11', currency: 'USD' }, is_final_capture: true };
  const path = `/v1/payments/authorization/${id}/${work}`;
  await see(shop, op, { path, body: work === 'capture' ? all : {} });
}

onEveryTransport(
  'a capture whose answer was lost, and a void after it',
  (transport) => {
    it('is known to be absent if the void succeeds', async () => {
      const shop = transport.shop();
      const { id } = await authorize(shop);
      await ask(shop, id, 'capture', 'reset-before-commit');
      await ask(shop, id, 'void');
      expect(await foundIn(shop)).toEqual([]);
    });

    it('is an orphaned charge with a hint if the void is refused', async () => {
      const shop = transport.shop();
      const { id } = await authorize(shop);
      await ask(shop, id, 'capture', 'reset-after-commit');
      await ask(shop, id, 'void');
      expect(await foundIn(shop)).toEqual(['high orphaned-charge']);
      const [taken, refused] = shop.merchant.journal().entries.slice(-2);
      expect(findingOf(await shop.merchant.verdict(), 'orphaned-charge')).toMatchObject({
        confidence: 'likely',
        what: expect.stringContaining(
          'received the hint that the authorization can no longer be voided',
        ),
        evidence: [taken?.debugId, refused?.debugId],
      });
    });

    it.each(['auth.get', 'payment.get'] as const)('is known after %s shows it', async (read) => {
      const shop = transport.shop();
      const { id, parent_payment: paymentId } = await authorize(shop);
      await ask(shop, id, 'capture', 'reset-after-commit');
      await ask(shop, id, 'void');
      await shop.ask(read, 200, {
        params: { authorization_id: id, payment_id: paymentId },
      });
      expect(await foundIn(shop)).toEqual([]);
    });

    it('is an orphaned charge that the client could not know of if the void was not processed', async () => {
      const shop = transport.shop();
      const { id } = await authorize(shop);
      await ask(shop, id, 'capture', 'reset-after-commit');
      await ask(shop, id, 'void', 'rate-limited-no-header');
      expect(await foundIn(shop)).toContain('low orphaned-charge');
    });
  },
  onTestTime,
);

onEveryTransport(
  'a void whose answer was lost',
  (transport) => {
    it.each([
      [
        'reset-before-commit',
        'high',
        " The authorization was not voided, so the customer's money is still on hold.",
      ],
      ['reset-after-commit', 'low', ''],
    ] as const)(
      'is reported if the client neither retries nor reads: %s',
      async (outcome, severity, harm) => {
        const shop = transport.shop();
        const { id } = await authorize(shop);
        await ask(shop, id, 'void', outcome);
        expect(await foundIn(shop)).toEqual([`${severity} no-read-after-unknown`]);
        expect(findingOf(await shop.merchant.verdict(), 'no-read-after-unknown').what).toBe(
          `The client could not know whether the request for the void of authorization ${id} had succeeded, and it did not look it up.${harm}`,
        );
      },
    );

    it.each(['reset-before-commit', 'reset-after-commit'] as const)(
      'is not reported if it is retried: %s',
      async (outcome) => {
        const shop = transport.shop();
        const { id } = await authorize(shop);
        await ask(shop, id, 'void', outcome);
        await ask(shop, id, 'void');
        expect(await foundIn(shop)).toEqual([]);
      },
    );

    it.each(['auth.get', 'payment.get', 'payment.list'] as const)(
      'is not reported if the client reads: %s',
      async (read) => {
        const shop = transport.shop();
        const { id, parent_payment: paymentId } = await authorize(shop);
        await ask(shop, id, 'void', 'reset-after-commit');
        await shop.ask(read, 200, {
          params: { authorization_id: id, payment_id: paymentId },
        });
        expect(await foundIn(shop)).toEqual([]);
      },
    );

    it.each([
      [28, "so the customer's money is still on hold."],
      [29, "so the customer's money stayed on hold until the authorization expired."],
    ])(
      'fails the verdict before and after the authorization expires: %i days',
      async (days, harm) => {
        const shop = transport.shop();
        const { id } = await authorize(shop);
        await ask(shop, id, 'void', 'reset-before-commit');
        shop.merchant.clock.advance(days * dayMs);
        expect(await foundIn(shop)).toEqual(['high no-read-after-unknown']);
        const { what } = findingOf(await shop.merchant.verdict(), 'no-read-after-unknown');
        expect(what.endsWith(harm)).toBe(true);
      },
    );

    it('leaves nothing on hold if the authorization had expired before', async () => {
      const shop = transport.shop();
      const { id } = await authorize(shop);
      shop.merchant.clock.advance(29 * dayMs);
      await ask(shop, id, 'void', 'error-forever');
      expect(await foundIn(shop)).toEqual(['low no-read-after-unknown']);
    });

    it('is not reported if it was answered', async () => {
      const shop = transport.shop();
      const { id } = await authorize(shop);
      await ask(shop, id, 'void');
      expect(await foundIn(shop)).toEqual([]);
    });
  },
  onTestTime,
);

onEveryTransport(
  'a void that was refused',
  (transport) => {
    const refuse = async (shop: Shop, outcome: OutcomeId = 'rate-limited-seconds') => {
      const { id, parent_payment: paymentId } = await authorize(shop);
      await ask(shop, id, 'void', outcome);
      return { id, paymentId };
    };

    it.each([
      [28, 'low', 'possible', 'is still on hold'],
      [
        29,
        'medium',
        'likely',
        'stayed on hold until the authorization expired, 29 days after it was made',
      ],
    ] as const)(
      'is reported if it is not sent again within %i days',
      async (days, severity, confidence, until) => {
        const shop = transport.shop();
        await refuse(shop);
        shop.merchant.clock.advance(days * dayMs);
        expect(await foundIn(shop)).toEqual([`${severity} hold-left-open`]);
        const [, refused] = shop.merchant.journal().entries;
        expect(findingOf(await shop.merchant.verdict(), 'hold-left-open')).toMatchObject({
          confidence,
          what: expect.stringMatching(
            new RegExp(
              `was authorized for 30\\.11 USD\\. The last request to void the authorization was refused with 429, and the client did not send it again for the 30\\.11 USD, so it ${until}\\.$`,
            ),
          ),
          evidence: expect.arrayContaining([refused?.debugId]),
          remedy: expect.stringMatching(/^Send a void that was refused again/),
        });
      },
    );

    it('is reported if it was sent again and refused again', async () => {
      const shop = transport.shop();
      const { id } = await refuse(shop, 'reset-before-commit');
      await ask(shop, id, 'void', 'rate-limited-seconds');
      expect(await foundIn(shop)).toEqual(['low hold-left-open']);
    });

    it.each<[string, (shop: Shop, id: string, paymentId: string) => Promise<unknown>]>([
      ['is sent again', async (shop, id) => ask(shop, id, 'void')],
      [
        'is followed by a look at the authorization',
        async (shop, id) => shop.ask('auth.get', 200, { params: { authorization_id: id } }),
      ],
      [
        'is followed by a look at the payment',
        async (shop, _, id) => shop.ask('payment.get', 200, { params: { payment_id: id } }),
      ],
      ['is followed by a capture', async (shop, id) => ask(shop, id, 'capture')],
    ])('is not reported if it %s', async (_, act) => {
      const shop = transport.shop();
      const { id, paymentId } = await refuse(shop);
      await act(shop, id, paymentId);
      shop.merchant.clock.advance(29 * dayMs);
      expect(await foundIn(shop)).toEqual([]);
    });

    it('is not reported if the authorization had expired before', async () => {
      const shop = transport.shop();
      const { id } = await authorize(shop);
      shop.merchant.clock.advance(29 * dayMs);
      await ask(shop, id, 'void', 'rate-limited-seconds');
      expect(await foundIn(shop)).toEqual([]);
    });
  },
  onTestTime,
);
