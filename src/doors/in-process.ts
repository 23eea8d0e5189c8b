/** The door without a socket: a `fetch` that answers in this process. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { SandboxCore } from '../sandbox.ts';
import { FetchWire } from '../wire/fetch-wire.ts';
import { ConnectionFault } from '../wire/wire.ts';

/** Where relative addresses point, and so what links begin with, when the caller names no host. */
const nowhere = 'http://sandbox.local';

/**
 * A `fetch` over a sandbox: give it to the code under test. Any host is answered, so a client may keep the address
 * of the real service; a path alone works too. It rejects where a connection would break.
 */
export function inProcessFetch(core: SandboxCore): typeof globalThis.fetch {
  let refusing = 0;
  const refuseNext = (lastsMs: number): void => {
    refusing++;
    void sleep(lastsMs, undefined, { ref: false }).then(() => refusing--);
  };
  return async (input, init) => {
    const request =
      input instanceof Request && init === undefined
        ? input
        : new Request(
            typeof input === 'string' && input.startsWith('/') ? nowhere + input : input,
            init,
          );
    const canLeave = input instanceof Request || (init?.signal ?? null) !== null;
    const signal = canLeave ? request.signal : null;
    signal?.throwIfAborted();
    if (refusing > 0) throw new ConnectionFault('ECONNREFUSED');
    const wire = new FetchWire(request, refuseNext, signal);
    const response = await core.app.fetch(request, { wire, place: 'in process' });
    if (wire.fault !== undefined) throw wire.fault;
    return response;
  };
}
