import { describe, expect, it } from 'vitest';
import {
  cardState,
  isPastExpiry,
  readCard,
  redactedNumber,
  reviseCard,
  storeCard,
  validUntilMs,
  type CardDraft,
} from '../../../src/domain/card/card.ts';
import { CardGuard } from '../../../src/guard/card-guard.ts';
import { World } from '../../../src/world/world.ts';
import type { Card } from '../../../src/domain/records.ts';

const noOwner = {
  externalCustomerId: undefined,
  payerId: undefined,
  merchantReference: undefined,
  externalCardId: undefined,
};

function draft(change: Partial<CardDraft> = {}): CardDraft {
  return {
    number: '4417119669820331',
    brand: 'visa',
    expireMonth: 11,
    expireYear: 2031,
    cvv: '874',
    firstName: 'Ada',
    lastName: undefined,
    billingAddress: undefined,
    ...change,
  };
}

function worldAt(now: string, allowPastExpiry = false): World {
  return new World('shop', {
    seed: 'test',
    policy: { allowPastExpiry, ownerCheck: 'strict' },
    clock: { atMs: Date.parse(now), frozen: true },
    realNowMs: () => 0,
    maxRecords: 100,
    maxRequestIds: 100,
    journal: {},
    guard: new CardGuard('off'),
  });
}

function stored(world: World, change: Partial<CardDraft> = {}): Card {
  const result = storeCard(world, draft(change), noOwner);
  if (!result.ok) throw new Error(result.refusal.reason);
  world.commit(result.value);
  const card = world.cards.get(result.value.subject);
  if (card === undefined) throw new Error('The card was not kept.');
  return card;
}

describe('valid_until of a vaulted card', () => {
  it.each([
    ['2014-02-03T04:05:06Z', 12, 2030, '2017-02-02'],
    ['2014-03-25T23:59:59Z', 12, 2030, '2017-03-24'],
    ['2014-04-25T00:00:00Z', 12, 2030, '2017-04-24'],
    ['2014-07-04T12:00:00Z', 12, 2030, '2017-07-03'],
    ['2018-12-24T12:00:00Z', 12, 2030, '2021-12-23'],
    ['2013-08-01T12:00:00Z', 9, 2014, '2014-10-01'],
    ['2013-08-01T12:00:00Z', 12, 2015, '2016-01-01'],
    ['2028-02-29T12:00:00Z', 12, 2040, '2031-02-28'],
    ['2027-02-28T12:00:00Z', 12, 2040, '2030-02-27'],
    // The expiry is nearer than three years by one day, then by none.
    ['2026-11-03T12:00:00Z', 10, 2029, '2029-11-01'],
    ['2026-11-02T12:00:00Z', 10, 2029, '2029-11-01'],
    ['2026-11-01T12:00:00Z', 10, 2029, '2029-10-31'],
  ])(
    'follows for a card stored at %s with expiry %i/%i: %s',
    (created, expireMonth, expireYear, until) => {
      const atMs = validUntilMs(Date.parse(created), { expireMonth, expireYear });
      expect(new Date(atMs).toISOString()).toBe(`${until}T00:00:00.000Z`);
    },
  );

  it('ignores the expiry of a card that was stored after it', () => {
    const atMs = validUntilMs(Date.parse('2026-05-06T07:08:09Z'), {
      expireMonth: 11,
      expireYear: 2018,
    });
    expect(new Date(atMs).toISOString()).toBe('2029-05-05T00:00:00.000Z');
  });

  it('ends the validity at midnight UTC', () => {
    const card = stored(worldAt('2026-05-06T07:08:09.123Z'));
    expect(cardState(card, Date.parse('2029-05-04T23:59:59.999Z'))).toBe('ok');
    expect(cardState(card, Date.parse('2029-05-05T00:00:00.000Z'))).toBe('expired');
  });
});

describe('printed expiry', () => {
  it('is past once its month is over', () => {
    const expiry = { expireMonth: 12, expireYear: 2026 };
    expect(isPastExpiry(expiry, Date.parse('2026-12-31T23:59:59.999Z'))).toBe(false);
    expect(isPastExpiry(expiry, Date.parse('2027-01-01T00:00:00.000Z'))).toBe(true);
  });
});

