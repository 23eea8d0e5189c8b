/**
 * The reference client gets no finding on a clock that runs, whatever outcome is forced. `npm test` tries it on a clock
 * that stands still, in test/behaviour/model-clients.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSandbox, type Listening, type Sandbox } from '../../../src/index.ts';
import type { Outcome } from '../../../src/outcomes/outcome.ts';
import { forcible, operationsOf, quickParams } from '../forcing/catalogue/request-plans.ts';
import { openReferenceShop } from '../model-clients/reference/reference-shop.ts';
import { operationScenarios } from '../model-clients/reference/scenarios.ts';

const hangs = ({ effect }: Outcome): boolean => effect.kind === 'fault' && effect.fault === 'hang';
const shuts = ({ effect }: Outcome): boolean => effect.kind === 'refuse-connections';

/** A void moves no money, so it has no verdict of its own. */
const played = operationScenarios.filter(({ operation }) => operation !== 'auth.void');

describe('the reference client', () => {
  let sandbox: Sandbox;
  let transport: Listening;
  let shops = 0;
  beforeAll(async () => {
    sandbox = createSandbox({ seed: 'blameless', clock: {} });
    transport = await sandbox.listen({ port: 0 });
  });
  afterAll(() => sandbox.close());

  describe.each(played)('$operation', ({ operation, prepare }) => {
    const outcomes = forcible.filter((outcome) => operationsOf(outcome).includes(operation));
    it.each(
      outcomes.flatMap((outcome) =>
        (['once', 'always'] as const).map((how) => ({ id: outcome.id, how, outcome })),
      ),
    )('gets no finding with $id $how', async ({ id, how, outcome }) => {
      const merchant = sandbox.merchant(`shop-${++shops}`);
      // One that shuts the transport shuts it for everybody.
      const own = shuts(outcome) ? await sandbox.listen({ port: 0 }) : undefined;
      const { run } = await prepare(openReferenceShop(merchant, (own ?? transport).url));
      merchant.force({
        op: operation,
        per: 'merchant',
        outcome: { outcome: id, with: hangs(outcome) ? {} : quickParams(outcome) },
        ...(how === 'always' ? { times: 50 } : {}),
      });
      await run();
      if (id === 'sale-pending-then-denied' || id === 'refund-failed-later') {
        // A correct client asks later what became of pending money.
        merchant.clock.advance('P3D');
        await merchant.fetch(`${transport.url}/v1/payments/payment`);
      }
      const { findings } = await merchant.verdict();
      await own?.close();
      expect(findings.map(({ rule, what }) => `${rule}: ${what}`)).toEqual([]);
    });
  });
});
