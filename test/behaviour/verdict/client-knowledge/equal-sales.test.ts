/** Equal payments with nothing that tells them apart: those of a test suite or load test, beside clicks and retries. */
import { expect, it } from 'vitest';
import type { OutcomeIdOrOk } from '../../../../src/outcomes/outcome-id.ts';
import { see } from '../../forcing/tolerant-client.ts';
import { onEveryTransport, type Shop } from '../../../support/transports.ts';
import { authorize, capture, sell, storeCard } from '../../../support/purchases.ts';
import { cardBody, paymentBody } from '../../../support/samples.ts';
import { findingOf, foundIn, namesOf } from '../support/findings.ts';
import { Checkout, keyed, onTestTime, type Attempt } from '../support/payment-attempts.ts';

/** Equal payments, each with a request id of its own. */
function equal(count: number, attempt: Attempt = {}): Attempt[] {
  return Array.from({ length: count }, (_, at) => ({ ...attempt, key: `payment ${at}` }));
}

/** So many sales that are completed. */
function completed(count: number): OutcomeIdOrOk[] {
  return Array.from({ length: count }, () => 'ok' as const);
}

const remarks = ['low double-charge'];
const suspected = ['medium double-charge'];
const anyName = { description: 'This is the payment transaction description.' };

onEveryTransport(
  'equal payments in turn',
  (transport) => {
    it.each<[string, readonly Attempt[], readonly string[]]>([
      ['remarks if there are five without a name', equal(5), remarks],
      ['remarks if their description names no order', equal(5, anyName), remarks],
      ['suspected if there are four, as a retry may send', equal(4), suspected],
      ['suspected if they have a `custom`', equal(5, { custom: 'sub-ada' }), suspected],
      ['suspected if they name an order', equal(5, { description: 'Order 1001' }), suspected],
    ])('are %s', async (_, attempts, found) => {
      const till = await Checkout.at(transport.shop());
      await till.payAll(...attempts);
      expect(await foundIn(till.shop)).toEqual(found);
    });

    it('are certainly too many if the answer to one was lost', async () => {
      const till = await Checkout.at(transport.shop());
      till.forceOutcome('reset-after-commit');
      await till.payAll(...equal(6));
      expect(await foundIn(till.shop)).toContain('critical double-charge');
    });

    it('are remarks if the lost answer to one came with a repeat of its request id', async () => {
      const till = await Checkout.at(transport.shop());
      till.forceOutcome('reset-after-commit');
      await till.payAll(...equal(1), ...equal(6));
      expect(await foundIn(till.shop)).toEqual(remarks);
    });

    const pending: OutcomeIdOrOk = 'sale-pending-then-completed';
    const web: Attempt = { custom: 'web' };
    const atTill: Attempt = { custom: 'till-3' };

    it.each<[string, readonly OutcomeIdOrOk[], Attempt, string]>([
      ['remarks if one of six without a name is pending', [pending, ...completed(5)], {}, 'low'],
      [
        'suspected if the client goes on after a completed one',
        [pending, 'ok', 'ok'],
        {},
        'medium',
      ],
      ['suspected if it goes on under a shared name', [pending, 'ok', 'ok'], web, 'medium'],
      ['suspected if it meets another pending one then', [pending, 'ok', pending], web, 'medium'],
      ['too many if it stops at a completed one', [pending, 'ok'], web, 'critical'],
      ['too many if it does so after other sales', ['ok', 'ok', pending, 'ok'], web, 'critical'],
      ['too many if all are pending', [pending, pending, pending], web, 'critical'],
      ['suspected if all are pending at a till', [pending, pending, pending], atTill, 'medium'],
      ...['parking-meter-17', 'charger 4', 'booth_2'].map(
        (custom): [string, readonly OutcomeIdOrOk[], Attempt, string] => [
          `suspected if all are pending at ${custom}`,
          [pending, pending, pending],
          { custom },
          'medium',
        ],
      ),
      [
        'suspected if all since one are pending at a till',
        ['ok', pending, pending],
        atTill,
        'medium',
      ],
      ['too many if a till stops at a completed one', [pending, 'ok'], atTill, 'critical'],
      [
        'too many if they name an order',
        [pending, 'ok', 'ok'],
        { custom: 'order-1001' },
        'critical',
      ],
      [
        'too many if a till names an order in each',
        [pending, pending, pending],
        { ...atTill, description: 'Order 1001' },
        'critical',
      ],
      [
        'too many if the answer to one was lost',
        [pending, 'reset-after-commit', 'ok', 'ok'],
        web,
        'critical',
      ],
    ])('are %s', async (_, sequence, attempt, severity) => {
      const checkout = await Checkout.at(transport.shop());
      checkout.shop.merchant.force({ op: 'payment.create', per: 'merchant', sequence });
      await checkout.payAll(...equal(sequence.length, attempt));
      expect(await foundIn(checkout.shop)).toContain(`${severity} double-charge`);
    });

    it.each<[string, Attempt, string]>([
      ['likely too many at a till', atTill, 'high'],
      ['too many without a name', {}, 'critical'],
    ])('are %s if two are sent at once while both are pending', async (_, attempt, severity) => {
      const checkout = await Checkout.at(transport.shop());
      checkout.forceOutcome(pending, 2);
      await Promise.all(equal(2, attempt).map((one) => checkout.pay(one)));
      expect(await foundIn(checkout.shop)).toContain(`${severity} double-charge`);
    });

    it.each([6, 20])('are summed up beside all requests if there are %i', async (count) => {
      const till = await Checkout.at(transport.shop());
      await till.payAll(...equal(count, { description: 'Order 1001' }));
      const { what, evidence } = findingOf(await till.shop.merchant.verdict(), 'double-charge');
      expect(what).toMatch(/ times: 30\.11 USD each, the first at [\d:]+ and the last at [\d:]+\./);
      expect(what).toContain(`${count} times`);
      expect(evidence).toHaveLength(count);
    });

    it('are counted in the advice', async () => {
      const till = await Checkout.at(transport.shop());
      await till.payAll(...equal(5, { description: 'Order 1001' }));
      const { what, remedy } = findingOf(await till.shop.merchant.verdict(), 'double-charge');
      expect(what).toMatch(/ All payments name the same order, period or instalment\.$/);
      expect(remedy).toMatch(/^If all were wanted, give each an invoice_number/);
    });
  },
  onTestTime,
);

