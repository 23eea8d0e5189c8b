/** What a transport serves: the two apps of one sandbox, and what it must know to refuse a connection. */
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
  /** The merchant that this `Authorization` header names; `undefined` if it names none. */
  merchantOf(authorization: string | undefined): string | undefined;
}
