/** Worlds with anything forced are isolated, reset without a trace, and restored byte for byte. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { doorNames, testNow, type Door, type Shop } from '../../support/transports.ts';
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

const lifeAt = async (door: Door, id: string, deeds: readonly HistoryEvent[]) =>
  (await new ForcedHistory(door.shop(id)).live(deeds)).all;

function begin(shop: Shop, name: string | undefined): void {
  if (name !== undefined) shop.merchant.playScenario(name);
}

describe.each(doorNames)('merchants with rules and scenarios (%s)', (name) => {
  it(
    'receive the same bytes as they would alone',
    () =>
      fc.assert(
        fc.asyncProperty(
          histories(12),
          histories(12),
          scenario,
          fc.infiniteStream(fc.boolean()),
          async (one, other, play, turns) => {
            const alone = await withTransport(name, options, async (door) => {
              begin(door.shop('one'), play);
              return lifeAt(door, 'one', one);
            });
            const together = await withTransport(name, options, async (door) => {
              const [history, neighbour] = [
                new ForcedHistory(door.shop('one')),
                new ForcedHistory(door.shop('other')),
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
      ),
    60_000,
  );

  it(
    'are indistinguishable from new after a reset',
    () =>
      fc.assert(
        fc.asyncProperty(
          histories(10),
          histories(10),
          histories(8),
          scenario,
          async (before, kept, after, play) => {
            const fresh = await withTransport(name, options, (door) => lifeAt(door, 'one', after));
            const again = await withTransport(name, options, async (door) => {
              const { merchant } = door.shop('one');
              await lifeAt(door, 'one', before);
              merchant.snapshot('kept');
              begin(door.shop('one'), play);
              await lifeAt(door, 'one', kept);
              merchant.restore('kept');
              merchant.clock.resume();
              merchant.clock.freeze();
              merchant.force({ op: 'any', outcome: 'error-forever', times: 99 });
              merchant.reset();
              return lifeAt(door, 'one', after);
            });
            expect(again).toEqual(fresh);
          },
        ),
        runsFor(name, 20),
      ),
    60_000,
  );

  it(
    'continue from a snapshot as if nothing had happened since, however often it is restored',
    () =>
      fc.assert(
        fc.asyncProperty(
          histories(10),
          histories(8),
          histories(8),
          scenario,
          async (before, aside, after, play) => {
            const straight = await withTransport(name, options, async (door) => {
              begin(door.shop('one'), play);
              await lifeAt(door, 'one', before);
              return lifeAt(door, 'one', after);
            });
            const back = await withTransport(name, options, async (door) => {
              const { merchant } = door.shop('one');
              begin(door.shop('one'), play);
              await lifeAt(door, 'one', before);
              merchant.snapshot('here');
              await lifeAt(door, 'one', aside);
              begin(door.shop('one'), 'pending-then-denied');
              merchant.restore('here');
              const first = await lifeAt(door, 'one', after);
              merchant.restore('here');
              return [first, await lifeAt(door, 'one', after)];
            });
            expect(back).toEqual([straight, straight]);
          },
        ),
        runsFor(name, 20),
      ),
    60_000,
  );
});