onEveryTransport(
  'equal payments at once',
  (transport) => {
    it.each([
      [
        'remarks if there are five without a name, as in a load test',
        5,
        'low',
        ['If all were wanted', 'If all were wanted'],
      ],
      [
        'suspected if there are three, as of a buyer who clicks',
        3,
        'medium',
        ['Create one PayPal-Request-Id per order', 'Lock the order while it is paid'],
      ],
    ])('are %s', async (_, count, severity, advice) => {
      const till = await Checkout.at(transport.shop());
      await Promise.all(equal(count).map((attempt) => till.pay(attempt)));
      const verdict = await till.shop.merchant.verdict();
      expect(namesOf(verdict).toSorted()).toEqual([
        `${severity} concurrent-duplicates`,
        `${severity} double-charge`,
      ]);
      expect(
        ['double-charge', 'concurrent-duplicates'].map((rule) => findingOf(verdict, rule).remedy),
      ).toEqual(advice.map((text) => expect.stringContaining(text)));
    });
  },
  onTestTime,
);

onEveryTransport(
  'a payment like the one before',
  (transport) => {
    async function sellAndRefund(shop: Shop, cardId: string, key: string, custom?: string) {
      const transaction = custom === undefined ? {} : { custom };
      const { text } = await see(shop, 'payment.create', {
        body: paymentBody({ cardId, transaction }),
        headers: keyed(key),
      });
      const [, sale = ''] = /"sale":\{"id":"([^"]+)"/.exec(text) ?? [];
      const body = { amount: { total: '4.00', currency: 'USD' } };
      await shop.ask('sale.refund', 201, { params: { sale_id: sale }, body });
    }

    it.each([
      ['remarked on if a part of that one was refunded first', undefined, 0, remarks],
      ['remarked on under one name, too', 'checks', 0, remarks],
      ['reported if both are for one order', 'order-1001', 600_000, ['high double-charge']],
    ] as const)('is %s', async (_, custom, apartMs, found) => {
      const shop = transport.shop();
      const cardId = await storeCard(shop);
      await sellAndRefund(shop, cardId, 'one', custom);
      shop.merchant.clock.advance(apartMs);
      await sellAndRefund(shop, cardId, 'two', custom);
      expect((await foundIn(shop)).filter((one) => one.endsWith('-charge'))).toEqual(found);
    });

    it.each([
      ['remarked on if that one was captured first', undefined, remarks],
      ['suspected if both have a `custom`', 'sub-ada', suspected],
    ])('is %s', async (_, custom, found) => {
      const shop = transport.shop();
      const cardId = await storeCard(shop);
      for (let times = 0; times < 2; times++) {
        const { id } = await authorize(shop, {
          cardId,
          ...(custom !== undefined && { transaction: { custom } }),
        });
        await capture(shop, id, '30.11', { is_final_capture: true });
      }
      expect((await foundIn(shop)).filter((one) => one.endsWith('-charge'))).toEqual(found);
    });
  },
  onTestTime,
);

onEveryTransport(
  'the advice on requests at once',
  (transport) => {
    it('names what to lock while a card is stored or a sale refunded', async () => {
      const shop = transport.shop();
      const { id } = await sell(shop, { total: '30.00' });
      const body = { amount: { total: '5.00', currency: 'USD' } };
      const refund = (key: string) =>
        shop.ask('sale.refund', 201, { params: { sale_id: id }, body, headers: keyed(key) });
      await Promise.all([refund('a'), refund('b')]);
      const store = (key: string) =>
        see(shop, 'card.create', { body: cardBody({ first_name: 'Bob' }), headers: keyed(key) });
      await Promise.all([store('c'), store('d')]);
      const { findings } = await shop.merchant.verdict();
      const advice = findings.flatMap(({ rule, remedy }) =>
        rule === 'concurrent-duplicates' ? remedy : [],
      );
      expect(advice.toSorted()).toEqual([
        expect.stringMatching(/^Lock the customer while a card is stored/),
        expect.stringMatching(/^Lock the order while it is refunded/),
      ]);
    });
  },
  onTestTime,
);
