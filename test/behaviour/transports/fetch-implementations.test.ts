/** Requests of other implementations of fetch are read like those of Node. */
import { Blob as NodeBlob } from 'node:buffer';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { Readable } from 'node:stream';
import { runInNewContext } from 'node:vm';
import { Headers as NodeFetchHeaders, Request as NodeFetchRequest } from 'node-fetch';
import {
  FormData as UndiciFormData,
  Headers as UndiciHeaders,
  Request as UndiciRequest,
} from 'undici';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { connect, createSandbox } from '../../../src/index.ts';
import { checkFiles } from '../../../src/scenarios/load.ts';
import { cardBody } from '../../support/samples.ts';

const url = 'https://api.sandbox.paypal.com/v1/vault/credit-cards';
const text = JSON.stringify(cardBody());
const lines = {
  'Content-Type': 'application/json',
  'Sandbox-Outcome': 'error-503-before-commit',
};

afterEach(() => vi.unstubAllGlobals());

/** Like the headers of happy-dom: names keep their case when they are iterated. */
class CaseKeepingHeaders {
  readonly #pairs: [string, string][];

  constructor(init: Record<string, string>) {
    this.#pairs = Object.entries(init);
  }

  get(name: string): string | null {
    const wanted = name.toLowerCase();
    return this.#pairs.find(([one]) => one.toLowerCase() === wanted)?.[1] ?? null;
  }

  [Symbol.iterator](): Iterator<[string, string]> {
    return this.#pairs[Symbol.iterator]();
  }
}

/** Like the headers of a polyfill that cannot be iterated. */
class ListedHeaders {
  forEach(show: (value: string, name: string) => void): void {
    for (const [name, value] of Object.entries(lines)) show(value, name);
  }
}

const headerForms: Readonly<Record<string, unknown>> = {
  'a plain object': lines,
  pairs: Object.entries(lines),
  'a map': new Map(Object.entries(lines)),
  'headers of another realm': runInNewContext('new Map(Object.entries(lines))', { lines, Object }),
  'headers that keep their case': new CaseKeepingHeaders(lines),
  'headers that can only be listed': new ListedHeaders(),
  'headers of node-fetch': new NodeFetchHeaders(lines),
  'headers of another undici': new UndiciHeaders(lines),
};

describe('headers in process', () => {
  it.each(Object.entries(headerForms))('are compared without case: %s', async (_, headers) => {
    const merchant = createSandbox().merchant('shop');
    // Other implementations have types of their own.
    const init = { method: 'POST', headers: headers as HeadersInit, body: text };
    const answer = await merchant.fetch(url, init);
    expect(answer.status).toBe(503);
    expect(answer.headers.get('sandbox-outcome')).toMatch(/^error-503-before-commit; by=header/);
    expect(merchant.journal().entries).toHaveLength(1);
  });

  it('are joined if a name is sent several times', async () => {
    const sandbox = createSandbox();
    const headers: [string, string][] = [
      ['authorization', `Bearer ${sandbox.token}`],
      ['Sandbox-Outcome', 'error-503-before-commit'],
      ['sandbox-outcome', 'no-such-outcome'],
    ];
    const joined = await sandbox.fetch(url, { headers });
    expect(await joined.text()).not.toBe('');
    await expect(sandbox.fetch(url, { headers: { 'a b': 'c' } })).rejects.toThrow(TypeError);
    await expect(sandbox.fetch(url, { headers: { a: 'b\nc' } })).rejects.toThrow(TypeError);
  });
});

const json = { 'Content-Type': 'application/json' };
const bytes = new TextEncoder().encode(text);
const polyfilled = {
  method: 'POST',
  url,
  headers: new CaseKeepingHeaders(json),
  bodyUsed: false,
  text: () => Promise.resolve(text),
};

const inputs: Readonly<Record<string, () => [input: unknown, init?: unknown]>> = {
  'a request of a polyfill': () => [polyfilled],
  'a request of node-fetch': () => [
    new NodeFetchRequest(url, { method: 'POST', headers: json, body: text }),
  ],
  'a request of another undici': () => [
    new UndiciRequest(url, { method: 'POST', headers: json, body: text }),
  ],
  'a request and other headers': () => [
    new UndiciRequest(url, { method: 'POST', body: text }),
    { headers: json },
  ],
  'a buffer': () => [url, { method: 'POST', headers: json, body: bytes.buffer }],
  'a buffer of another realm': () => [
    url,
    {
      method: 'post',
      headers: json,
      body: runInNewContext('Uint8Array.from(bytes)', { bytes: [...bytes] }),
    },
  ],
  'a view of a buffer': () => [
    url,
    { method: 'POST', headers: json, body: Buffer.from(`  ${text}  `).subarray(1, -1) },
  ],
  'a Blob': () => [url, { method: 'POST', headers: json, body: new NodeBlob([text]) }],
  'a stream of Node': () => [url, { method: 'POST', headers: json, body: Readable.from([text]) }],
  'a generator': () => [
    url,
    {
      method: 'POST',
      headers: json,
      body: (async function* () {
        yield await Promise.resolve(bytes.subarray(0, 9));
        yield bytes.subarray(9);
      })(),
    },
  ],
};

