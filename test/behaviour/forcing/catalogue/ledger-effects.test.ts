/** Compares a merchant with faults to one without: after the commit only the delivery differs, before it nothing remains. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { OperationName } from '../../../../src/contract/service/operation-name.ts';
import { catalogue } from '../../../../src/outcomes/catalogue.ts';
import type { Outcome } from '../../../../src/outcomes/outcome.ts';
import { runsFor } from '../../../properties/support/own-transport.ts';
import { onEveryTransport, type Shop } from '../../../support/transports.ts';
import { dayMs, storeCard } from '../../../support/purchases.ts';
import { cardBody, paymentBody } from '../../../support/samples.ts';
import { makeSubjects } from '../../../support/requests/valid-requests.ts';
import { at, see, type Call } from '../tolerant-client.ts';
import { booksOf, expectBalanced } from '../books.ts';
import { forcible, operationsOf, quickParams, requestFor } from './request-plans.ts';

/** Outcomes after which the request was certainly executed as usual, or certainly not executed. */
const plain = forcible.filter(
  ({ commit, effect }) =>
    ['never', 'committed', 'as-normal'].includes(commit) &&
    ['error', 'page', 'fault', 'dialect', 'unauthenticated', 'not-visible-yet'].includes(
      effect.kind,
    ),
);

const asked: readonly OperationName[] = [
  'card.create',
  'payment.create',
  'sale.refund',
  'card.delete',
];

/** One request of a history and its outcome. `pick` chooses one of the existing records. */
interface Step {
  readonly operation: OperationName;
  readonly pick: number;
  readonly outcome: Outcome | undefined;
  readonly by: 'armed' | 'header';
}

const step: fc.Arbitrary<Step> = fc.constantFrom(...asked).chain((operation) => {
  const possible = plain.filter((outcome) => operationsOf(outcome).includes(operation));
  return fc.record({
    operation: fc.constant(operation),
    pick: fc.nat({ max: 9 }),
    outcome: fc.option(fc.constantFrom(...possible), { nil: undefined }),
    by: fc.constantFrom('armed' as const, 'header' as const),
  });
});

/** A refused request also draws an id, so records are compared by their order of creation. */
function withoutIds(books: unknown): unknown {
  const seen = new Map<string, number>();
  // An id that was shown in its longer form stays long.
  const short = JSON.stringify(books).replaceAll(/NEXT-([\w-]+?)-Z+/g, '$1');
  const text = short.replaceAll(/\b(?:PAY-|CARD-)?(?=[0-9A-Z]*\d)[0-9A-Z]{17,24}\b/g, (id) => {
    const place = seen.get(id) ?? seen.size;
    seen.set(id, place);
    return `#${place}`;
  });
  return JSON.parse(text);
}

/** Builds each request from the merchant's own records, so that both merchants send the same requests. */
async function callFor(shop: Shop, { operation, pick }: Step): Promise<Call | undefined> {
  const { cards, payments } = await booksOf(shop);
  const cardId = String(at(cards[pick % Math.max(1, cards.length)], 'id'));
  switch (operation) {
    case 'card.create':
      return { body: cardBody({ first_name: `Ada ${pick}` }) };
    case 'card.delete':
      return cards.length === 0 ? undefined : { path: `/v1/vault/credit-cards/${cardId}` };
    case 'payment.create':
      return cards.length === 0
        ? undefined
        : { body: paymentBody({ cardId, total: `${pick + 10}.00` }) };
    default: {
      const payment = payments[pick % Math.max(1, payments.length)];
      const sale = at(payment, 'transactions', 0, 'related_resources', 0, 'sale', 'id');
      return payment === undefined
        ? undefined
        : {
            path: `/v1/payments/sale/${String(sale)}/refund`,
            body: { amount: { total: '1.00', currency: 'USD' } },
          };
    }
  }
}

async function disturbed(shop: Shop, one: Step, call: Call): Promise<void> {
  const { outcome, operation } = one;
  if (outcome === undefined) {
    await see(shop, operation, call);
    return;
  }
  const params = quickParams(outcome);
  if (one.by === 'armed') {
    shop.merchant.force({ op: operation, outcome: { outcome: outcome.id, with: params } });
    await see(shop, operation, call);
    shop.merchant.clearRules();
    return;
  }
  const words = [outcome.id, ...Object.entries(params).map((pair) => pair.join('='))].join('; ');
  await see(shop, operation, { ...call, headers: { 'Sandbox-Outcome': words } });
}

