/**
 * Errors of journal queries and waits. The client throws them too, so this file loads nothing else.
 */
import type { Entry } from './entry.ts';

/** An invalid query: what is wrong, what is allowed, what was probably meant. */
export class QueryError extends Error {
  readonly place: string;
  readonly allowed: readonly string[] | undefined;
  readonly nearest: string | undefined;

  constructor(
    message: string,
    place: string,
    allowed: readonly string[] | undefined,
    near: string | undefined,
  ) {
    super(message);
    this.name = 'QueryError';
    this.place = place;
    this.allowed = allowed;
    this.nearest = near;
  }
}

/** The error for a response without a debug id, which cannot be explained. */
export function noDebugId(): QueryError {
  return new QueryError(
    'There is no debug id: the response has no Paypal-Debug-Id header. It is incomplete or not from this sandbox.',
    'debugId',
    undefined,
    undefined,
  );
}

/** The expected exchanges did not arrive in time. The message shows what arrived instead. */
export class WaitTimeoutError extends Error {
  /** The matching exchanges that arrived. */
  readonly seen: readonly Entry[];

  constructor(message: string, seen: readonly Entry[]) {
    super(message);
    this.name = 'WaitTimeoutError';
    this.seen = seen;
  }
}

/** Too many waits on one merchant's journal. Others must wait until one of them ends. */
export class WaitLimitError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'WaitLimitError';
  }
}

/**
 * The expected exchanges cannot arrive any more: the merchant was reset, or the sandbox is closing.
 */
export class WaitEndedError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'WaitEndedError';
  }
}
