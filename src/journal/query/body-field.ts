/** Conditions on members of request and response bodies, as far as the journal keeps them. */
import { memberOf, stepsOf } from '../../shared/unknown-value.ts';
import type { QueryCondition, MatchResult } from './condition.ts';
import type { Entry } from '../entry.ts';
import { isCut } from '../text/truncate.ts';
import type { Masking } from '../../redaction/hide-card-numbers.ts';
import { redactMember, redactText } from '../../redaction/redact.ts';
import { containsMask, redacted } from '../../redaction/secret.ts';

type FieldValue = string | number | boolean | null;

/** Returns one condition for each field: `body.` reads the request, `response.` the response. */
export function fieldConditions(
  fields: Readonly<Record<string, FieldValue>> | undefined,
  masking: Masking,
): QueryCondition[] {
  return Object.entries(fields ?? {}).map(([field, value]) => {
    const name = redactText(field);
    const [side = '', ...steps] = stepsOf(name);
    const wanted = redactedValue(steps.at(-1) ?? '', value, masking);
    const actual = (entry: Entry): BodyMember => {
      const text = side === 'body' ? entry.request : entry.response;
      return memberIn(text, steps);
    };
    return {
      name,
      wanted: JSON.stringify(wanted),
      match: (entry) => matchField(actual(entry), wanted),
      actual: (entry) => wordsOf(actual(entry)),
    };
  });
}

type BodyMember = { readonly kept: true; readonly value: unknown } | { readonly kept: false };

function memberIn(text: string | undefined, steps: readonly string[]): BodyMember {
  if (text === undefined) return { kept: true, value: undefined };
  try {
    const value = steps.reduce<unknown>(memberOf, JSON.parse(text));
    return value === redacted ? { kept: false } : { kept: true, value };
  } catch {
    // A body that is not JSON has no members. A truncated or masked one could have any.
    return isCut(text) || containsMask(text) ? { kept: false } : { kept: true, value: undefined };
  }
}

/** A number equals the same decimal string. A redacted value is never equal. */
function matchField(actual: BodyMember, wanted: FieldValue): MatchResult {
  if (!actual.kept) return 'unknown';
  const same = wanted === null ? actual.value === null : isSameText(actual.value, wanted);
  return same ? 'meets' : 'misses';
}

function isSameText(value: unknown, wanted: string | number | boolean): boolean {
  return value !== undefined && value !== null && String(value) === String(wanted);
}

function wordsOf(actual: BodyMember): string {
  if (!actual.kept) return 'not kept by the journal';
  return actual.value === undefined ? 'absent' : JSON.stringify(actual.value);
}

/**
 * Redacts the expected value like the journal does: a card number is compared by its last four
 * digits.
 */
function redactedValue(key: string, value: FieldValue, masking: Masking): FieldValue {
  const redactedText = redactMember(key, value, masking);
  return typeof redactedText === 'string' ? redactedText : value;
}
