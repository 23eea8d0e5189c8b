/** What can go wrong with asking a journal. The client throws these too, so this file loads nothing. */
import type { Entry } from './entry.ts';

/** A query that cannot be read: what is wrong where, what is allowed, what was probably meant. */
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

/** An answer without a debug id was to be explained. */
export function noDebugId(): QueryError {
  return new QueryError(
    'There is no debug id: the answer had no header Paypal-Debug-Id, so it did not come from this sandbox, or not whole.',
    'debugId',
    undefined,
    undefined,
  );
}

/** What was waited for did not come in time. The message shows what came instead. */
export class WaitTimeoutError extends Error {
  /** Those that had come. */
  readonly seen: readonly Entry[];

  constructor(message: string, seen: readonly Entry[]) {
    super(message);
    this.name = 'WaitTimeoutError';
    this.seen = seen;
  }
}

/** Too many wait in one merchant's journal: nobody else can, until one of them ends. */
export class WaitLimitError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'WaitLimitError';
  }
}

/** What was waited for can no longer come: the merchant was begun anew, or the sandbox closes. */
export class WaitEndedError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'WaitEndedError';
  }
}
