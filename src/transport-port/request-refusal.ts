/** Refusals of requests that no route can serve. The transport finds them, and the service writes their answers. */

/** Why a request is refused before it is routed. */
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
