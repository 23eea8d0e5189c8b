/** The connection is reset: the client reads no byte. */
import type { Fault } from './fault.ts';

export const reset: Fault = (wire) => wire.reset();
