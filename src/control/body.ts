/** Bodies of control calls: bounded, and refused where nobody would read them. */
import type { HonoRequest, MiddlewareHandler } from 'hono';
import { controlRoutes } from '../contract/control.ts';
import { wireOf, type DoorEnv } from '../wire/door-env.ts';
import { isBodyEncoded, type Wire } from '../wire/wire.ts';
import { ControlMistake } from './mistake.ts';
import { formOf } from './path-form.ts';

/** Far more than any control call needs, */
const maxBodyBytes = 65_536;
/** but for one: a world of 100,000 cards is 28 MB. */
const maxImportBytes = 268_435_456;

/** Methods of control calls that may come with a body. */
const bodyMethods: ReadonlySet<string> = new Set(['POST', 'PUT', 'DELETE']);

/** Reads a body up to the limit, before anybody else does. */
export const boundedBody: MiddlewareHandler<DoorEnv> = async (c, next) => {
  const { req } = c;
  if (bodyMethods.has(req.method)) {
    const { method, headers, signal } = req.raw;
    const body = await readBody(wireOf(c), isImport(req) ? maxImportBytes : maxBodyBytes);
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

async function readBody(wire: Wire, maxBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  const body = await wire.readBody(maxBytes);
  if (body === 'too-large') {
    throw new ControlMistake(
      'body-too-large',
      `The body is larger than the ${maxBytes} bytes this call may have.`,
      // The rest of the body is never read, so this connection is no good for another request.
      { place: 'body', headers: { Connection: 'close' } },
    );
  }
  if (body === 'gone') {
    throw new ControlMistake('invalid-body', 'The client left before its body was complete.', {
      place: 'body',
    });
  }
  if (body.byteLength > 0 && isBodyEncoded(wire)) {
    throw new ControlMistake(
      'unsupported-media-type',
      'Send the body as it is, without Content-Encoding: compressed ones are not read.',
      { place: 'header Content-Encoding', allowed: ['identity'] },
    );
  }
  return new Uint8Array(body);
}
