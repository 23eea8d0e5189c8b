/** One request, and what may be concluded from what came back. */
import { z } from 'zod';
import type { Surroundings } from './surroundings.ts';

export interface Ask {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** A path, or the address of a link. */
  readonly to: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly withinMs: number;
}

export type Answer =
  /** It was done, and this is the record; `null` for an answer that says that it has no body. */
  | { readonly kind: 'done'; readonly body: unknown }
  /** It was not done and will not be by trying again. */
  | { readonly kind: 'refused'; readonly status: number; readonly name: string }
  /** It was not done, and may be tried again. */
  | { readonly kind: 'later'; readonly waitMs: number }
  /** It may have been done. */
  | { readonly kind: 'unclear'; readonly waitMs: number };

const unclear: Answer = { kind: 'unclear', waitMs: 0 };

/** 408, 425 and 429 say that nothing was done. */
const notYet: readonly number[] = [408, 425, 429];

/** The one error of a server that says that nothing was done. */
const notImplemented = 501;

const ErrorName = z.union([
  z.looseObject({ name: z.string() }).transform(({ name }) => name),
  z.looseObject({ error: z.string() }).transform(({ error }) => error),
]);

/** Connections that were never made carried nothing. */
const NeverSent = z.object({ cause: z.object({ code: z.literal('ECONNREFUSED') }) });

/** Asks once, within a deadline for the whole of it. */
export async function askOnce(surroundings: Surroundings, ask: Ask): Promise<Answer> {
  const { baseUrl, clock } = surroundings;
  const alarm = clock.alarm(ask.withinMs);
  try {
    const response = await fetch(new URL(ask.to, baseUrl), {
      method: ask.method,
      headers: ask.headers,
      // A redirect is not followed: the token and the card's id are for this host alone.
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

/** The content type is not looked at: a body that is JSON is JSON, and one that is not tells nothing. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** `Retry-After` in both of its forms. */
function askedWaitMs(header: string | null, nowMs: number): number {
  if (header === null) return 0;
  const seconds = Number(header);
  const waitMs = Number.isNaN(seconds) ? Date.parse(header) - nowMs : seconds * 1000;
  return Number.isNaN(waitMs) ? 0 : Math.max(0, waitMs);
}
