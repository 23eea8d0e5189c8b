/** Writes the head of an answer that is sent to the socket directly. */
import { STATUS_CODES } from 'node:http';
import type { Reply } from '../transport-port/transport.ts';

/** The status line and headers of an answer after which the connection ends. */
export function headText(
  { status, headers }: Reply,
  framing: Readonly<Record<string, string>>,
): string {
  const lines = Object.entries({ ...headers, ...framing, Connection: 'close' });
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    ...lines.map((pair) => pair.join(': ')),
    '',
    '',
  ].join('\r\n');
}
