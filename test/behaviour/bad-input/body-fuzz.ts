/**
 * Sends seeded, mutated bodies and checks every answer, the ledger and that no secret is kept. The suite runs a few
 * hundred; `npm run test:run -- bad-input/body-fuzz` with `FUZZ_BODIES=100000 FUZZ_SEED=7` runs many.
 */
import { expect } from 'vitest';
import { ErrorBody, UnauthenticatedBody } from '../../../src/contract/service/common.ts';
import { memberOf } from '../../../src/shared/unknown-value.ts';
import type { TestTransport, Shop } from '../../support/transports.ts';
import { rawPaymentBody } from '../../support/samples.ts';
import { placesIn, samples, withPlace } from './bodies.ts';

/** Digits that appear nowhere by chance, because no other number in the requests starts like them. */
const secretNumbers = ['4929594729183741', '378282246310005', '6011000990139424'];
const secretCodes = ['cvv2', 'CVV 2', 'security_code', 'cvd', 'ｃｖｖ２'];
const secretCode = '8086';

/** Damage can put more characters into a number, or digits beside it, than redaction promises to cross. */
const wholeNumbers = secretNumbers.map(
  (number) => new RegExp(`(?<!\\d)${[...number].join('[^\\p{L}\\p{N}]{0,2}')}(?!\\d)`, 'u'),
);

export interface FuzzFigures {
  bodies: number;
  /** Answers by status. */
  readonly statuses: Map<number, number>;
  /** Bodies that contained a card number or a code outside its field. */
  secrets: number;
}

