/** Masks card numbers and verification codes in free text before it is kept, in all members of a value. */
import { memberOf } from '../shared/unknown-value.ts';
import { redactFreeText } from './redact.ts';
import { showAny, type Masking } from './hide-card-numbers.ts';

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
 * digits stay if `masking` agrees.
 */
export function maskFreeText<T>(
  value: T,
  { mayShow, markOf }: Masking = showAny,
  exempt = notFreeText,
): MaskedText<T> {
  const masked: string[] = [];
  const hidden: string[] = [];
  const maskText = (text: string, place: Place | undefined): string => {
    // One number may contain a shorter one. How many there are would say something about the number.
    let isHidden = false;
    const left = redactFreeText(text, {
      mayShow: (number) => {
        const isShown = mayShow(number);
        isHidden ||= !isShown;
        return isShown;
      },
      markOf,
    });
    if (isHidden) hidden.push(pathOf(place));
    if (left !== text) masked.push(pathOf(place));
    return left;
  };
  // A masked value has the shape of the value.
  return { value: maskMember(value, undefined, { maskText, exempt }) as T, masked, hidden };
}

/** Keys without a card number or a code, which most requests repeat. */
const cleanKeys = new Set<string>();
const mostCleanKeys = 1_000;

function maskKey(key: string, place: Place | undefined, { maskText }: MemberMasking): string {
  if (cleanKeys.has(key)) return key;
  const left = maskText(key, place);
  if (left === key && cleanKeys.size < mostCleanKeys && key.length < 64) cleanKeys.add(key);
  return left;
}

/** A place in a value. Its path is a text only once something there is masked. */
interface Place {
  readonly step: string | number;
  readonly within: Place | undefined;
}

function pathOf(place: Place | undefined): string {
  if (place === undefined) return '';
  const { step, within } = place;
  if (typeof step === 'number') return `${pathOf(within)}[${step}]`;
  return within === undefined ? step : `${pathOf(within)}.${step}`;
}

interface MemberMasking {
  /** Masks a text at a place. */
  readonly maskText: (text: string, place: Place | undefined) => string;
  /** Members that stay. */
  readonly exempt: ReadonlySet<string>;
}

function maskMember(
  value: unknown,
  place: Place | undefined,
  masking: MemberMasking,
  isPatch = false,
): unknown {
  if (typeof value === 'string') return masking.maskText(value, place);
  // An integer in a patch may become a text, and only the card that is patched shows whether it does.
  if (isPatch && Number.isInteger(value)) {
    const left = masking.maskText(String(value), place);
    return left === String(value) ? value : left;
  }
  if (typeof value !== 'object' || value === null) return value;
  return Array.isArray(value)
    ? maskItems(value, place, masking, isPatch)
    : maskMembers(value, place, masking, isPatch);
}

function maskItems(
  items: readonly unknown[],
  within: Place | undefined,
  masking: MemberMasking,
  isPatch: boolean,
): readonly unknown[] {
  const masked = items.map((item, step) => maskMember(item, { step, within }, masking, isPatch));
  return masked.some((item, at) => item !== items[at]) ? masked : items;
}

function maskMembers(
  value: object,
  within: Place | undefined,
  masking: MemberMasking,
  isPatch: boolean,
): object {
  const target = memberOf(value, 'path');
  const isOperation = typeof target === 'string';
  /** The members of a copy, once one of them is masked. */
  let members: [string, unknown][] | undefined;
  const keys = Object.keys(value);
  for (const key of keys) {
    const member: unknown = Reflect.get(value, key);
    // A patch cannot change a card number, so it is not kept. A test of it fails with the full one.
    const stays = masking.exempt.has(key) || (key === 'value' && target === '/number');
    const step = stays ? key : maskKey(key, within, masking);
    const isPatched = isPatch || (key === 'value' && isOperation);
    const left = stays ? member : maskMember(member, { step, within }, masking, isPatched);
    if (step !== key || left !== member) {
      members ??= Object.entries(value).slice(0, keys.indexOf(key));
    }
    members?.push([step, left]);
  }
  return members === undefined ? value : Object.fromEntries(members);
}
