/** Content-Length promises more than is sent before the connection ends. */
import type { Fault } from './fault.ts';

export const truncatedBody: Fault = (wire, reply, params) =>
  wire.sendPart(reply, Math.min(params.count('bytes'), Math.max(0, (reply.body ?? '').length - 1)));
