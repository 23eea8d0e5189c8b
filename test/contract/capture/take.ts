/** Requests to capture an authorization, and its state afterwards. */
import type { Shop } from '../../support/transports.ts';

/** A request to capture dollars; `change` adds to the body or replaces the amount. */
export const take = (id: string, total: unknown, change: object = {}) => ({
  params: { authorization_id: id },
  body: { amount: { total, currency: 'USD' }, ...change },
});

/** The state an authorization is in. */
export async function stateOf(shop: Shop, authorizationId: string): Promise<string> {
  const params = { authorization_id: authorizationId };
  return (await shop.ask('auth.get', 200, { params })).state;
}

export const unknownId = '7AB89012CD3456789';

export const overLimit = {
  name: 'CAPTURE_AMOUNT_LIMIT_EXCEEDED',
  message: 'The capture is larger than what the authorization still allows',
};
