/** Shuts a server for a while: to clients it is as if the host were down. */
import type { Server } from 'node:http';
import { clearTimeout, setTimeout } from 'node:timers';

/** Somebody else may hold the port for a moment when it is wanted back. */
const retryMs = 50;

export class ConnectionRefuser {
  readonly #server: Server;
  readonly #address: { readonly host: string; readonly port: number };
  #timer: NodeJS.Timeout | undefined;
  #isStopped = false;
  #holdsProcess = true;
  #until: AbortSignal | undefined;
  readonly #openNow = (): void => {
    this.#openIn(0);
  };
  /** It was told to listen, and does not yet: the address is looked up first. */
  #isOpening = false;
  /** What was wanted while it was opening: it closes as soon as it listens. */
  #closesOnceOpen = false;

  /** `address` is where the server listens, and will again. */
  constructor(server: Server, address: { readonly host: string; readonly port: number }) {
    this.#server = server;
    this.#address = address;
  }

  /**
   * Takes no new connection from now on, and lets go of idle ones; what is under way goes on. Opens after `lastsMs`, or
   * as soon as `until` aborts.
   */
  shut(lastsMs: number, until: AbortSignal): void {
    if (until.aborted || this.#isStopped) return;
    this.#until?.removeEventListener('abort', this.#openNow);
    this.#until = until;
    until.addEventListener('abort', this.#openNow);
    if (this.#isOpening) this.#closesOnceOpen = true;
    else if (this.#server.listening) this.#server.close();
    this.#server.closeIdleConnections();
    this.#openIn(lastsMs);
  }

  /** The server closes for good. */
  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    this.#until?.removeEventListener('abort', this.#openNow);
    this.#closesOnceOpen = this.#isOpening;
  }

  /** While nobody listens only the timer holds the process, unless it may end. */
  unref(): void {
    this.#holdsProcess = false;
    this.#timer?.unref();
  }

  #openIn(delayMs: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#open();
    }, delayMs);
    if (!this.#holdsProcess) this.#timer.unref();
  }

  #open(): void {
    this.#until?.removeEventListener('abort', this.#openNow);
    if (this.#isOpening) {
      this.#closesOnceOpen = false;
      return;
    }
    const server = this.#server;
    const ended = (): boolean => {
      server.off('error', taken);
      server.off('listening', open);
      this.#isOpening = false;
      const closes = this.#closesOnceOpen;
      this.#closesOnceOpen = false;
      return closes;
    };
    const taken = (): void => {
      // Whoever wanted it closed meanwhile has said when it opens again, if ever.
      if (!ended()) this.#openIn(retryMs);
    };
    const open = (): void => {
      if (ended()) server.close();
    };
    this.#isOpening = true;
    server.once('error', taken);
    server.once('listening', open);
    server.listen(this.#address.port, this.#address.host);
  }
}
