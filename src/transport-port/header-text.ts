/** Headers as their clients wrote them. */
import { Buffer, isUtf8 } from 'node:buffer';

const beyondAscii = /[\u0080-\u00ff]/;

/**
 * A header is read byte by byte, and most clients write UTF-8: what stands between the digits of a number would be
 * taken for letters. As it was read where it is no UTF-8.
 */
export function headerText(value: string | undefined): string | undefined {
  if (value === undefined || !beyondAscii.test(value)) return value;
  const bytes = Buffer.from(value, 'latin1');
  return isUtf8(bytes) ? bytes.toString() : value;
}