/** A seeded generator: the same bodies in every run. */
function randomFrom(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

type Random = ReturnType<typeof randomFrom>;

function pick<T>(random: Random, from: readonly T[]): T {
  const one = from[random(from.length)];
  if (one === undefined) throw new Error('There is nothing to pick from.');
  return one;
}

/** A card number in one of the spellings that redaction promises. */
function spelledNumber(random: Random): string {
  const number = pick(random, secretNumbers);
  const separator = pick(random, ['', ' ', '-', '/', '\u00b7', '\u30fc', ' - ', '\u200b', '\t']);
  const zero = pick(random, [0x30, 0x30, 0x660, 0x966, 0xff10, 0x1d7ce]);
  const grouped = number.replaceAll(/(\d{4})(?=\d)/g, `$1${separator}`);
  return grouped.replaceAll(/\d/g, (digit) => String.fromCodePoint(zero + Number(digit)));
}

const oddValues: readonly unknown[] = [
  null,
  true,
  -1,
  1e308,
  0.1,
  '',
  ' ',
  [],
  {},
  [[]],
  '\u0000',
  '\ud800',
  'x'.repeat(3_000),
  '__proto__',
  '30.11',
  'USD',
  '-0.00',
  { toString: 1 },
];

/** Changes a value in up to three places: another value, a card number, or a member with a code. */
function mutate(random: Random, body: unknown, figures: FuzzFigures): unknown {
  let mutated = body;
  for (let count = 1 + random(3); count > 0; count--) {
    const place = pick(random, placesIn(mutated));
    const kind = random(4);
    if (kind === 0) mutated = withPlace(mutated, place, pick(random, oddValues));
    else if (kind === 1) mutated = withPlace(mutated, place, spelledNumber(random));
    else if (kind === 2) {
      mutated = withPlace(mutated, [...place, pick(random, secretCodes)], secretCode);
    } else {
      mutated = withPlace(
        mutated,
        place,
        `of ${spelledNumber(random)}, ${pick(random, secretCodes)}: ${secretCode}`,
      );
    }
    if (kind > 0) figures.secrets++;
  }
  return mutated;
}

/** Damages a text: cuts it, or removes, doubles or changes a character. */
function damage(random: Random, text: string): string {
  const at = random(text.length + 1);
  switch (random(12)) {
    case 0:
      return text.slice(0, at);
    case 1:
      return text.slice(0, at) + text.slice(at + 1);
    case 2:
      return (
        text.slice(0, at) + pick(random, ['"', '{', ']', ',', '\\', '\u0000', '9']) + text.slice(at)
      );
    default:
      return text;
  }
}

/** Sends that many bodies. Everything is checked after each batch of the same merchant. */
export async function fuzzBodies(
  transport: TestTransport,
  count: number,
  seed: number,
): Promise<FuzzFigures> {
  const random = randomFrom(seed);
  const figures: FuzzFigures = { bodies: 0, statuses: new Map(), secrets: 0 };
  const batch = 40;
  while (figures.bodies < count) {
    const shop = transport.shop();
    const prepared = [];
    for (const sample of Object.values(samples)) {
      prepared.push({ name: sample.name, ...(await sample.prepare(shop)) });
    }
    // Most requests are refused and change nothing, so the state after one is that before the next.
    let before = stateOf(shop);
    const raw = { name: 'payment.create' as const, params: {}, body: rawPaymentBody() };
    for (let left = batch; left > 0 && figures.bodies < count; left--) {
      const { name, params, body } = pick(random, [...prepared, raw]);
      const text = damage(random, JSON.stringify(mutate(random, body, figures)));
      const { status, text: answer } = await shop.send(name, { params, body: text });
      figures.bodies++;
      figures.statuses.set(status, (figures.statuses.get(status) ?? 0) + 1);
      expectAnswer(status, answer, text);
      const after = stateOf(shop);
      if (status >= 400) expect(after, text).toBe(before);
      before = after;
    }
    await expectNothingKept(shop);
    transport.sandbox.deleteMerchant(shop.merchant.id);
  }
  return figures;
}

function expectAnswer(status: number, answer: string, sent: string): void {
  const what = `${sent.slice(0, 600)}\n${status} ${answer.slice(0, 600)}`;
  expect([200, 201, 204, 400, 401, 404, 409, 413, 415], what).toContain(status);
  if (status >= 400) {
    const schema = status === 401 ? UnauthenticatedBody : ErrorBody;
    expect(schema.strict().safeParse(JSON.parse(answer)).success, what).toBe(true);
  }
  expectNoSecret(answer, what);
}

/** The books balance, and nothing that can be read has a secret. */
async function expectNothingKept({ merchant }: Shop): Promise<void> {
  const { sums, transfers, ...ledger } = merchant.ledger();
  expect(Object.values(sums).filter((sum) => sum !== 0)).toEqual([]);
  for (const { amount } of transfers) expect(amount.minor).toBeGreaterThan(0);
  const all = [ledger, merchant.journal(), merchant.export(), await merchant.verdict()];
  expectNoSecret(JSON.stringify(all), 'kept');
}

/** All records and movements of money. */
function stateOf({ merchant }: Shop): string {
  const world = merchant.export();
  return JSON.stringify([memberOf(world, 'records'), memberOf(world, 'transfers')]);
}

function expectNoSecret(text: string, what: string): void {
  const digits = text.normalize('NFKC').replaceAll(/\p{Nd}/gu, toAscii);
  for (const number of wholeNumbers) {
    const at = digits.search(number);
    expect(at, `${what}: ${digits.slice(Math.max(0, at - 200), at + 100)}`).toBe(-1);
  }
  // A name that was damaged announces nothing.
  const at = digits.search(/(?:cvv ?2|security_code|(?<![\dA-Za-z])cvd)"?: ?"?8086(?!\d)/i);
  expect(at, `${what}: ${digits.slice(Math.max(0, at - 200), at + 100)}`).toBe(-1);
}

function toAscii(digit: string): string {
  const point = digit.codePointAt(0) ?? 0;
  let before = 0;
  while (/\p{Nd}/u.test(String.fromCodePoint(point - 1 - before))) before++;
  return String(before % 10);
}
