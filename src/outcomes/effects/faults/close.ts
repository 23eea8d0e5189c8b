/** The connection ends in good order, with an empty answer. */
import type { Fault } from './fault.ts';

export const close: Fault = (wire) => wire.close();
