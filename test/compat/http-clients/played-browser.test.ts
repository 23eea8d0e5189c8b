/** Test environments that imitate a browser replace globals: jsdom replaces arrays, happy-dom replaces signals. */
import { runInNewContext } from 'node:vm';
import { afterEach, expect, it, vi } from 'vitest';
import { createSandbox } from '../../../src/index.ts';
import { cardBody } from '../../support/samples.ts';

const nodesFetch = globalThis.fetch;
afterEach(() => vi.unstubAllGlobals());

it('the sandbox reads bodies over both transports if Uint8Array comes from another realm', async () => {
  vi.stubGlobal('Uint8Array', runInNewContext('Uint8Array'));
  const sandbox = createSandbox();
  const { url } = await sandbox.listen({ port: 0 });
  for (const [base, fetch] of [
    ['http://anywhere', sandbox.fetch],
    [url, nodesFetch],
  ] as const) {
    const ask = (path: string, headers: Record<string, string>, body: string | Blob) =>
      fetch(`${base}/v1/${path}`, { method: 'POST', headers, body });
    const form = {
      Authorization: `Basic ${btoa('my-shop:any')}`,
      'Content-Type': 'application/x-www-form-urlencoded',
    };
    const json = { Authorization: 'Bearer sandbox.my-shop', 'Content-Type': 'application/json' };
    const answers = await Promise.all([
      ask('oauth2/token', form, 'grant_type=client_credentials'),
      ask('vault/credit-cards', json, JSON.stringify(cardBody())),
      ask('vault/credit-cards', json, new Blob([JSON.stringify(cardBody())])),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 201, 201]);
  }
  await sandbox.close();
});

it('the sandbox starts if AbortSignal is not that of Node', async () => {
  class Signal {
    readonly aborted = false;
    addEventListener = (): void => undefined;
    removeEventListener = (): void => undefined;
  }
  vi.stubGlobal(
    'AbortController',
    class {
      readonly signal = new Signal();
      abort = (): void => undefined;
    },
  );
  const sandbox = createSandbox();
  const answer = await sandbox.request('/v1/vault/credit-cards', {
    headers: { Authorization: `Bearer ${sandbox.token}` },
  });
  expect(answer.status).toBe(200);
  await sandbox.close();
});
