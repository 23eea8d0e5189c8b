/** Every outcome on every operation that can have it, and by every cardholder name that triggers it. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { OperationName } from '../../../../src/contract/service/operation-name.ts';
import { operationNames } from '../../../../src/contract/service/operations.ts';
import { canBeRequested } from '../../../../src/outcomes/catalogue.ts';
import type { FaultName, Outcome } from '../../../../src/outcomes/outcome.ts';
import { onEveryTransport, type Shop } from '../../../support/transports.ts';
import { alwaysRefused } from '../../../support/requests/every-operation.ts';
import { inOrder } from '../../../support/in-order.ts';
import { sell, storeCard } from '../../../support/purchases.ts';
import { paymentBody, rawPaymentBody } from '../../../support/samples.ts';
import { makeSubjects, type Subjects } from '../../../support/requests/valid-requests.ts';
import { booksOf } from '../books.ts';
import { see, type Seen } from '../tolerant-client.ts';
import { expectBooks } from './expected-books.ts';
import { answers, expectWire, usualStatus } from './expected-response.ts';
import {
  broughtAbout,
  forcible,
  leadUp,
  operationsOf,
  quickParams,
  requestFor,
  writes,
} from './request-plans.ts';
import { worldDocumentOf } from '../../../support/worlds/world-document.ts';

/** Outcomes that need the same connection or request twice. They have tests of their own. */
const needsTwo = ({ effect }: Outcome): boolean =>
  effect.kind === 'ignore-request-id' ||
  (effect.kind === 'fault' && effect.fault === 'reset-if-reused');

/** Refuses connections of every merchant, so it has a test of its own. */
const refusesConnections = ({ effect }: Outcome): boolean => effect.kind === 'refuse-connections';

const alike = forcible.filter((outcome) => !needsTwo(outcome) && !refusesConnections(outcome));

/** Changes only the time of a response. */
const onlySlow: readonly FaultName[] = ['slow-first-byte', 'varying-delay', 'slow-dribble'];

/** Whether the response must differ from the usual one. */
function rewrites({ effect }: Outcome): boolean {
  return effect.kind === 'dialect' || (effect.kind === 'fault' && !onlySlow.includes(effect.fault));
}

/** Everything that a client reads of a response, except the header that names the outcome. */
function disclosedBy({ status, headers, text, broke }: Seen): string {
  const read = [...headers].filter(([name]) => name !== 'sandbox-outcome');
  return JSON.stringify([status, read, text, broke]);
}

/** The records and scheduled events of a merchant, from an export that no rule affects. */
function heldBy(shop: Shop) {
  const { records, transfers, scheduledEvents } = worldDocumentOf(shop.merchant);
  return { records, transfers, scheduledEvents };
}

type Held = ReturnType<typeof heldBy>;

/** A request that is planned differently draws other ids, so only their order is compared. */
function withoutIds({ records, transfers }: Held): unknown {
  const places = new Map<string, number>();
  const text = JSON.stringify({ records, transfers }).replaceAll(
    /"(?:PAY-|CARD-)?(?=[0-9A-Z]*\d)[0-9A-Z]{17,24}"/g,
    (id) => {
      if (!places.has(id)) places.set(id, places.size);
      return `"#${places.get(id)}"`;
    },
  );
  return JSON.parse(text);
}

/** No outcome applies to these after they are read. */
const refusedAnyway: ReadonlySet<OperationName> = new Set(alwaysRefused);

onEveryTransport(
  'an armed outcome',
  (transport) => {
    // Outcomes without a transport fault are the same over every transport.
    const shown =
      transport.name === 'socket' ? alike.filter(({ effect }) => effect.kind === 'fault') : alike;

    let shop: Shop;
    let subjects: Subjects;
    /** The records of the merchant after each request without a forced outcome. */
    const undisturbed = new Map<OperationName, Held>();
    const undisturbedAnswers = new Map<OperationName, string>();

    beforeAll(async () => {
      shop = transport.shop();
      subjects = await makeSubjects(shop);
      shop.merchant.snapshot('ready');
      await inOrder(operationNames, async (operation) => {
        shop.merchant.restore('ready');
        const seen = await see(shop, operation, requestFor(operation, subjects));
        undisturbedAnswers.set(operation, disclosedBy(seen));
        undisturbed.set(operation, heldBy(shop));
      });
    });

    it.each(shown)('happens on each operation of its catalogue row: $id', async (outcome) => {
      const names = operationsOf(outcome).filter(
        (name) => !refusedAnyway.has(name) || outcome.phase === 'before-read',
      );
      await inOrder(names, async (operation) => {
        shop.merchant.restore('ready');
        const step = { outcome: outcome.id, with: quickParams(outcome) };
        const call = await leadUp(shop, outcome, operation, subjects);
        const before = heldBy(shop);
        shop.merchant.force({ op: operation, per: 'merchant', outcome: step });
        const seen = await see(shop, operation, call);
        expect(shop.merchant.unfired(), operation).toEqual([]);
        const brought = broughtAbout(outcome, seen.headers.get('sandbox-outcome'));
        expectIt(brought, operation, seen);
        if (rewrites(brought)) {
          expect(disclosedBy(seen), operation).not.toBe(undisturbedAnswers.get(operation));
        }
        expectJournaled(shop, brought, operation, seen);
        expectHeld(brought, operation, before, heldBy(shop), undisturbed.get(operation));
      });
    });
  },
  { baseUrl: 'https://sandbox.test' },
);

