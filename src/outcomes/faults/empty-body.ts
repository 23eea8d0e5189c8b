/** The right status, and no body. */
import type { Fault } from './fault.ts';

export const emptyBody: Fault = (wire, reply) => wire.send({ ...reply, body: '' });
