/** Parts of the public API that exist alike in process and in the client. */
import { describe, expect, it } from 'vitest';
import {
  connect,
  createSandbox,
  outcomes,
  SandboxError,
  type Remote,
  type Sandbox,
} from '../../../src/index.ts';

const cards = 'http://sandbox.test/v1/vault/credit-cards';

it('exports every outcome id by its name', () => {
  const ids = createSandbox()
    .outcomes()
    .map(({ id }) => id);
  expect(outcomes).toEqual(Object.fromEntries(ids.map((id) => [id, id])));
  expect(outcomes['reset-after-commit']).toBe('reset-after-commit');
});

describe.each(['in process', 'client'])('the public API (%s)', (kind) => {
  async function withSandbox(use: (sandbox: Sandbox | Remote) => Promise<void>): Promise<void> {
    const sandbox = createSandbox({ fixtures: 'empty' });
    const { url } = await sandbox.listen();
    await use(kind === 'client' ? connect(url) : sandbox);
    await sandbox[Symbol.asyncDispose]();
    await expect(fetch(url), 'the sandbox is closed').rejects.toThrow('fetch failed');
  }

  it('sends the token of the merchant, unless the request has its own', () =>
    withSandbox(async (sandbox) => {
      const merchant = sandbox.merchant('shop');
      expect((await merchant.fetch(cards)).status).toBe(200);
      expect((await merchant.journal()).entries).toMatchObject([{ merchant: 'shop' }]);
      const headers = { Authorization: 'Bearer of-another' };
      expect((await merchant.fetch(cards, { headers })).status).toBe(401);
      expect((await sandbox.fetch(cards)).status).toBe(401);
    }));

  it('judges all merchants, failed verdicts first', () =>
    withSandbox(async (sandbox) => {
      await sandbox.merchant('a-passes').fetch(cards);
      await sandbox.merchant('b-fails').force({ op: 'card.list', outcome: 'error-forever' });
      const verdicts = await sandbox.all.verdict({ waitMs: 0 });
      expect(verdicts.map(({ merchant, passed }) => [merchant, passed])).toEqual([
        ['b-fails', false],
        ['a-passes', true],
      ]);
    }));

  it('names the path that another word for it means', () =>
    withSandbox(async (sandbox) => {
      const answer = await sandbox.request('/_sandbox/requests/wait');
      expect(answer.status).toBe(404);
      expect(await answer.json()).toMatchObject({
        error: 'unknown-path',
        nearest: '/_sandbox/journal/wait',
      });
    }));

  it('throws errors of one base with a stable code', () =>
    withSandbox(async (sandbox) => {
      const thrown = async (): Promise<unknown> => sandbox.restore('none');
      const error = await thrown().catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(SandboxError);
      expect(error).toMatchObject({ name: 'SnapshotError', code: 'unknown-snapshot' });
    }));
});
