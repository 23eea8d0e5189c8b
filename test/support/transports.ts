/** Runs tests on both transports, and holds every reply to the contract. */
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import type { z } from '@hono/zod-openapi';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import type { OperationName } from '../../src/contract/service/operation-name.ts';
import { operations, type Operations } from '../../src/contract/service/operations.ts';
import {
  createSandbox,
  type Merchant,
  type Sandbox,
  type SandboxOptions,
} from '../../src/index.ts';
import { isFullRun } from './vitest/runs.ts';

/** Where every test's clock stands unless it says otherwise. */
export const testNow = '2026-05-06T07:08:09.123Z';

export const transportNames = ['in process', 'socket'] as const;
export type TransportName = (typeof transportNames)[number];

type Responses<N extends OperationName> = Operations[N]['responses'];

/** The body an operation answers with a status, as declared; `null` for one without a body. */
export type ReplyBody<
  N extends OperationName,
  S extends keyof Responses<N>,
> = Responses<N>[S] extends {
  readonly content: { readonly 'application/json': { readonly schema: infer T extends z.ZodType } };
}
  ? z.output<T>
  : null;

export interface Request {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>> | string;
  /** Sent as JSON; a string or bytes go as they are. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>> | Headers;
  /** A path in place of the declared one, to try other spellings. */
  readonly path?: string;
  /** The Authorization header; `null` sends none. */
  readonly authorization?: string | null;
}

export interface Reply<B> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: B;
  /** The bytes of the body, as text. */
  readonly text: string;
}

/** A merchant's client on one transport. */
export class Shop {
  readonly transport: TestTransport;
  readonly merchant: Merchant;

  constructor(transport: TestTransport, merchant: Merchant) {
    this.transport = transport;
    this.merchant = merchant;
  }

  /** Asks, expects this status, and gives the body as declared. */
  async ask<N extends OperationName, S extends keyof Responses<N> & number>(
    name: N,
    status: S,
    request: Request = {},
  ): Promise<ReplyBody<N, S>> {
    return (await this.reply(name, status, request)).body;
  }

  /** The same with headers and raw text. */
  async reply<N extends OperationName, S extends keyof Responses<N> & number>(
    name: N,
    status: S,
    request: Request = {},
  ): Promise<Reply<ReplyBody<N, S>>> {
    const answer = await this.send(name, request);
    expect(answer.status, `${name} answered ${answer.text}`).toBe(status);
    // send() held the body to the schema of its status, and the status is the one asked for.
    return answer as Reply<ReplyBody<N, S>>;
  }

  /** Asks and takes whatever declared answer comes. */
  async send(name: OperationName, request: Request = {}): Promise<Reply<unknown>> {
    const route = operations[name];
    const response = await this.transport.fetch(this.transport.base + pathOf(route.path, request), {
      method: route.method.toUpperCase(),
      headers: this.#headers(name, request),
      ...bodyOf(request),
    });
    const text = await response.text();
    const body = holdToContract(name, response, text);
    mark(name, response.status, this.transport.name);
    return { status: response.status, headers: response.headers, body, text };
  }

