/** The reference client under every outcome, over real sockets: its beliefs agree with the facts, and it gets no finding. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSandbox, type Listening } from '../../../src/index.ts';
import type { Outcome } from '../../../src/outcomes/outcome.ts';
import { forcible, operationsOf, quickParams } from '../forcing/catalogue/request-plans.ts';
import { openReferenceShop } from './reference/reference-shop.ts';
import { operationScenarios, type OperationScenario } from './reference/scenarios.ts';
import { maxTries } from './reference/surroundings.ts';

const sandbox = createSandbox({ seed: 'reference', clock: { frozen: true } });
let transport: Listening;
let shops = 0;

beforeAll(async () => {
  transport = await sandbox.listen({ port: 0 });
});
afterAll(() => sandbox.close());

/**
 * The outcomes after which the client cannot know what happened, although nothing was done, each with its reason.
 *
 * After any other outcome the client must know.
 */
const unknowable: Readonly<Record<string, { readonly why: string; readonly once?: true }>> =
  (() => {
    const silence = {
      why: 'No answer shows the outcome, and a missing record proves nothing.',
    };
    const contradiction = {
      why: 'The answer refers to an earlier record that does not exist.',
      once: true,
    } as const;
    return {
      'error-500-before-commit': silence,
      'error-502-before-commit': silence,
      'error-503-before-commit': silence,
      'error-504-before-commit': silence,
      'error-forever': silence,
      'reset-before-commit': silence,
      'hang-before-commit': silence,
      'request-in-progress': silence,
      'maintenance-window': silence,
      'partial-outage-payments': silence,
      'partial-outage-vault': silence,
      // What is drawn may have been done or not; where it was, it is found.
      brownout: silence,
      // The first try was reset, and all the client's waits are over before the transport opens again.
      'connect-refused': { ...silence, once: true },
      'duplicate-invoice': contradiction,
      'suspected-duplicate': contradiction,
      'payment-already-done': contradiction,
      'refund-already-done': contradiction,
      // Of a card to be deleted.
      'card-unknown': contradiction,
    };
  })();

/** The outcomes of the list that were needed, so that the list stays short. */
const seenUnknown = new Set<string>();

const often = 50;

const hangs = ({ effect }: Outcome): boolean => effect.kind === 'fault' && effect.fault === 'hang';
const shuts = ({ effect }: Outcome): boolean => effect.kind === 'refuse-connections';

async function meet({ operation, prepare }: OperationScenario, outcome: Outcome, always: boolean) {
  const merchant = sandbox.merchant(`shop-${++shops}`);
  // An outcome that refuses connections refuses them for all merchants.
  const own = shuts(outcome) ? await sandbox.listen({ port: 0 }) : undefined;
  const counter = openReferenceShop(merchant, (own ?? transport).url);
  const { run, effects } = await prepare(counter);
  const { entries: before } = merchant.journal({ operation });
  merchant.force({
    op: operation,
    per: 'merchant',
    outcome: { outcome: outcome.id, with: hangs(outcome) ? {} : quickParams(outcome) },
    ...(always ? { times: often } : {}),
  });
  const belief = await run();
  const { entries: requests } = merchant.journal({ operation });
  const happened = await effects(sandbox);
  await own?.close();
  if (asksLater.has(outcome.id)) {
    // A correct client asks later what became of pending money.
    merchant.clock.advance('P3D');
    await merchant.fetch(`${transport.url}/v1/payments/payment`);
  }
  const { findings } = await merchant.verdict();
  return { belief, happened, tries: requests.length - before.length, findings };
}

const asksLater: ReadonlySet<string> = new Set(['sale-pending-then-denied', 'refund-failed-later']);

/** How often the operation may have happened, by the belief about it. */
const agreed = { done: 1, pending: 0, 'not-done': 0, unknown: 0 } as const;

describe.each(operationScenarios)('$operation', (play) => {
  const outcomes = forcible.filter((outcome) => operationsOf(outcome).includes(play.operation));

  it.each(
    outcomes.flatMap((outcome) =>
      (['once', 'always'] as const).map((how) => ({ id: outcome.id, how, outcome })),
    ),
  )('is believed as it is, and gets no finding, with $id $how', async ({ id, how, outcome }) => {
    const { belief, happened, tries, findings } = await meet(play, outcome, how === 'always');
    expect([belief, happened]).toEqual([belief, agreed[belief.state]]);
    expect(tries).toBeLessThanOrEqual(maxTries);
    // A void moves no money, so it has no verdict of its own.
    if (play.operation !== 'auth.void') {
      expect(findings.map(({ rule, what }) => `${rule}: ${what}`)).toEqual([]);
    }
    if (belief.state === 'pending') expect(outcome.commit).toBe('deferred');
    if (belief.state === 'unknown') {
      seenUnknown.add(id);
      expect(unknowable[id], `${id} leaves it unknown: ${belief.why}`).toBeDefined();
      expect(how === 'always' || unknowable[id]?.once, `${id} once`).toBe(true);
    }
    const final = ['never', 'after-fix', 'new-key'].includes(outcome.retry);
    if (final && outcome.concludes === 'FAIL' && outcome.commit === 'never') {
      // A refused token is renewed once.
      const renewed = outcome.effect.kind === 'unauthenticated' && how === 'always' ? 1 : 0;
      expect(tries).toBe(1 + Math.max(renewed, outcome.id === 'token-revoked' ? 1 : 0));
    }
  });
});

it('is uncertain only after the outcomes that are listed with a reason', () => {
  const needed = Object.keys(unknowable).filter((id) => id !== 'brownout');
  expect(needed.filter((id) => !seenUnknown.has(id))).toEqual([]);
});
