/**
 * A call in process behaves the same with an address and options as with a `Request` made of both.
 */
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { defaultMerchant } from '../../src/contract/constants.ts';
import { plainRequest } from '../../src/transports/plain-request.ts';
import { createSandbox } from '../../src/index.ts';
import { testNow } from '../support/transports.ts';
import { cardBody } from '../support/samples.ts';
import { runs } from '../support/runs.ts';

const card = JSON.stringify(cardBody());
const bearer = `Bearer sandbox.${defaultMerchant}`;

/** Mostly typical values. */
const oftenPlain = <T>(usual: readonly T[], rare: readonly T[]): fc.Arbitrary<T> =>
  fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...usual) },
    { weight: 1, arbitrary: fc.constantFrom(...rare) },
  );

const addresses = oftenPlain<string | URL>(
  [
    'https://api.sandbox.paypal.com/v1/vault/credit-cards',
    'http://shop.test/v1/vault/credit-cards?page_size=2&page=1',
    new URL('http://127.0.0.1:8080/v1/vault/credit-cards/CARD-none#part'),
    'http://shop.test/_sandbox/health',
    'http://shop.test/_sandbox/reset',
  ],
  [
    'HTTP://SHOP.TEST:80/v1/./vault/../vault/credit-cards?q=é ü',
    'http://name:secret@shop.test/v1/vault/credit-cards',
    'http://shop.test/v1/vault/credit-cards/%',
    'http://[broken/v1/vault/credit-cards',
    'v1/vault/credit-cards',
    '',
  ],
);

const headers = oftenPlain<unknown>(
  [
    { Authorization: bearer, 'Content-Type': 'application/json' },
    { authorization: bearer, 'content-type': 'application/json', 'PayPal-Request-Id': 'order-1' },
    [
      ['Authorization', bearer],
      ['Content-Type', 'application/json'],
      ['Cookie', 'a=1'],
      ['Cookie', 'b=2'],
    ],
    new Headers({ Authorization: bearer }),
    undefined,
  ],
  [null, { 'not a name': 'x' }, { Authorization: 'two\nlines' }, [['alone']], 'text', 7],
);

const inits = fc.record(
  {
    method: oftenPlain<unknown>(
      ['GET', 'POST', 'PATCH', 'DELETE', 'HEAD', undefined],
      ['get', 'post', 'OPTIONS', 'QUERY', 'TRACE', 'no method', '', null],
    ),
    headers,
    body: oftenPlain<unknown>(
      [card, '', '{"half":"\ud800"', undefined, null],
      [new Uint8Array([123, 125]), new URLSearchParams({ a: '1' }), 7, { toString: () => card }],
    ),
    signal: oftenPlain<unknown>([undefined, null, 'open'], ['left', 'no signal']),
    redirect: oftenPlain<unknown>([undefined], ['manual', 'error', 'nowhere']),
    credentials: oftenPlain<unknown>([undefined], ['include', 'nobody']),
  },
  { requiredKeys: [] },
);

/** With a new signal, because a signal keeps its listeners. */
function initOf(said: { readonly signal?: unknown }): object {
  return 'signal' in said ? { ...said, signal: signalOf(said.signal) } : said;
}

function signalOf(kind: unknown): unknown {
  if (kind === 'open') return new AbortController().signal;
  return kind === 'left' ? AbortSignal.abort(new Error('I left.')) : kind;
}

/** What the caller receives, and what the sandbox recorded. */
async function outcome(call: (fetch: typeof globalThis.fetch) => Promise<Response>) {
  const sandbox = createSandbox({ seed: 'plain', clock: { start: testNow, frozen: true } });
  const seen = await call(sandbox.fetch).then(
    async (answer) => ({
      status: answer.status,
      headers: [...answer.headers],
      url: answer.url,
      text: await answer.text(),
    }),
    (error: unknown) => String(error),
  );
  // Times on the machine's clock differ for every call.
  const kept = sandbox.journal().entries.map((entry) => ({ ...entry, real: undefined }));
  return { seen, kept };
}

describe('a plain call', () => {
  it('sends the same as a Request made of it', async () => {
    await fc.assert(
      fc.asyncProperty(addresses, inits, async (address, said) => {
        const whole = await outcome(async (fetch) => fetch(new Request(address, initOf(said))));
        expect(await outcome((fetch) => fetch(address, initOf(said)))).toEqual(whole);
      }),
      { numRuns: runs(400) },
    );
  });

  it('recognizes objects by their class', async () => {
    class Asking {
      get redirect(): string {
        return 'nowhere';
      }
    }
    const init: object = new Asking();
    const { seen } = await outcome((fetch) =>
      fetch('http://shop.test/v1/vault/credit-cards', init),
    );
    expect(seen).toContain('nowhere');
  });

  it('works with objects of any realm', () => {
    const url = 'http://shop.test/v1/vault/credit-cards';
    const asked = { request: { method: 'POST', url }, text: card, signal: null };
    const said = `{ method: 'POST', headers: { 'Content-Type': 'application/json' }, body: ${JSON.stringify(card)} }`;
    for (const object of [`(${said})`, `Object.assign(Object.create(null), ${said})`]) {
      expect(plainRequest(url, runInNewContext(object))).toMatchObject(asked);
    }
  });
});
