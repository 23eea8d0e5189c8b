/** The right status, and no body. */
import { spoilingBody } from './fault.ts';

export const emptyBody = spoilingBody((wire, reply) => wire.send({ ...reply, body: '' }));
