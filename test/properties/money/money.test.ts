/** Money never appears or vanishes, and never moves for a refused request. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { PaymentOut } from '../../../src/contract/service/payments.ts';
import { onEveryTransport, type Reply, type Shop } from '../../support/transports.ts';
import { cardBody, paymentBody } from '../../support/samples.ts';
import { MoneyModel } from './money-model.ts';
import { runsFor } from '../support/own-transport.ts';
import { walks } from '../support/client-steps.ts';
import { decimal, minorUnits, Walker } from '../support/client-walk.ts';

const moneySteps = {
  store: 3,
  remove: 1,
  pay: 8,
  payRaw: 1,
  capture: 6,
  void: 2,
  refund: 8,
  wait: 1,
};

onEveryTransport('random sequences of payments', (transport) => {
  it('return what a minimal ledger expects, and leave exactly its balances', () =>
    fc.assert(
      fc.asyncProperty(walks(30, moneySteps), async (walk) => {
        const walker = new Walker(transport.shop());
        const model = new MoneyModel(walker);
        let before = await everything(walker.shop);
        for (const step of walk) {
          const expected = model.refusals(step);
          const reply = await walker.take(step);
          const after = await everything(walker.shop);
          if (reply === undefined) {
            model.wait(step);
          } else if (expected.length === 0) {
            expect(reply.status, `${JSON.stringify(step)} answered ${reply.text}`).toBeLessThan(
              300,
            );
            model.apply(step, reply.body);
          } else {
            expect(expected, JSON.stringify(step)).toContain(nameOf(reply));
            expect(after).toEqual(before);
          }
          holdToModel(model, after);
          before = after;
        }
      }),
      runsFor(transport.name, 40),
    ));

  it('never return more than the sale in parallel refunds', () =>
    fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 5000 }),
        fc.array(fc.integer({ min: 1, max: 3000 }), { minLength: 2, maxLength: 8 }),
        async (soldMinor, refunds) => {
          const { shop, saleId } = await sold(transport.shop(), soldMinor);
          const replies = await Promise.all(
            refunds.map(async (minor) => ({
              minor,
              reply: await shop.send('sale.refund', {
                params: { sale_id: saleId },
                body: { amount: { total: decimal(minor, 'USD'), currency: 'USD' } },
              }),
            })),
          );
          const sum = (status: number) =>
            replies
              .filter(({ reply }) => reply.status === status)
              .reduce((total, { minor }) => total + minor, 0);
          const left = soldMinor - sum(201);
          expect(left).toBeGreaterThanOrEqual(0);
          for (const { minor, reply } of replies) {
            if (reply.status !== 201)
              expect(minor, 'refused although it fits').toBeGreaterThan(left);
          }
          expect(shop.merchant.ledger().balances.USD?.merchant).toBe(left);
        },
      ),
      runsFor(transport.name, 40),
    ));

  it("never exceed the authorization's limit in parallel captures", () =>
    fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 100, max: 200_000 }),
        fc.array(fc.integer({ min: 1, max: 130 }), { minLength: 2, maxLength: 6 }),
        async (heldMinor, percents) => {
          const walker = new Walker(transport.shop());
          await walker.take({ ask: 'store', customer: undefined });
          await walker.take({
            ask: 'pay',
            card: 0,
            customer: 'own',
            intent: 'authorize',
            minor: heldMinor,
            currency: 'USD',
          });
          await Promise.all(
            percents.map((percent) =>
              walker.take({
                ask: 'capture',
                held: 0,
                percent,
                isFinal: false,
                currency: undefined,
              }),
            ),
          );
          const captured = walker.taken.reduce((total, { minor }) => total + minor, 0);
          expect(captured * 100).toBeLessThanOrEqual(heldMinor * 115);
          expect(captured).toBeLessThanOrEqual(heldMinor + 7500);
          expect(walker.shop.merchant.ledger().balances.USD?.merchant ?? 0).toBe(captured);
        },
      ),
      runsFor(transport.name, 40),
    ));
});

async function sold(shop: Shop, minor: number): Promise<{ shop: Shop; saleId: string }> {
  const card = await shop.ask('card.create', 201, { body: cardBody() });
  const payment = await shop.ask('payment.create', 201, {
    body: paymentBody({ cardId: card.id, total: decimal(minor, 'USD') }),
  });
  const related = payment.transactions[0]?.related_resources[0];
  return { shop, saleId: related !== undefined && 'sale' in related ? related.sale.id : '' };
}

function nameOf({ body }: Reply<unknown>): unknown {
  return Reflect.get(Object(body), 'name');
}

interface Everything {
  readonly cards: readonly { readonly id: string }[];
  readonly payments: readonly ReturnType<typeof PaymentOut.parse>[];
  readonly ledger: ReturnType<Shop['merchant']['ledger']>;
}

/** Everything that can be read of a merchant. */
async function everything(shop: Shop): Promise<Everything> {
  const { items } = await shop.ask('card.list', 200, { query: { page_size: '20' } });
  const payments = [];
  let next: string | undefined;
  do {
    const query: Record<string, string> = {
      count: '20',
      ...(next === undefined ? {} : { start_id: next }),
    };
    const page = await shop.ask('payment.list', 200, { query });
    payments.push(...page.payments);
    next = page.next_id;
  } while (next !== undefined);
  return { cards: items, payments, ledger: structuredClone(shop.merchant.ledger()) };
}

/** Compares ledger, sums and states with the model. */
function holdToModel(model: MoneyModel, { cards, payments, ledger }: Everything): void {
  for (const { cardholders, merchant } of Object.values(ledger.balances)) {
    expect(cardholders + merchant).toBe(0);
  }
  expect(
    Object.fromEntries(Object.entries(ledger.balances).map(([key, of]) => [key, of.merchant])),
  ).toEqual(model.balances());
  expect(cards.map(({ id }) => id)).toEqual(model.cardIds());
  const shown = payments.flatMap((payment) => payment.transactions[0]?.related_resources ?? []);
  for (const related of shown) {
    if ('sale' in related) expect(related.sale.state).toBe(model.takenState(related.sale.id));
    if ('capture' in related) {
      expect(related.capture.state).toBe(model.takenState(related.capture.id));
    }
    if ('authorization' in related) {
      expect(related.authorization.state).toBe(model.heldState(related.authorization.id));
    }
    if ('refund' in related) {
      const { sale_id: saleId, capture_id: captureId, amount } = related.refund;
      expect(minorUnits(amount.total, model.currencyOf(saleId ?? captureId ?? ''))).toBeGreaterThan(
        0,
      );
    }
  }
}
