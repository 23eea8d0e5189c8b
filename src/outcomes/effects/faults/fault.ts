/** What the wire does to an answer, or in place of one. */
import type { Reply, Transport } from '../../../transport-port/transport.ts';

/** Parameters of an outcome, with defaults filled in; times are milliseconds. */
export interface OutcomeParams {
  ms(name: string): number;
  count(name: string): number;
  text(name: string): string;
  /** A draw in [0, 1) that the same attempt always gives for the same word. */
  draw(word: string): number;
}

/** `reply` is the answer that would have gone out; absent before anything was read. */
export type Fault = (
  wire: Transport,
  reply: Reply,
  params: OutcomeParams,
) => Response | Promise<Response>;

/** What stands in the place of an answer, before the wire gets hold of it. */
export type Replacement = (reply: Reply, params: OutcomeParams) => Reply;

/** An answer as it is when it has a body. */
export interface ReplyWithBody extends Reply {
  readonly body: string;
}

/** A fault of the body. The catalogue says of it that it needs one, so it is chosen for no answer that has none. */
export function bodyFault(
  fault: (
    wire: Transport,
    reply: ReplyWithBody,
    params: OutcomeParams,
  ) => Response | Promise<Response>,
): Fault {
  return (wire, reply, params) => {
    const { body } = reply;
    if (body === null) throw new Error('A fault of the body was chosen for an answer without one.');
    return fault(wire, { ...reply, body }, params);
  };
}
