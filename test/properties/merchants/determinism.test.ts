/** Same seed, same requests, same clock: same bytes, on both transports and after a reset. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  transportNames,
  testNow,
  type TestTransport,
  type TransportName,
} from '../../support/transports.ts';
import type { SandboxOptions } from '../../../src/index.ts';
import { withTransport, runsFor } from '../support/own-transport.ts';
import { allKinds, walks, type Step } from '../support/client-steps.ts';
import { Walker } from '../support/client-walk.ts';
import { runs } from '../../support/vitest/runs.ts';

const options = { baseUrl: 'https://shop.test', clock: { start: testNow, frozen: true } };

async function heard(transport: TestTransport, walk: readonly Step[]): Promise<unknown> {
  const walker = await new Walker(transport.shop('merchant')).walk(walk);
  return [walker.transcript, structuredClone(walker.shop.merchant.ledger())];
}

const heardAfresh = (name: TransportName, more: SandboxOptions, walk: readonly Step[]) =>
  withTransport(name, { ...options, ...more }, (transport) => heard(transport, walk));

const fixtures = fc.constantFrom('empty', 'default');
const profile = fc.constantFrom('documented' as const, 'recorded' as const);

describe('the same seed, requests and clock', () => {
  it('give the same bytes in process and over a socket', () =>
    fc.assert(
      fc.asyncProperty(walks(20, allKinds), fixtures, profile, async (walk, from, as) => {
        const more = { seed: 'one', fixtures: from, profile: as };
        expect(await heardAfresh('socket', more, walk)).toEqual(
          await heardAfresh('in process', more, walk),
        );
      }),
      { numRuns: runs(15) },
    ));

  it('give other ids under another seed', () =>
    fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.string({ minLength: 1 }), { minLength: 2, maxLength: 2 }),
        async (seeds) => {
          const walk: Step[] = [{ ask: 'store', customer: undefined }, { ask: 'token' }];
          const [one, other] = await Promise.all(
            seeds.map((seed) =>
              withTransport('in process', { ...options, seed }, async (transport) =>
                new Walker(transport.shop('merchant')).walk(walk),
              ),
            ),
          );
          expect(one?.cards).not.toEqual(other?.cards);
          expect(one?.transcript[1]).not.toBe(other?.transcript[1]);
        },
      ),
      { numRuns: runs(50) },
    ));
});

describe.each(transportNames)('a reset (%s)', (name) => {
  it('makes a merchant indistinguishable from a fresh one', () =>
    fc.assert(
      fc.asyncProperty(
        walks(15, allKinds),
        walks(15, allKinds),
        fixtures,
        fc.constantFrom('reset' as const, 'resetAll' as const, 'deleteMerchant' as const),
        async (before, walk, from, how) => {
          const fresh = await heardAfresh(name, { fixtures: from }, walk);
          const again = await withTransport(
            name,
            { ...options, fixtures: from },
            async (transport) => {
              await heard(transport, before);
              if (how === 'deleteMerchant') transport.sandbox.deleteMerchant('merchant');
              else if (how === 'resetAll') transport.sandbox.all.reset();
              else transport.shop('merchant').merchant.reset();
              return heard(transport, walk);
            },
          );
          expect(again).toEqual(fresh);
        },
      ),
      runsFor(name, 20),
    ));

  it('does not affect other merchants', () =>
    fc.assert(
      fc.asyncProperty(walks(8, allKinds), walks(8, allKinds), async (walk, rest) => {
        const undisturbed = await heardAfresh(name, {}, [...walk, ...rest]);
        const disturbed = await withTransport(name, options, async (transport) => {
          const neighbour = new Walker(transport.shop('neighbour'));
          await neighbour.walk(walk);
          const walker = new Walker(transport.shop('merchant'));
          await walker.walk(walk);
          neighbour.shop.merchant.reset();
          await walker.walk(rest);
          return [walker.transcript, walker.shop.merchant.ledger()];
        });
        expect(disturbed).toEqual(undisturbed);
      }),
      runsFor(name, 20),
    ));
});
