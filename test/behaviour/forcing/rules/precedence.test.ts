/** The precedence of triggers: armed rule, header, scenario rule, cardholder name, card number, amount. */
import { expect, it } from 'vitest';
import { onEveryTransport, type Shop } from '../../../support/transports.ts';
import { inOrder } from '../../../support/in-order.ts';
import { storeCard } from '../../../support/purchases.ts';
import { paymentBody } from '../../../support/samples.ts';
import { see } from '../tolerant-client.ts';

/** Each trigger forces another decline, so that the response shows which one applied. */
const declines = {
  armed: 'decline-suspected-fraud',
  header: 'decline-compliance',
  scenario: 'decline-velocity',
  name: 'decline-card-expired-at-issuer',
  card: 'decline-lost-or-stolen',
  amount: 'decline-insufficient-funds',
} as const;

type Asker = keyof typeof declines;
const askers = Object.keys(declines) as Asker[]; // The keys of the table above, in order of precedence.

/** Pays with these triggers and returns the outcome that the response names. */
async function paid(shop: Shop, asking: ReadonlySet<Asker>): Promise<string | null> {
  if (asking.has('scenario')) {
    shop.merchant.playScenario({
      scenario: 'one-of-many',
      version: 1,
      about: 'Asks beside others.',
      rules: [{ op: 'payment.create', then: declines.scenario }],
    });
  }
  const cardId = await storeCard(shop, {
    first_name: asking.has('name') ? 'CCREJECT-EC' : 'Ada',
    number: asking.has('card') ? '4000000000009987' : '4417119669820331',
  });
  if (asking.has('armed')) shop.merchant.force({ op: 'payment.create', outcome: declines.armed });
  const seen = await see(shop, 'payment.create', {
    body: paymentBody({ cardId, total: asking.has('amount') ? '9000.51' : '9000.00' }),
    headers: asking.has('header') ? { 'Sandbox-Outcome': declines.header } : {},
  });
  return seen.headers.get('sandbox-outcome');
}

onEveryTransport(
  'the precedence of triggers',
  (transport) => {
    it('applies the first trigger of several', async () => {
      const sets = Array.from(
        { length: 2 ** askers.length },
        (_, bits) => new Set(askers.filter((_asker, at) => bits & (2 ** at))),
      );
      await inOrder(sets, async (asking) => {
        const first = askers.find((asker) => asking.has(asker));
        expect([[...asking], await paid(transport.shop(), asking)]).toEqual([
          [...asking],
          first === undefined ? null : `${declines[first]}; by=${first}`,
        ]);
      });
    });

    it('keeps an overridden rule for the next request', async () => {
      const shop = transport.shop();
      const cardId = await storeCard(shop);
      const ids = (['decline-generic', 'decline-velocity'] as const).flatMap((outcome) =>
        shop.merchant.force({ op: 'payment.create', outcome }),
      );
      const seen = await inOrder([1, 2, 3], () =>
        see(shop, 'payment.create', { body: paymentBody({ cardId }) }),
      );
      expect(seen.map(({ headers }) => headers.get('sandbox-outcome'))).toEqual([
        'decline-generic; by=armed',
        'decline-velocity; by=armed',
        null,
      ]);
      expect(shop.merchant.rules().map(({ id, fired }) => [id, fired])).toEqual(
        ids.map((id) => [id, 1]),
      );
    });

    it('applies two outcomes if one is about money and one about the transport', async () => {
      const shop = transport.shop();
      const cardId = await storeCard(shop, { first_name: 'CCREJECT-IF' });
      shop.merchant.force({
        op: 'payment.create',
        outcome: 'slow-first-byte',
        params: { delay: 1 },
      });
      const seen = await see(shop, 'payment.create', { body: paymentBody({ cardId }) });
      expect([seen.status, seen.headers.get('sandbox-outcome')]).toEqual([
        400,
        'decline-insufficient-funds; by=name, slow-first-byte; by=armed',
      ]);
    });

    it('lets a transport outcome lose a decline like any other response', async () => {
      const shop = transport.shop();
      const cardId = await storeCard(shop);
      const body = paymentBody({ cardId });
      const steps = ['reset-after-commit', 'html-error-page', 'error-500-after-commit'] as const;
      shop.merchant.force({
        op: 'payment.create',
        sequence: steps.map((and) => ({ outcome: 'decline-generic', and })),
      });
      const seen = await inOrder(steps, () => see(shop, 'payment.create', { body }));
      expect(seen.map(({ status, broke }) => status ?? broke)).toEqual(['ECONNRESET', 502, 500]);
      expect(shop.merchant.ledger().transfers).toEqual([]);
    });

    it('applies rules for every response in addition to other outcomes', async () => {
      const shop = transport.shop();
      const cardId = await storeCard(shop);
      shop.merchant.force({
        op: 'payment.create',
        outcome: { outcome: 'decline-generic', and: { outcome: 'json-wrong-content-type' } },
      });
      shop.merchant.force({ op: 'payment.create', always: ['unknown-field-added'] });
      const seen = await see(shop, 'payment.create', { body: paymentBody({ cardId }) });
      expect(seen.headers.get('sandbox-outcome')).toBe(
        'decline-generic; by=armed, json-wrong-content-type; by=armed, unknown-field-added; by=armed',
      );
      expect(JSON.parse(seen.text)).toMatchObject({
        name: 'CREDIT_CARD_REFUSED',
        x_next_year: { beta: true },
      });
    });

    it('ignores later triggers after a rule that says ok', async () => {
      const shop = transport.shop();
      const cardId = await storeCard(shop, { first_name: 'CCREJECT-IF' });
      shop.merchant.force({ op: 'payment.create', outcome: 'ok' });
      const pay = () =>
        see(shop, 'payment.create', {
          body: paymentBody({ cardId }),
          headers: { 'Sandbox-Outcome': 'decline-generic' },
        });
      expect([(await pay()).status, (await pay()).status]).toEqual([201, 400]);
    });
  },
  { magicAmounts: true },
);

