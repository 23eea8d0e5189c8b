/** After a restore everything happens as if the time in between had not existed. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { doorNames, testNow } from '../../support/transports.ts';
import { atDoor, runsAt } from '../../properties/support/own-transport.ts';
import { busyScenario, Life, lives } from './merchant-history.ts';

const options = { baseUrl: 'https://shop.test', clock: { start: testNow, frozen: true } };
const fixtures = fc.constantFrom('empty', 'default');
const playing = fc.boolean();

describe.each(doorNames)('a restored snapshot (%s)', (name) => {
  it(
    'continues byte for byte, however often it is restored',
    () =>
      fc.assert(
        fc.asyncProperty(
          lives,
          lives,
          lives,
          fixtures,
          playing,
          async (before, between, after, from, plays) => {
            const straight = await atDoor(name, { ...options, fixtures: from }, async (door) => {
              const life = new Life(door, 'merchant');
              if (plays) life.merchant.playScenario(busyScenario);
              return (await (await life.live(before)).at(door).live(after)).transcript;
            });
            await atDoor(name, { ...options, fixtures: from }, async (door) => {
              const life = new Life(door, 'merchant');
              if (plays) life.merchant.playScenario(busyScenario);
              await life.live(before);
              const then = life.at(door);
              life.merchant.snapshot('then');
              await life.live(between);
              for (let time = 0; time < 2; time++) {
                life.merchant.restore('then');
                const restored = await then.at(door).live(after);
                expect(restored.transcript).toEqual(straight);
                if (time === 0) life.merchant.reset();
              }
            });
          },
        ),
        runsAt(name, 60),
      ),
    120_000,
  );

  it(
    'of one merchant does not affect others, nor theirs this one',
    () =>
      fc.assert(
        fc.asyncProperty(lives, lives, lives, async (before, between, after) => {
          const alone = await atDoor(name, options, async (door) => {
            const life = await new Life(door, 'one').live(before);
            await life.live(between);
            return (await life.live(after)).transcript;
          });
          const together = await atDoor(name, options, async (door) => {
            const [one, other] = [new Life(door, 'one'), new Life(door, 'other')];
            await one.live(before);
            one.merchant.snapshot('then');
            other.merchant.snapshot('then');
            await other.live(after);
            await one.live(between);
            other.merchant.restore('then');
            other.merchant.dropSnapshot('then');
            expect(one.merchant.snapshots()).toHaveLength(1);
            return (await one.live(after)).transcript;
          });
          expect(together).toEqual(alone);
        }),
        runsAt(name, 20),
      ),
    120_000,
  );
});
