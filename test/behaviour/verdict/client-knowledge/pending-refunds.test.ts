/** Refunds that were requested again, because the first one was still pending. */
import { expect, it } from 'vitest';
import type { OutcomeId } from '../../../../src/outcomes/outcome-id.ts';
import { authorize, capture, dayMs, hourMs, sell } from '../../../support/purchases.ts';
import { onEveryTransport, type Shop } from '../../../support/transports.ts';
import { see } from '../../forcing/tolerant-client.ts';
import { findingOf, foundIn } from '../support/findings.ts';
import { newKey } from '../support/named-orders.ts';
import { keyed, onTestTime } from '../support/payment-attempts.ts';

type Kind = 'sale' | 'capture';

interface Story {
  readonly kind?: Kind;
  readonly afterMs?: number;
  /** The amount of the second refund. */
  readonly again?: string;
  readonly outcome?: OutcomeId | 'ok';
  /** The note of each refund. */
  readonly notes?: readonly [string | undefined, string];
  /** What the client reads between both. */
  readonly look?: 'refund' | 'charge' | 'payment' | 'list';
}

const oneNote = ['Blue shirt', 'Blue shirt'] as const;

/** Refunds 20 of 50 dollars twice. */
async function refundTwice(shop: Shop, story: Story): Promise<void> {
  const { kind = 'sale', afterMs = 5 * hourMs, notes, look } = story;
  const of = { total: '50.00' };
  const { id } =
    kind === 'sale'
      ? await sell(shop, of)
      : await capture(shop, (await authorize(shop, of)).id, '50.00');
  const { outcome = 'refund-pending-then-completed' } = story;
  if (outcome !== 'ok') shop.merchant.force({ op: `${kind}.refund`, outcome });
  const give = (note: string | undefined, total = '20.00') => {
    const body = {
      amount: { total, currency: 'USD' },
      ...(note !== undefined && { description: note }),
    };
    const path = `/v1/payments/${kind}/${id}/refund`;
    return see(shop, `${kind}.refund`, { path, body, headers: keyed(newKey()) });
  };
  await give(notes?.[0]);
  shop.merchant.clock.advance(afterMs);
  if (look !== undefined) await lookAt(shop, look, kind, id);
  await give(notes?.[1], story.again);
  // What is pending is looked up in the end, so that it is no finding of its own.
  shop.merchant.clock.advance(30 * dayMs);
  await lookAt(shop, 'charge', kind, id);
}

async function lookAt(
  shop: Shop,
  look: NonNullable<Story['look']>,
  kind: Kind,
  id: string,
): Promise<void> {
  const { transfers } = shop.merchant.ledger();
  const [{ payment = '' } = {}] = transfers;
  const refund =
    shop.merchant.journal({ operation: `${kind}.refund` }).entries.at(0)?.subject ?? '';
  const paths = {
    refund: ['refund.get', `/v1/payments/refund/${refund}`],
    charge: [`${kind}.get`, `/v1/payments/${kind}/${id}`],
    payment: ['payment.get', `/v1/payments/payment/${payment}`],
    list: ['payment.list', '/v1/payments/payment?count=20'],
  } as const;
  const [op, path] = paths[look];
  await see(shop, op, { path });
}

onEveryTransport(
  'a refund that is requested again while the first one is pending',
  (transport) => {
    it.each<[string, Story]>([
      ['some hours later', { notes: oneNote }],
      ['ten seconds later', { notes: oneNote, afterMs: 10_000 }],
      ['four days later', { notes: oneNote, afterMs: 4 * dayMs }],
      ['of a capture', { notes: oneNote, kind: 'capture' }],
      ['after it read that the first is pending', { look: 'refund' }],
    ])('returns the money twice %s', async (_, story) => {
      const shop = transport.shop();
      await refundTwice(shop, story);
      const verdict = await shop.merchant.verdict();
      const { severity, confidence, what, remedy } = findingOf(verdict, 'double-refund');
      expect([severity, confidence]).toEqual(['high', 'likely']);
      expect(what).toMatch(/ was refunded twice: 20\.00 USD .+ and 20\.00 USD /);
      expect(what).toContain('That is 20.00 USD too much, if one refund was intended.');
      expect(what).toContain('The first answer showed a refund that was still pending');
      expect(remedy).toMatch(/^Pending is not failed\./);
      expect(verdict.totals).toMatchObject([{ excessRefunded: '20.00' }]);
    });

    it.each<[string, Story]>([
      ['no note', {}],
      ['another note', { notes: ['Blue shirt', 'Red shirt'] }],
      [
        'another note and a cent more',
        { notes: ['Blue shirt', 'Red shirt'], again: '20.01', afterMs: 60_000 },
      ],
      ['a note that the first has not', { notes: [undefined, 'Red shirt'], afterMs: 60_000 }],
      ['another amount', { again: '21.00', afterMs: 60_000 }],
      ['a look at the refund when it is completed', { look: 'refund', afterMs: 3 * dayMs }],
      ['a look at the sale', { look: 'charge' }],
      ['a look at the capture', { kind: 'capture', look: 'charge' }],
      ['a look at the payment', { look: 'payment' }],
      ['a look at the list', { look: 'list' }],
      ['a first refund that failed', { outcome: 'refund-failed-later' }],
      ['a first refund that was completed', { outcome: 'ok' }],
      ['five days between them', { afterMs: 5 * dayMs }],
    ])('may be for another item with %s', async (_, story) => {
      const shop = transport.shop();
      await refundTwice(shop, story);
      expect(await foundIn(shop)).not.toContain('high double-refund');
      expect((await shop.merchant.verdict()).passed).toBe(true);
    });

    it.each<[string, Story, RegExp]>([
      ['a cent more', { again: '20.01', afterMs: 60_000 }, /with almost the same amount: 20\.00/],
      [
        'a note that counts the attempts',
        { notes: ['Blue shirt', 'Blue shirt, retry'], afterMs: 60_000 },
        /The first answer showed a refund that was still pending/,
      ],
    ])('returns the money twice with %s', async (_, story, text) => {
      const shop = transport.shop();
      await refundTwice(shop, story);
      const { severity, what, remedy } = findingOf(await shop.merchant.verdict(), 'double-refund');
      expect(severity).toBe('high');
      expect(what).toMatch(text);
      expect(remedy).toMatch(/^Pending is not failed\./);
    });

    it.each<[string, Story, string]>([
      ['within ten seconds', { afterMs: 9000 }, 'medium'],
      ['some hours later, without a note', {}, 'low'],
    ])('may be for two items %s', async (_, story, severity) => {
      const shop = transport.shop();
      await refundTwice(shop, story);
      expect(await foundIn(shop)).toContain(`${severity} double-refund`);
    });
  },
  onTestTime,
);
