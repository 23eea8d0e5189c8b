/** Ids in the form of the real ones (contract.md §9), drawn from the merchant's random streams. */
import type { Ids } from '../../domain/ports.ts';
import { createDraw, type Draw } from './dice.ts';
import type { RandomStreams } from './streams.ts';

/** The digits of a number system as character codes, by value. */
type Digits = readonly number[];

const codesOf = (text: string): Digits => Array.from(text, (one) => one.charCodeAt(0));
const decimal = codesOf('0123456789');
const hexadecimal = codesOf('0123456789abcdef');
const letters = codesOf('ABCDEFGHIJKLMNOPQRSTUVWXYZ');
const base32 = codesOf('ABCDEFGHIJKLMNOPQRSTUVWXYZ234567');

/**
 * A reusable buffer for the characters of an id after a prefix.
 *
 * An id joined from strings would keep those strings in memory as long as its record.
 */
const idBuffer = (prefix: string, length: number): number[] => [
  ...codesOf(prefix),
  ...Array.from({ length }, () => 0),
];

/** Writes `count` digits of a number from `start` on and returns the end. */
function writeDigits(
  codes: number[],
  start: number,
  count: number,
  value: number,
  digits: Digits,
): number {
  let left = value;
  for (let at = start + count - 1; at >= start; at--) {
    codes[at] = digits[left % digits.length] ?? 0;
    left = Math.trunc(left / digits.length);
  }
  return start + count;
}

/**
 * Writes 17 characters and returns the end: one digit, two letters, five digits, two letters, seven
 * digits.
 */
function writeSeventeen(codes: number[], start: number, draw: Draw): number {
  const head = draw(0, 6759);
  const middle = draw(0, 99_999);
  const pair = draw(0, 675);
  const tail = draw(0, 9_999_999);
  let at = writeDigits(codes, start, 1, Math.trunc(head / 676), decimal);
  at = writeDigits(codes, at, 2, head % 676, letters);
  at = writeDigits(codes, at, 5, middle, decimal);
  at = writeDigits(codes, at, 2, pair, letters);
  return writeDigits(codes, at, 7, tail, decimal);
}

/** Writes the last seven characters of a card or payment id, in base 32. */
function writeSeven(codes: number[], start: number, draw: Draw): void {
  let bits = draw(0, 2 ** 30 - 1);
  writeDigits(codes, start, 1, draw(0, 31), base32);
  for (let at = start + 1; at < start + 7; at++) {
    codes[at] = base32[bits & 31] ?? 0;
    bits >>>= 5;
  }
}

/** Creates ids of 17 characters. */
function shortIds(prefix: string, draw: Draw): () => string {
  const codes = idBuffer(prefix, 17);
  return () => {
    writeSeventeen(codes, prefix.length, draw);
    return String.fromCharCode(...codes);
  };
}

/** Creates ids of 24 characters. */
function longIds(prefix: string, draw: Draw): () => string {
  const codes = idBuffer(prefix, 24);
  return () => {
    writeSeven(codes, writeSeventeen(codes, prefix.length, draw), draw);
    return String.fromCharCode(...codes);
  };
}

/** Draws ids until one is unused: a fixture may have set it already. */
function drawUnused(make: () => string, isUsed: (id: string) => boolean): string {
  for (;;) {
    const id = make();
    if (!isUsed(id)) return id;
  }
}

/** Whether a record with this id exists. Each kind has its own form of ids. */
export type UsedIds = Readonly<Record<keyof Ids, (id: string) => boolean>>;

/** The ids of one merchant's records. Cards, payments and transactions have separate streams. */
export function recordIds({ card, payment, transaction }: RandomStreams, isUsed: UsedIds): Ids {
  const [cardId, paymentId] = [longIds('CARD-', card.draw), longIds('PAY-', payment.draw)];
  const transactionId = shortIds('', transaction.draw);
  return {
    card: () => drawUnused(cardId, isUsed.card),
    payment: () => drawUnused(paymentId, isUsed.payment),
    transaction: () => drawUnused(transactionId, isUsed.transaction),
  };
}

/** Creates debug ids of 13 hexadecimal digits. */
export function debugIds(draw: Draw): () => string {
  const codes = idBuffer('', 13);
  return () => {
    const end = writeDigits(codes, 0, 6, draw(0, 0xff_ffff), hexadecimal);
    writeDigits(codes, end, 7, draw(0, 0xfff_ffff), hexadecimal);
    return String.fromCharCode(...codes);
  };
}

/** The `app_id` of a merchant, the same in every token response. */
export function appId(seed: string, merchant: string): string {
  return shortIds('APP-', createDraw(seed, merchant, 'app'))();
}
