/** A TCP or TLS client that records what it receives, when, and how the connection ends. */
import { connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';

export interface Piece {
  readonly atMs: number;
  readonly text: string;
}

export class Line {
  readonly #socket: Socket;
  readonly #pieces: Piece[] = [];
  readonly #ended: Promise<string>;
  #wake: () => void = () => undefined;
  #isOver = false;

  /** Connects to an address; to one of https if it has an authority to trust. */
  constructor({ base, ca }: { readonly base: string; readonly ca?: string | undefined }) {
    const { hostname, port } = new URL(base);
    const at = { host: hostname, port: Number(port) };
    this.#socket = ca === undefined ? connect(at) : connectTls({ ...at, ca });
    this.#socket.setNoDelay(true);
    this.#socket.on('data', (bytes) => {
      this.#pieces.push({ atMs: performance.now(), text: bytes.toString('latin1') });
      this.#wake();
    });
    this.#ended = new Promise((resolve) => {
      this.#socket.once('end', () => {
        resolve('FIN');
      });
      this.#socket.once('error', (error: NodeJS.ErrnoException) => {
        resolve(error.code ?? error.message);
      });
      this.#socket.once('close', () => {
        this.#isOver = true;
        this.#wake();
      });
    });
  }

  send(text: string): void {
    this.#socket.write(text);
  }

  /** How the connection ended: `FIN` or an error code. */
  get ended(): Promise<string> {
    return this.#ended;
  }

  get text(): string {
    return this.pieces.map(({ text }) => text).join('');
  }

  /** The received chunks. */
  get pieces(): readonly Piece[] {
    return this.#pieces;
  }

  /** Waits for a number of complete responses, or for the end of the connection. */
  async answers(count: number): Promise<void> {
    while (!this.#isOver && wholeAnswers(this.text) < count) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  /** Disconnects at once. */
  leave(): void {
    this.#socket.destroy();
  }
}

function wholeAnswers(text: string): number {
  const head = /^HTTP\/1\.1 [^]*?\r\n\r\n/.exec(text)?.[0];
  if (head === undefined) return 0;
  const end = head.length + Number(/^content-length: (\d+)\r$/im.exec(head)?.[1] ?? 0);
  return text.length < end ? 0 : 1 + wholeAnswers(text.slice(end));
}
