/** The sandbox, as a transport serves it. */
import type { TransportLocation } from '../transport-port/listener-address.ts';
import type { Reply, Transport } from '../transport-port/transport.ts';
import type {
  RequestRefusal,
  UnreadableRequestListener,
} from '../transport-port/request-refusal.ts';

/** One request, as a transport passes it to the sandbox. */
export interface ServedRequest {
  readonly transport: Transport;
  readonly location: TransportLocation | undefined;
  /** Makes the `Request` that the control API reads. It has no body. The service needs none. */
  readonly toRequest: () => Request;
  /** Set if no route can serve the request. */
  readonly refusal?: RequestRefusal | undefined;
}

export interface ServedSandbox {
  /** Answers every path, the control API included. */
  answer(request: ServedRequest): Response | Promise<Response>;
  /** Writes the answer to a request that could not be read. */
  refuseUnread(refusal: RequestRefusal): Reply;
  readonly onUnreadable: UnreadableRequestListener | undefined;
  /** The merchant that an `Authorization` header names; `undefined` if it names none. */
  merchantOf(authorization: string | undefined): string | undefined;
}
