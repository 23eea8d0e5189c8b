/** One control call over HTTP: what goes out, what comes back, and what is thrown where it does not. */
import { SandboxError, type ErrorName, type SandboxErrorDetail } from './sandbox-error.ts';

/** What a call sends. */
export interface Sent {
  readonly query?: Readonly<Record<string, string | undefined>> | undefined;
  /** Sent as JSON; what JSON has no word for is `null`, which every call refuses. */
  readonly body?: unknown;
  /** Sent as YAML, as it is. */
  readonly yaml?: string | undefined;
  /** Statuses beside 2xx whose body is an answer and no refusal. */
  readonly also?: readonly number[] | undefined;
  /** A 2xx is no JSON, and is given as it is. */
  readonly answersText?: boolean | undefined;
  /** How long the sandbox may hold the call before it answers. */
  readonly heldMs?: number | undefined;
  /** Gives the call up when it aborts. */
  readonly signal?: AbortSignal | undefined;
  /** What the verb in process throws where it is given what it cannot take. */
  readonly mistake?: ErrorName | undefined;
}

export type Call = <T>(method: string, path: string, sent?: Sent) => Promise<T>;

export interface CallSettings {
  readonly token: string | undefined;
  readonly timeoutMs: number | undefined;
}

/** More than any call may be held. */
const longestHeldMs = 300_000;

/** Calls the control plane of the sandbox at a base URL. */
export function callsTo(base: string, { token, timeoutMs }: CallSettings): Call {
  return async <T>(method: string, path: string, sent: Sent = {}) => {
    const url = `${base}/_sandbox${path}${queryOf(sent)}`;
    const init = { method, ...contentOf(sent, token), ...signalOf(sent, timeoutMs) };
    const { status, text } = await reach(base, url, init, { timeoutMs, signal: sent.signal });
    if (status === 204) return undefined as T; // A call without an answer is asked for as void.
    const answer = status === 200 && sent.answersText === true ? text : parsed(text);
    const isMeant = (status >= 200 && status < 300) || sent.also?.includes(status) === true;
    // The contract says what a 2xx of this call holds; the tests hold the server to it.
    if (isMeant && answer !== undefined) return answer as T;
    throw refusalOf(base, status, answer, sent.mistake);
  };
}

function signalOf({ heldMs = 0, signal }: Sent, timeoutMs: number | undefined): RequestInit {
  const given = signal === undefined ? [] : [signal];
  // One that no call may be held for is refused at once.
  const held = heldMs > 0 && heldMs <= longestHeldMs ? Number(heldMs) : 0;
  const signals =
    timeoutMs === undefined ? given : [...given, AbortSignal.timeout(Math.ceil(timeoutMs + held))];
  return signals.length === 0 ? {} : { signal: AbortSignal.any(signals) };
}

interface Reply {
  readonly status: number;
  readonly text: string;
}

async function reach(
  base: string,
  url: string,
  init: RequestInit,
  { timeoutMs, signal }: Pick<CallSettings, 'timeoutMs'> & Pick<Sent, 'signal'>,
): Promise<Reply> {
  try {
    const response = await fetch(url, init);
    return { status: response.status, text: await response.text() };
  } catch (cause) {
    if (signal?.aborted === true) throw cause;
    const isLate = cause instanceof DOMException && cause.name === 'TimeoutError';
    throw new SandboxError(
      isLate
        ? `${base} did not answer within the ${timeoutMs} ms of timeoutMs. Allow more, or ask whether the sandbox is running there: \`card-vault-sandbox wait ${base}\` tells when it is.`
        : `Nothing answers at ${base} (${reasonOf(cause)}). Is the sandbox running there? \`card-vault-sandbox wait ${base}\` tells when it is.`,
      'unreachable',
      0,
      { cause },
    );
  }
}

/** What TLS makes of an answer in plain HTTP. */
const answeredPlain = /^ERR_SSL_(?:WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG)$/;

/** What `fetch` hides behind "fetch failed". */
export function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  if (typeof cause !== 'object' || cause === null) return String(cause);
  if (cause instanceof DOMException) return cause.message;
  if ('code' in cause) {
    const code = String(cause.code);
    return answeredPlain.test(code) ? `${code}: write http:// in place of https://` : code;
  }
  return 'message' in cause ? String(cause.message) : 'error';
}

/** What is asked, as the words of a query; one that is left out is none. */
export function wordsOf(asked: object): Record<string, string> {
  return Object.fromEntries(
    Object.entries(asked).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, String(value)]],
    ),
  );
}

function queryOf({ query = {} }: Sent): string {
  const given = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`],
  );
  return given.length === 0 ? '' : `?${given.join('&')}`;
}

function contentOf(sent: Sent, token: string | undefined): RequestInit {
  const { yaml } = sent;
  const known: Record<string, string> = token === undefined ? {} : { 'Sandbox-Token': token };
  if (yaml !== undefined) return { headers: { ...known, 'Content-Type': 'text/yaml' }, body: yaml };
  if (!('body' in sent)) return { headers: known };
  return {
    headers: { ...known, 'Content-Type': 'application/json' },
    // A verb that was given nothing by mistake is not one that was asked without a word.
    body: jsonOf(sent) ?? 'null',
  };
}

function jsonOf({ body, mistake }: Sent): string | undefined {
  try {
    return JSON.stringify(body);
  } catch (cause) {
    throw new SandboxError(
      `This cannot be sent, since it is no JSON: ${reasonOf(cause)}.`,
      'invalid-body',
      0,
      { place: 'body', mistake, cause },
    );
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

interface Refusal extends SandboxErrorDetail {
  readonly error: string;
  readonly message: string;
}

function refusalOf(
  base: string,
  status: number,
  answer: unknown,
  mistake: ErrorName | undefined,
): SandboxError {
  return isRefusal(answer)
    ? new SandboxError(answer.message, answer.error, status, { ...answer, mistake })
    : new SandboxError(
        `What answers at ${base} is not the control plane of a card-vault-sandbox: it said ${status}, and nothing that could be read. Connect to the address that the sandbox prints.`,
        'no-sandbox',
        status,
      );
}

/** The shape that every refusal of the control plane has. */
function isRefusal(answer: unknown): answer is Refusal {
  return (
    typeof answer === 'object' &&
    answer !== null &&
    'error' in answer &&
    typeof answer.error === 'string' &&
    'message' in answer &&
    typeof answer.message === 'string'
  );
}
