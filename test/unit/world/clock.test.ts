/** A merchant's clock, in process and over HTTP: it never runs backwards and has a last time. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { connect, createSandbox, type Remote } from '../../../src/index.ts';
import { withTransport } from '../../properties/support/own-transport.ts';
import { testNow } from '../../support/transports.ts';
import { saleOf } from '../../support/purchases.ts';
import { cardBody, paymentBody } from '../../support/samples.ts';

const startMs = Date.parse(testNow);
const lastTime = '9996-12-31T23:59:59.999Z';

describe('on a machine whose clock was set back', () => {
  let realMs = startMs;

  it('a clock can be set and runs on from there', () => {
    const { clock } = createSandbox({ systemClock: { nowMs: () => realMs } });
    clock.read();
    realMs -= 3_600_000;
    expect(clock.set('2027-01-01T00:00:00Z').now).toBe('2027-01-01T00:00:00.000Z');
    realMs += 1500;
    expect(clock.read().now).toBe('2027-01-01T00:00:01.500Z');
  });

  it('a clock advances by the full span, and due events run', () =>
    withTransport(
      'in process',
      { clock: {}, systemClock: { nowMs: () => realMs } },
      async (transport) => {
        const shop = transport.shop('shop');
        const beganMs = realMs;
        const { id: cardId } = await shop.ask('card.create', 201, { body: cardBody() });
        shop.merchant.force({
          op: 'payment.create',
          then: { outcome: 'sale-pending-then-completed', with: { settleAfter: '30s' } },
        });
        const paid = await shop.ask('payment.create', 201, { body: paymentBody({ cardId }) });
        const id = saleOf(paid).id;
        realMs -= 3_600_000;
        expect(shop.merchant.clock.advance(60_000).now).toBe(
          new Date(beganMs + 60_000).toISOString(),
        );
        expect(await shop.ask('sale.get', 200, { params: { sale_id: id } })).toMatchObject({
          state: 'completed',
        });
      },
    ));
});

it("advances by nothing while running, however often the machine's clock is read", () => {
  let realMs = startMs;
  const { clock } = createSandbox({ systemClock: { nowMs: () => ++realMs } });
  for (let time = 0; time < 10; time++) clock.advance(0);
  expect(() => clock.advance(-1)).toThrow(/never runs backwards/);
});

describe.each(['in process', 'over HTTP'] as const)('a clock %s', (kind) => {
  const sandbox = createSandbox({ clock: { start: testNow, frozen: true } });
  let clock: Remote['clock'];
  beforeAll(async () => {
    const at = kind === 'in process' ? sandbox : connect((await sandbox.listen({ port: 0 })).url);
    const { read, freeze, resume, set, advance } = at.clock;
    clock = {
      read: async () => read(),
      freeze: async () => freeze(),
      resume: async () => resume(),
      set: async (time) => set(time),
      advance: async (byMs) => advance(byMs),
    };
  });
  beforeEach(() => {
    sandbox.reset();
  });
  afterAll(() => sandbox.close());

  it.each([
    ['advance', async () => clock.advance(1e16)],
    ['advance', async () => clock.advance(9e15)],
    ['set', async () => clock.set('9997-01-01T00:00:00Z')],
    ['set', async () => clock.set(new Date('9999-12-31T23:59:59Z'))],
  ])('keeps its time if it cannot advance that far (%s)', async (_verb, move) => {
    await expect(move()).rejects.toMatchObject({
      name: 'ClockError',
      message: `A clock ends at ${lastTime}: a card stored then is valid until 9999, and years have four digits.`,
    });
    expect(await clock.read()).toEqual({ now: testNow, frozen: true });
  });

  it('stops at its last time', async () => {
    await clock.set(lastTime);
    expect((await clock.resume()).now).toBe(lastTime);
    expect((await clock.read()).now).toBe(lastTime);
  });

  it.each(['2030-01-02T03:04:05', 'Jan 5 2031', '2031', 'tomorrow', ''])(
    'refuses a time that depends on the machine: %j',
    async (time) => {
      await expect(clock.set(time)).rejects.toThrow(
        `Set a clock to a time such as "2030-01-02T03:04:05Z" or to a Date, got ${JSON.stringify(time)}.`,
      );
      expect((await clock.read()).now).toBe(testNow);
    },
  );

  it.each([
    ['2030-01-02T03:04:05+02:00', '2030-01-02T01:04:05.000Z'],
    ['2030-01-02T03:04:05.6Z', '2030-01-02T03:04:05.600Z'],
    [new Date('2030-01-02T03:04:05Z'), '2030-01-02T03:04:05.000Z'],
  ])('accepts %j', async (time, now) => {
    expect((await clock.set(time)).now).toBe(now);
  });
});

it('always shows four digits for the year', () =>
  withTransport('in process', { clock: { start: lastTime, frozen: true } }, async (transport) => {
    const shop = transport.shop('shop');
    const expiry = { expire_month: 12, expire_year: 9999 };
    const stored = await shop.ask('card.create', 201, { body: cardBody(expiry) });
    expect(stored.valid_until).toBe('9999-12-30T00:00:00Z');
    const held = { ...paymentBody({ cardId: stored.id }), intent: 'authorize' };
    const { text } = await shop.reply('payment.create', 201, { body: held });
    expect(text).toMatch(/"valid_until":"9997-01-29T/);
  }));

it('starts at a Date, as it is set to one', () => {
  const start = new Date('2030-01-02T03:04:05Z');
  const { clock } = createSandbox({ clock: { start, frozen: true } });
  expect(clock.read().now).toBe('2030-01-02T03:04:05.000Z');
});

it.each(['9997-01-01T00:00:00Z', '9999-12-31T23:59:59-12:00'])(
  'refuses a start after the last time: %s',
  (start) => {
    expect(() => createSandbox({ clock: { start } })).toThrow(
      `Option clock.start: must not be later than ${lastTime}, the last time that a clock can show.`,
    );
    const document = { scenario: 'late', version: 1, about: 'Late.', clock: { start } } as const;
    const { playScenario } = createSandbox();
    expect(() => playScenario(document)).toThrow(lastTime);
  },
);
