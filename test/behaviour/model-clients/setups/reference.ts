/** The reference client as one more set-up. */
import { randomUUID } from 'node:crypto';
import { amount } from '../reference/reference-shop.ts';
import { ReferenceClient } from '../reference/reference-client.ts';
import { letEventLoopRun } from './checkout.ts';
import { NotPaidError } from '../matrix/client-result.ts';
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
      // Its first call gets the token, like the first call of the other set-ups.
      await client.recheck(order);
      await letEventLoopRun();
      const belief = await client.pay(order);
      if (belief.state === 'done') return { id: belief.record.paymentId };
      if (belief.state === 'not-done') throw new NotPaidError(belief.why);
      throw new Error('It cannot be known yet.');
    },
  },
];
