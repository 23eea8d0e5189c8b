/**
 * Generates test card numbers from the merchant's random streams, each number once until all were
 * used.
 */
import { brands, type Brand } from '../domain/card/brand.ts';
import { publishedNumbers } from '../domain/card/published-numbers.ts';
import { memberOf, describeValue } from '../shared/unknown-value.ts';
import { ArgumentError, checkKeys, unknownValueError } from '../outcomes/argument-error.ts';
import { getOutcome } from '../outcomes/catalogue-queries.ts';
import {
  findCardBlock,
  makeCardNumber,
  plainBlock,
  type CardBlock,
} from '../outcomes/triggers/magic-values.ts';
import type { OutcomeId } from '../outcomes/outcome-id.ts';
import type { Draw } from './random/dice.ts';

/** Options of `generateCards`. */
export interface GenerateCardsOptions {
  /** Outcome that the number triggers when its card pays or is refunded. Default: none. */
  readonly outcome?: OutcomeId | undefined;
  /** Default `visa`. Only visa numbers can trigger an outcome. */
  readonly brand?: Brand | undefined;
  /** From 1 to 1,000. Default 1. */
  readonly count?: number | undefined;
}

export interface TestCard {
  readonly number: string;
  readonly type: Brand;
}

const mostAtOnce = 1000;

/** Generates card numbers. Throws an `ArgumentError` if an option is invalid. */
export function generateCards(cards: TestCards, order: GenerateCardsOptions): TestCard[] {
  if (memberOf(order, 'type') !== undefined) {
    throw new ArgumentError(
      'generateCards: unknown key "type". Use "brand"; each card then names its type.',
      { place: 'type', allowed: ['outcome', 'brand', 'count'], nearest: 'brand' },
    );
  }
  checkKeys('generateCards', order, { outcome: true, brand: true, count: true });
  const { outcome, brand = 'visa', count = 1 } = order;
  if (!brands.includes(brand)) {
    throw unknownValueError('Unknown brand', brand, 'brand', brands);
  }
  if (!Number.isInteger(count) || count < 1 || count > mostAtOnce) {
    throw new ArgumentError(
      `count must be a whole number from 1 to ${mostAtOnce}, got ${describeValue(count)}.`,
      { place: 'count' },
    );
  }
  const deck = outcome === undefined ? plainDeck(brand) : deckFor(outcome, brand);
  if (count > deck.size) {
    throw new ArgumentError(
      `There are only ${deck.size} published test numbers of ${brand}, got a count of ${count}. Use visa, which has a million.`,
      { place: 'count' },
    );
  }
  return cards.take(deck, count).map((number) => ({ number, type: brand }));
}

/** A fixed set of `size` numbers, each at its place. */
interface Deck {
  readonly name: string;
  readonly size: number;
  readonly at: (place: number) => string;
}

function deckFor(outcome: string, brand: Brand): Deck {
  const block = findCardBlock(getOutcome(outcome).id);
  if (block === undefined) {
    throw new ArgumentError(
      `No card number can trigger "${outcome}": card numbers only trigger outcomes of payments and refunds. Use a rule instead, with force() or POST /_sandbox/rules.`,
      { place: 'outcome' },
    );
  }
  if (brand !== 'visa') {
    throw new ArgumentError(`Only visa numbers can trigger an outcome, not ${brand}. Omit brand.`, {
      place: 'brand',
      allowed: ['visa'],
    });
  }
  return deckOf(block);
}

function plainDeck(brand: Brand): Deck {
  if (brand === 'visa') return deckOf(plainBlock);
  const numbers = publishedNumbers[brand];
  return { name: brand, size: numbers.length, at: (place) => numbers[place] ?? '' };
}

function deckOf(block: CardBlock): Deck {
  return { name: block.prefix, size: block.size, at: (place) => makeCardNumber(block, place) };
}

export class TestCards {
  readonly #drawFor: (deck: string) => Draw;
  /** How many numbers of each deck were used. */
  readonly #dealt: Map<string, number>;

  constructor(
    drawFor: (deck: string) => Draw,
    dealt: readonly (readonly [deck: string, count: number])[],
  ) {
    this.#drawFor = drawFor;
    this.#dealt = new Map(dealt);
  }

  /** How many numbers of each deck were used. */
  get dealt(): readonly (readonly [deck: string, count: number])[] {
    return [...this.#dealt];
  }

  /**
   * Returns `count` different numbers. A deck that is used up starts again, so numbers never run
   * out.
   */
  take(deck: Deck, count: number): string[] {
    const { name, size } = deck;
    const dealt = this.#dealt.get(name) ?? 0;
    this.#dealt.set(name, (dealt + count) % size);
    const draw = this.#drawFor(name);
    const start = draw(0, size - 1);
    const stride = coprime(draw(1, size), size);
    // A stride without a common factor with the size visits every place once before it repeats.
    return Array.from({ length: count }, (_, at) =>
      deck.at((start + (dealt + at) * stride) % size),
    );
  }
}

function coprime(from: number, size: number): number {
  let stride = from;
  while (commonFactor(stride, size) !== 1) stride++;
  return stride;
}

function commonFactor(one: number, other: number): number {
  return other === 0 ? one : commonFactor(other, one % other);
}
