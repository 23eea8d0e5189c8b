/** Ids that look like the real ones (contract.md §9), drawn from the merchant's dice. */
import type { Ids } from '../domain/ports.ts';
import { stream, type Draw } from './dice.ts';
import type { Streams } from './streams.ts';

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const base32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** 17 characters: one digit, two letters, five digits, two letters, seven digits. */
function seventeen(draw: Draw): string {
  const head = draw(0, 6759);
  const middle = draw(0, 99_999);
  const pair = draw(0, 675);
  const tail = draw(0, 9_999_999);
  return (
    String(Math.floor(head / 676)) +
    twoLetters(head % 676) +
    String(middle).padStart(5, '0') +
    twoLetters(pair) +
    String(tail).padStart(7, '0')
  );
}

function twoLetters(of: number): string {
  return letters.charAt(Math.floor(of / 26)) + letters.charAt(of % 26);
}

/** Seven characters of base 32, as card and payment ids end. */
function seven(draw: Draw): string {
  let bits = draw(0, 2 ** 30 - 1);
  let out = base32.charAt(draw(0, 31));
  for (let i = 0; i < 6; i++) {
    out += base32.charAt(bits & 31);
    bits >>>= 5;
  }
  return out;
}

/** Draws ids until one is free: a fixture may have pinned it. */
function free(make: () => string, taken: (id: string) => boolean): string {
  for (;;) {
    const id = make();
    if (!taken(id)) return id;
  }
}

/** Whether there is a record of a kind with this id; kinds differ in the form of their ids. */
export type Taken = Readonly<Record<keyof Ids, (id: string) => boolean>>;

/** The ids of one merchant's records. Cards, payments and transactions each have their own stream. */
export function recordIds({ card, payment, transaction }: Streams, taken: Taken): Ids {
  return {
    card: () => free(() => `CARD-${seventeen(card.draw)}${seven(card.draw)}`, taken.card),
    payment: () =>
      free(() => `PAY-${seventeen(payment.draw)}${seven(payment.draw)}`, taken.payment),
    transaction: () => free(() => seventeen(transaction.draw), taken.transaction),
  };
}

/** Debug ids: 13 hexadecimal digits. */
export function debugIds(draw: Draw): () => string {
  return () =>
    draw(0, 0xff_ffff).toString(16).padStart(6, '0') +
    draw(0, 0xfff_ffff).toString(16).padStart(7, '0');
}

/** The `app_id` of a merchant, the same in every token answer. */
export function appId(seed: string, merchant: string): string {
  return `APP-${seventeen(stream(seed, merchant, 'app'))}`;
}
