/**
 * Every error that a caller of the control API can get. OpenAPI, the table of errors in the documentation and the golden
 * file are made from it. This file loads nothing, as the client needs it.
 */

/** One error of the control API. Its body names the code. */
export interface ControlProblem {
  readonly status: 400 | 401 | 403 | 404 | 405 | 408 | 409 | 413 | 415 | 500;
  readonly when: string;
  /** Where the problem is in a request, if it is always the same place. */
  readonly place?: string;
  /** The problem is not about a part of the request. */
  readonly noPlace?: true;
}

/** Problems of the control API. */
export const controlProblems = {
  'unknown-parameter': { status: 400, when: 'a query parameter that the call does not take' },
  'invalid-parameter': { status: 400, when: 'a parameter with a value it cannot have' },
  'malformed-json': { status: 400, when: 'a body that is not JSON' },
  'unknown-key': { status: 400, when: 'a key in the body that the call does not take' },
  'invalid-body': { status: 400, when: 'a body with a value it cannot have' },
  'invalid-argument': { status: 400, when: 'an argument that the verb does not allow' },
  'invalid-time': { status: 400, when: 'a time or a duration that cannot be read' },
  'invalid-rule': { status: 400, when: 'a rule that cannot be armed' },
  'invalid-gate': { status: 400, when: 'a gate, a release or a wait that is not possible' },
  'invalid-scenario': { status: 400, when: 'a scenario that cannot be played' },
  'invalid-fixtures': { status: 400, when: 'fixtures of a scenario that cannot be loaded' },
  'invalid-name': { status: 400, when: 'a name that no snapshot can have', place: 'body.name' },
  'invalid-query': { status: 400, when: 'what is asked of the journal cannot be read' },
  'invalid-export': { status: 400, when: 'a document that no world can go on from' },
  'invalid-verdict': { status: 400, when: 'a verdict that cannot be asked for like this' },
  'token-required': { status: 401, when: 'the control token is missing, or another one' },
  'other-origin': { status: 403, when: 'a browser sent it from a page of another origin' },
  'unknown-host': { status: 403, when: 'a browser sent it to a name that is not the sandbox' },
  'merchants-full': { status: 403, when: 'no room for another merchant', noPlace: true },
  'snapshots-full': { status: 403, when: 'no room for another snapshot', place: 'query.merchant' },
  'waits-full': {
    status: 403,
    when: 'too many wait in the journal of a merchant',
    place: 'query.merchant',
  },
  'unknown-merchant': { status: 404, when: 'no merchant of that name', place: 'path.id' },
  'unknown-outcome': { status: 404, when: 'no outcome has this id', place: 'path.id' },
  'unknown-snapshot': { status: 404, when: 'no snapshot of that name', place: 'path.name' },
  'unknown-request': { status: 404, when: 'the journal holds no exchange with this debug id' },
  'unknown-path': { status: 404, when: 'no control call has this path' },
  'method-not-allowed': { status: 405, when: 'the path is served with other methods' },
  'wait-timeout': { status: 408, when: 'what was waited for did not come in time', noPlace: true },
  'wait-ended': { status: 409, when: 'what was waited for can no longer come', noPlace: true },
  'clock-refused': {
    status: 409,
    when: 'the clock would run backwards, or past the year 9996',
    noPlace: true,
  },
  'export-refused': { status: 409, when: 'a rule waits for what no export holds', noPlace: true },
  'body-too-large': { status: 413, when: 'a body larger than any control call needs' },
  'unsupported-media-type': { status: 415, when: 'a body of another type than the call takes' },
  'internal-error': { status: 500, when: 'a bug of this sandbox' },
} as const satisfies Record<string, ControlProblem>;

export type ControlProblemCode = keyof typeof controlProblems;
