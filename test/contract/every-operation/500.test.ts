import { expect, it } from 'vitest';
import type { OperationName } from '../../../src/contract/service/operation-name.ts';
import type { Exchange } from '../../../src/index.ts';
import { onEveryTransport, type TestTransport, type Shop } from '../../support/transports.ts';
import {
  alwaysRefused,
  expectProblem,
  jsonOperations,
  writes,
} from '../../support/requests/every-operation.ts';
import { makeSubjects, validRequest } from '../../support/requests/valid-requests.ts';

/** What a merchant holds, as the merchant sees it. */
async function holdings(shop: Shop): Promise<unknown> {
  return {
    cards: await shop.ask('card.list', 200),
    payments: await shop.ask('payment.list', 200),
    ledger: shop.merchant.ledger(),
  };
}

/** What goes wrong at a phase, if anything. */
class Bug {
  at: 'beforeRead' | 'beforeCommit' | undefined;
  readonly seen: Readonly<Exchange>[] = [];

  readonly strike = (phase: 'beforeRead' | 'beforeCommit') => (): void => {
    if (this.at === phase) throw new Error(`a bug ${phase}`);
  };
}

const bug = new Bug();

onEveryTransport(
  'every operation survives an exception',
  (transport) => {
    it.each(jsonOperations)(
      '500 %s: answers an exception before the request is read',
      async (name) => {
        await expectQuietFailure(transport, name, 'beforeRead');
      },
    );

    // The other writes are refused before it comes to a commit.
    it.each(writes.filter((name) => !alwaysRefused.includes(name)))(
      '500 %s: answers an exception before the operation is executed',
      async (name) => {
        await expectQuietFailure(transport, name, 'beforeCommit');
      },
    );

    it('500 token.create: answers an exception in the shape of OAuth', async () => {
      const shop = transport.shop();
      bug.at = 'beforeRead';
      const body = await shop.ask('token.create', 500, { body: 'grant_type=client_credentials' });
      bug.at = undefined;
      expect(body).toEqual({
        error: 'server_error',
        error_description: 'An internal service error has occurred',
      });
      await shop.ask('token.create', 200, { body: 'grant_type=client_credentials' });
    });
  },
  {
    hooks: {
      beforeRead: bug.strike('beforeRead'),
      beforeCommit: bug.strike('beforeCommit'),
    },
    listeners: {
      onExchange: (exchange) => {
        bug.seen.push(exchange);
      },
    },
  },
);

/** Nothing is stored, the listener gets the exception, and the same request then succeeds. */
async function expectQuietFailure(
  transport: TestTransport,
  name: OperationName,
  phase: 'beforeRead' | 'beforeCommit',
): Promise<void> {
  const shop = transport.shop();
  const request = {
    ...validRequest(name, await makeSubjects(shop)),
    headers: { 'PayPal-Request-Id': 'struck' },
  };
  const before = await holdings(shop);
  bug.at = phase;
  const reply = await shop.send(name, request);
  bug.at = undefined;

  expectProblem(reply, 500, 'INTERNAL_SERVICE_ERROR');
  expect(reply.text).not.toContain('a bug');
  expect(bug.seen.at(-1)).toMatchObject({
    operation: name,
    status: 500,
    problem: 'INTERNAL_SERVICE_ERROR',
    failure: new Error(`a bug ${phase}`),
    debugId: reply.headers.get('paypal-debug-id'),
  });
  expect(await holdings(shop)).toEqual(before);

  const again = await shop.send(name, request);
  expect(again.status).not.toBe(500);
  expect(again.headers.get('sandbox-replayed')).toBeNull();
}
