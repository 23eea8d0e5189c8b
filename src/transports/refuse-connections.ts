/** Makes a server refuse connections for a while, as if the host were down. */
import { clearTimeout, setTimeout } from 'node:timers';
import type { HttpServer } from './connections.ts';

/** How soon to try again, if another process has taken the port meanwhile. */
const retryMs = 50;

export class ConnectionRefuser {
  readonly #server: HttpServer;
  readonly #address: { readonly host: string; readonly port: number };
  #timer: NodeJS.Timeout | undefined;
  #isStopped = false;
  #holdsProcess = true;
  #until: AbortSignal | undefined;
  readonly #listenNow = (): void => {
    this.#listenIn(0);
  };
  /** Whether `listen` was called and the server does not listen yet: Node resolves the address first. */
  #isOpening = false;
  /** Whether to close as soon as the server listens, because of a call during `#isOpening`. */
  #closesOnceOpen = false;

  /** `address` is where the server listens, now and afterwards. */
  constructor(server: HttpServer, address: { readonly host: string; readonly port: number }) {
    this.#server = server;
    this.#address = address;
  }

  /**
   * Refuses new connections and closes idle ones. Requests in progress go on. It ends after `lastsMs`, or when `until`
   * aborts.
   */
  refuse(lastsMs: number, until: AbortSignal): void {
    if (until.aborted || this.#isStopped) return;
    this.#until?.removeEventListener('abort', this.#listenNow);
    this.#until = until;
    until.addEventListener('abort', this.#listenNow);
    if (this.#isOpening) this.#closesOnceOpen = true;
    else if (this.#server.listening) this.#server.close();
    this.#server.closeIdleConnections();
    this.#listenIn(lastsMs);
  }

  /** Ends all refusals, because the server closes for good. */
  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    this.#until?.removeEventListener('abort', this.#listenNow);
    this.#closesOnceOpen = this.#isOpening;
  }

  /** Lets the process end during a refusal, when only the timer holds it. */
  unref(): void {
    this.#holdsProcess = false;
    this.#timer?.unref();
  }

  #listenIn(delayMs: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#listen();
    }, delayMs);
    if (!this.#holdsProcess) this.#timer.unref();
  }

  #listen(): void {
    this.#until?.removeEventListener('abort', this.#listenNow);
    if (this.#isOpening) {
      this.#closesOnceOpen = false;
      return;
    }
    const server = this.#server;
    const finish = (): boolean => {
      server.off('error', onError);
      server.off('listening', onListening);
      this.#isOpening = false;
      const closes = this.#closesOnceOpen;
      this.#closesOnceOpen = false;
      return closes;
    };
    const onError = (): void => {
      // A later call of `refuse` or `stop` has decided when it listens again, if ever.
      if (!finish()) this.#listenIn(retryMs);
    };
    const onListening = (): void => {
      if (finish()) server.close();
    };
    this.#isOpening = true;
    server.once('error', onError);
    server.once('listening', onListening);
    server.listen(this.#address.port, this.#address.host);
  }
}
