/** After a restore everything happens as if the time in between had not existed. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { transportNames, testNow } from '../../support/transports.ts';
import { withTransport, runsFor } from '../../properties/support/own-transport.ts';
import { busyScenario, MerchantHistory, histories } from './merchant-history.ts';

const options = { baseUrl: 'https://shop.test', clock: { start: testNow, frozen: true } };
const fixtures = fc.constantFrom('empty', 'default');
const playing = fc.boolean();

describe.each(transportNames)('a restored snapshot (%s)', (name) => {
  it('continues byte for byte, however often it is restored', () =>
    fc.assert(
      fc.asyncProperty(
        histories,
        histories,
        histories,
        fixtures,
        playing,
        async (before, between, after, from, plays) => {
          const straight = await withTransport(
            name,
            { ...options, fixtures: from },
            async (transport) => {
              const history = new MerchantHistory(transport, 'merchant');
              if (plays) history.merchant.playScenario(busyScenario);
              return (await (await history.live(before)).at(transport).live(after)).transcript;
            },
          );
          await withTransport(name, { ...options, fixtures: from }, async (transport) => {
            const history = new MerchantHistory(transport, 'merchant');
            if (plays) history.merchant.playScenario(busyScenario);
            await history.live(before);
            const then = history.at(transport);
            history.merchant.snapshot('then');
            await history.live(between);
            for (let time = 0; time < 2; time++) {
              history.merchant.restore('then');
              const restored = await then.at(transport).live(after);
              expect(restored.transcript).toEqual(straight);
              if (time === 0) history.merchant.reset();
            }
          });
        },
      ),
      runsFor(name, 60),
    ));

  it('does not affect other merchants, nor theirs this one', () =>
    fc.assert(
      fc.asyncProperty(histories, histories, histories, async (before, between, after) => {
        const alone = await withTransport(name, options, async (transport) => {
          const history = await new MerchantHistory(transport, 'one').live(before);
          await history.live(between);
          return (await history.live(after)).transcript;
        });
        const together = await withTransport(name, options, async (transport) => {
          const [one, other] = [
            new MerchantHistory(transport, 'one'),
            new MerchantHistory(transport, 'other'),
          ];
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
      runsFor(name, 20),
    ));
});