onEveryTransport(
  'a merchant with faults',
  (transport) => {
    it('has the same records as a merchant that received only the executed requests', () =>
      fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
          const [left, right] = [transport.shop(), transport.shop()];
          await Promise.all([storeCard(left), storeCard(right)]);
          for (const one of steps) {
            const [call, same] = [await callFor(left, one), await callFor(right, one)];
            if (call === undefined || same === undefined) continue;
            await disturbed(left, one, call);
            if (one.outcome?.commit !== 'never') await see(right, one.operation, same);
          }
          expect(withoutIds(await booksOf(left))).toEqual(withoutIds(await booksOf(right)));
          expectBalanced(left);
        }),
        runsFor(transport.name, 40),
      ));
  },
  { baseUrl: 'https://sandbox.test' },
);

/** The final state of a payment or refund with a forced result. */
function endOf({ effect }: Outcome): 'done' | 'undone' | undefined {
  if (effect.kind === 'refund')
    return effect.overrides.settlesTo === 'completed' ? 'done' : 'undone';
  if (effect.kind !== 'payment') return undefined;
  const { sale, settlesTo } = effect.overrides;
  if (sale === undefined) return 'done';
  return settlesTo !== undefined && settlesTo !== 'denied' ? 'done' : 'undone';
}

const bent = forcible.flatMap((outcome) =>
  operationsOf(outcome).flatMap((operation) => {
    const end = endOf(outcome);
    return end === undefined ? [] : [{ id: outcome.id, operation, end }];
  }),
);

onEveryTransport('a payment or refund with a forced result', (transport) => {
  it.each(bent)('ends as $end: $id on $operation', async ({ id, operation, end }) => {
    const shop = transport.shop();
    const call = requestFor(operation, await makeSubjects(shop));
    shop.merchant.snapshot('ready');
    const { balances: before } = shop.merchant.ledger();
    await see(shop, operation, call);
    const { balances: usual } = shop.merchant.ledger();
    expect(usual).not.toEqual(before);
    shop.merchant.restore('ready');
    shop.merchant.force({ op: operation, outcome: id });
    await see(shop, operation, call);
    // A review that never ends moves no money.
    shop.merchant.clock.advance(400 * dayMs);
    expect(shop.merchant.ledger().balances).toEqual(end === 'done' ? usual : before);
    expectBalanced(shop);
  });
});

describe('an outcome with two effects', () => {
  it('exists only once in the catalogue', () => {
    expect(catalogue.filter(({ commit }) => commit === 'twice').map(({ id }) => id)).toEqual([
      'executed-twice-by-proxy',
    ]);
  });
});

onEveryTransport('executed-twice-by-proxy', (transport) => {
  it('makes two payments or two refunds from one request', async () => {
    const shop = transport.shop();
    const cardId = await storeCard(shop);
    const headers = { 'PayPal-Request-Id': 'one' };
    shop.merchant.force({ op: 'payment.create', outcome: 'executed-twice-by-proxy' });
    const body = paymentBody({ cardId, total: '10.00' });
    const seen = await see(shop, 'payment.create', { body, headers });
    const { payments } = await booksOf(shop);
    expect(payments).toHaveLength(2);
    expect(at(JSON.parse(seen.text), 'id')).toBe(at(payments.at(-1), 'id'));
    const sale = at(payments[0], 'transactions', 0, 'related_resources', 0, 'sale', 'id');
    shop.merchant.force({ op: 'sale.refund', outcome: 'executed-twice-by-proxy' });
    await see(shop, 'sale.refund', {
      path: `/v1/payments/sale/${String(sale)}/refund`,
      body: { amount: { total: '4.00', currency: 'USD' } },
    });
    expect(shop.merchant.ledger().balances.USD?.merchant).toBe(2 * 1000 - 2 * 400);
  });

  it('does not repeat a request whose second execution is invalid: a used invoice number, a refund above the sale', async () => {
    const shop = transport.shop();
    const cardId = await storeCard(shop);
    shop.merchant.force({ op: 'payment.create', outcome: 'executed-twice-by-proxy' });
    const body = paymentBody({ cardId, total: '10.00', transaction: { invoice_number: 'INV-1' } });
    await see(shop, 'payment.create', { body });
    const { payments } = await booksOf(shop);
    expect(payments).toHaveLength(1);
    const sale = at(payments[0], 'transactions', 0, 'related_resources', 0, 'sale', 'id');
    shop.merchant.force({ op: 'sale.refund', outcome: 'executed-twice-by-proxy' });
    await see(shop, 'sale.refund', { path: `/v1/payments/sale/${String(sale)}/refund`, body: {} });
    expect(shop.merchant.ledger().balances.USD?.merchant).toBe(0);
  });
});
