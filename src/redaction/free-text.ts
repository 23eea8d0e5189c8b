/** Masks card numbers and verification codes in free text before it is kept, in all members of a value. */
import { memberOf } from '../shared/unknown-value.ts';
import { redactFreeText } from './redact.ts';
import type { LastFourPolicy } from './hide-card-numbers.ts';

/**
 * Members that are no free text: a card number that is checked and not kept, and ids of our own records, which could
 * look like a card number by chance.
 */
const exempt: ReadonlySet<string> = new Set(['number', 'credit_card_id', 'start_id']);

export interface MaskedText<T> {
  /** The same value if nothing was masked; otherwise a copy. */
  readonly value: T;
  /** The paths of the texts that contained a card number or a code. */
  readonly masked: readonly string[];
  /** Those of them in which the last four digits of a number are hidden. */
  readonly hidden: readonly string[];
}

/** Masks card numbers and codes in all texts and keys of a value. The last four digits stay if `mayShow` agrees. */
export function maskFreeText<T>(value: T, mayShow?: LastFourPolicy): MaskedText<T> {
  const masked: string[] = [];
  const hidden: string[] = [];
  const mask: MaskText = (text, path) => {
    const left = redactFreeText(text, (number) => {
      const isShown = mayShow?.(number) ?? true;
      if (!isShown) hidden.push(path);
      return isShown;
    });
    if (left !== text) masked.push(path);
    return left;
  };
  // A masked value has the shape of the value.
  return { value: maskMember(value, '', mask) as T, masked, hidden };
}

/** Keys without a card number or a code, which most requests repeat. */
const cleanKeys = new Set<string>();
const mostCleanKeys = 1_000;

function maskKey(key: string, path: string, mask: MaskText): string {
  if (cleanKeys.has(key)) return key;
  const left = mask(key, path);
  if (left === key && cleanKeys.size < mostCleanKeys && key.length < 64) cleanKeys.add(key);
  return left;
}

/** Masks a text at a path. */
type MaskText = (text: string, path: string) => string;

function maskMember(value: unknown, path: string, mask: MaskText): unknown {
  if (typeof value === 'string') return mask(value, path);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const items: readonly unknown[] = value;
    const masked = items.map((item, at) => maskMember(item, `${path}[${at}]`, mask));
    return masked.some((item, at) => item !== items[at]) ? masked : value;
  }
  // A patch cannot change a card number, so it is not kept. A test of it fails with the full one.
  const isOfNumber = memberOf(value, 'path') === '/number';
  let isMasked = false;
  const members = Object.entries(value).map(([key, member]): [string, unknown] => {
    if (exempt.has(key) || (key === 'value' && isOfNumber)) return [key, member];
    const name = maskKey(key, path, mask);
    const left = maskMember(member, path === '' ? name : `${path}.${name}`, mask);
    isMasked ||= name !== key || left !== member;
    return [name, left];
  });
  return isMasked ? Object.fromEntries(members) : value;
}
