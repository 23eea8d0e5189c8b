/** Sends one verb over HTTP: writes the request, reads the answer, throws what the verb throws in process. */
import { allMerchants, httpCallOf, type Target, type Verb } from '../contract/control/verbs.ts';
import { SandboxError } from '../shared/sandbox-error.ts';
import { memberOf } from '../shared/unknown-value.ts';
import { remoteError, type ErrorAnswer } from './remote-error.ts';

/** What a request carries beside method and path. */
export interface RequestParts {
  /** The input: path parameters, then a query or a JSON body. */
  readonly input?: unknown;
  /** A YAML body, sent as it is. */
  readonly yaml?: string | undefined;
  /** How long the sandbox may hold the request before it answers, in milliseconds. */
  readonly heldMs?: number | undefined;
  /** Aborts the request. */
  readonly signal?: AbortSignal | undefined;
}

export interface CallSettings {
  readonly token: string | undefined;
  readonly timeoutMs: number | undefined;
}

/** Sends a verb to a target with what the request carries. */
export type Send = (verb: Verb, target: Target | undefined, sent: RequestParts) => Promise<unknown>;

/** Longer than any request may be held. */
const maxHeldMs = 300_000;

/** Sends verbs to the sandbox at a base URL. */
export function sendTo(base: string, settings: CallSettings): Send {
  return async (verb, target, sent) => {
    const { method, url, body } = requestFor(verb, target, sent.input);
    const init = {
      method,
      ...contentOf(verb, { body, yaml: sent.yaml, token: settings.token }),
      ...signalOf(sent, settings.timeoutMs),
    };
    const reply = await reach(base, `${base}/_sandbox${url}`, init, {
      timeoutMs: settings.timeoutMs,
      signal: sent.signal,
    });
    return readReply(base, verb, reply);
  };
}

interface VerbRequest {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  /** `undefined` for a request without a body. */
  readonly body: { readonly json: unknown } | undefined;
}

function requestFor(verb: Verb, target: Target | undefined, input: unknown): VerbRequest {
  const { method, path, parameters } = httpCallOf(verb);
  const filled = parameters.reduce((text, name) => {
    const value = memberOf(input, name);
    const step = value === undefined ? '' : `/${encodeURIComponent(String(value))}`;
    return text.replace(`/{${name}}`, step).replace(`/{${name}?}`, step);
  }, path);
  const query = verb.takes === 'query' ? Object(input) : {};
  const words = Object.entries({ ...query, ...targetQuery(verb, target) })
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`);
  return {
    method,
    url: words.length === 0 ? filled : `${filled}?${words.join('&')}`,
    body: verb.takes === 'body' ? { json: input } : undefined,
  };
}

function targetQuery({ all }: Verb, target: Target | undefined): object {
  if (target === undefined) return {};
  if (target !== allMerchants) return { merchant: target };
  return all === 'with all=true' ? { all: true } : {};
}

function signalOf(
  { heldMs = 0, signal }: RequestParts,
  timeoutMs: number | undefined,
): RequestInit {
  const given = signal === undefined ? [] : [signal];
  // The sandbox refuses a longer hold at once.
  const held = heldMs > 0 && heldMs <= maxHeldMs ? Number(heldMs) : 0;
  const signals =
    timeoutMs === undefined ? given : [...given, AbortSignal.timeout(Math.ceil(timeoutMs + held))];
  return signals.length === 0 ? {} : { signal: AbortSignal.any(signals) };
}

interface Content {
  readonly body: VerbRequest['body'];
  readonly yaml: string | undefined;
  readonly token: string | undefined;
}

function contentOf(verb: Verb, { body, yaml, token }: Content): RequestInit {
  const own: Record<string, string> = token === undefined ? {} : { 'Sandbox-Token': token };
  if (yaml !== undefined) return { headers: { ...own, 'Content-Type': 'text/yaml' }, body: yaml };
  if (body === undefined) return { headers: own };
  return {
    headers: { ...own, 'Content-Type': 'application/json' },
    // A missing argument must be refused as such, not read as an empty one.
    body: jsonOf(verb, body.json) ?? 'null',
  };
}

function jsonOf(verb: Verb, value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch (cause) {
    const message = `This cannot be sent, because it is no JSON: ${reasonOf(cause)}.`;
    throw remoteError({ error: 'invalid-body', message, place: 'body', cause }, undefined, verb);
  }
}

interface Reply {
  readonly status: number;
  readonly text: string;
}

async function reach(
  base: string,
  url: string,
  init: RequestInit,
  { timeoutMs, signal }: Pick<CallSettings, 'timeoutMs'> & Pick<RequestParts, 'signal'>,
): Promise<Reply> {
  try {
    const response = await fetch(url, init);
    return { status: response.status, text: await response.text() };
  } catch (cause) {
    if (signal?.aborted === true) throw cause;
    const isLate = cause instanceof DOMException && cause.name === 'TimeoutError';
    if (isPageRefusal(cause, base))
      throw new SandboxError('unreachable', pageRefusal(base, cause), { cause });
    throw new SandboxError(
      'unreachable',
      isLate
        ? `${base} did not answer within the ${timeoutMs} ms of timeoutMs. Allow more time, or check that the sandbox is running: \`card-vault-sandbox wait ${base}\` returns when it is.`
        : `Nothing answers at ${base} (${reasonOf(cause)}). Check that the sandbox is running: \`card-vault-sandbox wait ${base}\` returns when it is.`,
      { cause },
    );
  }
}

