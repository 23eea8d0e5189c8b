/** A shop that uses the reference client over a socket, on the merchant's clock. */
import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { Merchant } from '../../../../src/index.ts';
import { MerchantClock } from './merchant-clock.ts';
import type { Belief } from './carry-out.ts';
import { ReferenceClient, type Order } from './reference-client.ts';
import { letEventLoopRun } from '../setups/checkout.ts';

/** A visa of the default fixtures without a customer id. */
export const vaultedCard = 'CARD-VISA0000000000001EXAMPLE';

export const amount = { total: '30.11', currency: 'USD' } as const;

export const order: Order = { invoice: 'order-1042', cardId: vaultedCard, ...amount };

export interface ReferenceShop {
  readonly merchant: Merchant;
  readonly client: ReferenceClient;
}

export function openReferenceShop(
  merchant: Merchant,
  url: string,
  keys = new Map<string, string>(),
): ReferenceShop {
  const client = new ReferenceClient({
    baseUrl: url,
    clientId: merchant.id,
    secret: 'any',
    clock: new MerchantClock(merchant),
    random: () => 0.5,
    newKey: randomUUID,
    keys,
  });
  return { merchant, client };
}

/** Gets a token and a used connection, as a running shop has. */
export async function warmUp({ client }: ReferenceShop): Promise<void> {
  expect(await client.recheck(order)).toMatchObject({ state: 'unknown' });
  await letEventLoopRun();
}

/** Returns the result of an operation, which must have succeeded for the test to continue. */
export function requireDone<T>(belief: Belief<T>): T {
  if (belief.state !== 'done') throw new Error(`It is ${belief.state}.`);
  return belief.record;
}

/** Counts the transfers with a cause. */
export function countTransfers(
  { merchant }: ReferenceShop,
  cause: 'sale' | 'capture' | 'refund',
): number {
  return merchant.ledger().transfers.filter((one) => one.cause === cause).length;
}
