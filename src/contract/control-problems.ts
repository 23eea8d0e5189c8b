/** Every way the control plane refuses, as one table: status, and when. Its document and golden file come from it. */

export interface ControlProblem {
  readonly status: 400 | 401 | 403 | 404 | 405 | 409 | 413 | 415 | 500;
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
  'invalid-verdict': { status: 400, when: 'a verdict that cannot be asked for like this' },
  'token-required': { status: 401, when: 'the control token is missing, or another one' },
  'other-origin': { status: 403, when: 'a browser sent it from a page of another origin' },
  'merchants-full': { status: 403, when: 'no room for another merchant' },
  'unknown-merchant': { status: 404, when: 'no merchant of that name' },
  'unknown-outcome': { status: 404, when: 'no outcome has this id' },
  'unknown-path': { status: 404, when: 'no control call has this path' },
  'method-not-allowed': { status: 405, when: 'the path is served with other methods' },
  'clock-refused': { status: 409, when: 'the clock would run backwards, or past the year 9999' },
  'body-too-large': { status: 413, when: 'a body larger than any control call needs' },
  'unsupported-media-type': { status: 415, when: 'a body of another type than the call takes' },
  'internal-error': { status: 500, when: 'a bug of this sandbox' },
} as const satisfies Record<string, ControlProblem>;

export type ControlProblemKind = keyof typeof controlProblems;
