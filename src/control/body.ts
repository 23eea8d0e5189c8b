/** Bodies of control calls: bounded, and refused where nobody would read them. */
import type { HonoRequest, MiddlewareHandler } from 'hono';
import { ControlMistake } from './mistake.ts';

/** Far more than any control call needs. */
const maxBodyBytes = 65_536;

/** Methods of control calls that may come with a body. */
const bodyMethods: ReadonlySet<string> = new Set(['POST', 'DELETE']);

/** Reads a body up to the limit, before anybody else does. */
export const boundedBody: MiddlewareHandler = async ({ req }, next) => {
  if (bodyMethods.has(req.method)) {
    const { method, headers } = req.raw;
    const body = await readBody(req);
    // Made anew from the global Request: the socket door's own is not one that could be copied.
    req.raw = new Request(req.url, { method, headers, body });
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

async function readBody(req: HonoRequest): Promise<Uint8Array<ArrayBuffer>> {
  if (Number(req.header('content-length') ?? 0) > maxBodyBytes) throw tooLarge();
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of req.raw.body ?? []) {
    length += chunk.byteLength;
    if (length > maxBodyBytes) throw tooLarge();
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

function tooLarge(): ControlMistake {
  return new ControlMistake(
    'body-too-large',
    `The body is larger than the ${maxBodyBytes} bytes a control call may have.`,
    // The rest of the body is never read, so this connection is no good for another request.
    { place: 'body', headers: { Connection: 'close' } },
  );
}
