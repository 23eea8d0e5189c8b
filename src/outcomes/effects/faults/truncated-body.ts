/** Content-Length promises more than is sent before the connection ends. */
import { bodyFault } from './fault.ts';

export const truncatedBody = bodyFault((wire, reply, params) =>
  wire.sendPart(reply, Math.min(params.count('bytes'), reply.body.length - 1)),
);
