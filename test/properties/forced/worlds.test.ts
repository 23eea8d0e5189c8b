/** Worlds with anything forced are isolated, reset without a trace, and restored byte for byte. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  transportNames,
  testNow,
  type TestTransport,
  type Shop,
} from '../../support/transports.ts';
import { ForcedHistory, histories, type HistoryEvent } from './forced-history.ts';
import { withTransport, runsFor } from '../support/own-transport.ts';

const options = {
  seed: 'one',
  baseUrl: 'http://shop.test',
  clock: { start: testNow, frozen: true },
} as const;

/** Scenarios without waits on the machine's clock. */
const scenario = fc.constantFrom(
  undefined,
  'lost-answer',
  'dunning',
  'chargeback',
  'refund-chaos',
  'token-trouble',
);

const lifeAt = async (transport: TestTransport, id: string, deeds: readonly HistoryEvent[]) =>
  (await new ForcedHistory(transport.shop(id)).live(deeds)).all;

function begin(shop: Shop, name: string | undefined): void {
  if (name !== undefined) shop.merchant.playScenario(name);
}

describe.each(transportNames)('merchants with rules and scenarios (%s)', (name) => {
  it('receive the same bytes as they would alone', () =>
    fc.assert(
      fc.asyncProperty(
        histories(12),
        histories(12),
        scenario,
        fc.infiniteStream(fc.boolean()),
        async (one, other, play, turns) => {
          const alone = await withTransport(name, options, async (transport) => {
            begin(transport.shop('one'), play);
            return lifeAt(transport, 'one', one);
          });
          const together = await withTransport(name, options, async (transport) => {
            const [history, neighbour] = [
              new ForcedHistory(transport.shop('one')),
              new ForcedHistory(transport.shop('other')),
            ];
            begin(history.shop, play);
            const rest = [...other];
            for (const historyEvent of one) {
              while (rest.length > 0 && turns.next().value) {
                await neighbour.live(rest.splice(0, 1));
              }
              await history.do(historyEvent);
            }
            return history.all;
          });
          expect(together).toEqual(alone);
        },
      ),
      runsFor(name, 25),
    ));

  it('are indistinguishable from new after a reset', () =>
    fc.assert(
      fc.asyncProperty(
        histories(10),
        histories(10),
        histories(8),
        scenario,
        async (before, kept, after, play) => {
          const fresh = await withTransport(name, options, (transport) =>
            lifeAt(transport, 'one', after),
          );
          const again = await withTransport(name, options, async (transport) => {
            const { merchant } = transport.shop('one');
            await lifeAt(transport, 'one', before);
            merchant.snapshot('kept');
            begin(transport.shop('one'), play);
            await lifeAt(transport, 'one', kept);
            merchant.restore('kept');
            merchant.clock.resume();
            merchant.clock.freeze();
            merchant.force({ op: 'any', outcome: 'error-forever', times: 99 });
            merchant.reset();
            return lifeAt(transport, 'one', after);
          });
          expect(again).toEqual(fresh);
        },
      ),
      runsFor(name, 20),
    ));

  it('continue from a snapshot as if nothing had happened since, however often it is restored', () =>
    fc.assert(
      fc.asyncProperty(
        histories(10),
        histories(8),
        histories(8),
        scenario,
        async (before, aside, after, play) => {
          const straight = await withTransport(name, options, async (transport) => {
            begin(transport.shop('one'), play);
            await lifeAt(transport, 'one', before);
            return lifeAt(transport, 'one', after);
          });
          const back = await withTransport(name, options, async (transport) => {
            const { merchant } = transport.shop('one');
            begin(transport.shop('one'), play);
            await lifeAt(transport, 'one', before);
            merchant.snapshot('here');
            await lifeAt(transport, 'one', aside);
            begin(transport.shop('one'), 'pending-then-denied');
            merchant.restore('here');
            const first = await lifeAt(transport, 'one', after);
            merchant.restore('here');
            return [first, await lifeAt(transport, 'one', after)];
          });
          expect(back).toEqual([straight, straight]);
        },
      ),
      runsFor(name, 20),
    ));
});
