/** Bytes that are no HTTP, as from a wrong port. */
import type { Fault } from './fault.ts';

export const garbage: Fault = (wire) => wire.sendRaw('\u0015\u0003\u0001 not HTTP\r\n\r\n');
