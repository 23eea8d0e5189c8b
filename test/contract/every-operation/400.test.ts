import { expect, it } from 'vitest';
import { onEveryTransport } from '../../support/transports.ts';
import { jsonOperations } from '../../support/requests/every-operation.ts';
import { makeSubjects, validRequest } from '../../support/requests/valid-requests.ts';

onEveryTransport('every operation reads the Sandbox-Outcome header', (transport) => {
  it.each(jsonOperations)(
    '400 %s: refuses a Sandbox-Outcome header with an unknown outcome',
    async (name) => {
      const shop = transport.shop();
      const call = validRequest(name, await makeSubjects(shop));
      const before = shop.merchant.ledger();
      const headers = { 'Sandbox-Outcome': 'no-such-outcome' };
      const { body } = await shop.reply(name, 400, { ...call, headers });
      expect(body).toMatchObject({ name: 'SANDBOX_OUTCOME_UNKNOWN' });
      expect(shop.merchant.ledger()).toEqual(before);
    },
  );
});
