/** The sandbox, as a transport serves it. */
import type { TransportEnv } from '../transport-port/transport-env.ts';
import type { UnreadableRequestListener } from '../transport-port/unreadable-request.ts';

interface ServedApp {
  fetch(request: Request, env: TransportEnv['Bindings']): Response | Promise<Response>;
}

export interface ServedSandbox {
  /** Answers every path, the control API included. */
  readonly app: ServedApp;
  /** Answers the control API and the pages only. */
  readonly control: ServedApp;
  readonly onUnreadable: UnreadableRequestListener | undefined;
  /** The merchant that an `Authorization` header names; `undefined` if it names none. */
  merchantOf(authorization: string | undefined): string | undefined;
}
