/** The functions that faults are: what the transport does to a response, or what replaces the response. */
import type { Reply, Transport } from '../../../transport-port/transport.ts';
import type { OutcomeParams } from '../../decide/params.ts';

/**
 * Delivers a response badly, or delivers none.
 *
 * @param reply The response that the client would have received. A fault that comes before the request is read ignores it.
 */
export type Fault = (
  transport: Transport,
  reply: Reply,
  params: OutcomeParams,
) => Response | Promise<Response>;

/** Returns the response that is sent instead of the real one. */
export type Replacement = (reply: Reply, params: OutcomeParams) => Reply;
