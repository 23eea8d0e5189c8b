/** Sends one request and concludes what its answer means. */
import { z } from 'zod';
import type { Surroundings } from './surroundings.ts';

export interface Ask {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** A path or the URL of a link. */
  readonly to: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly withinMs: number;
}

export type Answer =
  /** It succeeded with this record; `null` for an answer without a body. */
  | { readonly kind: 'done'; readonly body: unknown }
  /** It failed, and a retry would fail too. */
  | { readonly kind: 'refused'; readonly status: number; readonly name: string }
  /** It failed, and may be retried. */
  | { readonly kind: 'later'; readonly waitMs: number }
  /** It may have succeeded. */
  | { readonly kind: 'unclear'; readonly waitMs: number };

const unclear: Answer = { kind: 'unclear', waitMs: 0 };

/** With 408, 425 and 429 nothing was done. */
const notYet: readonly number[] = [408, 425, 429];

/** The only server error with which nothing was done. */
const notImplemented = 501;

const ErrorName = z.union([
  z.looseObject({ name: z.string() }).transform(({ name }) => name),
  z.looseObject({ error: z.string() }).transform(({ error }) => error),
]);

/** A connection that failed to open carried no request. */
const NeverSent = z.object({ cause: z.object({ code: z.literal('ECONNREFUSED') }) });

/** Sends one request with a timeout for the whole exchange. */
export async function askOnce(surroundings: Surroundings, ask: Ask): Promise<Answer> {
  const { baseUrl, clock } = surroundings;
  const alarm = clock.alarm(ask.withinMs);
  try {
    const response = await fetch(new URL(ask.to, baseUrl), {
      method: ask.method,
      headers: ask.headers,
      // Redirects are not followed, because the token and the card id are for this host alone.
      redirect: 'manual',
      signal: alarm.signal,
      ...(ask.body === undefined ? {} : { body: ask.body }),
    });
    return concluded(response, await response.text(), clock.nowMs());
  } catch (error) {
    return NeverSent.safeParse(error).success ? { kind: 'later', waitMs: 0 } : unclear;
  } finally {
    alarm.off();
  }
}

function concluded({ status, headers }: Response, text: string, nowMs: number): Answer {
  const waitMs = askedWaitMs(headers.get('retry-after'), nowMs);
  if (notYet.includes(status)) return { kind: 'later', waitMs };
  if (status >= 500 && status !== notImplemented) return { kind: 'unclear', waitMs };
  if (status === 204) return { kind: 'done', body: null };
  const body = parsed(text);
  if (status < 300) return body === undefined ? unclear : { kind: 'done', body };
  const name = ErrorName.safeParse(body).data ?? '';
  return status === 409 ? { kind: 'unclear', waitMs } : { kind: 'refused', status, name };
}

/** Ignores the content type: a body either parses as JSON or shows nothing. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Reads `Retry-After` in both of its forms. */
function askedWaitMs(header: string | null, nowMs: number): number {
  if (header === null) return 0;
  const seconds = Number(header);
  const waitMs = Number.isNaN(seconds) ? Date.parse(header) - nowMs : seconds * 1000;
  return Number.isNaN(waitMs) ? 0 : Math.max(0, waitMs);
}