describe('card face', () => {
  it('contains neither the number nor the verification code', () => {
    const world = worldAt('2026-05-06T07:08:09.123Z');
    const face = readCard(draft(), 'vault', world);
    expect(face).toEqual({
      ok: true,
      value: {
        brand: 'visa',
        last4: '0331',
        panLength: 16,
        expireMonth: 11,
        expireYear: 2031,
        firstName: 'Ada',
        lastName: undefined,
        billingAddress: undefined,
      },
    });
    const kept = JSON.stringify(stored(world));
    expect(kept).not.toContain('441711966982');
    expect(kept).not.toContain('874');
  });

  it.each([
    ['4222222222222', 'visa', 'xxxxxxxxx2222'],
    ['378282246310005', 'amex', 'xxxxxxxxxxx0005'],
    ['4417119669820331', 'visa', 'xxxxxxxxxxxx0331'],
  ] as const)('shows %s with one x for each hidden digit', (pan, brand, shown) => {
    const cvv = brand === 'amex' ? '8740' : '874';
    const card = stored(worldAt('2026-05-06T07:08:09Z'), { number: pan, brand, cvv });
    expect(redactedNumber(card)).toBe(shown);
  });
});

describe('invalid card', () => {
  it('gets all its issues, named as in the vault request', () => {
    const bad = draft({ number: '4417119669820332', expireYear: 2020, cvv: '87' });
    const result = readCard(bad, 'vault', worldAt('2026-05-06T07:08:09Z'));
    expect(result.ok ? [] : result.refusal.issues).toEqual([
      { field: 'number', issue: 'Value is invalid' },
      { field: 'expire_month, expire_year', issue: 'Invalid expiration (cannot be in the past)' },
      { field: 'cvv2', issue: 'The cvv2 length is invalid for the specified credit card type' },
    ]);
  });

  it('gets the same issues, named as in a payment request', () => {
    const bad = draft({ brand: 'amex', expireYear: 2020 });
    const result = readCard(bad, 'payment', worldAt('2026-05-06T07:08:09Z'));
    const card = 'payer.funding_instruments[0].credit_card';
    expect(result.ok ? [] : result.refusal.issues).toEqual([
      {
        field: card,
        issue: 'The credit card number is not valid for the specified credit card type',
      },
      { field: card, issue: 'Invalid expiration (cannot be in the past)' },
      {
        field: `${card}.cvv2`,
        issue: 'The cvv2 length is invalid for the specified credit card type',
      },
    ]);
  });

  it('never repeats digits in the private reason', () => {
    const bad = draft({ number: '4417119669820332', cvv: '87' });
    const result = readCard(bad, 'vault', worldAt('2026-05-06T07:08:09Z'));
    expect(JSON.stringify(result)).not.toMatch(/\d{2}/);
  });

  it('is accepted after its expiry if the policy allows it', () => {
    const old = draft({ expireYear: 2018 });
    expect(readCard(old, 'vault', worldAt('2026-05-06T07:08:09Z')).ok).toBe(false);
    expect(readCard(old, 'vault', worldAt('2026-05-06T07:08:09Z', true)).ok).toBe(true);
  });
});

describe('card update', () => {
  it('does not check an unchanged expiry', () => {
    const world = worldAt('2026-05-06T07:08:09Z');
    const card = stored(world, { expireMonth: 5, expireYear: 2026 });
    world.clock.set(Date.parse('2026-07-01T00:00:00Z'));
    const revised = reviseCard(world, card, { ...card, firstName: 'Grace' });
    expect(revised.ok).toBe(true);
    const moved = reviseCard(world, card, { ...card, expireMonth: 6 });
    expect(moved.ok ? [] : moved.refusal.issues).toEqual([
      { field: 'expire_month, expire_year', issue: 'Invalid expiration (cannot be in the past)' },
    ]);
  });
});
