/** Reads journal queries and explains what is wrong with them. */
import { z } from '@hono/zod-openapi';
import {
  journalSchemas,
  type ExchangeMatchSchema,
  type JournalQuerySchema,
  type VerifyRequestSchema,
  type WaitRequestSchema,
} from '../../contract/control/inputs.ts';
import { fieldPath } from '../../contract/shape.ts';
import { nearest, nearestKey } from '../../shared/did-you-mean.ts';
import { isSignal, memberOf } from '../../shared/unknown-value.ts';
import { onFirstUse } from '../../shared/lazy.ts';
import type { Entry } from '../entry.ts';
import { QueryError } from '../errors.ts';

export type { ExchangeMatch, JournalQuery, VerifyOptions } from '../../contract/control/types.ts';

/** How many exchanges to wait for, and how long. */
export interface WaitOptions {
  /** How many exchanges must arrive, at most as many as the journal keeps (`limits.maxJournalEntries`). Default 1. */
  readonly times?: number | undefined;
  /** Real time after which the wait fails, in milliseconds. Default 4,000, at most 240,000. */
  readonly timeoutMs?: number | undefined;
  /** Ends the wait when it aborts. `null` means no signal, as in `fetch`. */
  readonly signal?: AbortSignal | null | undefined;
}

/** The content of a journal. */
export interface JournalReading {
  /** How many older exchanges were dropped to make room. */
  readonly dropped: number;
  /** Requests with their answers, oldest first. */
  readonly entries: readonly Entry[];
}

export const readQuery = (value: unknown): z.output<JournalQuerySchema> =>
  read(journalSchemas().query, value);

export const readMatch = (value: unknown): z.output<ExchangeMatchSchema> =>
  read(journalSchemas().match, value);

export const readExpectation = (value: unknown): z.output<VerifyRequestSchema> =>
  read(journalSchemas().verify, value);

export const readWait = (value: unknown): z.output<WaitRequestSchema> =>
  read(journalSchemas().wait, value);

/** A wait in process also accepts a signal, which an HTTP request cannot carry. */
const waitInput = onFirstUse(() =>
  journalSchemas()
    .wait.omit({ match: true })
    .extend({ signal: z.custom<AbortSignal>(isSignal, 'must be an AbortSignal').nullish() }),
);

export const readWaitInput = (value: unknown): z.output<ReturnType<typeof waitInput>> =>
  read(waitInput(), value);

function read<S extends z.ZodObject>(schema: S, value: unknown): z.output<S> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  if (issue === undefined) throw new Error('A schema failed without an issue.');
  throw explain(issue, value, Object.keys(schema.shape));
}

function explain(issue: z.core.$ZodIssue, value: unknown, words: readonly string[]): QueryError {
  if (issue.code === 'unrecognized_keys') {
    const key = issue.keys[0] ?? '';
    // Everything below the top level is a match.
    const known = issue.path.length === 0 ? words : Object.keys(journalSchemas().match.shape);
    const near = nearestKey(key, known);
    const message = `Unknown key '${key}'.${suggest(near)} Allowed: ${known.join(', ')}.`;
    return new QueryError(message, {
      place: fieldPath([...issue.path, key]),
      allowed: known,
      nearest: near,
    });
  }
  const place = fieldPath(issue.path);
  const name = place === '' ? 'The query' : `'${place}'`;
  if (issue.code === 'invalid_value') {
    const allowed = issue.values.map(String);
    const sent = issue.path.reduce(memberOf, value);
    const near = typeof sent === 'string' ? nearest(sent, allowed) : undefined;
    const message = `${name} must be one of ${allowed.join(', ')}.${suggest(near)}`;
    return new QueryError(message, { place, allowed, nearest: near });
  }
  return new QueryError(`${name} ${faultOf(issue)}.`, place === '' ? {} : { place });
}

function faultOf(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_type') return `must be of type ${issue.expected}`;
  // An invalid key carries its issue inside.
  return issue.code === 'invalid_key' ? (issue.issues[0]?.message ?? issue.message) : issue.message;
}

function suggest(near: string | undefined): string {
  return near === undefined ? '' : ` Did you mean '${near}'?`;
}
