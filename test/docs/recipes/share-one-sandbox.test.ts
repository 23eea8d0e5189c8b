/** Share one sandbox in a team: a client id for each person or branch, and a token for the control API. */
import { afterAll, expect, it } from 'vitest';
import { connect, createSandbox } from 'card-vault-sandbox';
import { openShop } from './shop.ts';

// On a server: card-vault-sandbox serve --host 0.0.0.0 --real-cards refuse --control-token "$TOKEN"
const running = createSandbox({ realCards: 'refuse', controlToken: 'team-secret' });
const { url } = await running.listen({ port: 0 });
afterAll(() => running.close());

it('isolates the rules and verdicts of each person', async () => {
  const ada = connect(url, { merchant: 'ada', token: 'team-secret' });
  const grace = connect(url, { merchant: 'grace', token: 'team-secret' });
  await ada.force({ op: 'payment.create', outcome: 'decline-generic' });

  expect(await openShop(grace.fetch, grace.id).pay({ id: 'INV-1', total: '30.11' })).toBe('paid');
  expect(await openShop(ada.fetch, ada.id).pay({ id: 'INV-1', total: '30.11' })).toBe('declined');

  expect((await grace.verdict()).purchases).toHaveLength(1);
  await ada.reset(); // grace's world is unchanged
  expect((await grace.journal({ operation: 'payment.create' })).entries).toHaveLength(1);
});
