/** The door without a socket: a `fetch` that answers in this process. */
import type { ServedSandbox } from './served-sandbox.ts';
import { FetchTransport } from '../transport-port/fetch-transport.ts';
import { PendingCalls } from '../transport-port/pending-calls.ts';
import { ConnectionError, type RefusingMerchant } from '../transport-port/transport.ts';
import { plainRequest, type RequestHead, type Sent } from './plain-request.ts';
import { RefusedMerchants } from './refused-merchants.ts';

/** Where relative addresses point, and so what links begin with, when the caller names no host. */
const nowhere = 'http://sandbox.local';

type Fetch = typeof globalThis.fetch;
type Input = Parameters<Fetch>[0];

export interface InProcess {
  /**
   * A `fetch` over a sandbox: give it to the code under test. Any host is answered, so a client may keep the address
   * of the real service; a path alone works too. It rejects where a connection would break, and where it would have to
   * follow a redirect: there is no other host to go to.
   */
  readonly fetch: Fetch;
  /** The same for a path, as Hono's `app.request`: it gives a redirect as it is. */
  request(path: string, init?: RequestInit): Promise<Response>;
  /** Lets calls that are held go on for up to `graceMs`, then ends them as a connection that closes would. */
  close(graceMs: number): Promise<void>;
}

/** Opens the door of a sandbox. */
export function openInProcess(core: ServedSandbox): InProcess {
  const held = new PendingCalls();
  const shut = new RefusedMerchants();
  const refuseNext = (lastsMs: number, by: RefusingMerchant): void => {
    shut.shut(lastsMs, by);
  };
  const isShutTo = ({ headers }: RequestHead): boolean => {
    const merchant = core.merchantOf(headers.get('authorization') ?? undefined);
    return merchant !== undefined && shut.has(merchant);
  };
  const ask = async (input: Input, init: RequestInit | undefined, follows: boolean) => {
    const { request, text, signal } = sentWith(input, init);
    signal?.throwIfAborted();
    if (!shut.isEmpty && isShutTo(request)) throw new ConnectionError('ECONNREFUSED');
    const transport = new FetchTransport(request, { refuseNext, signal, text, held });
    // The apps look no further than at its head, and make a Request of it where they want a whole one.
    const response = await core.app.fetch(request as Request, {
      transport,
      location: 'in process',
    });
    if (transport.fault !== undefined) throw transport.fault;
    // Of what the transport did not answer nobody said yet that its caller left.
    if (!transport.hasAnswered) signal?.throwIfAborted();
    if (!follows) return response;
    if (response.status >= 300 && response.status < 400) follow(response, request);
    return addressed(response, request);
  };
  return {
    fetch: (input, init) => ask(input, init, true),
    request: (path, init) => ask(path, init, false),
    close: (graceMs) => held.close(graceMs),
  };
}

/** Tells of an answer what address was asked, as one of a real `fetch` does: without the part behind #, which is never sent. */
function addressed(response: Response, { url }: RequestHead): Response {
  const end = url.indexOf('#');
  // A value, as a getter takes a tenth of a call.
  const value = end === -1 ? url : url.slice(0, end);
  return Object.defineProperty(response, 'url', { configurable: true, enumerable: true, value });
}

/** Throws what `fetch` would where there is nowhere else to go, unless the caller wants to look at the redirect. */
function follow({ headers }: Response, { redirect, url }: RequestHead): void {
  const location = headers.get('location');
  if (location === null || redirect === 'manual') return;
  if (redirect === 'error') {
    throw new TypeError('fetch failed', { cause: new Error('unexpected redirect') });
  }
  const host = URL.canParse(location, url) ? new URL(location, url).hostname : location;
  throw new ConnectionError('ENOTFOUND', host);
}

function sentWith(input: Input, init: RequestInit | undefined): Sent {
  if (input instanceof Request) {
    // One that was used before is refused by the Request that would be made of it.
    const asItIs = init === undefined && !input.bodyUsed;
    return wholly(asItIs ? input : new Request(input, init));
  }
  const address = typeof input === 'string' && input.startsWith('/') ? nowhere + input : input;
  return plainRequest(address, init ?? {}) ?? wholly(new Request(address, init), init?.body);
}

/** A text that it took for its body is read as it is: to read it out of a stream costs more. */
function wholly(request: Request, body?: RequestInit['body']): Sent {
  const sent = { request, signal: request.signal };
  return typeof body === 'string' ? { ...sent, text: body } : sent;
}
