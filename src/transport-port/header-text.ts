/** Decodes header values. */
import { Buffer, isUtf8 } from 'node:buffer';

const beyondAscii = /[\u0080-\u00ff]/;

/**
 * The text of a header value. Node decodes headers as Latin-1, but most clients write UTF-8. Without this, separators
 * between the digits of a card number would look like letters. A value that is not UTF-8 stays unchanged.
 */
export function headerText(value: string | undefined): string | undefined {
  if (value === undefined || !beyondAscii.test(value)) return value;
  const bytes = Buffer.from(value, 'latin1');
  return isUtf8(bytes) ? bytes.toString() : value;
}
