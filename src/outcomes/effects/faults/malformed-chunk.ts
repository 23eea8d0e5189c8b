/** A chunked answer with a chunk size that is no number. */
import { spoilingBody } from './fault.ts';

export const malformedChunk = spoilingBody((wire, reply) => wire.sendBadChunk(reply));
