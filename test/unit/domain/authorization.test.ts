import { describe, expect, it } from 'vitest';
import {
  authorizationDays,
  authorizationState,
  captureAuthorization,
  captureCapMinor,
  findAuthorization,
  reauthorize,
  voidAuthorization,
  findCapture,
} from '../../../src/domain/payment/authorization.ts';
import { dayMs } from '../../../src/domain/calendar.ts';
import type { Currency } from '../../../src/domain/money/money.ts';
import type { World } from '../../../src/world/world.ts';
import { commit, openTill, payInto, refusalKind, wrongFields } from '../../support/worlds/till.ts';

const standsMs = authorizationDays * dayMs;

function take(world: World, id: string, total: string, isFinal = false, currency = 'USD') {
  return captureAuthorization(world, id, {
    amount: { total, currency },
    isFinal,
    invoiceNumber: undefined,
  });
}

function stateOf(world: World, id: string) {
  const authorization = world.authorizations.get(id);
  return authorization && authorizationState(authorization, world.nowMs());
}

/** Creates an authorization of 30.11 USD. */
function held(): { world: World; id: string } {
  const world = openTill();
  return { world, id: payInto(world, 'authorize', '30.11') };
}

/** Ways to end an authorization, with the state that follows. */
const ends = [
  [
    'captured',
    'captured in full',
    (world: World, id: string) => commit(world, take(world, id, '30.11')),
  ],
  [
    'captured',
    'captured for the last time',
    (world: World, id: string) => commit(world, take(world, id, '1.00', true)),
  ],
  ['voided', 'voided', (world: World, id: string) => commit(world, voidAuthorization(world, id))],
  ['expired', 'expired', (world: World) => world.clock.advance(standsMs)],
] as const;

describe('authorization', () => {
  it('holds money without a transfer', () => {
    const { world, id } = held();
    expect(stateOf(world, id)).toBe('authorized');
    expect(findAuthorization(world, id)).toMatchObject({
      value: { amount: { minor: 3011, currency: 'USD' }, capturedMinor: 0 },
    });
    expect(world.transfers()).toEqual([]);
  });

  it('expires after 29 days, to the millisecond', () => {
    const { world, id } = held();
    world.clock.advance(standsMs - 1);
    expect(stateOf(world, id)).toBe('authorized');
    world.clock.advance(1);
    expect(stateOf(world, id)).toBe('expired');
  });

  it.each(ends.filter(([state]) => state !== 'expired'))(
    'keeps the state %s after its validity (%s)',
    (state, _, bring) => {
      const { world, id } = held();
      bring(world, id);
      world.clock.advance(standsMs);
      expect(stateOf(world, id)).toBe(state);
    },
  );

  it('expires when partially captured', () => {
    const { world, id } = held();
    commit(world, take(world, id, '1.00'));
    expect(stateOf(world, id)).toBe('partially_captured');
    world.clock.advance(standsMs);
    expect(stateOf(world, id)).toBe('expired');
  });

  it('refuses to reauthorize a card authorization', () => {
    const { world, id } = held();
    expect(refusalKind(reauthorize(world, id))).toBe('reauthorize-not-allowed');
    expect(refusalKind(reauthorize(world, 'none'))).toBe('not-found');
  });
});

describe('capture', () => {
  it('transfers money, counts against the authorization and appears in the payment', () => {
    const { world, id } = held();
    const first = commit(world, take(world, id, '10.00'));
    const second = commit(world, take(world, id, '20.11'));
    expect(stateOf(world, id)).toBe('captured');
    expect(world.authorizations.get(id)).toMatchObject({ capturedMinor: 3011, closed: true });
    expect(world.balances().get('USD')).toEqual({ cardholders: -3011, merchant: 3011 });
    const captured = findCapture(world, first);
    const paymentId = captured.ok ? captured.value.paymentId : '';
    expect(world.payments.get(paymentId)?.related.toArray()).toEqual([
      { kind: 'authorization', id },
      { kind: 'capture', id: first },
      { kind: 'capture', id: second },
    ]);
  });

  it.each<[Currency, number, number]>([
    ['USD', 10_000, 11_500],
    ['USD', 10, 11],
    ['USD', 1, 1],
    ['USD', 49_999, 57_498],
    ['USD', 50_000, 57_500],
    ['USD', 50_001, 57_501],
    ['USD', 999_999_999, 1_000_007_499],
    ['EUR', 100_000, 115_000],
    ['JPY', 101, 116],
  ])('accepts for %s %i at most %i', (currency, minor, cap) => {
    expect(captureCapMinor({ minor, currency })).toBe(cap);
  });

  it('accepts 115 % in one capture, and not a cent more', () => {
    const { world, id } = held();
    expect(refusalKind(take(world, id, '34.63'))).toBe('capture-over-limit');
    commit(world, take(world, id, '34.62'));
    expect(stateOf(world, id)).toBe('captured');
  });

  it('counts earlier captures against the limit', () => {
    const { world, id } = held();
    commit(world, take(world, id, '30.00'));
    const over = take(world, id, '4.63');
    expect(refusalKind(over)).toBe('capture-over-limit');
    expect(over.ok ? '' : over.refusal.reason).toContain('4.62 USD');
    commit(world, take(world, id, '4.62'));
  });

  it.each(ends)('refuses an authorization that is %s (%s)', (state, _, bring) => {
    const { world, id } = held();
    bring(world, id);
    const kinds = {
      captured: 'authorization-completed',
      voided: 'authorization-voided',
      expired: 'authorization-expired',
    };
    expect(refusalKind(take(world, id, '1.00'))).toBe(kinds[state]);
  });

  it.each(['0.00', '-1.00', '1.5', 'x'])('refuses the amount %s', (total) => {
    const { world, id } = held();
    expect(wrongFields(take(world, id, total)).map(([field]) => field)).toEqual(['amount.total']);
  });

  it('refuses another currency', () => {
    const { world, id } = held();
    expect(refusalKind(take(world, id, '1.00', false, 'EUR'))).toBe('currency-mismatch');
  });

  it('refuses an unknown authorization id', () => {
    const { world } = held();
    expect(refusalKind(take(world, 'none', '1.00'))).toBe('not-found');
    expect(refusalKind(findCapture(world, 'none'))).toBe('not-found');
  });
});

describe('void', () => {
  it.each([
    ['nothing', []],
    ['a part', ['10.00']],
  ])('releases the rest after %s was captured, without a transfer', (_, captured) => {
    const { world, id } = held();
    for (const total of captured) commit(world, take(world, id, total));
    const before = world.transfers();
    expect(commit(world, voidAuthorization(world, id))).toBe(id);
    expect(stateOf(world, id)).toBe('voided');
    expect(world.transfers()).toEqual(before);
  });

  it.each(ends)(
    'refuses an authorization that is %s and names the state (%s)',
    (state, _, bring) => {
      const { world, id } = held();
      bring(world, id);
      const result = voidAuthorization(world, id);
      expect(refusalKind(result)).toBe('authorization-cannot-be-voided');
      expect(result.ok ? '' : result.refusal.public).toBe(state);
    },
  );

  it('refuses an unknown authorization id', () => {
    const { world } = held();
    expect(refusalKind(voidAuthorization(world, 'none'))).toBe('not-found');
  });
});
