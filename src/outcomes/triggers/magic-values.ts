/** Magic values: cardholder names, card numbers and amounts in test data that trigger an outcome. */
import { checkDigit } from '../../domain/card/brand.ts';
import { cardOutcomes } from './card-outcomes.ts';
import { catalogue, canBeRequested } from '../catalogue.ts';

/** The smallest magic total in minor units, if magic amounts are on. Ordinary orders stay below it. */
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
 * The sandbox's block of visa numbers: `4000 0099 nnns sssL`.
 *
 * `nnn` is the number of an outcome in `cardOutcomes`, `ssss` is a serial number, and `L` is the check digit. 000 is
 * for the numbers that the catalogue names. Numbers from 900 trigger nothing. An issuer may use this block, so its
 * numbers must never leave a sandbox.
 */
const sandboxBlock = '40000099';
const sandboxBlockForm = /^40000099(\d{3})\d{5}$/;

/** Whether a card number belongs to the sandbox's block. */
export function isSandboxNumber(pan: string): boolean {
  return sandboxBlockForm.test(pan);
}

/** A prefix of card numbers, and how many numbers start with it. */
export interface CardBlock {
  readonly prefix: string;
  readonly size: number;
}

/** Numbers that trigger nothing. */
export const plainBlock: CardBlock = { prefix: `${sandboxBlock}9`, size: 1_000_000 };

/** Finds the numbers that trigger an outcome, or returns `undefined` if no card can trigger it. */
export function findCardBlock(outcome: string): CardBlock | undefined {
  const number = cardOutcomes.findIndex((id) => id === outcome) + 1;
  return number === 0
    ? undefined
    : { prefix: sandboxBlock + String(number).padStart(3, '0'), size: 10_000 };
}

/** Returns the card number at an index of a block. */
export function makeCardNumber({ prefix, size }: CardBlock, at: number): string {
  const digits = prefix + String(at).padStart(String(size - 1).length, '0');
  return digits + checkDigit(digits);
}

/** Finds the outcome that a card number triggers. It is read once, when the card is stored or sent. */
export function findOutcomeByCardNumber(pan: string): string | undefined {
  const [, number] = sandboxBlockForm.exec(pan) ?? [];
  return byCard.get(pan) ?? (number === undefined ? undefined : cardOutcomes[Number(number) - 1]);
}

/**
 * Finds the outcome that a cardholder name triggers. Case matters.
 *
 * The first name, the last name or both joined may name it: a name has at most 25 characters, and some ids are longer.
 */
export function findOutcomeByName(first = '', last = ''): string | undefined {
  return byName.get(first) ?? byName.get(last) ?? byName.get(first + last);
}

/**
 * Finds the outcome that a total triggers if magic amounts are on.
 *
 * 9000.51 triggers the issuer's response code 51, and so does 900051 in a currency without decimals.
 */
export function findOutcomeByAmount(minor: number): string | undefined {
  return minor < magicFromMinor ? undefined : byCents.get(String(minor % 100).padStart(2, '0'));
}