/** Pays for these orders in sequence and returns the statuses. */
function paying(shop: Shop, cardId: string, invoices: readonly string[]): Promise<unknown[]> {
  return inOrder(invoices, async (invoice) => {
    const body = paymentBody({ cardId, transaction: { invoice_number: invoice } });
    return (await see(shop, 'payment.create', { body })).status;
  });
}

type Rules = Extract<
  Parameters<Shop['merchant']['playScenario']>[0],
  { readonly rules?: unknown }
>['rules'];

/** Plays a scenario of these rules, and stores a card. */
function play(shop: Shop, rules: Rules): Promise<string> {
  shop.merchant.playScenario({ scenario: 'orders', version: 1, about: 'Asks in order.', rules });
  return storeCard(shop);
}

const rejected = ['rate-limited-seconds', 'maintenance-window'] as const;

onEveryTransport(
  'a rule of higher precedence that applies after the request is read',
  (transport) => {
    it.each(rejected)('keeps %s from a request for which it says ok', async (outcome) => {
      const shop = transport.shop();
      const cardId = await play(shop, [
        { op: 'payment.create', match: { 'transactions[0].invoice_number': 'VIP' }, then: 'ok' },
        { op: 'payment.create', then: outcome, nth: 1 },
      ]);
      const status = outcome === 'maintenance-window' ? 503 : 429;
      expect(await paying(shop, cardId, ['VIP', 'other'])).toEqual([201, status]);
      expect(shop.merchant.rules().map(({ met, fired }) => [met, fired])).toEqual([
        [1, 1],
        [1, 1],
      ]);
    });

    it.each(rejected)('takes precedence over %s', async (outcome) => {
      const shop = transport.shop();
      const cardId = await play(shop, [
        { op: 'payment.create', then: ['decline-generic', 'ok'], per: 'merchant' },
        { op: 'payment.create', then: outcome },
      ]);
      expect(await paying(shop, cardId, ['one', 'two'])).toEqual([400, 201]);
      expect(shop.merchant.rules().map(({ met, fired }) => [met, fired])).toEqual([
        [2, 2],
        [0, 0],
      ]);
    });

    it.each(['ok', 'decline-generic'] as const)(
      'takes precedence over a scenario once when armed (%s)',
      async (armed) => {
        const shop = transport.shop();
        const cardId = await play(shop, [{ op: 'payment.create', then: 'maintenance-window' }]);
        shop.merchant.force({ op: 'payment.create', outcome: armed });
        expect(await paying(shop, cardId, ['one', 'two'])).toEqual([
          armed === 'ok' ? 201 : 400,
          503,
        ]);
      },
    );

    it('takes precedence over a scenario when a header asks for it', async () => {
      const shop = transport.shop();
      const cardId = await play(shop, [{ op: 'payment.create', then: 'maintenance-window' }]);
      const seen = await see(shop, 'payment.create', {
        body: paymentBody({ cardId }),
        headers: { 'Sandbox-Outcome': 'decline-generic' },
      });
      expect(seen.headers.get('sandbox-outcome')).toBe('decline-generic; by=header');
    });

    it.each([{ nth: 2 }, { probability: 0 }, { match: { $attempt: 2 } }])(
      'does not affect a request that it does not match: %o',
      async (part) => {
        const shop = transport.shop();
        const cardId = await play(shop, [
          { op: 'payment.create', then: 'decline-generic', ...part },
          { op: 'payment.create', then: 'rate-limited-seconds' },
        ]);
        expect(await paying(shop, cardId, ['one'])).toEqual([429]);
      },
    );

    it('does not prevent a transport outcome, which is of the other kind', async () => {
      const shop = transport.shop();
      const cardId = await play(shop, [
        { op: 'payment.create', then: 'reset-after-commit' },
        { op: 'payment.create', then: 'rate-limited-seconds', nth: 1 },
      ]);
      expect(await paying(shop, cardId, ['one', 'one'])).toEqual([429, undefined]);
    });
  },
);

onEveryTransport('magic amounts', (transport) => {
  it('trigger nothing unless they are enabled', async () => {
    expect(await paid(transport.shop(), new Set(['amount']))).toBeNull();
  });
});