/** What imitated browsers say when a page may not read another origin. */
const ofOtherOrigin = /cross.?origin|same.?origin|\bCORS\b/i;

/**
 * Whether an imitated browser refused the request, because its page has another origin. jsdom gives no reason, so there an
 * error without a code counts.
 */
function isPageRefusal(error: unknown, base: string): boolean {
  if (error instanceof Error && ofOtherOrigin.test(`${error.message} ${reasonOf(error)}`))
    return true;
  const { location } = globalThis as { readonly location?: { readonly origin?: string } };
  const hasCode = memberOf(memberOf(error, 'cause') ?? error, 'code') !== undefined;
  const isPage = location?.origin !== undefined && location.origin !== new URL(base).origin;
  return (
    isPage && !hasCode && error instanceof TypeError && error.message === 'Network request failed'
  );
}

function pageRefusal(base: string, cause: unknown): string {
  return `The test environment refused to send a request to ${base} (${reasonOf(cause)}). It imitates a browser page, and a page may not read another origin. Run this test in the environment node, or switch the rule off: happy-dom has the setting fetch.disableSameOriginPolicy.`;
}

/** What TLS reports for an answer in plain HTTP. */
const answeredPlain = /^ERR_SSL_(?:WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG)$/;

/** The reason behind an error of `fetch`, which itself says only "fetch failed". */
export function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  if (typeof cause !== 'object' || cause === null) return String(cause);
  if (cause instanceof DOMException) return cause.message;
  if ('code' in cause) {
    const code = String(cause.code);
    return answeredPlain.test(code) ? `${code}: use http:// instead of https://` : code;
  }
  return 'message' in cause ? String(cause.message) : 'error';
}

/** Health answers 503 with a body while the sandbox stops. */
const stillAnAnswer = 503;

function readReply(base: string, verb: Verb, { status, text }: Reply): unknown {
  if (status === 200 && verb.text) return text;
  const answer = parse(text);
  if (isErrorAnswer(answer)) {
    if (answer.error === verb.absent) return undefined;
    throw remoteError(answer, status, verb);
  }
  const isGood = (status >= 200 && status < 300) || status === stillAnAnswer;
  if (!isGood || answer === undefined || verb.text) {
    throw new SandboxError(
      'no-sandbox',
      `The server at ${base} is not the control API of a card-vault-sandbox: it answered ${status} with an unknown body. Connect to the address that the sandbox prints.`,
      { status },
    );
  }
  return verb.changes ? resultOf(verb, answer) : answer;
}

/** What the verb returns, out of an answer that also names the merchant. */
function resultOf({ returns }: Verb, answer: unknown): unknown {
  if (returns !== undefined) return memberOf(answer, returns);
  const { merchant: _merchant, merchants: _merchants, ...rest } = Object(answer);
  return Object.keys(rest).length === 0 ? undefined : rest;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Every error answer of the control API has this shape. */
function isErrorAnswer(answer: unknown): answer is ErrorAnswer {
  return (
    typeof memberOf(answer, 'error') === 'string' && typeof memberOf(answer, 'message') === 'string'
  );
}
