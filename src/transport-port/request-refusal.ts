/** What a transport cannot pass on: requests that no route can serve, and bytes that are no request. */

/** Why a request is refused before it is routed. The transport finds it, and the service writes the answer. */
export interface RequestRefusal {
  readonly kind:
    | 'malformed-request'
    | 'expectation-failed'
    | 'no-proxy'
    | 'headers-too-large'
    | 'body-too-large'
    | 'request-timeout';
  /** What was wrong and what to change. It quotes nothing of the request. */
  readonly reason: string;
}

/** Bytes on a socket that are not an HTTP request. They belong to no merchant, so no journal has them. */
export interface UnreadableRequest {
  /** Why they could not be read, and what to change, if that is known. It quotes nothing of them. */
  readonly reason: string;
}

export type UnreadableRequestListener = (unreadable: UnreadableRequest) => void;
