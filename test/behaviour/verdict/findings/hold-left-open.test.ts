/** Money of a buyer that stays on hold, because the client forgets it or its void is lost. */
import { expect, it } from 'vitest';
import type { OperationName } from '../../../../src/contract/service/operation-name.ts';
import {
  authorizationOf,
  authorize,
  dayMs,
  hourMs,
  saleOf,
  sell,
  storeCard,
  type PaymentReply,
} from '../../../support/purchases.ts';
import type { OutcomeId } from '../../../../src/outcomes/outcome-id.ts';
import { onEveryTransport, type Shop } from '../../../support/transports.ts';
import { see } from '../../forcing/tolerant-client.ts';
import { findingOf, foundIn } from '../support/findings.ts';
import { lose, newKey, send, type NamedOrder } from '../support/named-orders.ts';
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

    it.each<[string, OperationName, OutcomeId, (shop: Shop, id: string) => Promise<unknown>]>([
      [
        'capture of the rest was refused',
        'auth.capture',
        'auth-honor-lapsed',
        (shop, id) => take(shop, id, '40.00'),
      ],
      [
        'void of the rest was lost, and a look showed it',
        'auth.void',
        'reset-before-commit',
        async (shop, id) => {
          await release(shop, id);
          await look(shop, id);
        },
      ],
    ])('is forgotten if a %s, and nothing more was done', async (_, op, outcome, act) => {
      const shop = transport.shop();
      const { id } = await authorize(shop, { total: '100.00' });
      await take(shop, id, '60.00');
      shop.merchant.force({ op, outcome });
      await act(shop, id);
      shop.merchant.clock.advance(29 * dayMs);
      expect(await leftOpenIn(shop)).toEqual(['medium hold-left-open']);
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

onEveryTransport(
  'all money of an authorization that is never captured',
  (transport) => {
    const paymentIn = ({ text }: { readonly text: string }) => JSON.parse(text) as PaymentReply;

    /** Holds money for an order, and returns the id of the authorization with what pays the same order in the same words. */
    async function open(shop: Shop, change: Partial<NamedOrder> = {}) {
      const order: NamedOrder = {
        cardId: await storeCard(shop),
        custom: 'order-420',
        total: '100.00',
        ...change,
      };
      const { id } = authorizationOf(
        paymentIn(await send(shop, { ...order, intent: 'authorize' })),
      );
      const pay = (other: Partial<NamedOrder> = {}) => send(shop, { ...order, ...other });
      return { id, pay };
    }

    /** Waits until authorizations of now have expired. */
    function waitForEnd(shop: Shop): void {
      shop.merchant.clock.advance(29 * dayMs);
    }

    it.each([
      ['a sale', 'sale', '27.30'],
      ['a larger hold', 'authorize', '120.00'],
      ['a sale of twice the amount', 'sale', '200.00'],
    ])('is forgotten if the order is paid by %s', async (_, intent, total) => {
      const shop = transport.shop();
      const { pay } = await open(shop);
      shop.merchant.clock.advance(2 * hourMs);
      const payment = paymentIn(await pay({ intent, total }));
      if (intent === 'authorize') await take(shop, authorizationOf(payment).id, total, true);
      expect(await leftOpenIn(shop)).toEqual([]);
      waitForEnd(shop);
      const { severity, confidence, what, remedy, evidence } = findingOf(
        await shop.merchant.verdict(),
        'hold-left-open',
      );
      expect([severity, confidence]).toEqual(['medium', 'possible']);
      expect(what).toBe(
        `Purchase "order-420" was authorized for 100.00 USD, and another payment then paid the order: ${total} USD. The client did not release the 100.00 USD, so it stayed on hold until the authorization expired, 29 days after it was made.`,
      );
      expect(remedy).toMatch(/^Capture an authorization, or void it before you pay its order/);
      expect(evidence).toHaveLength(2);
    });

    it.each<[string, (shop: Shop) => Promise<unknown>]>([
      [
        'pays within seconds, as tests that share a name do',
        async (shop) => {
          const { pay } = await open(shop);
          shop.merchant.clock.advance(9_000);
          await pay();
        },
      ],
      ['names no order', async (shop) => payLater(shop, { custom: 'web' })],
      ['pays another order', async (shop) => payLater(shop, {}, { custom: 'order-421' })],
      ['is for something else', async (shop) => payLater(shop, { description: 'Deposit' })],
      [
        'has another invoice number',
        async (shop) => payLater(shop, { invoice_number: 'A-1' }, { invoice_number: 'A-2' }),
      ],
      [
        'may be a check of the card',
        async (shop) => payLater(shop, { total: '1.00' }, { total: '2.01' }),
      ],
      ['pays in another currency', async (shop) => payLater(shop, {}, { currency: 'EUR' })],
      ['only holds money again', async (shop) => payLater(shop, {}, { intent: 'authorize' })],
      [
        'gives the money of the other payment back',
        async (shop) => {
          const { id } = saleOf(paymentIn(await payLater(shop)));
          await shop.ask('sale.refund', 201, { params: { sale_id: id }, body: {} });
        },
      ],
      [
        'paid before that',
        async (shop) => {
          const order = { cardId: await storeCard(shop), custom: 'order-420', total: '100.00' };
          await send(shop, order);
          shop.merchant.clock.advance(hourMs);
          await send(shop, { ...order, intent: 'authorize' });
        },
      ],
      [
        'pays after it has expired',
        async (shop) => {
          const { pay } = await open(shop);
          waitForEnd(shop);
          await pay();
        },
      ],
    ])('is not reported if the client %s', async (_, act) => {
      const shop = transport.shop();
      await act(shop);
      waitForEnd(shop);
      expect(await leftOpenIn(shop)).toEqual([]);
    });

    /** Holds money, and sends another payment two hours later. */
    async function payLater(
      shop: Shop,
      change: Partial<NamedOrder> = {},
      other: Partial<NamedOrder> = { description: undefined, total: '100.00' },
    ) {
      const { pay } = await open(shop, change);
      shop.merchant.clock.advance(2 * hourMs);
      return pay(other);
    }

    it.each<[string, boolean, number]>([
      ['is reported if the client knows of it from a list', true, 5],
      ['is reported as a double charge if the order is paid within days', true, 1],
      ['is not reported if the client never learned of it', false, 5],
    ])('%s', async (_, lists, days) => {
      const shop = transport.shop();
      const order = { cardId: await storeCard(shop), custom: 'order-420', total: '100.00' };
      lose(shop);
      await send(shop, { ...order, intent: 'authorize' });
      if (lists) await shop.ask('payment.list', 200, {});
      shop.merchant.clock.advance(days * dayMs);
      await send(shop, order);
      waitForEnd(shop);
      const isLeft = lists && days > 4;
      expect(await leftOpenIn(shop)).toEqual(isLeft ? ['medium hold-left-open'] : []);
      expect((await foundIn(shop)).includes('high double-charge')).toBe(lists && !isLeft);
    });

    it('is not reported if a proxy made it, and the client voids its own', async () => {
      const shop = transport.shop();
      shop.merchant.force({ op: 'payment.create', outcome: 'executed-twice-by-proxy' });
      const { id, pay } = await open(shop);
      await release(shop, id);
      shop.merchant.clock.advance(hourMs);
      await pay();
      waitForEnd(shop);
      expect(await leftOpenIn(shop)).toEqual([]);
    });

    /** Tries to use or release a hold, which fails. */
    interface Failure {
      readonly op: 'auth.capture' | 'auth.void';
      readonly outcome: OutcomeId;
    }

    const refused: Failure = { op: 'auth.capture', outcome: 'auth-honor-lapsed' };
    const lostCapture: Failure = { op: 'auth.capture', outcome: 'reset-before-commit' };
    const lostVoid: Failure = { op: 'auth.void', outcome: 'reset-before-commit' };

    async function fail(shop: Shop, id: string, { op, outcome }: Failure): Promise<void> {
      shop.merchant.force({ op, outcome });
      await (op === 'auth.void' ? release(shop, id) : take(shop, id, '100.00', true));
    }

    it.each<[string, Failure, number, string, RegExp]>([
      [
        'a capture was refused',
        refused,
        4,
        'The client could not capture the authorization: that was refused. ',
        /^Void an authorization whose capture was refused/,
      ],
      [
        'a void was lost',
        lostVoid,
        8,
        'The client asked to void the authorization, but that failed. ',
        /^Read an authorization after its void has failed/,
      ],
      ['a capture was lost', lostCapture, 8, '', /^Capture an authorization, or void it/],
    ])('is forgotten after %s', async (_, failure, days, explanation, advice) => {
      const shop = transport.shop();
      const { id, pay } = await open(shop);
      shop.merchant.clock.advance(days * dayMs);
      await fail(shop, id, failure);
      shop.merchant.clock.advance(hourMs);
      await pay({ total: '120.00' });
      if (failure !== refused) await shop.ask('payment.list', 200, {});
      expect(await leftOpenIn(shop)).toEqual([]);
      waitForEnd(shop);
      const { severity, confidence, what, remedy, evidence } = findingOf(
        await shop.merchant.verdict(),
        'hold-left-open',
      );
      expect([severity, confidence]).toEqual(['medium', 'possible']);
      expect(what).toBe(
        `Purchase "order-420" was authorized for 100.00 USD, and another payment then paid the order: 120.00 USD. ${explanation}The client did not release the 100.00 USD, so it stayed on hold until the authorization expired, 29 days after it was made.`,
      );
      expect(remedy).toMatch(advice);
      expect(evidence).toHaveLength(3);
    });

    it('is forgotten if its capture was refused, and a new hold was captured', async () => {
      const shop = transport.shop();
      const { id, pay } = await open(shop);
      shop.merchant.clock.advance(4 * dayMs);
      await fail(shop, id, refused);
      shop.merchant.clock.advance(hourMs);
      const other = authorizationOf(paymentIn(await pay({ intent: 'authorize' })));
      await take(shop, other.id, '100.00', true);
      waitForEnd(shop);
      expect(await leftOpenIn(shop)).toEqual(['medium hold-left-open']);
    });

    it.each<[string, Failure, (shop: Shop, id: string) => Promise<unknown>, string]>([
      ['voids it', refused, (shop, id) => release(shop, id), 'none'],
      ['voids it in a second try', lostVoid, (shop, id) => release(shop, id), 'none'],
      [
        'is told that it has expired',
        { op: 'auth.capture', outcome: 'auth-expired' },
        async () => undefined,
        'none',
      ],
      [
        'sees in the end that it has expired',
        refused,
        async (shop, id) => {
          waitForEnd(shop);
          await look(shop, id);
        },
        'none',
      ],
      [
        'asks to void it in the end',
        refused,
        async (shop, id) => {
          waitForEnd(shop);
          await release(shop, id);
        },
        'none',
      ],
      ['never looks after a lost void', lostVoid, async () => undefined, 'no-read-after-unknown'],
    ])('is not reported after a failure if the client %s', async (_, failure, act, other) => {
      const shop = transport.shop();
      const { id, pay } = await open(shop);
      shop.merchant.clock.advance(5 * dayMs);
      await fail(shop, id, failure);
      shop.merchant.clock.advance(hourMs);
      await pay();
      await act(shop, id);
      waitForEnd(shop);
      expect(await leftOpenIn(shop)).toEqual([]);
      expect(await foundIn(shop)).toEqual(other === 'none' ? [] : [`high ${other}`]);
    });

    it.each([
      ['nothing else paid the order', 0, false],
      ['the order was paid after the hold had expired', 29, true],
    ])('is not reported after a refused capture if %s', async (_, days, pays) => {
      const shop = transport.shop();
      const { id, pay } = await open(shop);
      await fail(shop, id, refused);
      shop.merchant.clock.advance(days * dayMs);
      if (pays) await pay();
      waitForEnd(shop);
      expect(await leftOpenIn(shop)).toEqual([]);
    });

    it('is not reported if its capture was lost before it was made', async () => {
      const shop = transport.shop();
      const { id, pay } = await open(shop);
      shop.merchant.force({ op: 'auth.capture', outcome: 'reset-before-commit' });
      await take(shop, id, '100.00');
      shop.merchant.clock.advance(hourMs);
      await pay();
      waitForEnd(shop);
      expect(await leftOpenIn(shop)).toEqual([]);
    });
  },
  onTestTime,
);