  /** Follows a link with the method it names. */
  async follow(link: { href: string; method: string }, body?: unknown): Promise<Response> {
    return this.transport.fetch(link.href, {
      method: link.method,
      headers: {
        Authorization: `Bearer ${this.merchant.token}`,
        'Content-Type': 'application/json',
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  }

  #headers(name: OperationName, { authorization, body, headers }: Request): Headers {
    const sent = new Headers(headers);
    const ours =
      name === 'token.create'
        ? `Basic ${btoa(`${this.merchant.id}:secret`)}`
        : `Bearer ${this.merchant.token}`;
    if (authorization !== null && !sent.has('authorization')) {
      sent.set('Authorization', authorization ?? ours);
    }
    if (body !== undefined && !sent.has('content-type')) {
      sent.set(
        'Content-Type',
        name === 'token.create' ? 'application/x-www-form-urlencoded' : 'application/json',
      );
    }
    return sent;
  }
}

/** One way into a sandbox. */
export class TestTransport {
  readonly name: TransportName;
  readonly #options: SandboxOptions;
  #sandbox: Sandbox | undefined;
  #base = 'http://sandbox.local';
  #shops = 0;

  constructor(name: TransportName, options: SandboxOptions) {
    this.name = name;
    this.#options = options;
  }

  get sandbox(): Sandbox {
    if (this.#sandbox === undefined) throw new Error('The transport is not open yet.');
    return this.#sandbox;
  }

  get base(): string {
    return this.#base;
  }

  readonly fetch: typeof globalThis.fetch = (input, init) =>
    this.name === 'in process' ? this.sandbox.fetch(input, init) : globalThis.fetch(input, init);

  /** A client of a merchant that no other test knows, or of the one named. */
  shop(id = `shop-${++this.#shops}`): Shop {
    return new Shop(this, this.sandbox.merchant(id));
  }

  async open(): Promise<void> {
    this.#sandbox = createSandbox({
      seed: 'test',
      fixtures: 'empty',
      clock: { start: testNow, frozen: true },
      ...this.#options,
    });
    if (this.name === 'socket') this.#base = (await this.sandbox.listen({ port: 0 })).url;
  }

  async close(): Promise<void> {
    await this.#sandbox?.close();
  }
}

/** Declares the same tests for each transport, each with a sandbox of its own. */
export function onEveryTransport(
  title: string,
  tests: (transport: TestTransport) => void,
  options: SandboxOptions = {},
): void {
  onTransports(transportNames, title, tests, options);
}

/** The same for a long walk: in process, and over a socket in `npm run test:all` only. */
export function onTransportsOfThisRun(
  title: string,
  tests: (transport: TestTransport) => void,
  options: SandboxOptions = {},
): void {
  onTransports(isFullRun ? transportNames : ['in process'], title, tests, options);
}

function onTransports(
  names: readonly TransportName[],
  title: string,
  tests: (transport: TestTransport) => void,
  options: SandboxOptions,
): void {
  describe.each(names)(`${title} (%s)`, (name) => {
    const transport = new TestTransport(name, options);
    beforeAll(() => transport.open());
    afterAll(() => transport.close());
    tests(transport);
  });
}

/** Parses a reply with the schema declared for its status and requires that nothing was left over. */
function holdToContract(name: OperationName, response: Response, text: string): unknown {
  const responses: Readonly<Record<number, DeclaredResponse>> = operations[name].responses;
  const declared = responses[response.status];
  expect(
    declared,
    `${name} answered ${response.status}, which it does not declare: ${text}`,
  ).toBeDefined();
  expect(response.headers.get('paypal-debug-id'), name).toMatch(/^[0-9a-f]{13}$/);
  const schema = declared?.content?.['application/json']?.schema;
  if (schema === undefined) {
    expect(text, `${name} ${response.status}`).toBe('');
    expect(response.headers.get('content-type'), `${name} ${response.status}`).toBeNull();
    return null;
  }
  expect(response.headers.get('content-type'), name).toBe('application/json');
  const body: unknown = JSON.parse(text);
  expect(schema.parse(body), `${name} ${response.status} against its schema`).toEqual(body);
  if (typeof body === 'object' && body !== null && 'debug_id' in body) {
    expect(body.debug_id).toBe(response.headers.get('paypal-debug-id'));
    // What a test forces may have any name that the service knows.
    if ('name' in body && !response.headers.has('sandbox-outcome')) {
      const names = declared?.description.split(', ');
      expect(names, `${name} ${response.status}`).toContain(body.name);
    }
  }
  return body;
}

interface DeclaredResponse {
  readonly description: string;
  readonly content?: { readonly 'application/json'?: { readonly schema: z.ZodType } };
}

function pathOf(declared: string, request: Request): string {
  const path = (request.path ?? declared).replaceAll(/\{(\w+)\}/g, (_, key: string) => {
    const value = request.params?.[key];
    if (value === undefined) throw new Error(`The path ${declared} needs a value for ${key}.`);
    return encodeURIComponent(value);
  });
  const query =
    typeof request.query === 'string'
      ? request.query
      : new URLSearchParams(request.query).toString();
  return query === '' ? path : `${path}?${query}`;
}

function bodyOf({ body }: Request): RequestInit {
  if (body === undefined) return {};
  if (typeof body === 'string') return { body };
  if (body instanceof Uint8Array) return { body: new Uint8Array(body) };
  return { body: JSON.stringify(body) };
}

const marked = new Set<string>();

/** Notes that a declared answer was seen, for the coverage test that runs last. */
function mark(name: OperationName, status: number, transport: TransportName): void {
  const line = `${name} ${status} ${transport}`;
  const folder = process.env['COVERAGE_MARKS'];
  if (folder === undefined || marked.has(line)) return;
  marked.add(line);
  appendFileSync(join(folder, `${process.pid}.txt`), `${line}\n`);
}
