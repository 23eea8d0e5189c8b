/** Faults of the body: it is cut, malformed, empty or labelled wrongly. */
import type { Reply, Transport } from '../../../transport-port/transport.ts';
import type { OutcomeParams } from '../../decide/params.ts';
import type { Fault } from './fault.ts';

interface ReplyWithBody extends Reply {
  readonly body: string;
}

/** Makes a fault of the body. The catalogue says that it needs a body, so it is never chosen for a response without one. */
export function bodyFault(
  fault: (
    transport: Transport,
    reply: ReplyWithBody,
    params: OutcomeParams,
  ) => Response | Promise<Response>,
): Fault {
  return (transport, reply, params) => {
    const { body } = reply;
    if (body === null) throw new Error('A body fault was chosen for a response without a body.');
    return fault(transport, { ...reply, body }, params);
  };
}

/** Sends fewer bytes than Content-Length promises and ends the connection. */
export const truncatedBody = bodyFault((transport, reply, params) =>
  transport.sendPart(reply, Math.min(params.count('bytes'), reply.body.length - 1)),
);

/** Sends a complete HTTP message whose JSON is cut in half. */
export const truncatedJson = bodyFault((transport, reply) =>
  transport.send({ ...reply, body: reply.body.slice(0, Math.ceil(reply.body.length / 2)) }),
);

/** Sends a complete HTTP message whose JSON no parser accepts. */
export const malformedJson = bodyFault((transport, reply) =>
  transport.send({ ...reply, body: `${reply.body.slice(0, -1)},"total":NaN,}` }),
);

/** Sends a chunked response with a chunk size that is not a number. */
export const malformedChunk = bodyFault((transport, reply) => transport.sendBadChunk(reply));

/** Sends the correct status without a body. */
export const emptyBody = bodyFault((transport, reply) => transport.send({ ...reply, body: '' }));

/** Sends the correct JSON and calls it plain text. */
export const wrongContentType = bodyFault((transport, reply) =>
  transport.send({ ...reply, headers: { ...reply.headers, 'Content-Type': 'text/plain' } }),
);

/** Sends plain bytes and claims that they are compressed. */
export const wrongContentEncoding = bodyFault((transport, reply) =>
  transport.send({ ...reply, headers: { ...reply.headers, 'Content-Encoding': 'gzip' } }),
);
