/** What a shop does on each operation that changes something, and how often that really happened. */
import { z } from 'zod';
import type { OperationName } from '../../../../src/contract/service/operations.ts';
import type { Sandbox } from '../../../../src/index.ts';
import { pans } from '../../../support/samples.ts';
import { amount, moved, order, sure, vaultedCard, warmUp, type Counter } from './reference-shop.ts';
import type { Belief } from './carry-out.ts';

export interface Play {
  readonly operation: OperationName;
  /** Makes what is needed; gives what the operation is then asked for by. */
  readonly prepare: (counter: Counter) => Promise<{
    readonly run: () => Promise<Belief<unknown>>;
    /** Looks at what is true, not at what was answered. */
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

async function look(sandbox: Sandbox, { merchant }: Counter, path: string): Promise<Response> {
  return sandbox.request(path, { headers: { Authorization: `Bearer ${merchant.token}` } });
}

/** Counts what moved from now on. */
function movedFromNow(counter: Counter, cause: Parameters<typeof moved>[1]) {
  const before = moved(counter, cause);
  return async () => moved(counter, cause) - before;
}

export const plays: readonly Play[] = [
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
      const sale = sure(await counter.client.pay(order));
      return {
        run: () => counter.client.refund(sale, 'refund-1042', amount),
        effects: movedFromNow(counter, 'refund'),
      };
    },
  },
  {
    operation: 'auth.capture',
    prepare: async (counter) => {
      const held = sure(await counter.client.authorize(order));
      return {
        run: () => counter.client.capture(held, 'capture-1042', amount),
        effects: movedFromNow(counter, 'capture'),
      };
    },
  },
  {
    operation: 'auth.void',
    prepare: async (counter) => {
      const held = sure(await counter.client.authorize(order));
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