/**
 * A request that is not executed leaves no trace. An executed request leaves the same records as without an outcome.
 * Outcomes with another result have tests of their own.
 */
function expectHeld(
  { commit, effect, phase }: Outcome,
  operation: OperationName,
  before: Held,
  after: Held,
  undisturbed: Held | undefined,
): void {
  if (['payment', 'refund', 'twice', 'card-deleted'].includes(effect.kind)) return;
  const carriedOut = commit === 'mixed' ? phase === 'after-commit' : commit !== 'never';
  if (!carriedOut || !writes(operation)) expect(after, operation).toEqual(before);
  else if (effect.kind === 'wait-before-commit') {
    // The plan is made again after the wait, with another id.
    expect(withoutIds(after), operation).toEqual(undisturbed && withoutIds(undisturbed));
  } else if (effect.kind === 'later' || effect.kind === 'card') {
    expect(undisturbed && withoutIds(after), operation).toEqual(
      undisturbed && withoutIds(undisturbed),
    );
    expect(after.scheduledEvents.length, operation).toBeGreaterThan(before.scheduledEvents.length);
  } else expect(after, operation).toEqual(undisturbed);
}

/** The journal has the status that was sent, and for a fault the conclusion of the catalogue row. */
function expectJournaled(
  { merchant }: Shop,
  outcome: Outcome,
  operation: OperationName,
  { status }: Seen,
): void {
  const [entry] = merchant.journal({ operation, limit: 1 }).entries;
  if (status !== undefined) expect(entry?.status, operation).toBe(status);
  if (outcome.effect.kind !== 'fault' || outcome.concludes === 'READ') return;
  expect(entry?.concludes, operation).toBe(outcome.concludes);
}

function expectIt(outcome: Outcome, operation: OperationName, seen: Seen): void {
  const said = answers(outcome) ? `${outcome.id}; by=armed` : null;
  expect(seen.headers.get('sandbox-outcome'), operation).toBe(said);
  const changesAnswer = [
    'error',
    'page',
    'unauthenticated',
    'token-error',
    'fault',
    'card-deleted',
  ];
  const changed = changesAnswer.includes(outcome.effect.kind) || 'answer' in outcome.effect;
  if (!changed) {
    if (outcome.effect.kind === 'not-visible-yet') expect(seen.status).toBe(404);
    else expect([operation, seen.status]).toEqual([operation, usualStatus(operation)]);
  } else expectWire(outcome, operation, usualStatus(operation), seen);
}

onEveryTransport('a cardholder name of SBX- and an outcome id', (transport) => {
  const named = alike.filter(
    (outcome) =>
      canBeRequested(outcome) &&
      ['payment.create', 'sale.refund'].some((name) =>
        operationsOf(outcome).some((one) => one === name),
      ) &&
      // A name cannot set parameters, so these outcomes would be slow.
      !Object.values(outcome.parameters).some(({ type }) => type === 'ms'),
  );

  it.each(named)('triggers $id, even if the id continues in the last name', async (outcome) => {
    const shop = transport.shop();
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

  it('triggers the outcome for a raw card, too', async () => {
    const shop = transport.shop();
    const body = rawPaymentBody({ first_name: 'CCREJECT-IF' });
    const seen = await see(shop, 'payment.create', { body });
    expect(seen.headers.get('sandbox-outcome')).toBe('decline-insufficient-funds; by=name');
    expect(seen.status).toBe(400);
  });

  it('triggers nothing if the outcome needs several requests, affects other clients or cannot be forced', async () => {
    const shop = transport.shop();
    const ids = [
      'soft-decline-then-approve',
      'brownout',
      'card-deleted',
      'error-then-ok',
      'connect-refused',
    ];
    await inOrder(ids, async (id) => {
      const cardId = await storeCard(shop, { first_name: 'SBX-', last_name: id });
      const seen = await see(shop, 'payment.create', { body: paymentBody({ cardId }) });
      expect([seen.status, seen.headers.get('sandbox-outcome')]).toEqual([201, null]);
    });
  });
});

describe('every catalogue row', () => {
  it('is covered by this test or by a test of its own', () => {
    expect(forcible.filter((outcome) => !alike.includes(outcome)).map(({ id }) => id)).toEqual([
      'request-id-forgotten',
      'request-id-ignored',
      'connect-refused',
      'keepalive-race',
    ]);
  });
});
