/** Masks card numbers and verification codes in free text before it is kept, in all members of a value. */
import { memberOf } from '../shared/unknown-value.ts';
import { redactFreeText } from './redact.ts';
import type { LastFourPolicy } from './hide-card-numbers.ts';

/**
 * Members that are no free text: a card number that is checked and not kept, and ids of our own records, which could
 * look like a card number by chance.
 */
export const notFreeText: ReadonlySet<string> = new Set(['number', 'credit_card_id', 'start_id']);

export interface MaskedText<T> {
  /** The same value if nothing was masked; otherwise a copy. */
  readonly value: T;
  /** The paths of the texts that contained a card number or a code. */
  readonly masked: readonly string[];
  /** Those of them in which the last four digits of a number are hidden. */
  readonly hidden: readonly string[];
}

/**
 * Masks card numbers and codes in all texts and keys of a value, except in members called as in `exempt`. The last four
 * digits stay if `mayShow` agrees.
 */
export function maskFreeText<T>(
  value: T,
  mayShow?: LastFourPolicy,
  exempt = notFreeText,
): MaskedText<T> {
  const masked: string[] = [];
  const hidden: string[] = [];
  const maskText = (text: string, path: string): string => {
    const left = redactFreeText(text, (number) => {
      const isShown = mayShow?.(number) ?? true;
      if (!isShown) hidden.push(path);
      return isShown;
    });
    if (left !== text) masked.push(path);
    return left;
  };
  // A masked value has the shape of the value.
  return { value: maskMember(value, '', { maskText, exempt }) as T, masked, hidden };
}

/** Keys without a card number or a code, which most requests repeat. */
const cleanKeys = new Set<string>();
const mostCleanKeys = 1_000;

function maskKey(key: string, path: string, { maskText }: Masking): string {
  if (cleanKeys.has(key)) return key;
  const left = maskText(key, path);
  if (left === key && cleanKeys.size < mostCleanKeys && key.length < 64) cleanKeys.add(key);
  return left;
}

interface Masking {
  /** Masks a text at a path. */
  readonly maskText: (text: string, path: string) => string;
  /** Members that stay. */
  readonly exempt: ReadonlySet<string>;
}

function maskMember(value: unknown, path: string, masking: Masking, isPatch = false): unknown {
  const { maskText, exempt } = masking;
  if (typeof value === 'string') return maskText(value, path);
  // An integer in a patch may become a text, and only the card that is patched shows whether it does.
  if (isPatch && Number.isInteger(value)) {
    const left = maskText(String(value), path);
    return left === String(value) ? value : left;
  }
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const items: readonly unknown[] = value;
    const masked = items.map((item, at) => maskMember(item, `${path}[${at}]`, masking, isPatch));
    return masked.some((item, at) => item !== items[at]) ? masked : value;
  }
  // A patch cannot change a card number, so it is not kept. A test of it fails with the full one.
  const target = memberOf(value, 'path');
  const [isOperation, isOfNumber] = [typeof target === 'string', target === '/number'];
  let isMasked = false;
  const members = Object.entries(value).map(([key, member]): [string, unknown] => {
    if (exempt.has(key) || (key === 'value' && isOfNumber)) return [key, member];
    const name = maskKey(key, path, masking);
    const isPatched = isPatch || (key === 'value' && isOperation);
    const left = maskMember(member, path === '' ? name : `${path}.${name}`, masking, isPatched);
    isMasked ||= name !== key || left !== member;
    return [name, left];
  });
  return isMasked ? Object.fromEntries(members) : value;
}
