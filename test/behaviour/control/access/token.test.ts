/** A sandbox that was given a control token answers control calls only to those who know it. */
import { describe, expect, it } from 'vitest';
import { controlRoutes } from '../../../../src/contract/control/routes.ts';
import { createSandbox } from '../../../../src/index.ts';
import { onEveryTransport } from '../../../support/transports.ts';
import { call } from '../call.ts';

const controlToken = 'open-sesame';

onEveryTransport(
  'a sandbox with a control token',
  (transport) => {
    const guarded = controlRoutes.filter(({ verb }) => verb !== 'health');

    it.each(guarded.map(({ method, path }) => `${method.toUpperCase()} ${path}`))(
      '401 refuses %s without the token',
      async (line) => {
        const body = /^P(?:OST|UT)/.test(line) ? {} : undefined;
        const { status, body: refusal, headers } = await call(transport, line, body);
        expect(status).toBe(401);
        expect(refusal).toMatchObject({ error: 'token-required' });
        expect(headers.get('www-authenticate')).toBe('Bearer');
      },
    );

    it.each([
      ['Authorization', 'Bearer open-sesam'],
      ['Authorization', 'Bearer open-sesamee'],
      ['Authorization', 'Basic open-sesame'],
      ['Sandbox-Token', 'sesame'],
      ['Sandbox-Token', ''],
    ])('401 refuses another token: %s: %s', async (name, value) => {
      const headers = { [name]: value };
      const { status } = await call(transport, 'GET /_sandbox/clock', undefined, headers);
      expect(status).toBe(401);
    });

    it.each([
      ['Authorization', `Bearer ${controlToken}`],
      ['Authorization', `bearer ${controlToken}`],
      ['Sandbox-Token', controlToken],
    ])('200 accepts the token as %s: %s', async (name, value) => {
      const headers = { [name]: value };
      const { status } = await call(transport, 'GET /_sandbox/clock', undefined, headers);
      expect(status).toBe(200);
    });

    it('answers health probes, pages and documents without the token', async () => {
      for (const path of ['/_sandbox/health', '/_sandbox/openapi.json', '/docs/control', '/']) {
        expect((await transport.fetch(transport.base + path)).status, path).toBe(200);
      }
    });

    it('does not require the token for the service', async () => {
      await transport.shop().ask('card.list', 200);
    });

    it('changes nothing without the token', async () => {
      const { id, clock } = transport.shop().merchant;
      const before = clock.read();
      await call(transport, `POST /_sandbox/clock?merchant=${id}`, { advance: 'P1D' });
      expect(clock.read()).toEqual(before);
    });

    it('never shows the token', async () => {
      const headers = { 'Sandbox-Token': controlToken };
      const { body } = await call(transport, 'GET /_sandbox/about', undefined, headers);
      const refused = await call(transport, 'GET /_sandbox/about', undefined, {
        'Sandbox-Token': 'wrong-one',
      });
      expect(JSON.stringify([body, transport.sandbox.about(), refused.body])).not.toMatch(
        /open-sesame|wrong-one/,
      );
    });
  },
  { controlToken },
);

describe('the control token', () => {
  it.each(['', '€uro', 'caf\u00e9', ' open', 'sesame ', 'one\nanother', 'S'.repeat(257)])(
    'is validated as an option, and not repeated: %j',
    (token) => {
      expect(() => createSandbox({ controlToken: token })).toThrow(
        /^Option controlToken: must be 1 to 256 printable ASCII characters with no space at either end, as headers carry them\.$/,
      );
    },
  );
});
