/** Timeline events without effect fail a verdict, like rules that never fired. */
import { describe, expect, it } from 'vitest';
import { scenario } from '../../../../src/index.ts';
import { onEveryTransport, type Shop } from '../../../support/transports.ts';
import { dayMs, sell, storeCard } from '../../../support/purchases.ts';
import { paymentBody } from '../../../support/samples.ts';
import type { StepDocument } from '../../../../src/scenarios/document.ts';

const card = {
  ref: 'anna',
  number: '4417119669820331',
  type: 'visa',
  expire: '2031-11',
} as const;
const event = 'sale-reversed-later';
const about = (name: string) => scenario(name).card(card);

/** The reasons and rows of the verdict about events. */
async function missedIn(shop: Shop, order: { allowUnfired?: boolean } = {}) {
  const { passed, reasons, missed } = await shop.merchant.verdict({
    ...order,
    allowNoRequests: true,
  });
  expect(passed).toBe(reasons.length === 0);
  return { texts: reasons.map(({ kind, text }) => `${kind}: ${text}`), missed };
}

onEveryTransport('a timeline event', (transport) => {
  it('is reported if it found no sale, unless the verdict allows it', async () => {
    const shop = transport.shop();
    shop.merchant.playScenario(about('none').event('+P1D', event).build());
    await storeCard(shop);
    shop.merchant.clock.advance(dayMs);
    const why = 'no sale existed yet';
    expect(await missedIn(shop)).toEqual({
      texts: [`missed-event: The event ${event} (timeline[0]) had no effect: ${why}.`],
      missed: [{ place: 'timeline[0]', event, why }],
    });
    const allowed = await missedIn(shop, { allowUnfired: true });
    expect(allowed).toEqual({ texts: [], missed: [{ place: 'timeline[0]', event, why }] });
  });

  it('is reported with its card if no sale was made with that card', async () => {
    const shop = transport.shop();
    shop.merchant.playScenario(about('other').event('+P1D', event, { card: 'anna' }).build());
    const cardId = await storeCard(shop);
    await shop.ask('payment.create', 201, { body: paymentBody({ cardId }) });
    shop.merchant.clock.advance(dayMs);
    expect((await missedIn(shop)).missed).toMatchObject([
      { why: 'no sale with the card "anna" existed yet' },
    ]);
  });

  const soon = { after: 'PT1S' };

  it.each([
    ['declined-inside-201', {}, 'chargeback-opened-won-lost', 'was denied'],
    ['sale-pending-then-completed', {}, event, 'was pending'],
    [event, soon, event, 'was reversed'],
    ['chargeback-opened-won-lost', soon, 'chargeback-opened-won-lost', 'had already been disputed'],
  ] as const)('has no effect after %s %j: %s', async (outcome, parameters, next, state) => {
    const shop = transport.shop();
    shop.merchant.playScenario(about('done').event('+P1D', next).build());
    shop.merchant.force({ op: 'payment.create', outcome: { outcome, with: parameters } });
    const { id } = await sell(shop);
    shop.merchant.clock.advance(dayMs);
    const why = `the event changes nothing in sale ${id}, which ${state}`;
    expect((await missedIn(shop)).missed).toEqual([{ place: 'timeline[0]', event: next, why }]);
    expect((await missedIn(shop)).texts).toHaveLength(1);
  });

  it.each([
    [2, [expect.stringContaining('which was denied, nor in 1 before it')]],
    [1, []],
  ] as const)(
    'has an effect on every sale if it changes at least one: denied %i',
    async (times, why) => {
      const shop = transport.shop();
      shop.merchant.playScenario(about('all').event('+P1D', event, { sale: 'every' }).build());
      shop.merchant.force({ op: 'payment.create', outcome: 'declined-inside-201', times });
      await sell(shop);
      await sell(shop);
      shop.merchant.clock.advance(dayMs);
      expect((await missedIn(shop)).missed.map((one) => one.why)).toEqual(why);
    },
  );

  it('changes a sale that settles at the same time', async () => {
    const shop = transport.shop();
    const timeline = about('even').clock({ mode: 'virtual', start: '2026-05-01T10:00:00Z' });
    shop.merchant.playScenario(timeline.event('+P1D', event).build());
    shop.merchant.clock.freeze();
    const outcome: StepDocument = {
      outcome: 'sale-pending-then-completed',
      with: { settleAfter: 'P1D' },
    };
    shop.merchant.force({ op: 'payment.create', outcome });
    const { id } = await sell(shop);
    shop.merchant.clock.advance(dayMs);
    expect((await missedIn(shop)).missed).toEqual([]);
    const { state } = await shop.ask('sale.get', 200, { params: { sale_id: id } });
    expect(state).toBe('reversed');
  });

  it('is reported if its card was deleted before', async () => {
    const shop = transport.shop();
    const sequel = 'card-closed-by-issuer';
    shop.merchant.playScenario(about('gone').event('+P1D', sequel, { card: 'anna' }).build());
    const [kept] = (await shop.ask('card.list', 200, {})).items;
    await shop.ask('card.delete', 204, { params: { card_id: kept?.id ?? '' } });
    shop.merchant.clock.advance(dayMs);
    expect((await missedIn(shop)).missed).toEqual([
      { place: 'timeline[0]', event: sequel, why: 'the card "anna" was no longer in the vault' },
    ]);
  });

  it('is reported with its time if it has not happened yet', async () => {
    const shop = transport.shop();
    const when = { mode: 'virtual', start: '2026-05-01T10:00:00Z' } as const;
    const timeline = about('later').clock(when).states('calm', 'wild').goto('+P2D', 'wild');
    shop.merchant.playScenario(timeline.event('+P3D', event).build());
    expect((await missedIn(shop)).missed).toEqual([
      {
        place: 'timeline[1]',
        event,
        why: 'its time, 2026-05-04T10:00:00.000Z, has not come',
      },
    ]);
  });

  it('is not reported if it is optional or had an effect', async () => {
    const shop = transport.shop();
    const timeline = about('well').event('+P1D', event, { optional: true });
    shop.merchant.playScenario(
      timeline.event('+P2D', event).event('+P9D', event, { optional: true }).build(),
    );
    shop.merchant.clock.advance(dayMs);
    const cardId = await storeCard(shop);
    await shop.ask('payment.create', 201, { body: paymentBody({ cardId }) });
    shop.merchant.clock.advance(dayMs);
    expect(await missedIn(shop)).toEqual({ texts: [], missed: [] });
  });

  it('stays reported after a snapshot or export, but not after a reset', async () => {
    const shop = transport.shop();
    shop.merchant.playScenario(about('kept').event('+P1D', event).build());
    shop.merchant.clock.advance(dayMs);
    const { missed } = await missedIn(shop);
    expect(missed).toHaveLength(1);
    await shop.merchant.snapshot('after');
    const document = shop.merchant.export();
    shop.merchant.playScenario(about('fresh').build());
    expect((await missedIn(shop)).missed).toEqual([]);
    shop.merchant.restore('after');
    expect((await missedIn(shop)).missed).toEqual(missed);
    shop.merchant.playScenario(about('fresh').build());
    shop.merchant.import(document);
    expect((await missedIn(shop)).missed).toEqual(missed);
  });
});

describe('a scenario file', () => {
  it('may allow an event to have no effect', () => {
    const [entry] =
      about('written').event('+P1D', event, { optional: true }).build().timeline ?? [];
    expect(entry).toEqual({ at: '+P1D', event, optional: true });
  });
});
