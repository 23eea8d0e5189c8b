/** Reads the body of a `fetch` call, of whichever implementation and realm it is. */
import { Buffer } from 'node:buffer';

/** A body that was given to `fetch`. */
export interface FetchBody {
  /** The Content-Type that `fetch` sends if the caller sets none. */
  readonly type: string | undefined;
  /** The bytes, if they are there already. */
  readonly bytes?: Uint8Array;
  /** Reads the rest, piece by piece. */
  readonly read?: () => BodyReader;
}

/** Reads a body. */
export interface BodyReader {
  /** The next bytes; `undefined` at the end. */
  next(): Promise<Uint8Array | undefined>;
  cancel(reason?: unknown): void;
}

/** A `Blob`, or a `Request` without a stream. Old imitations have one of these methods only. */
interface Readable {
  readonly type?: string;
  arrayBuffer?(): Promise<ArrayBuffer>;
  text?(): Promise<string>;
}

/** Reads a body; `null` if there is none. */
export function readBody(body: unknown): FetchBody | null {
  if (body === undefined || body === null) return null;
  if (typeof body === 'string') return text(body, 'text/plain;charset=UTF-8');
  if (ArrayBuffer.isView(body)) {
    const { buffer, byteOffset, byteLength } = body;
    return { type: undefined, bytes: copyOf(new DataView(buffer, byteOffset, byteLength)) };
  }
  switch (kindOf(body)) {
    case 'ArrayBuffer':
    case 'SharedArrayBuffer':
      // The kind says that it is one, of whichever realm.
      return { type: undefined, bytes: copyOf(new DataView(body as ArrayBuffer)) };
    case 'URLSearchParams':
      return text(String(body), 'application/x-www-form-urlencoded;charset=UTF-8');
    case 'FormData':
      return readForm(body);
    default:
  }
  if (isStream(body)) return { type: undefined, read: () => readerOf(body) };
  if (isReadable(body)) {
    return { type: body.type || undefined, read: () => onceReader(() => contentOf(body)) };
  }
  if (isAsyncIterable(body)) return { type: undefined, read: () => iteratorReader(body) };
  return text(String(body), 'text/plain;charset=UTF-8');
}

function text(content: string, type: string): FetchBody {
  return { type, bytes: Buffer.from(content) };
}

/** The caller may change its bytes before they are read. */
function copyOf({ buffer, byteOffset, byteLength }: DataView): Uint8Array {
  return Buffer.concat([Buffer.from(buffer, byteOffset, byteLength)]);
}

/** The class of an object by its tag, which is the same in every realm. */
function kindOf(body: unknown): string {
  return Object.prototype.toString.call(body).slice('[object '.length, -1);
}

function isStream(body: unknown): body is ReadableStream<unknown> {
  return typeof body === 'object' && body !== null && 'getReader' in body;
}

function isReadable(body: unknown): body is Readable {
  if (typeof body !== 'object' || body === null) return false;
  const hasMethod = (name: string): boolean => typeof Reflect.get(body, name) === 'function';
  return hasMethod('arrayBuffer') || hasMethod('text') || /^(?:Blob|File)$/.test(kindOf(body));
}

function isAsyncIterable(body: unknown): body is AsyncIterable<unknown> {
  return typeof body === 'object' && body !== null && Symbol.asyncIterator in body;
}

function readerOf(stream: ReadableStream<unknown>): BodyReader {
  const reader = stream.getReader();
  return {
    next: async () => {
      const { done, value } = await reader.read();
      return done ? undefined : chunkOf(value);
    },
    cancel: (reason) => {
      void reader.cancel(reason).catch(() => undefined);
    },
  };
}

function iteratorReader(body: AsyncIterable<unknown>): BodyReader {
  const iterator = body[Symbol.asyncIterator]();
  return {
    next: async () => {
      const { done, value } = await iterator.next();
      return done === true ? undefined : chunkOf(value);
    },
    cancel: () => {
      void iterator.return?.().catch(() => undefined);
    },
  };
}

function onceReader(read: () => Promise<Uint8Array>): BodyReader {
  let isRead = false;
  return {
    next: async () => {
      if (isRead) return undefined;
      isRead = true;
      return read();
    },
    cancel: () => undefined,
  };
}

/** A piece of a stream. Streams of Node may have texts. */
function chunkOf(value: unknown): Uint8Array {
  if (typeof value === 'string') return Buffer.from(value);
  if (ArrayBuffer.isView(value)) {
    return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  }
  throw new TypeError('A body stream must have bytes.');
}

async function contentOf(body: Readable): Promise<Uint8Array> {
  if (body.arrayBuffer !== undefined) return Buffer.from(await body.arrayBuffer());
  if (body.text !== undefined) return Buffer.from(await body.text());
  // Only a `Blob` has none of these methods.
  return readWithFileReader(body as Blob);
}

/** The `Blob` of older versions of jsdom has no methods that read it. */
function readWithFileReader(blob: Blob): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => {
      // It has read a buffer.
      resolve(Buffer.from(reader.result as ArrayBuffer));
    });
    reader.addEventListener('error', () => {
      reject(new TypeError('This body cannot be read.'));
    });
    reader.readAsArrayBuffer(blob);
  });
}

/** Names the parts of a form. No operation reads them, so any boundary does. */
const boundary = '----card-vault-sandbox-form';

/** Encodes a form as multipart/form-data. */
function readForm(form: unknown): FetchBody {
  const entries = isIterable(form) ? [...form] : [];
  const write = async (): Promise<Uint8Array> => {
    const parts = await Promise.all(entries.map(encodePart));
    return Buffer.concat([...parts, Buffer.from(`--${boundary}--\r\n`)]);
  };
  return { type: `multipart/form-data; boundary=${boundary}`, read: () => onceReader(write) };
}

async function encodePart(entry: readonly [unknown, unknown]): Promise<Uint8Array> {
  const [name, value] = entry;
  const isFile = isReadable(value);
  const file = isFile ? '; filename="blob"' : '';
  const head = `--${boundary}\r\nContent-Disposition: form-data; name=${JSON.stringify(String(name))}${file}\r\n\r\n`;
  const content = isFile ? await contentOf(value) : Buffer.from(String(value));
  return Buffer.concat([Buffer.from(head), content, Buffer.from('\r\n')]);
}

function isIterable(value: unknown): value is Iterable<readonly [unknown, unknown]> {
  return typeof value === 'object' && value !== null && Symbol.iterator in value;
}
