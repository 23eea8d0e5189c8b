/** The right status, and no body. */
import { bodyFault } from './fault.ts';

export const emptyBody = bodyFault((wire, reply) => wire.send({ ...reply, body: '' }));
