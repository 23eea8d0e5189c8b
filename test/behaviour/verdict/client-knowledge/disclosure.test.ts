/** Which answers disclose a charge to the client, and which do not. */
import { expect, it } from 'vitest';
import { see } from '../../forcing/tolerant-client.ts';
import { journalDefaults } from '../../../../src/journal/journal.ts';
import { onEveryTransport, type Shop } from '../../../support/transports.ts';
import { inOrder } from '../../../support/in-order.ts';
import { authorizationOf, authorize, capture, pay, storeCard } from '../../../support/purchases.ts';
import { paymentBody } from '../../../support/samples.ts';
import { findingOf, foundIn, namesOf } from '../support/findings.ts';
import { keyed, onTestTime, Checkout } from '../support/payment-attempts.ts';

onEveryTransport(
  'a charge whose answer could not be decoded',
  (transport) => {
    it('stays unknown to the client after a list that cannot be decoded either', async () => {
      const till = await Checkout.at(transport.shop());
      till.forceOutcome('wrong-content-encoding');
      await till.pay({ key: 'a', invoice: 'A' });
      till.shop.merchant.force({ op: 'payment.list', outcome: 'wrong-content-encoding' });
      await see(till.shop, 'payment.list', {});
      expect(await foundIn(till.shop)).toContain('low orphaned-charge');
      await see(till.shop, 'payment.list', {});
      expect(await foundIn(till.shop)).toEqual([]);
    });
  },
  onTestTime,
);

onEveryTransport(
  'a list that is too long for the journal',
  (transport) => {
    /** So many words that a page of payments is longer than what the journal keeps of it. */
    const wordy = { description: 'a fine thing '.repeat(9), custom: 'of the shop '.repeat(10) };
    const page = 20;

    /** Sells so often, and reads the page of the latest sales. */
    async function sellMuch(shop: Shop, times = page): Promise<void> {
      const cardId = await storeCard(shop);
      await inOrder([...Array.from({ length: times }).keys()], async (at) => {
        const transaction = { ...wordy, invoice_number: `INV-${at}` };
        await shop.ask('payment.create', 201, {
          body: paymentBody({ cardId, transaction }),
          headers: keyed(`key ${at}`),
        });
      });
      const { text } = await shop.reply('payment.list', 200, { query: { count: String(page) } });
      expect(text.length).toBeGreaterThan(journalDefaults.maxTextLength);
    }

    it('does not disclose a later charge', async () => {
      const till = await Checkout.at(transport.shop());
      await sellMuch(till.shop);
      till.forceOutcome('reset-after-commit');
      await till.pay({ key: 'lost', invoice: 'LOST' });
      expect(await foundIn(till.shop)).toContain('critical orphaned-charge');
    });

    it('discloses the charge at its end', async () => {
      const till = await Checkout.at(transport.shop());
      till.forceOutcome('reset-after-commit');
      await till.pay({ key: 'lost', invoice: 'LOST' });
      await sellMuch(till.shop, page - 1);
      const { purchases } = await till.shop.merchant.verdict();
      const lost = purchases.find(({ label }) => label === 'LOST');
      expect(lost).toMatchObject({ charges: [{ known: 'read', disclosedBy: { how: 'list' } }] });
    });
  },
  onTestTime,
);

onEveryTransport(
  'ids in the long format',
  (transport) => {
    /** Every id is longer, and the first answer to `op` is lost. */
    function lengthen({ merchant }: Shop, op: 'payment.create' | 'auth.capture'): void {
      merchant.playScenario({
        scenario: 'longer',
        version: 1,
        about: 'Ids of next year',
        rules: [
          { op: 'any', always: ['id-format-longer'], optional: true },
          { op, times: 1, then: 'reset-after-commit' },
        ],
      });
    }

    it('disclose a sale in a list', async () => {
      const shop = transport.shop();
      lengthen(shop, 'payment.create');
      const till = await Checkout.at(shop);
      await till.pay({ key: 'a', invoice: 'A' });
      expect(await foundIn(shop)).toContain('critical orphaned-charge');
      await shop.ask('payment.list', 200);
      expect(await foundIn(shop)).not.toContain('critical orphaned-charge');
    });

    it.each(['payment.get', 'auth.get'] as const)(
      'disclose a capture in the answer to %s',
      async (name) => {
        const shop = transport.shop();
        lengthen(shop, 'auth.capture');
        const payment = await pay(shop, { intent: 'authorize' });
        const { id: authorization_id } = authorizationOf(payment);
        expect(authorization_id).toMatch(/^NEXT-/);
        await see(shop, 'auth.capture', captureOf(authorization_id, '30.11'));
        expect(await foundIn(shop)).toContain('critical orphaned-charge');
        await shop.ask(name, 200, { params: { payment_id: payment.id, authorization_id } });
        expect(await foundIn(shop)).not.toContain('critical orphaned-charge');
      },
    );
  },
  onTestTime,
);

