/** Shortens texts for the journal, without secrets. */
import { redactText } from '../../redaction/redact.ts';
import type { Masking } from '../../redaction/hide-card-numbers.ts';

/**
 * Redaction reads this much beyond the end, so that half a card number at the end is recognized.
 */
const beyond = 512;

const cutMark = /\u2026 \(cut: \d+ characters more\)$/;

/** The beginning of a text without card data, and a mark with the number of missing characters. */
export function truncate(text: string, maxLength: number, masking?: Masking): string {
  if (text.length <= maxLength) return redactText(text, masking);
  const seen = text.slice(0, maxLength + beyond);
  const safe = redactText(seen, masking);
  // Masks can shorten the text, which would move an unmasked half of a number before the end.
  const end = seen === text ? maxLength : Math.min(maxLength, Math.max(0, safe.length - beyond));
  const start = safe.slice(0, end);
  // `join` creates a new string: a slice would keep the whole text in memory.
  return [start, `… (cut: ${text.length - maxLength} characters more)`].join('');
}

/** Whether a stored text was truncated. */
export function isCut(text: string): boolean {
  return cutMark.test(text);
}
