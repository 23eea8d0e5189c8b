/** Drives a running sandbox with the same verbs as one in process. */
import {
  allMerchants,
  methodsOf,
  verbNamed,
  type Perform,
  type Target,
} from '../contract/control/verbs.ts';
import { fetchWithToken, tokenOf } from '../contract/merchant-token.ts';
import { isRequest, readHeaders, type RequestLike } from '../shared/fetch-arguments.ts';
import type { SandboxVerb } from '../sandbox/types.ts';
import { remoteMerchantId } from '../world/identity/client-id.ts';
import { sendTo, type Send } from './call.ts';
import { baseOf, readOptions, type ConnectOptions } from './options.ts';
import { encoders } from './special-input.ts';
import type { Remote, RemoteEveryMerchant, RemoteMerchant } from './types.ts';

export { reasonOf } from './call.ts';
export { SandboxError, type ErrorDetail, type ErrorIssue } from '../shared/sandbox-error.ts';
export type { ConnectOptions } from './options.ts';
export type { VerdictOptions } from '../verdict/options.ts';
export type { Remote, RemoteClock, RemoteEveryMerchant, RemoteMerchant } from './types.ts';

/**
 * Connects to a running sandbox, at a URL, `host:port` or a port of this machine. The first request is sent by the first
 * verb.
 *
 * Verbs reject with the errors that they throw in process, and with a `SandboxError` of code `unreachable` if nothing
 * answers.
 *
 * @throws {OptionError} If an option is invalid.
 * @throws {ArgumentError} If no client can have the id of the option `merchant`.
 * @example
 * const sandbox = connect('http://127.0.0.1:3000', { merchant: 'my-shop' });
 * await sandbox.force({ op: 'payment.create', outcome: 'reset-after-commit' });
 */
export function connect(url: string | URL, options: ConnectOptions = {}): Remote {
  const base = baseOf(url);
  const { merchant, token, timeoutMs } = readOptions(options);
  const send = sendTo(base, { token, timeoutMs });
  const fetchRemote = fetchAt(base);
  return {
    ...merchantOf(send, merchant, fetchRemote),
    ...sandboxVerbs(send),
    url: base,
    fetch: fetchRemote,
    request: (path, init) => fetchRemote(path, init),
    merchant: (id) => merchantOf(send, remoteMerchantId(id), fetchRemote),
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** Another program started the sandbox, and ends it. */
const close = (): Promise<void> => Promise.resolve();

/** Sends every request to the sandbox, whatever its host, as the `fetch` of a sandbox in process does. */
function fetchAt(base: string): typeof globalThis.fetch {
  return async (input, init) => {
    const { pathname, search } = new URL(isRequest(input) ? input.url : input, base);
    const given = isRequest(input) ? { ...(await initOf(input)), ...init } : init;
    return fetch(base + pathname + search, given);
  };
}

/**
 * What a request says, for another URL. `new Request(url, request)` would be shorter, but forgets method and body in
 * jsdom with vitest, and in polyfills.
 */
async function initOf(request: RequestLike): Promise<RequestInit> {
  const { method, headers, signal, redirect } = request;
  const hasBody = method !== 'GET' && method !== 'HEAD' && request.body !== null;
  const body = hasBody ? await (request.arrayBuffer?.() ?? request.text?.()) : undefined;
  return {
    method,
    headers: Object.fromEntries(readHeaders(headers)),
    ...(body !== undefined && { body }),
    ...(signal && { signal }),
    ...(redirect !== undefined && { redirect }),
  };
}

/** Performs verbs of a target over HTTP. */
function performOn(send: Send, target: Target | undefined): Perform {
  return async (name, input) => {
    const sent = await (encoders[name]?.(input, target) ?? { input });
    return 'result' in sent ? sent.result : send(verbNamed(name), target, sent);
  };
}

type SandboxVerbs = Pick<Remote, SandboxVerb | 'all'>;

function sandboxVerbs(send: Send): SandboxVerbs {
  const own = methodsOf('sandbox', performOn(send, undefined));
  const all = methodsOf('all', performOn(send, allMerchants));
  // The table has these methods; a test holds their types to the written interfaces.
  return { ...own, all: all as RemoteEveryMerchant } as SandboxVerbs;
}

function merchantOf(send: Send, id: string, fetch: typeof globalThis.fetch): RemoteMerchant {
  return {
    // The table has these methods; a test holds their types to the written interface.
    ...(methodsOf('merchant', performOn(send, id)) as Omit<
      RemoteMerchant,
      'id' | 'token' | 'fetch'
    >),
    id,
    token: tokenOf(id),
    fetch: fetchWithToken(fetch, tokenOf(id)),
  };
}
