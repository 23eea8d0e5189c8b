/** The verbs of a merchant's journal over HTTP. They throw what those in process throw. */
import {
  noDebugId,
  QueryError,
  WaitEndedError,
  WaitLimitError,
  WaitTimeoutError,
} from '../journal/errors.ts';
import type { WaitInput } from '../journal/query/read-query.ts';
import { isSignal, keyed, shown } from '../shared/unknown-value.ts';
import { wordsOf, type Call, type Sent } from './call.ts';
import type { RemoteMerchant } from './remote.ts';
import { SandboxError } from './sandbox-error.ts';

/** What a wait may take when it does not say, as in process. */
const defaultWaitMs = 5_000;

/** Names that are no path of their own: an address would read anything else as something else. */
const debugIdForm = /^[\w-]+$/;

/** The verbs that list, explain, verify and wait. */
export function journalOf(
  call: Call,
  merchant: string,
): Pick<RemoteMerchant, 'requests' | 'explain' | 'verify' | 'waitFor'> {
  const query = { merchant };
  const ask = <T>(method: string, path: string, sent: Sent): Promise<T> =>
    call<T>(method, path, sent).catch(asInProcess);
  return {
    requests: async (asked = {}) => {
      checkAsked(asked);
      return ask('GET', '/requests', { query: { ...wordsOf(asked), ...query } });
    },
    explain: async (debugId) => {
      if (typeof debugId !== 'string') throw noDebugId();
      if (!debugIdForm.test(debugId)) return undefined;
      return call<Awaited<ReturnType<RemoteMerchant['explain']>>>('GET', `/requests/${debugId}`, {
        query,
      }).catch(noneIfUnknown);
    },
    verify: (expected) => ask('POST', '/requests/verify', { query, body: keyed(expected) }),
    waitFor: async (match, settings = {}) => {
      const { signal, ...rest } = waitSettings(settings);
      return ask('POST', '/requests/wait', {
        query,
        // A match that is left out by mistake is not one of every exchange.
        body: { match: keyed(match), ...rest },
        heldMs: rest.timeoutMs ?? defaultWaitMs,
        signal: signal ?? undefined,
      });
    },
  };
}

/** The sandbox is not sent the signal, and so cannot say that it is none. */
function waitSettings(given: unknown): WaitInput {
  if (typeof given !== 'object' || given === null) throw noQuestion();
  const settings: WaitInput = given;
  if ((settings.signal ?? null) === null || isSignal(settings.signal)) return settings;
  throw new QueryError("'signal' must be an AbortSignal.", 'signal', undefined, undefined);
}

function noQuestion(): QueryError {
  return new QueryError('What is asked must be of type object.', '', undefined, undefined);
}

/** An address would read whatever is no word as one, or as nothing. */
function checkAsked(asked: unknown): void {
  if (typeof asked !== 'object' || asked === null || keyed(asked) === null) {
    throw noQuestion();
  }
  for (const [name, value] of Object.entries(asked)) {
    const isOther = name === 'merchant';
    if (!isOther && /^(?:string|number|boolean|undefined)$/.test(typeof value)) continue;
    const message = isOther
      ? "Unknown key 'merchant'. Another merchant is asked by sandbox.merchant(id)."
      : `'${name}' cannot be ${shown(value)}.`;
    throw new QueryError(message, name, undefined, undefined);
  }
}

function noneIfUnknown(error: unknown): undefined {
  if (error instanceof SandboxError && error.kind === 'unknown-request') return;
  throw error;
}

/** Throws the class of the error in process where the client has it. */
function asInProcess(error: unknown): never {
  if (!(error instanceof SandboxError)) throw error;
  switch (error.kind) {
    case 'wait-timeout':
      throw new WaitTimeoutError(error.message, error.seen);
    case 'waits-full':
      throw new WaitLimitError(error.message);
    case 'wait-ended':
      throw new WaitEndedError(error.message);
    case 'invalid-body':
    case 'invalid-query':
    case 'unknown-parameter':
    case 'invalid-parameter':
      throw asQueryMistake(error);
    default:
      throw error;
  }
}

/** In process there is no address and no body, and the place is that in the query itself. */
function asQueryMistake(error: SandboxError): QueryError {
  const { message, place = '', allowed, nearest } = error;
  return new QueryError(message, place.replace(/^(?:query|body)\.?/, ''), allowed, nearest);
}
