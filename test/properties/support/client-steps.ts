/** Steps of a client, and random walks of them. */
import fc from 'fast-check';

export const currencies = ['USD', 'EUR', 'JPY'] as const;
export type Currency = (typeof currencies)[number];

/** One step. Numbers such as `card` select a known record, modulo their count. */
export type Step =
  | { readonly ask: 'store'; readonly customer: string | undefined }
  | { readonly ask: 'remove' | 'revise' | 'look'; readonly card: number }
  | {
      readonly ask: 'pay';
      readonly card: number;
      /** Which customer id is sent: the card's own, none, or another. */
      readonly customer: 'own' | 'none' | 'other';
      readonly intent: 'sale' | 'authorize';
      readonly minor: number;
      readonly currency: Currency;
    }
  | { readonly ask: 'payRaw'; readonly minor: number; readonly currency: Currency }
  | {
      readonly ask: 'capture';
      readonly held: number;
      readonly percent: number;
      readonly isFinal: boolean;
      readonly currency: Currency | undefined;
    }
  | { readonly ask: 'void'; readonly held: number }
  | {
      readonly ask: 'refund';
      readonly taken: number;
      /** Absent for a full refund. */
      readonly percent: number | undefined;
      readonly currency: Currency | undefined;
    }
  | { readonly ask: 'list' | 'token' }
  | { readonly ask: 'wait'; readonly hours: number };

const which = fc.nat({ max: 5 });
const minor = fc.integer({ min: 1, max: 40_000 });
const customer = fc.constantFrom(undefined, 'ann', 'bob');
const currency = fc.constantFrom(...currencies);
const rarely = <T>(odd: fc.Arbitrary<T>) =>
  fc.oneof({ arbitrary: fc.constant(undefined), weight: 11 }, { arbitrary: odd, weight: 1 });
const percent = fc.oneof(
  fc.constantFrom(1, 30, 50, 85, 100, 115, 116),
  fc.integer({ min: 0, max: 130 }),
);

function step<A extends Step['ask'], T extends object>(
  ask: A,
  rest: { [K in keyof T]: fc.Arbitrary<T[K]> },
): fc.Arbitrary<T & { readonly ask: A }> {
  return fc.record(rest).map((fields) => ({ ...(fields as T), ask }));
}

const steps: Readonly<Record<Step['ask'], fc.Arbitrary<Step>>> = {
  store: step('store', { customer }),
  remove: step('remove', { card: which }),
  revise: step('revise', { card: which }),
  look: step('look', { card: which }),
  pay: step('pay', {
    card: which,
    customer: rarely(fc.constantFrom('none' as const, 'other' as const)).map((odd) => odd ?? 'own'),
    intent: fc.constantFrom('sale' as const, 'authorize' as const),
    minor,
    currency,
  }),
  payRaw: step('payRaw', { minor, currency }),
  capture: step('capture', {
    held: which,
    percent,
    isFinal: fc.boolean(),
    currency: rarely(currency),
  }),
  void: step('void', { held: which }),
  refund: step('refund', {
    taken: which,
    percent: fc.option(percent, { nil: undefined, freq: 3 }),
    currency: rarely(currency),
  }),
  list: fc.constant({ ask: 'list' }),
  token: fc.constant({ ask: 'token' }),
  // From an hour to most of a year: past authorizations (29 days) and refunds (180 days).
  wait: step('wait', { hours: fc.constantFrom(1, 29 * 24, 60 * 24, 180 * 24) }),
};

/** The start of every walk, so that later steps have records to choose from. */
const beginning: readonly Step[] = [
  { ask: 'store', customer: undefined },
  { ask: 'store', customer: 'ann' },
  { ask: 'pay', card: 0, customer: 'own', intent: 'sale', minor: 10_000, currency: 'USD' },
  { ask: 'pay', card: 1, customer: 'own', intent: 'authorize', minor: 7000, currency: 'JPY' },
];

/** Walks of up to `maxLength` random steps after the start, drawn by weight. */
export function walks(
  maxLength: number,
  weights: Readonly<Partial<Record<Step['ask'], number>>>,
): fc.Arbitrary<readonly Step[]> {
  const drawn = Object.entries(weights).map(([ask, weight]) => ({
    // The keys of `weights` are kinds of steps; the library type of Object.entries loses that.
    arbitrary: steps[ask as Step['ask']],
    weight,
  }));
  return fc
    .array(fc.oneof(...drawn), { maxLength, size: 'max' })
    .map((walk) => [...beginning, ...walk]);
}

/** Every kind of step; those that create records are more frequent. */
export const allKinds = {
  store: 4,
  remove: 1,
  revise: 1,
  look: 2,
  pay: 5,
  payRaw: 1,
  capture: 3,
  void: 1,
  refund: 4,
  list: 1,
  token: 1,
  wait: 1,
} as const;
