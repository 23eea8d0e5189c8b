/** A worker with one connection of its own, like a process of a shop. */
import { once } from 'node:events';
import { Agent, request, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import type { Shop } from '../../../support/transports.ts';

export class Worker {
  readonly #shop: Shop;
  #agent = newAgent();

  constructor(shop: Shop) {
    this.#shop = shop;
  }

  get(path: string): Promise<string> {
    return this.#send('GET', path);
  }

  post(path: string, body: unknown, key?: string): Promise<string> {
    return this.#send('POST', path, JSON.stringify(body), key);
  }

  /** Closes the connection. The next request opens another one. */
  close(): void {
    this.#agent.destroy();
    this.#agent = newAgent();
  }

  /** Returns the body of the answer, or the code of the error if the connection broke. */
  async #send(method: string, path: string, body?: string, key?: string): Promise<string> {
    const { transport, merchant } = this.#shop;
    const sent = request(`${transport.base}/v1${path}`, {
      method,
      agent: this.#agent,
      headers: {
        Authorization: `Bearer ${merchant.token}`,
        'Content-Type': 'application/json',
        ...(key !== undefined && { 'PayPal-Request-Id': key }),
      },
    });
    sent.end(body);
    try {
      // `response` has one argument of this type.
      const [answer] = (await once(sent, 'response')) as [IncomingMessage];
      return await text(answer);
    } catch (failure) {
      return String(Reflect.get(Object(failure), 'code'));
    }
  }
}

function newAgent(): Agent {
  return new Agent({ keepAlive: true, maxSockets: 1 });
}
