import { expect, it } from 'vitest';
import { onEveryTransport } from '../../support/transports.ts';
import { expectProblem, jsonOperations } from '../../support/every-operation.ts';
import { unknownSubjects, validRequest } from '../../support/valid-requests.ts';

onEveryTransport(
  'every operation needs room for its merchant',
  (transport) => {
    it.each(jsonOperations)(
      '403 %s: refuses one merchant more than the sandbox may hold',
      async (name) => {
        await transport.shop('the-only-one').ask('card.list', 200);
        const one = transport.shop('one-too-many');
        const reply = await one.send(name, validRequest(name, unknownSubjects));
        expectProblem(reply, 403, 'PERMISSION_DENIED');
        // It is listed as rejected, and has no world.
        expect(transport.sandbox.merchants()).toEqual(['the-only-one', 'one-too-many']);
        expect(await transport.sandbox.metrics()).toContain('card_vault_sandbox_merchants 1\n');
      },
    );

    it('403 token.create: refuses one merchant more than the sandbox may hold', async () => {
      await transport.shop('the-only-one').ask('card.list', 200);
      const one = transport.shop('one-too-many');
      const body = await one.ask('token.create', 403, { body: 'grant_type=client_credentials' });
      expect(body.error).toBe('access_denied');
    });

    it('403 ends when a merchant is deleted', async () => {
      await transport.shop('the-only-one').ask('card.list', 200);
      transport.sandbox.deleteMerchant('the-only-one');
      await transport.shop('one-too-many').ask('card.list', 200);
      transport.sandbox.deleteMerchant('one-too-many');
    });
  },
  { limits: { maxMerchants: 1 } },
);
