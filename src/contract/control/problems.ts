/** Every way the control plane refuses, as one table: status, and when. Its document and golden file come from it. */

export interface ControlProblem {
  readonly status: 400 | 401 | 403 | 404 | 405 | 408 | 409 | 413 | 415 | 500;
  readonly when: string;
}

export const controlProblems = {
  'unknown-parameter': { status: 400, when: 'a query parameter that the call does not take' },
  'invalid-parameter': { status: 400, when: 'a parameter with a value it cannot have' },
  'malformed-json': { status: 400, when: 'a body that is not JSON' },
  'unknown-key': { status: 400, when: 'a key in the body that the call does not take' },
  'invalid-body': { status: 400, when: 'a body with a value it cannot have' },
  'invalid-rule': { status: 400, when: 'a rule that cannot be armed' },
  'invalid-scenario': { status: 400, when: 'a scenario that cannot be played' },
  'invalid-name': { status: 400, when: 'a name that no snapshot can have' },
  'invalid-query': { status: 400, when: 'what is asked of the journal cannot be read' },
  'invalid-export': { status: 400, when: 'a document that no world can go on from' },
  'invalid-verdict': { status: 400, when: 'a verdict that cannot be asked for like this' },
  'token-required': { status: 401, when: 'the control token is missing, or another one' },
  'other-origin': { status: 403, when: 'a browser sent it from a page of another origin' },
  'unknown-host': { status: 403, when: 'a browser sent it to a name that is not the sandbox' },
  'merchants-full': { status: 403, when: 'no room for another merchant' },
  'snapshots-full': { status: 403, when: 'no room for another snapshot' },
  'waits-full': { status: 403, when: 'too many wait in the journal of a merchant' },
  'unknown-merchant': { status: 404, when: 'no merchant of that name' },
  'unknown-outcome': { status: 404, when: 'no outcome has this id' },
  'unknown-snapshot': { status: 404, when: 'no snapshot of that name' },
  'unknown-request': { status: 404, when: 'the journal holds no exchange with this debug id' },
  'unknown-path': { status: 404, when: 'no control call has this path' },
  'method-not-allowed': { status: 405, when: 'the path is served with other methods' },
  'wait-timeout': { status: 408, when: 'what was waited for did not come in time' },
  'wait-ended': { status: 409, when: 'what was waited for can no longer come' },
  'clock-refused': { status: 409, when: 'the clock would run backwards, or past the year 9996' },
  'export-refused': { status: 409, when: 'a rule waits for what no export holds' },
  'body-too-large': { status: 413, when: 'a body larger than any control call needs' },
  'unsupported-media-type': { status: 415, when: 'a body of another type than the call takes' },
  'internal-error': { status: 500, when: 'a bug of this sandbox' },
} as const satisfies Record<string, ControlProblem>;

export type ControlProblemKind = keyof typeof controlProblems;
