/** The transport without a socket: a `fetch` that answers in this process. */
import { FetchTransport } from '../transport-port/fetch-transport.ts';
import { PendingCalls } from '../transport-port/pending-calls.ts';
import { ConnectionError, type RefusingMerchant } from '../transport-port/transport.ts';
import { RefusedMerchants } from './refused-merchants.ts';
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
  /** Lets calls that wait go on for up to `graceMs`, then ends them as a closed connection would. */
  close(graceMs: number): Promise<void>;
}

/** Opens the transport of a sandbox in this process. */
export function openInProcess(sandbox: ServedSandbox): InProcess {
  const pending = new PendingCalls();
  const refused = new RefusedMerchants();
  const refuseNext = (lastsMs: number, merchant: RefusingMerchant): void => {
    refused.add(lastsMs, merchant);
  };
  const isRefused = ({ headers }: Request): boolean => {
    if (refused.isEmpty) return false;
    const merchant = sandbox.merchantOf(headers.get('authorization') ?? undefined);
    return merchant !== undefined && refused.has(merchant);
  };
  const call = async (input: Input, init: RequestInit | undefined, follows: boolean) => {
    const request = requestFor(input, init);
    const { signal } = request;
    throwIfAborted(signal);
    if (isRefused(request)) throw new ConnectionError('ECONNREFUSED');
    const text = typeof init?.body === 'string' ? init.body : undefined;
    const transport = new FetchTransport(request, { refuseNext, text, pending });
    const answer = sandbox.app.fetch(request, { transport, location: 'in process' });
    const response = await transport.answerOf(answer);
    if (transport.fault !== undefined) throw transport.fault;
    // An answer of the control API does not pass through the transport, which would notice that the caller left.
    if (!transport.hasAnswered) throwIfAborted(signal);
    if (!follows) return response;
    if (response.status >= 300 && response.status < 400) refuseRedirect(response, request);
    return withUrl(response, request);
  };
  return {
    fetch: (input, init) => call(input, init, true),
    request: (path, init) => call(path, init, false),
    close: (graceMs) => pending.close(graceMs),
  };
}

/** Throws the reason of an aborted signal. The signals of imitated browsers may lack the method of this name. */
function throwIfAborted(signal: AbortSignal): void {
  if (signal.aborted) throw signal.reason;
}

function requestFor(input: Input, init: RequestInit | undefined): Request {
  // A request that was used already must be copied: that throws the error that `fetch` would throw.
  if (input instanceof Request && init === undefined && !input.bodyUsed) return input;
  const isPath = typeof input === 'string' && input.startsWith('/');
  return new Request(isPath ? defaultOrigin + input : input, init);
}

/** Sets the URL of a response, as a real `fetch` does. It has no fragment, which is never sent. */
function withUrl(response: Response, { url }: Request): Response {
  const fragment = url.indexOf('#');
  const value = fragment === -1 ? url : url.slice(0, fragment);
  return Object.defineProperty(response, 'url', { configurable: true, enumerable: true, value });
}

/**
 * Throws the error of `fetch` for a redirect, because its host cannot be reached. The caller may also request the
 * redirect itself.
 */
function refuseRedirect({ headers }: Response, { redirect, url }: Request): void {
  const location = headers.get('location');
  if (location === null || redirect === 'manual') return;
  if (redirect === 'error') {
    throw new TypeError('fetch failed', { cause: new Error('unexpected redirect') });
  }
  const host = URL.canParse(location, url) ? new URL(location, url).hostname : location;
  throw new ConnectionError('ENOTFOUND', host);
}
