import { expect, it } from 'vitest';
import { onEveryTransport } from '../../support/transports.ts';
import { expectProblem, jsonOperations } from '../../support/requests/every-operation.ts';
import { unknownSubjects, validRequest } from '../../support/requests/valid-requests.ts';

onEveryTransport(
  'every operation counts its merchant towards the limit',
  (transport) => {
    it.each(jsonOperations)(
      '403 %s: refuses a merchant over the limit of the sandbox',
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

    it('403 token.create: refuses a merchant over the limit of the sandbox', async () => {
      await transport.shop('the-only-one').ask('card.list', 200);
      const one = transport.shop('one-too-many');
      const body = await one.ask('token.create', 403, { body: 'grant_type=client_credentials' });
      expect(body.error).toBe('access_denied');
    });

    it('403 is no longer answered after a merchant is deleted', async () => {
      await transport.shop('the-only-one').ask('card.list', 200);
      transport.sandbox.deleteMerchant('the-only-one');
      await transport.shop('one-too-many').ask('card.list', 200);
      transport.sandbox.deleteMerchant('one-too-many');
    });
  },
  { limits: { maxMerchants: 1 } },
);
