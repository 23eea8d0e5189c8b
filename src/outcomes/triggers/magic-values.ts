/** Magic values: a name, a number or an amount in test data that asks for an outcome, as other sandboxes have them. */
import { checkDigit } from '../../domain/card/brand.ts';
import { cardOutcomes } from './card-outcomes.ts';
import { catalogue, canBeRequested } from '../catalogue.ts';

/** Totals from here on are magic where magic amounts are on; ordinary orders stay below. In minor units. */
const magicFromMinor = 900_000;

const byName = new Map<string, string>();
const byCard = new Map<string, string>();
const byCents = new Map<string, string>();

for (const outcome of catalogue) {
  const { id, names = [], cards = [], cents = [] } = outcome;
  for (const name of names) byName.set(name, id);
  if (canBeRequested(outcome)) byName.set(`SBX-${id}`, id);
  for (const card of cards) byCard.set(card, id);
  for (const ending of cents) if (!byCents.has(ending)) byCents.set(ending, id);
}

/**
 * The sandbox's own block of visa numbers: `4000 0099 nnns sssL`. `nnn` is the number of an outcome in `cardOutcomes`,
 * and `ssss` tells its cards apart; `L` is the check digit. 000 is left to the numbers that the catalogue names, and
 * those from 900 on ask for nothing. No scheme says that nobody issues the block, so it is for sandboxes only.
 */
const sandboxBlock = '40000099';
const sandboxBlockForm = /^40000099(\d{3})\d{5}$/;

/** Whether a number that passes Luhn's check is of the sandbox's own block, dealt or not. */
export function isSandboxNumber(pan: string): boolean {
  return sandboxBlockForm.test(pan);
}

/** Digits that a kind of card numbers shares, and how many numbers begin with them. */
export interface CardBlock {
  readonly prefix: string;
  readonly size: number;
}

/** Numbers that ask for nothing. */
export const plainBlock: CardBlock = { prefix: `${sandboxBlock}9`, size: 1_000_000 };

/** Numbers that ask for an outcome; `undefined` for one that no card can ask for. */
export function findCardBlock(outcome: string): CardBlock | undefined {
  const number = cardOutcomes.indexOf(outcome) + 1;
  return number === 0
    ? undefined
    : { prefix: sandboxBlock + String(number).padStart(3, '0'), size: 10_000 };
}

/** The number at a place of a block, which is counted from 0. */
export function makeCardNumber({ prefix, size }: CardBlock, at: number): string {
  const digits = prefix + String(at).padStart(String(size - 1).length, '0');
  return digits + checkDigit(digits);
}

/** The outcome a card number asks for. Asked once, when the card is read. */
export function findOutcomeByCardNumber(pan: string): string | undefined {
  const [, number] = sandboxBlockForm.exec(pan) ?? [];
  return byCard.get(pan) ?? (number === undefined ? undefined : cardOutcomes[Number(number) - 1]);
}

/**
 * The outcome a cardholder's first or last name asks for, or both written together: a name has 25 characters at most,
 * and some ids are longer. Case counts.
 */
export function findOutcomeByName(first = '', last = ''): string | undefined {
  return byName.get(first) ?? byName.get(last) ?? byName.get(first + last);
}

/**
 * The outcome a total asks for, where magic amounts are on: 9000.51 reads as the issuer's response code 51, and so
 * does 900051 in a currency without decimals.
 */
export function findOutcomeByAmount(minor: number): string | undefined {
  return minor < magicFromMinor ? undefined : byCents.get(String(minor % 100).padStart(2, '0'));
}
