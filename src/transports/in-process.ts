/** The transport without a socket: a `fetch` that answers in this process. */
import { clearTimeout, setTimeout } from 'node:timers';
import { readFetchCall, type FetchCall } from '../transport-port/fetch-call.ts';
import { FetchTransport, reasonOf } from '../transport-port/fetch-transport.ts';
import { PendingCalls } from '../transport-port/pending-calls.ts';
import { ConnectionError, type RefusingMerchant } from '../transport-port/transport.ts';
import type { ServedSandbox } from './served-sandbox.ts';

/** The base of a path without a host, and so of the links in its answer. */
const defaultOrigin = 'http://sandbox.local';

type Fetch = typeof globalThis.fetch;
type Input = Parameters<Fetch>[0];

export interface InProcess {
  /**
   * Answers as `fetch` would, in this process. Give it to the code under test.
   *
   * It answers any host, so a client may keep the address of the real service. A path alone works too. It rejects if a
   * connection would fail, or if it would have to follow a redirect, because there is no other host.
   */
  readonly fetch: Fetch;
  /** The same for a path, like `app.request` of Hono. It returns redirects without following them. */
  request(path: string, init?: RequestInit): Promise<Response>;
  /**
   * Answers as a server of a fetch handler expects it: a fault is an error response, and no connection is refused,
   * because that server decides when it stops.
   */
  handle(input: Input, init?: RequestInit): Response | Promise<Response>;
  /**
   * Refuses every later call, as a closed port would. Calls that wait go on for up to `graceMs`, then end as a closed
   * connection would.
   */
  close(graceMs: number): Promise<void>;
}

/** Opens the transport of a sandbox in this process. */
export function openInProcess(sandbox: ServedSandbox): InProcess {
  const pending = new PendingCalls();
  const refused = new RefusedMerchants();
  let isClosed = false;
  const refuseNext = (lastsMs: number, merchant: RefusingMerchant): void => {
    refused.add(lastsMs, merchant);
  };
  const isRefused = ({ headers }: FetchCall): boolean => {
    if (refused.isEmpty) return false;
    const merchant = sandbox.merchantOf(headers.get('authorization'));
    return merchant !== undefined && refused.has(merchant);
  };
  const answer = (call: FetchCall, transport: FetchTransport) =>
    sandbox.answer({ transport, location: 'in process', toRequest: () => requestOf(call) });
  const send = async (input: Input, init: RequestInit | undefined, follows: boolean) => {
    const call = readFetchCall(input, init, defaultOrigin);
    const { signal } = call;
    throwIfAborted(signal);
    if (isClosed) throw closedError();
    if (isRefused(call)) throw new ConnectionError('ECONNREFUSED');
    const transport = new FetchTransport(call, { refuseNext, pending });
    const response = await transport.answerOf(answer(call, transport));
    if (transport.fault !== undefined) throw transport.fault;
    // An answer of the control API does not pass through the transport, which would notice that the caller left.
    if (!transport.hasAnswered) throwIfAborted(signal);
    if (!follows) return response;
    if (response.status >= 300 && response.status < 400) refuseRedirect(response, call);
    return withUrl(response, call);
  };
  return {
    fetch: (input, init) => send(input, init, true),
    request: (path, init) => send(path, init, false),
    handle: (input, init) => {
      const call = readFetchCall(input, init, defaultOrigin);
      return answer(call, new FetchTransport(call));
    },
    close: (graceMs) => {
      isClosed = true;
      return pending.close(graceMs);
    },
  };
}

/** The error of a client whose server has stopped, with the reason. */
function closedError(): ConnectionError {
  return new ConnectionError('ECONNREFUSED', '(the sandbox is closed)');
}

function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted === true) throw reasonOf(signal);
}

/** The `Request` that the control API reads. The transport reads its body. */
function requestOf({ url, method, headers }: FetchCall): Request {
  return new Request(url, { method, headers: Object.fromEntries(headers) });
}

/** Sets the URL of a response, as a real `fetch` does. It has no fragment, which is never sent. */
function withUrl(response: Response, { url }: FetchCall): Response {
  const fragment = url.indexOf('#');
  const value = fragment === -1 ? url : url.slice(0, fragment);
  return Object.defineProperty(response, 'url', { configurable: true, enumerable: true, value });
}

/**
 * Throws the error of `fetch` for a redirect, because its host cannot be reached. The caller may also request the
 * redirect itself.
 */
function refuseRedirect({ headers }: Response, { redirect, url }: FetchCall): void {
  const location = headers.get('location');
  if (location === null || redirect === 'manual') return;
  if (redirect === 'error') {
    throw new TypeError('fetch failed', { cause: new Error('unexpected redirect') });
  }
  const host = URL.canParse(location, url) ? new URL(location, url).hostname : location;
  throw new ConnectionError('ENOTFOUND', host);
}

/** Merchants whose calls in process are refused for a while, as if the host were down. Other merchants notice nothing. */
class RefusedMerchants {
  /** By merchant, a function that ends the refusal. */
  readonly #ends = new Map<string, () => void>();

  get isEmpty(): boolean {
    return this.#ends.size === 0;
  }

  has(merchant: string): boolean {
    return this.#ends.has(merchant);
  }

  /** Refuses a merchant for `lastsMs`, or until it is reset. */
  add(lastsMs: number, { merchant, ended: { signal } }: RefusingMerchant): void {
    if (signal.aborted) return;
    this.#ends.get(merchant)?.();
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      this.#ends.delete(merchant);
    };
    const timer = setTimeout(end, lastsMs).unref();
    signal.addEventListener('abort', end);
    this.#ends.set(merchant, end);
  }
}
