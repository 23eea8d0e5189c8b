/** What a shop does for each operation that changes something, and how often it really happened. */
import { z } from 'zod';
import type { OperationName } from '../../../../src/contract/service/operation-name.ts';
import type { Sandbox } from '../../../../src/index.ts';
import { pans } from '../../../support/samples.ts';
import {
  amount,
  countTransfers,
  order,
  requireDone,
  vaultedCard,
  warmUp,
  type ReferenceShop,
} from './reference-shop.ts';
import type { Belief } from './carry-out.ts';

export interface OperationScenario {
  readonly operation: OperationName;
  /** Creates what the operation needs, and returns how to run it. */
  readonly prepare: (counter: ReferenceShop) => Promise<{
    readonly run: () => Promise<Belief<unknown>>;
    /** Counts what really happened, whatever was answered. */
    readonly effects: (sandbox: Sandbox) => Promise<number>;
  }>;
}

const Total = z.object({ total_items: z.number() });
const State = z.object({ state: z.string() });

const newCard = {
  customer: 'buyer-7',
  number: pans.visa,
  type: 'visa',
  expireMonth: 11,
  expireYear: 2099,
  cvv: '874',
} as const;

async function look(
  sandbox: Sandbox,
  { merchant }: ReferenceShop,
  path: string,
): Promise<Response> {
  return sandbox.request(path, { headers: { Authorization: `Bearer ${merchant.token}` } });
}

/** Counts the transfers from now on. */
function movedFromNow(counter: ReferenceShop, cause: Parameters<typeof countTransfers>[1]) {
  const before = countTransfers(counter, cause);
  return async () => countTransfers(counter, cause) - before;
}

export const operationScenarios: readonly OperationScenario[] = [
  {
    operation: 'payment.create',
    prepare: async (counter) => {
      await warmUp(counter);
      return {
        run: () => counter.client.pay(order),
        effects: movedFromNow(counter, 'sale'),
      };
    },
  },
  {
    operation: 'card.create',
    prepare: async (counter) => {
      await warmUp(counter);
      return {
        run: () => counter.client.store(newCard),
        effects: async (sandbox) => {
          const path = `/v1/vault/credit-cards?external_customer_id=${newCard.customer}`;
          const list = await look(sandbox, counter, path);
          return Total.parse(await list.json()).total_items;
        },
      };
    },
  },
  {
    operation: 'card.delete',
    prepare: async (counter) => {
      await warmUp(counter);
      return {
        run: () => counter.client.remove(vaultedCard),
        effects: async (sandbox) => {
          const shown = await look(sandbox, counter, `/v1/vault/credit-cards/${vaultedCard}`);
          return shown.status === 404 ? 1 : 0;
        },
      };
    },
  },
  {
    operation: 'sale.refund',
    prepare: async (counter) => {
      const sale = requireDone(await counter.client.pay(order));
      return {
        run: () => counter.client.refund(sale, 'refund-1042', amount),
        effects: movedFromNow(counter, 'refund'),
      };
    },
  },
  {
    operation: 'auth.capture',
    prepare: async (counter) => {
      const held = requireDone(await counter.client.authorize(order));
      return {
        run: () => counter.client.capture(held, 'capture-1042', amount),
        effects: movedFromNow(counter, 'capture'),
      };
    },
  },
  {
    operation: 'auth.void',
    prepare: async (counter) => {
      const held = requireDone(await counter.client.authorize(order));
      return {
        run: () => counter.client.void(held),
        effects: async (sandbox) => {
          const shown = await look(sandbox, counter, `/v1/payments/authorization/${held.id}`);
          return State.parse(await shown.json()).state === 'voided' ? 1 : 0;
        },
      };
    },
  },
];
