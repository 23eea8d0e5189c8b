/** Test token expiry: advance the clock, and see your client request a new token. */
import { expect, it } from 'vitest';
import { createSandbox } from 'card-vault-sandbox';
import { openShop } from './shop.ts';

it('requests a new token after the old one expired', async () => {
  const sandbox = createSandbox({ fixtures: 'empty' });
  const shop = openShop(sandbox.fetch, 'default');
  expect(await shop.pay({ id: 'INV-1', total: '30.11' })).toBe('paid');

  sandbox.clock.advance(10 * 60 * 60 * 1000); // tokens are valid for nine hours

  expect(await shop.pay({ id: 'INV-2', total: '30.11' })).toBe('paid');
  const { entries: requests } = sandbox.journal();
  expect(requests.map(({ operation, status }) => `${operation} ${status}`)).toEqual([
    'token.create 200',
    'payment.create 201',
    'payment.create 401',
    'token.create 200',
    'payment.create 201',
  ]);
});
