/** Texts as the journal keeps them: redacted, and no longer than they may be. */
import { redactText, type LastFourPolicy } from '../../redaction/redact.ts';

/** Looked at beyond the end, so that no half of a card number is taken for something harmless. */
const beyond = 512;

const cutMark = /\u2026 \(cut: \d+ characters more\)$/;

/** The beginning of a text without card data, and a mark of how much is missing. */
export function truncate(text: string, maxLength: number, mayShow?: LastFourPolicy): string {
  if (text.length <= maxLength) return redactText(text, mayShow);
  const seen = text.slice(0, maxLength + beyond);
  const safe = redactText(seen, mayShow);
  // What was taken out before it makes the end of what was seen come nearer, and half a number stands there as it came.
  const end = seen === text ? maxLength : Math.min(maxLength, Math.max(0, safe.length - beyond));
  const start = safe.slice(0, end);
  // `join` writes a new flat string: a slice would keep the whole text alive behind it.
  return [start, `… (cut: ${text.length - maxLength} characters more)`].join('');
}

/** Whether a kept text is only the beginning. */
export function isCut(text: string): boolean {
  return cutMark.test(text);
}
