/** The control API is loaded by the first call that needs it, without a visible difference. */
import { describe, expect, it } from 'vitest';
import { transportNames, TestTransport } from '../../../support/transports.ts';
import { call } from '../call.ts';

/** Runs with a fresh sandbox that has answered no request. */
async function fresh(
  name: (typeof transportNames)[number],
  use: (transport: TestTransport) => Promise<void>,
) {
  const transport = new TestTransport(name, {});
  await transport.open();
  try {
    await use(transport);
  } finally {
    await transport.close();
  }
}

describe.each(transportNames)('a fresh sandbox (%s)', (name) => {
  it('answers every concurrent first call in full', () =>
    fresh(name, async (transport) => {
      const lines = ['merchants', 'about', 'clock', 'rules', 'ledger', 'outcomes', 'coverage'];
      const all = [...lines, ...lines].map((path) => call(transport, `GET /_sandbox/${path}`));
      const forced = call(transport, 'POST /_sandbox/rules', {
        op: 'card.list',
        outcome: 'error-forever',
      });
      const landing = transport.fetch(`${transport.base}/docs`);
      expect((await Promise.all(all)).map(({ status }) => status)).toEqual(all.map(() => 200));
      expect((await forced).status).toBe(201);
      expect((await landing).status).toBe(200);
      expect((await call(transport, 'GET /_sandbox/rules')).body).toHaveLength(1);
    }));

  it('reads the body of the first control call', () =>
    fresh(name, async (transport) => {
      const { status, body } = await call(transport, 'POST /_sandbox/clock', { advance: 'P1D' });
      expect(status).toBe(200);
      expect(body).toEqual({ merchant: 'default', now: '2026-05-07T07:08:09.123Z', frozen: true });
    }));

  it('refuses a wrong origin without loading the control API', () =>
    fresh(name, async (transport) => {
      const origin = { Origin: 'https://shop.example' };
      const refused = await call(transport, 'POST /_sandbox/reset', undefined, origin);
      expect(refused).toMatchObject({ status: 403, body: { error: 'other-origin' } });
    }));

  it.each(['GET', 'HEAD'])('answers %s for health, also with a trailing slash', (method) =>
    fresh(name, async (transport) => {
      for (const path of ['/_sandbox/health', '/_sandbox/health/']) {
        const answer = await transport.fetch(transport.base + path, { method });
        expect(answer.status).toBe(200);
        expect(answer.headers.get('cache-control')).toBe('no-store');
        expect(await answer.text()).toContain(method === 'GET' ? '"status":"ready"' : '');
      }
    }),
  );

  it('405 names the methods of health', () =>
    fresh(name, async (transport) => {
      const answer = await transport.fetch(`${transport.base}/_sandbox/health`, { method: 'POST' });
      expect(answer.status).toBe(405);
      expect(answer.headers.get('allow')).toBe('GET, HEAD');
    }));
});
