/** What can go wrong when a journal is queried. The client throws these too, so this file loads nothing. */
import { SandboxError, type ErrorDetail } from '../shared/sandbox-error.ts';
import type { Entry } from './entry.ts';

/** A journal query that cannot be read. */
export class QueryError extends SandboxError {
  override readonly name = 'QueryError';

  constructor(message: string, detail?: ErrorDetail) {
    super('invalid-query', message, detail);
  }
}

/** The error for an answer that has no debug id. */
export function noDebugId(): QueryError {
  return new QueryError(
    'There is no debug id: the response has no Paypal-Debug-Id header. It is incomplete or not from this sandbox.',
    { place: 'debugId' },
  );
}

/** The exchanges did not arrive in time. The message lists what arrived instead. */
export class WaitTimeoutError extends SandboxError {
  override readonly name = 'WaitTimeoutError';
  /** The matching exchanges that did arrive. */
  readonly seen: readonly Entry[];

  constructor(message: string, seen: readonly Entry[], detail?: ErrorDetail) {
    super('wait-timeout', message, detail);
    this.seen = seen;
  }
}

/** Too many calls wait in one merchant's journal. */
export class WaitLimitError extends SandboxError {
  override readonly name = 'WaitLimitError';

  constructor(message: string, detail?: ErrorDetail) {
    super('waits-full', message, detail);
  }
}

/** The exchanges can no longer arrive: the merchant was reset, or the sandbox closes. */
export class WaitEndedError extends SandboxError {
  override readonly name = 'WaitEndedError';

  constructor(message: string, detail?: ErrorDetail) {
    super('wait-ended', message, detail);
  }
}
