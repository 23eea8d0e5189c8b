/** A client that writes bytes to a socket, as no HTTP library would let it. */
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TestTransport, Shop } from '../../support/transports.ts';

export interface RawAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

export class RawSocket {
  readonly #socket: Socket;
  readonly #closed: Promise<void>;
  #received = '';

  constructor({ base }: Pick<TestTransport, 'base'>) {
    const { hostname, port } = new URL(base);
    this.#socket = connect(Number(port), hostname);
    this.#socket.setNoDelay(true);
    this.#socket.on('data', (bytes) => (this.#received += bytes.toString('latin1')));
    // A server that has seen enough may reset the connection: that is an end like any other.
    this.#socket.on('error', () => undefined);
    this.#closed = new Promise((resolve) => {
      this.#socket.on('close', () => {
        resolve();
      });
    });
  }

  async write(bytes: string | Uint8Array): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes, () => {
        resolve();
      });
    });
  }

  /** Waits until the server has closed, or until so many answers came. */
  async answers(count: number, withinMs = 120_000): Promise<RawAnswer[]> {
    const untilMs = performance.now() + withinMs;
    while (!this.#socket.closed && performance.now() < untilMs) {
      if (parse(this.#received).length >= count) break;
      await sleep(2);
    }
    return parse(this.#received);
  }

  get received(): string {
    return this.#received;
  }

  /** Ends as a client that has said all it wanted. */
  end(): void {
    this.#socket.end();
  }

  /** Leaves in the middle of things. */
  reset(): void {
    this.#socket.resetAndDestroy();
  }

  close(): Promise<void> {
    this.#socket.destroy();
    return this.#closed;
  }
}

/** Writes these bytes, and gives what comes back until the server closes or `count` answers are there. */
export async function exchange(
  transport: Pick<TestTransport, 'base'>,
  bytes: string | Uint8Array,
  count = 1,
): Promise<RawAnswer[]> {
  const socket = new RawSocket(transport);
  await socket.write(bytes);
  const answers = await socket.answers(count);
  await socket.close();
  return answers;
}

/** A request as it goes over the wire. */
export function request(
  shop: Shop,
  {
    method = 'GET',
    path,
    version = '1.1',
    headers = {},
    body = '',
  }: {
    readonly method?: string;
    readonly path: string;
    readonly version?: string;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: string;
  },
): string {
  const all = {
    Host: new URL(shop.transport.base).host,
    Authorization: `Bearer ${shop.merchant.token}`,
    ...(body === ''
      ? {}
      : { 'Content-Type': 'application/json', 'Content-Length': `${Buffer.byteLength(body)}` }),
    ...headers,
  };
  const lines = Object.entries(all).map((pair) => pair.join(': '));
  return [`${method} ${path} HTTP/${version}`, ...lines, '', body].join('\r\n');
}

/** The whole answers at the start of what was received. Interim ones (100 Continue) are answers too. */
function parse(received: string): RawAnswer[] {
  const answers: RawAnswer[] = [];
  let rest = received;
  for (;;) {
    const head = /^HTTP\/1\.[01] (\d{3})[^\r\n]*\r\n((?:[^\r\n]+\r\n)*)\r\n/.exec(rest);
    if (head === null) return answers;
    const headers = new Headers(
      (head[2] ?? '').split('\r\n').flatMap((line): [string, string][] => {
        const colon = line.indexOf(':');
        return colon === -1 ? [] : [[line.slice(0, colon), line.slice(colon + 1).trim()]];
      }),
    );
    const length = Number(headers.get('content-length') ?? 0);
    const after = rest.slice(head[0].length);
    if (after.length < length) return answers;
    const text = Buffer.from(after.slice(0, length), 'latin1').toString('utf8');
    answers.push({ status: Number(head[1]), headers, text });
    rest = after.slice(length);
  }
}
