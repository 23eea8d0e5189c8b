/** A chunked answer with a chunk size that is no number. */
import { bodyFault } from './fault.ts';

export const malformedChunk = bodyFault((wire, reply) => wire.sendBadChunk(reply));
