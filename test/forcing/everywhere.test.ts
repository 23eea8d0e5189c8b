/** Every outcome on every operation it can happen to; and by every name that a cardholder can have for it. */
import { describe, expect, it } from 'vitest';
import type { OperationName } from '../../src/contract/operations.ts';
import { standsAlone } from '../../src/outcomes/catalogue.ts';
import type { Outcome } from '../../src/outcomes/outcome.ts';
import { throughEveryDoor } from '../support/doors.ts';
import { inOrder } from '../support/in-order.ts';
import { sell, storeCard } from '../support/purchases.ts';
import { paymentBody, rawPaymentBody } from '../support/samples.ts';
import { makeSubjects } from '../support/valid-requests.ts';
import { booksOf } from './books.ts';
import { see, type Seen } from './client.ts';
import { expectBooks } from './expect-books.ts';
import { answers, expectWire, usualStatus } from './expect-wire.ts';
import { broughtAbout, forcible, leadUp, operationsOf, quickParams } from './plans.ts';

/** A card authorization is never renewed, so nothing is forced on a renewal once it was read. */
const refusedAnyway: OperationName = 'auth.reauthorize';

/** Needs the same connection twice, or the same request: both have tests of their own. */
const needsTwo = ({ effect }: Outcome): boolean =>
  effect.kind === 'ignore-request-id' ||
  (effect.kind === 'fault' && effect.fault === 'reset-if-reused');

/** Shuts the door for everybody, so it is shown once, in a test of its own. */
const shutsDoor = ({ effect }: Outcome): boolean => effect.kind === 'refuse-connections';

const alike = forcible.filter((outcome) => !needsTwo(outcome) && !shutsDoor(outcome));

/** These end what others are about, so they come last. */
const ends: readonly OperationName[] = ['card.delete', 'auth.void'];

/** What an answer without a body cannot lose. */
function survives(outcome: Outcome, operation: OperationName): boolean {
  const { effect, phase } = outcome;
  return (
    usualStatus(operation) === 204 &&
    effect.kind === 'fault' &&
    answers(outcome) &&
    effect.fault !== 'html-page' &&
    phase !== 'before-read'
  );
}

throughEveryDoor(
  'an outcome armed by hand',
  (door) => {
    // What no wire has a part in is the same at every door.
    const shown =
      door.name === 'socket' ? alike.filter(({ effect }) => effect.kind === 'fault') : alike;

    it.each(shown)('$id happens on each operation that the row names', async (outcome) => {
      const shop = door.shop();
      const names = operationsOf(outcome)
        .filter((name) => name !== refusedAnyway || outcome.phase === 'before-read')
        .toSorted((one, other) => ends.indexOf(one) - ends.indexOf(other));
      const subjects = await makeSubjects(shop);
      await inOrder(names, async (operation) => {
        const step = { outcome: outcome.id, with: quickParams(outcome) };
        const call = await leadUp(shop, outcome, operation, subjects);
        const before = await booksOf(shop);
        shop.merchant.force({ op: operation, per: 'merchant', outcome: step });
        const seen = await see(shop, operation, call);
        expect(shop.merchant.unfired(), operation).toEqual([]);
        shop.merchant.disarm();
        const brought = broughtAbout(outcome, seen.headers.get('sandbox-outcome'));
        expectIt(brought, operation, seen);
        const after = await booksOf(shop);
        if (brought.commit === 'never') expectBooks(brought, operation, before, after);
      });
    });
  },
  { baseUrl: 'https://sandbox.test' },
);

function expectIt(outcome: Outcome, operation: OperationName, seen: Seen): void {
  const said = answers(outcome) ? `${outcome.id}; by=armed` : null;
  expect(seen.headers.get('sandbox-outcome'), operation).toBe(said);
  const changesAnswer = ['error', 'page', 'unauthenticated', 'token-error', 'fault'];
  const changed = changesAnswer.includes(outcome.effect.kind) || 'answer' in outcome.effect;
  if (survives(outcome, operation) || !changed) {
    if (outcome.effect.kind === 'not-visible-yet') expect(seen.status).toBe(404);
    else expect([operation, seen.status]).toEqual([operation, usualStatus(operation)]);
  } else expectWire(outcome, operation, usualStatus(operation), seen);
}

throughEveryDoor('a cardholder called SBX- and an id', (door) => {
  const named = alike.filter(
    (outcome) =>
      standsAlone(outcome) &&
      ['payment.create', 'sale.refund'].some((name) =>
        operationsOf(outcome).some((one) => one === name),
      ) &&
      // Parameters cannot be given in a name, so these would take their time.
      !Object.values(outcome.parameters).some(({ type }) => type === 'ms'),
  );

  it.each(named)('asks for $id, though the id may run over into the last name', async (outcome) => {
    const shop = door.shop();
    const name = `SBX-${outcome.id}`;
    const holder = { first_name: name.slice(0, 20), last_name: name.slice(20) || 'Tester' };
    const cardId = await storeCard(shop, holder);
    const onPayment = operationsOf(outcome).includes('payment.create');
    const operation = onPayment ? 'payment.create' : 'sale.refund';
    const sale = onPayment ? undefined : await sell(shop, { cardId });
    const call =
      sale === undefined
        ? { body: paymentBody({ cardId }) }
        : { path: `/v1/payments/sale/${sale.id}/refund`, body: {} };
    const before = await booksOf(shop);
    const seen = await see(shop, operation, call);
    expect(seen.headers.get('sandbox-outcome')).toBe(
      answers(outcome) ? `${outcome.id}; by=name` : null,
    );
    expectWire(outcome, operation, 201, seen);
    expectBooks(outcome, operation, before, await booksOf(shop));
  });

  it('asks with a raw card as well', async () => {
    const shop = door.shop();
    const body = rawPaymentBody({ first_name: 'CCREJECT-IF' });
    const seen = await see(shop, 'payment.create', { body });
    expect(seen.headers.get('sandbox-outcome')).toBe('decline-insufficient-funds; by=name');
    expect(seen.status).toBe(400);
  });

  it('asks for nothing where the outcome takes more than one request, or comes by itself', async () => {
    const shop = door.shop();
    const ids = ['soft-decline-then-approve', 'brownout', 'card-deleted', 'error-then-ok'];
    await inOrder(ids, async (id) => {
      const cardId = await storeCard(shop, { first_name: 'SBX-', last_name: id });
      const seen = await see(shop, 'payment.create', { body: paymentBody({ cardId }) });
      expect([seen.status, seen.headers.get('sandbox-outcome')]).toEqual([201, null]);
    });
  });
});

describe('the rows', () => {
  it('are all held by a test here or in a test of their own', () => {
    expect(forcible.filter((outcome) => !alike.includes(outcome)).map(({ id }) => id)).toEqual([
      'request-id-forgotten',
      'request-id-ignored',
      'connect-refused',
      'keepalive-race',
    ]);
  });
});