onEveryTransport('a capture whose answer was lost', (transport) => {
  it.each([
    ['all of it', [], '30.11', true],
    ['a part of it', [], '10.00', true],
    ['what was left of it', ['20.11'], '10.00', true],
    ['one part of several', ['5.00'], '10.00', false],
  ])(
    'is disclosed by its authorization, %s: %j and then %s: %s',
    async (_how, known, lost, isDisclosed) => {
      const shop = transport.shop();
      const { id } = await authorize(shop);
      await inOrder(known, (total) => capture(shop, id, total));
      shop.merchant.force({ op: 'auth.capture', outcome: 'reset-after-commit' });
      await see(shop, 'auth.capture', captureOf(id, lost));
      expect(await foundIn(shop)).toContain('critical orphaned-charge');
      await shop.ask('auth.get', 200, { params: { authorization_id: id } });
      expect((await foundIn(shop)).includes('critical orphaned-charge')).toBe(!isDisclosed);
    },
  );

  it('stays disclosed by its authorization after later captures', async () => {
    const shop = transport.shop();
    const { id } = await authorize(shop);
    shop.merchant.force({ op: 'auth.capture', outcome: 'reset-after-commit' });
    await see(shop, 'auth.capture', captureOf(id, '10.00'));
    await shop.ask('auth.get', 200, { params: { authorization_id: id } });
    await capture(shop, id, '5.00');
    expect(await foundIn(shop)).not.toContain('critical orphaned-charge');
  });

  it('is not disclosed by its authorization if that answer is lost too', async () => {
    const shop = transport.shop();
    const { id } = await authorize(shop);
    shop.merchant.force({ op: 'auth.capture', outcome: 'reset-after-commit' });
    await see(shop, 'auth.capture', captureOf(id, '30.11'));
    shop.merchant.force({ op: 'auth.get', outcome: 'wrong-content-encoding' });
    await see(shop, 'auth.get', { path: `/v1/payments/authorization/${id}` });
    expect(await foundIn(shop)).toContain('low orphaned-charge');
  });
});

onEveryTransport('a sale whose answer was lost', (transport) => {
  it('is not disclosed by a HEAD request for a list', async () => {
    const till = await Checkout.at(transport.shop());
    till.forceOutcome('reset-after-commit');
    await till.pay({ key: 'a', invoice: 'A' });
    await till.shop.transport.fetch(`${till.shop.transport.base}/v1/payments/payment`, {
      method: 'HEAD',
      headers: { Authorization: `Bearer ${till.shop.merchant.token}` },
    });
    expect(await foundIn(till.shop)).toContain('critical orphaned-charge');
  });
});

onEveryTransport(
  'a sale that is created after its payment',
  (transport) => {
    const early = 0;
    const late = 2000;

    it.each([
      ['payment.list', early, 'never'],
      ['payment.list', late, 'read'],
      ['payment.get', early, 'never'],
      ['payment.get', late, 'read'],
      ['payment.create', early, 'answered'],
    ] as const)('is disclosed by %s %i ms later: %s', async (name, afterMs, known) => {
      const till = await Checkout.at(transport.shop());
      const { merchant } = till.shop;
      till.forceOutcome('partial-commit');
      await till.pay({ key: 'a' });
      const { subject = '' } = merchant.journal({ operation: 'payment.create' }).entries[0] ?? {};
      merchant.clock.advance(afterMs);
      if (name === 'payment.create') await till.pay({ key: 'a' });
      else await till.shop.ask(name, 200, { params: { payment_id: subject } });
      merchant.clock.advance(late);
      const verdict = await merchant.verdict();
      expect(verdict.purchases).toMatchObject([{ charges: [{ known }] }]);
      expect(namesOf(verdict).includes('critical orphaned-charge')).toBe(known === 'never');
    });

    it.each([
      ['is a remark if the client looked before it, and may look again', true, early, 'medium'],
      ['is reported if the client looked too early, and never again', true, late, 'critical'],
      ['is reported if the client never looked', false, early, 'critical'],
    ] as const)('%s', async (_, hasLooked, endMs, severity) => {
      const till = await Checkout.at(transport.shop());
      const { merchant } = till.shop;
      till.forceOutcome('partial-commit');
      await till.pay({ key: 'a' });
      if (hasLooked) await till.shop.ask('payment.list', 200, {});
      merchant.clock.advance(endMs);
      const verdict = await merchant.verdict();
      const finding = findingOf(verdict, 'orphaned-charge');
      expect(finding.severity).toBe(severity);
      const done = severity === 'medium' ? 'will be charged' : 'was charged';
      expect(finding.what).toContain(`${done} for purchase "A test order" at `);
      expect(verdict.passed).toBe(severity === 'medium');
    });
  },
  onTestTime,
);

function captureOf(authorizationId: string, total: string) {
  return {
    path: `/v1/payments/authorization/${authorizationId}/capture`,
    body: { amount: { total, currency: 'USD' } },
    headers: keyed('capture'),
  };
}
