/** Card numbers for tests: valid, each another one, and true to what they are asked to ask for. */
import { describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { brands, brandOf, passesLuhn } from '../../../../src/domain/card/brand.ts';
import { publishedNumbers } from '../../../../src/domain/card/published-numbers.ts';
import { createSandbox, type Exchange, type GenerateCardsOptions } from '../../../../src/index.ts';
import { cardOutcomes } from '../../../../src/outcomes/triggers/card-outcomes.ts';
import { catalogue } from '../../../../src/outcomes/catalogue.ts';
import type { OperationName } from '../../../../src/contract/service/operation-name.ts';
import { findOutcomeByCardNumber } from '../../../../src/outcomes/triggers/magic-values.ts';
import { includesOperation } from '../../../../src/outcomes/rules/rule.ts';
import { onEveryTransport } from '../../../support/transports.ts';
import { cardBody, paymentBody, rawPaymentBody } from '../../../support/samples.ts';
import { call } from '../call.ts';
import { asCardOptions } from '../../../support/requests/unchecked-input.ts';

const Cards = z.array(z.object({ number: z.string(), type: z.enum(brands) }));
const Stored = z.object({ id: z.string() });

onEveryTransport('generated test cards over HTTP', (transport) => {
  const generate = async (order: object, merchant = transport.shop().merchant.id) => {
    const { body } = await call(
      transport,
      `POST /_sandbox/cards/generate?merchant=${merchant}`,
      order,
    );
    return Cards.parse(body);
  };

  it.each(brands)('200 generates valid %s numbers that trigger no outcome', async (brand) => {
    const cards = await generate({ brand, count: 5 });
    expect(new Set(cards.map(({ number }) => number)).size).toBe(5);
    const wrong = cards.filter(
      ({ number, type }) =>
        type !== brand ||
        !passesLuhn(number) ||
        brandOf(number) !== brand ||
        findOutcomeByCardNumber(number) !== undefined,
    );
    expect(wrong).toEqual([]);
  });

  it('200 generates one visa number by default', async () => {
    expect(await generate({})).toEqual([
      { type: 'visa', number: expect.stringMatching(/^400000999\d{7}$/) },
    ]);
  });

  it('200 generates a number that triggers the given decline', async () => {
    const shop = transport.shop();
    const order = { outcome: 'decline-insufficient-funds', count: 2 };
    for (const { number, type } of await generate(order, shop.merchant.id)) {
      const { id: cardId } = await shop.ask('card.create', 201, {
        body: cardBody({ number, type }),
      });
      const { headers } = await shop.reply('payment.create', 400, {
        body: paymentBody({ cardId }),
      });
      expect(headers.get('sandbox-outcome')).toBe('decline-insufficient-funds; by=card');
    }
  });

  it('draws numbers from the random source of the merchant, and starts again after a reset', async () => {
    const { merchant } = transport.shop();
    const order: GenerateCardsOptions = { outcome: 'decline-generic', count: 3 };
    const [first, second] = [
      await generate(order, merchant.id),
      await generate(order, merchant.id),
    ];
    expect(new Set([...first, ...second].map(({ number }) => number)).size).toBe(6);
    merchant.reset();
    expect(merchant.generateCards(order)).toEqual(first);
    expect(transport.shop().merchant.generateCards(order)).not.toEqual(first);
  });

  it.each<[object, object]>([
    [{ outcome: 'decline-genric' }, { place: 'body.outcome', nearest: 'decline-generic' }],
    [{ outcome: 'token-expired' }, { place: 'body.outcome' }],
    [
      { outcome: 'decline-generic', brand: 'amex' },
      { place: 'body.brand', allowed: ['visa'] },
    ],
    [{ brand: 'viza' }, { place: 'body.brand', allowed: brands, nearest: 'visa' }],
    [{ brand: 'maestro', count: 50 }, { place: 'body.count' }],
    [{ count: 0 }, { place: 'body.count' }],
    [{ count: 1001 }, { place: 'body.count' }],
    [{ coutn: 1 }, { place: 'body.coutn', nearest: 'count' }],
  ])('400 refuses %j', async (order, refusal) => {
    const refused = await call(transport, 'POST /_sandbox/cards/generate', order);
    expect(refused).toMatchObject({ status: 400, body: refusal });
  });
});

describe('generated test cards in process', () => {
  it.each([
    [{ count: 1.5 }, 'count must be a whole number from 1 to 1000, got 1.5.'],
    [{ count: 1, type: 'amex' }, 'unknown key "type"'],
    [{ brand: 'viza' }, 'Unknown brand "viza".'],
    [{ outcome: 'decline-genric' }, 'Did you mean "decline-generic"?'],
    [{ outcome: 'card-luhn-invalid' }, 'Use a rule instead'],
  ])('%j is refused with a message that names the problem', (order, words) => {
    const sandbox = createSandbox({ fixtures: 'empty' });
    expect(() => sandbox.generateCards(asCardOptions(order))).toThrow(words);
  });

  it('give every number of an outcome before they repeat one', () => {
    const sandbox = createSandbox({ fixtures: 'empty' });
    const { size } = new Set(
      Array.from({ length: 10 }, () =>
        sandbox.generateCards({ outcome: 'decline-generic', count: 1000 }),
      )
        .flat()
        .map(({ number }) => number),
    );
    expect(size).toBe(10_000);
    const all = publishedNumbers.maestro.length;
    const one = sandbox.generateCards({ brand: 'maestro', count: all });
    const again = sandbox.generateCards({ brand: 'maestro', count: all });
    expect(again).toEqual(one);
  });
});

const paying = ['payment.create', 'sale.refund', 'capture.refund'] as const;

describe('the outcomes that a card number can trigger', () => {
  const bySomethingElse = new Set([
    'none',
    'choice',
    'series',
    'not-visible-yet',
    'ignore-request-id',
    'token-lifetime',
    'token-error',
    'unauthenticated',
    'refuse-connections',
  ]);

  it('are those that one payment, refund or stored card can have; new ones are appended', () => {
    const able = catalogue.filter(
      ({ phase, effect, operations }) =>
        !(effect.kind === 'fault' && effect.fault === 'reset-if-reused') &&
        phase !== 'natural' &&
        phase !== 'before-read' &&
        !bySomethingElse.has(effect.kind) &&
        // A stored card triggers by itself only outcomes that happen to it later.
        (effect.kind === 'card' ||
          operations.some((pattern) =>
            paying.some((name) => includesOperation(pattern, name, true)),
          )),
    );
    expect(cardOutcomes.toSorted()).toEqual(able.map(({ id }) => id).toSorted());
    expect(new Set(cardOutcomes).size).toBe(cardOutcomes.length);
    expect(cardOutcomes.length).toBeLessThan(900);
  });

  it('keep their card numbers, so that cards in existing tests keep their meaning', () => {
    expect(cardOutcomes.indexOf('decline-generic')).toBe(0);
    expect(findOutcomeByCardNumber('4000009900100007')).toBe('decline-generic');
    expect(cardOutcomes.slice(0, 3)).toEqual([
      'decline-generic',
      'decline-do-not-honor',
      'decline-insufficient-funds',
    ]);
  });

  it.each(cardOutcomes)('include %s', async (outcome) => {
    const seen: Exchange[] = [];
    const sandbox = createSandbox({
      fixtures: 'empty',
      listeners: { onExchange: (exchange) => seen.push({ ...exchange }) },
    });
    const ask = (path: string, body: object) =>
      sandbox.request(path, {
        method: 'POST',
        headers: { Authorization: `Bearer ${sandbox.token}`, 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      });
    const forced = async (act: () => Promise<unknown>) => {
      const before = seen.length;
      // Some of them never answer, so the answer is not waited for.
      void act().catch(() => undefined);
      await vi.waitFor(() => expect(seen.length).toBeGreaterThan(before), {
        interval: 1,
        timeout: 120_000,
      });
      return seen.at(-1)?.outcomes;
    };
    const [card] = sandbox.generateCards({ outcome });
    const row = catalogue.find(({ id }) => id === outcome);
    const can = (name: OperationName) =>
      row?.operations.some((pattern) => includesOperation(pattern, name, true)) === true;
    const store = () => ask('/v1/vault/credit-cards', cardBody({ ...card }));
    const payment =
      row?.needs === 'stored-card'
        ? paymentBody({ cardId: Stored.parse(await (await store()).json()).id })
        : rawPaymentBody({ ...card });
    const pay = () => ask('/v1/payments/payment', payment);
    const refund = () =>
      ask(`/v1/payments/sale/${sandbox.ledger().transfers[0]?.subject}/refund`, {});
    if (can('sale.refund') && !can('payment.create')) await pay();
    const act = can('payment.create') ? pay : can('card.create') ? store : refund;
    const outcomes = await forced(act);
    expect(outcomes).toMatchObject([{ id: outcome, by: 'card' }]);
  });
});

describe('published test numbers', () => {
  it.each(Object.entries(publishedNumbers))('are valid and unique for %s', (brand, numbers) => {
    const wrong = numbers.filter((pan) => !passesLuhn(pan) || brandOf(pan) !== brand);
    expect(wrong).toEqual([]);
    expect(new Set(numbers).size).toBe(numbers.length);
  });
});
