/** Calls the control API through a transport, and checks every reply by its declared schema. */
import type { z } from '@hono/zod-openapi';
import { expect } from 'vitest';
import { controlRoutes } from '../../../src/contract/control/routes.ts';
import type { TestTransport } from '../../support/transports.ts';

export interface Called {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

interface DeclaredResponse {
  readonly description: string;
  readonly content?: Readonly<Record<string, { readonly schema: z.ZodType }>>;
}

/** Calls `POST /_sandbox/clock?merchant=a` and the like; a body is sent as JSON, a text as it is. */
export async function call(
  transport: TestTransport,
  line: string,
  body?: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Called> {
  const [method = '', path = ''] = line.split(' ');
  const sent = typeof body === 'string' ? body : JSON.stringify(body);
  const response = await transport.fetch(transport.base + path, {
    method,
    headers: { ...(sent === undefined ? {} : { 'Content-Type': 'application/json' }), ...headers },
    ...(sent === undefined ? {} : { body: sent }),
  });
  const text = await response.text();
  const answered: unknown = text === '' ? null : JSON.parse(text);
  holdToContract(method, path, response, answered);
  return { status: response.status, headers: response.headers, body: answered };
}

function holdToContract(method: string, path: string, response: Response, body: unknown): void {
  const [bare = ''] = path.split('?');
  const route = controlRoutes.find(
    (one) =>
      one.method === method.toLowerCase() &&
      new RegExp(`^${one.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(bare),
  );
  if (route === undefined) return;
  // Every response of these routes is written out.
  const responses = route.responses as Readonly<Record<number, DeclaredResponse>>;
  const declared = responses[response.status];
  expect(declared, `${method} ${path} does not declare ${response.status}`).toBeDefined();
  const schema = declared?.content?.['application/json']?.schema;
  if (schema === undefined) expect(body).toBeNull();
  else expect(schema.parse(body)).toEqual(body);
}
