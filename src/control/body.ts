/** Bodies of control calls: bounded, and refused where nobody would read them. */
import type { HonoRequest, MiddlewareHandler } from 'hono';
import { controlRoutes } from '../contract/control.ts';
import { ControlMistake } from './mistake.ts';
import { formOf } from './path-form.ts';

/** Far more than any control call needs, */
const maxBodyBytes = 65_536;
/** but for one: a world of 100,000 cards is 28 MB. */
const maxImportBytes = 268_435_456;

/** Methods of control calls that may come with a body. */
const bodyMethods: ReadonlySet<string> = new Set(['POST', 'PUT', 'DELETE']);

/** Reads a body up to the limit, before anybody else does. */
export const boundedBody: MiddlewareHandler = async ({ req }, next) => {
  if (bodyMethods.has(req.method)) {
    const { method, headers, signal } = req.raw;
    const body = await readBody(req, isImport(req) ? maxImportBytes : maxBodyBytes);
    // Made anew from the global Request: the socket door's own is not one that could be copied.
    req.raw = new Request(req.url, { method, headers, body, signal });
  }
  await next();
};

/** For calls without a body: what stands in one would be lost without a word. `{}` says nothing, so it may. */
export const noBody: MiddlewareHandler = async ({ req }, next) => {
  const text = (await req.text()).trim();
  if (text !== '' && text !== '{}') {
    throw new ControlMistake(
      'invalid-body',
      'This call takes no body. Say what you mean in the query, such as ?merchant=<id>.',
      { place: 'body' },
    );
  }
  await next();
};

function isImport({ method, path }: HonoRequest): boolean {
  return method === 'PUT' && formOf(controlRoutes.importWorld.path).test(path);
}

async function readBody(req: HonoRequest, maxBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  if (Number(req.header('content-length') ?? 0) > maxBytes) throw tooLarge(maxBytes);
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of req.raw.body ?? []) {
    length += chunk.byteLength;
    if (length > maxBytes) throw tooLarge(maxBytes);
    chunks.push(chunk);
  }
  const bytes = new Uint8Array(length);
  let end = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, end);
    end += chunk.byteLength;
  }
  return bytes;
}

function tooLarge(maxBytes: number): ControlMistake {
  return new ControlMistake(
    'body-too-large',
    `The body is larger than the ${maxBytes} bytes this call may have.`,
    // The rest of the body is never read, so this connection is no good for another request.
    { place: 'body', headers: { Connection: 'close' } },
  );
}