describe('a request in process', () => {
  it.each(Object.entries(inputs))('is read if it is %s', async (_, make) => {
    const sandbox = createSandbox();
    const [input, init] = make();
    for (const fetch of [sandbox.merchant('a').fetch]) {
      // Other implementations have types of their own.
      const answer = await fetch(input as Request, init as RequestInit);
      expect(answer.status, await answer.text()).toBe(201);
    }
  });

  it('may have a form, which no operation reads', async () => {
    const shop = createSandbox().merchant('shop');
    for (const form of [new FormData(), new UndiciFormData()]) {
      form.append('number', 'x');
      const answer = await shop.fetch(url, { method: 'POST', body: form as FormData });
      expect(answer.status).toBe(415);
    }
    const search = new URLSearchParams({ grant_type: 'client_credentials' });
    const headers = { Authorization: `Basic ${btoa('shop:any')}` };
    const token = await shop.fetch('/v1/oauth2/token', { method: 'POST', headers, body: search });
    expect(token.status).toBe(200);
  });

  it('gets whole answers and rejected faults if the Response of a polyfill has no streams', async () => {
    const { Response: Real } = globalThis;
    class Polyfill {
      readonly status: number;
      readonly headers: Headers;
      readonly #body: unknown;
      constructor(body: unknown, init: ResponseInit = {}) {
        this.#body = body;
        this.status = init.status ?? 200;
        this.headers = new Headers(init.headers);
      }
      text = (): Promise<string> => Promise.resolve(String(this.#body));
      static error = (): Response => Real.error();
    }
    vi.stubGlobal('Response', Polyfill);
    const shop = createSandbox().merchant('shop');
    shop.force({ op: 'card.list', outcome: 'truncated-body' });
    await expect(shop.fetch(url)).rejects.toThrow('fetch failed');
    expect(await (await shop.fetch(url)).text()).toContain('"items"');
  });
});

describe('connect', () => {
  it('says first that an imitated browser refused another origin', async () => {
    const refusal = new DOMException(
      'Cross-Origin Request Blocked: The Same Origin Policy disallows reading the remote resource',
      'NetworkError',
    );
    vi.stubGlobal('fetch', () => Promise.reject(refusal));
    await expect(connect('http://127.0.0.1:1').health()).rejects.toThrow(
      /^The test environment refused to send a request to http:\/\/127\.0\.0\.1:1 .+ environment node/,
    );
    vi.stubGlobal('location', { origin: 'http://localhost' });
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Network request failed')));
    await expect(connect('http://127.0.0.1:1').health()).rejects.toThrow(/^The test environment/);
  });
});

describe('a file URL', () => {
  const shop = new URL('../../../fixtures/shop.yaml', import.meta.url);
  const scenario = new URL('../../../scenarios/', import.meta.url);

  it.each([shop, shop.href, fileURLToPath(shop)])('names fixtures: %s', (fixtures) => {
    expect(createSandbox({ fixtures }).export()).toMatchObject({ format: expect.any(String) });
  });

  it('names a folder of scenarios, a list of cards and a file of worlds', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'card-vault-sandbox-urls-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const [cards, worlds] = ['cards.txt', 'worlds.json'].map((name) =>
      pathToFileURL(join(folder, name)),
    );
    writeFileSync(join(folder, 'cards.txt'), '');
    const names = createSandbox({ scenarios: fileURLToPath(scenario) }).scenarios();
    for (const form of [(file: URL) => file, (file: URL) => file.href]) {
      const options = { scenarios: form(scenario), allowCards: cards && form(cards) };
      const sandbox = createSandbox({ ...options, persist: worlds && form(worlds) });
      expect(sandbox.scenarios()).toEqual(names);
      await sandbox.close();
    }
    expect(checkFiles([new URL('hang.yaml', scenario).href])).toMatchObject([{ mistakes: [] }]);
  });

  it('names a scenario for the client', async () => {
    const sandbox = createSandbox();
    const { url: base } = await sandbox.listen({ port: 0 });
    const file = new URL('hang.yaml', scenario);
    for (const given of [file, file.href]) {
      expect(await connect(base).playScenario(given)).toBe('hang');
    }
    await sandbox.close();
  });

  it('names scenarios', () => {
    const file = new URL('hang.yaml', scenario);
    expect(() => createSandbox({ scenario: file })).not.toThrow();
    expect(() => createSandbox({ scenario: file.href })).not.toThrow();
    expect(createSandbox().playScenario(pathToFileURL(fileURLToPath(file)))).toBe('hang');
  });
});
