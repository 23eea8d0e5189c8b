/** A redirect as `fetch` handles it. In process there is no other host to follow it to. */
import { describe, expect, it } from 'vitest';
import { codeOf } from '../forcing/tolerant-client.ts';
import { createSandbox } from '../../../src/index.ts';
import { onEveryTransport } from '../../support/transports.ts';

const cards = '/v1/vault/credit-cards';

onEveryTransport('a forced redirect', (transport) => {
  const ask = (redirect: RequestInit['redirect']) => {
    const { merchant } = transport.shop();
    merchant.force({ op: 'card.list', outcome: 'redirect-302' });
    const headers = { Authorization: `Bearer ${merchant.token}` };
    return transport.fetch(transport.base + cards, { headers, ...(redirect && { redirect }) });
  };

  it('rejects with redirect: error', async () => {
    await expect(ask('error')).rejects.toThrow(
      new TypeError('fetch failed', { cause: new Error('unexpected redirect') }),
    );
  });

  it('is returned with redirect: manual', async () => {
    const answer = await ask('manual');
    expect([answer.status, answer.headers.get('location')]).toEqual([
      302,
      'https://portal.example.com/sign-in',
    ]);
  });
});

describe('a forced redirect in process', () => {
  const shop = (location?: string) => {
    const sandbox = createSandbox({ fixtures: 'empty' });
    const given = location === undefined ? {} : { with: { location } };
    sandbox.force({ op: 'card.create', outcome: { outcome: 'redirect-302', ...given } });
    const init = { method: 'POST', headers: { Authorization: `Bearer ${sandbox.token}` } };
    return { sandbox, init };
  };

  it.each([
    [undefined, 'portal.example.com'],
    ['/elsewhere', 'sandbox.local'],
    ['http://[', 'http://['],
  ])('fails with ENOTFOUND: %s', async (location, host) => {
    const { sandbox, init } = shop(location);
    const failed: unknown = await sandbox.fetch(cards, init).catch((error: unknown) => error);
    expect(failed).toMatchObject({
      name: 'TypeError',
      message: 'fetch failed',
      cause: { code: 'ENOTFOUND', message: `getaddrinfo ENOTFOUND ${host}` },
    });
    expect(sandbox.journal().entries).toMatchObject([{ status: 302 }]);
  });

  it('follows the redirect mode of a Request', async () => {
    const { sandbox, init } = shop();
    const asked = new Request(`http://a.test${cards}`, init);
    expect(await sandbox.fetch(asked).catch(codeOf)).toBe('ENOTFOUND');
    sandbox.force({ op: 'card.create', outcome: 'redirect-302' });
    expect(await sandbox.fetch(asked, { redirect: 'manual' })).toMatchObject({ status: 302 });
  });

  it('is returned as it is by sandbox.request', async () => {
    const { sandbox, init } = shop();
    expect(await sandbox.request(cards, init)).toMatchObject({ status: 302 });
  });
});
