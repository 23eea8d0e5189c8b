/** The client that does it right, beside those that people use. */
import { randomUUID } from 'node:crypto';
import { amount } from '../reference/reference-shop.ts';
import { ReferenceClient } from '../reference/reference-client.ts';
import { breathe } from './checkout.ts';
import { NotPaid } from '../matrix/client-result.ts';
import type { SetUp } from './set-up.ts';

export const referenceSetUps: readonly SetUp[] = [
  {
    name: 'reference client',
    buy: async ({ url, clientId, secret, clock, cardId, order: invoice }) => {
      const client = new ReferenceClient({
        baseUrl: url,
        clientId,
        secret,
        clock,
        random: () => 0.5,
        newKey: randomUUID,
        keys: new Map(),
      });
      const order = { invoice, cardId, ...amount };
      // Its first call gets the token, as those of the others do.
      await client.recheck(order);
      await breathe();
      const belief = await client.pay(order);
      if (belief.state === 'done') return { id: belief.record.paymentId };
      if (belief.state === 'not-done') throw new NotPaid(belief.why);
      throw new Error('It cannot be known yet.');
    },
  },
];
