/** Ids that look like the real ones (contract.md §9), drawn from the merchant's dice. */
import type { Ids } from '../../domain/ports.ts';
import { createDraw, type Draw } from './dice.ts';
import type { RandomStreams } from './streams.ts';

/** Digits of a number system, by value, as character codes. */
type Digits = readonly number[];

const codesOf = (text: string): Digits => Array.from(text, (one) => one.charCodeAt(0));
const decimal = codesOf('0123456789');
const hexadecimal = codesOf('0123456789abcdef');
const letters = codesOf('ABCDEFGHIJKLMNOPQRSTUVWXYZ');
const base32 = codesOf('ABCDEFGHIJKLMNOPQRSTUVWXYZ234567');

/**
 * Room for the characters of an id behind a prefix. Put together of texts, it would be kept as those texts for as long
 * as its record is.
 */
const idBuffer = (prefix: string, length: number): number[] => [
  ...codesOf(prefix),
  ...Array.from({ length }, () => 0),
];

/** Writes so many digits of a number from `start` on; gives where they end. */
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

/** 17 characters: one digit, two letters, five digits, two letters, seven digits. Gives where they end. */
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

/** Seven characters of base 32, as card and payment ids end. */
function writeSeven(codes: number[], start: number, draw: Draw): void {
  let bits = draw(0, 2 ** 30 - 1);
  writeDigits(codes, start, 1, draw(0, 31), base32);
  for (let at = start + 1; at < start + 7; at++) {
    codes[at] = base32[bits & 31] ?? 0;
    bits >>>= 5;
  }
}

/** Ids of 17 characters alone. */
function shortIds(prefix: string, draw: Draw): () => string {
  const codes = idBuffer(prefix, 17);
  return () => {
    writeSeventeen(codes, prefix.length, draw);
    return String.fromCharCode(...codes);
  };
}

/** Ids of 17 characters and seven more. */
function longIds(prefix: string, draw: Draw): () => string {
  const codes = idBuffer(prefix, 24);
  return () => {
    writeSeven(codes, writeSeventeen(codes, prefix.length, draw), draw);
    return String.fromCharCode(...codes);
  };
}

/** Draws ids until one is drawUnused: a fixture may have pinned it. */
function drawUnused(make: () => string, isUsed: (id: string) => boolean): string {
  for (;;) {
    const id = make();
    if (!isUsed(id)) return id;
  }
}

/** Whether there is a record of a kind with this id; kinds differ in the form of their ids. */
export type UsedIds = Readonly<Record<keyof Ids, (id: string) => boolean>>;

/** The ids of one merchant's records. Cards, payments and transactions each have their own stream. */
export function recordIds({ card, payment, transaction }: RandomStreams, isUsed: UsedIds): Ids {
  const [cardId, paymentId] = [longIds('CARD-', card.draw), longIds('PAY-', payment.draw)];
  const transactionId = shortIds('', transaction.draw);
  return {
    card: () => drawUnused(cardId, isUsed.card),
    payment: () => drawUnused(paymentId, isUsed.payment),
    transaction: () => drawUnused(transactionId, isUsed.transaction),
  };
}

/** Debug ids: 13 hexadecimal digits. */
export function debugIds(draw: Draw): () => string {
  const codes = idBuffer('', 13);
  return () => {
    const end = writeDigits(codes, 0, 6, draw(0, 0xff_ffff), hexadecimal);
    writeDigits(codes, end, 7, draw(0, 0xfff_ffff), hexadecimal);
    return String.fromCharCode(...codes);
  };
}

/** The `app_id` of a merchant, the same in every token answer. */
export function appId(seed: string, merchant: string): string {
  return shortIds('APP-', createDraw(seed, merchant, 'app'))();
}
