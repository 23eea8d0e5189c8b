import { expect, it } from 'vitest';
import { throughEveryDoor } from '../../support/transports.ts';
import { expectProblem, jsonOperations } from '../../support/every-operation.ts';
import { unknownSubjects, validRequest } from '../../support/valid-requests.ts';

throughEveryDoor(
  'every operation needs room for its merchant',
  (door) => {
    it.each(jsonOperations)(
      '403 %s: refuses one merchant more than the sandbox may hold',
      async (name) => {
        await door.shop('the-only-one').ask('card.list', 200);
        const one = door.shop('one-too-many');
        const reply = await one.send(name, validRequest(name, unknownSubjects));
        expectProblem(reply, 403, 'PERMISSION_DENIED');
        // It is listed as rejected, and has no world.
        expect(door.sandbox.merchants()).toEqual(['the-only-one', 'one-too-many']);
        expect(await door.sandbox.metrics()).toContain('card_vault_sandbox_merchants 1\n');
      },
    );

    it('403 token.create: refuses one merchant more than the sandbox may hold', async () => {
      await door.shop('the-only-one').ask('card.list', 200);
      const one = door.shop('one-too-many');
      const body = await one.ask('token.create', 403, { body: 'grant_type=client_credentials' });
      expect(body.error).toBe('access_denied');
    });

    it('403 ends when a merchant is deleted', async () => {
      await door.shop('the-only-one').ask('card.list', 200);
      door.sandbox.deleteMerchant('the-only-one');
      await door.shop('one-too-many').ask('card.list', 200);
      door.sandbox.deleteMerchant('one-too-many');
    });
  },
  { limits: { maxMerchants: 1 } },
);
