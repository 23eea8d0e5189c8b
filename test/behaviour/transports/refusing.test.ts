/** In process, connections are refused only for the merchant of the rule, until it is reset. */
import { describe, expect, it, onTestFinished } from 'vitest';
import { codeOf } from '../forcing/tolerant-client.ts';
import { createSandbox, type Merchant, type Sandbox } from '../../../src/index.ts';

const cards = '/v1/vault/credit-cards';
const basic = (id: string) => `Basic ${btoa(`${id}:secret`)}`;

const ask = (sandbox: Sandbox, authorization: string, path = cards): Promise<unknown> =>
  sandbox
    .request(path, {
      headers: { Authorization: authorization },
      ...(path === cards
        ? {}
        : { method: 'POST', body: new URLSearchParams({ grant_type: 'client_credentials' }) }),
    })
    .then(({ status }) => status, codeOf);

async function shut(lasts = '60s'): Promise<{ sandbox: Sandbox; merchant: Merchant }> {
  const sandbox = createSandbox({ fixtures: 'empty' });
  onTestFinished(() => sandbox.close());
  const merchant = sandbox.merchant('down');
  merchant.force({ op: 'any', outcome: { outcome: 'connect-refused', with: { lasts } } });
  expect(await ask(sandbox, `Bearer ${merchant.token}`)).toBe('ECONNREFUSED');
  return { sandbox, merchant };
}

describe('connect-refused in process', () => {
  it('refuses every call of its merchant and records none of them', async () => {
    const { sandbox, merchant } = await shut();
    expect([
      await ask(sandbox, `Bearer ${merchant.token}`),
      await ask(sandbox, basic('down'), '/v1/oauth2/token'),
    ]).toEqual(['ECONNREFUSED', 'ECONNREFUSED']);
    expect(merchant.journal().entries).toHaveLength(1);
  });

  it('does not affect other merchants', async () => {
    const { sandbox } = await shut();
    expect([
      await ask(sandbox, 'Bearer sandbox.up'),
      await ask(sandbox, basic('up'), '/v1/oauth2/token'),
      await ask(sandbox, 'Bearer unknown'),
    ]).toEqual([200, 200, 401]);
    expect((await sandbox.request('/_sandbox/health')).status).toBe(200);
  });

  it('ends after its duration', async () => {
    const { sandbox, merchant } = await shut('20ms');
    await expect.poll(() => ask(sandbox, `Bearer ${merchant.token}`), { interval: 5 }).toBe(200);
  });

  it.each<[string, (sandbox: Sandbox, merchant: Merchant) => void]>([
    ['reset', (_, merchant) => merchant.reset()],
    ['resetAll', (sandbox) => sandbox.all.reset()],
    ['a scenario', (_, merchant) => void merchant.playScenario('lost-answer')],
  ])('ends with %s', async (_, begin) => {
    const { sandbox, merchant } = await shut();
    begin(sandbox, merchant);
    expect(await ask(sandbox, `Bearer ${merchant.token}`)).toBe(200);
  });

  it('does nothing if the merchant was reset before', async () => {
    const held: { go?: () => void } = {};
    const stands = new Promise<void>((resolve) => (held.go = resolve));
    const sandbox = createSandbox({
      fixtures: 'empty',
      hooks: { beforeRead: () => stands },
    });
    sandbox.force({ op: 'any', outcome: 'connect-refused' });
    const first = ask(sandbox, `Bearer ${sandbox.token}`);
    sandbox.reset();
    held.go?.();
    expect(await first).toBe('ECONNREFUSED');
    expect(await ask(sandbox, `Bearer ${sandbox.token}`)).toBe(200);
  });
});
