/** A client can conclude no more than its response says. */
import { describe, expect, it } from 'vitest';
import { bodyFormOf, conclusionOf, type BodyForm } from '../../../src/journal/conclusion.ts';
import type { DeliveryState } from '../../../src/journal/entry.ts';

const whole = { state: 'delivered', clientLeft: false } as const;

describe('a delivered response', () => {
  it.each([
    [201, undefined, 'json', 'OK'],
    [204, undefined, 'none', 'OK'],
    [200, undefined, 'none', 'UNKNOWN'],
    [200, undefined, 'html', 'UNKNOWN'],
    [201, undefined, 'broken', 'UNKNOWN'],
    [302, undefined, 'none', 'FAIL'],
    [400, 'VALIDATION_ERROR', 'json', 'FAIL'],
    [404, undefined, 'none', 'FAIL'],
    [403, undefined, 'html', 'UNKNOWN'],
    [400, 'VALIDATION_ERROR', 'broken', 'UNKNOWN'],
    [408, undefined, 'json', 'FAIL'],
    [425, undefined, 'json', 'FAIL'],
    [429, 'RATE_LIMIT_REACHED', 'json', 'FAIL'],
    [409, 'PREVIOUS_REQUEST_IN_PROGRESS', 'json', 'UNKNOWN'],
    [409, 'RESOURCE_CONFLICT', 'json', 'FAIL'],
    [500, 'INTERNAL_SERVICE_ERROR', 'json', 'UNKNOWN'],
    [503, undefined, 'html', 'UNKNOWN'],
    [100, undefined, 'none', 'UNKNOWN'],
    [0, undefined, 'none', 'UNKNOWN'],
  ] as const)('%i %s with body %s means %s', (status, problem, form, concluded) => {
    expect(conclusionOf({ status, problem, form, delivery: whole })).toBe(concluded);
  });
});

describe('an incomplete response', () => {
  it.each<DeliveryState>(['open', 'cut', 'lost'])(
    'means UNKNOWN when its delivery is %s',
    (state) => {
      for (const status of [201, 400]) {
        const delivery = { state, clientLeft: false };
        const received = { status, problem: undefined, form: 'json' as const, delivery };
        expect(conclusionOf(received)).toBe('UNKNOWN');
      }
    },
  );

  it('means UNKNOWN to a client that disconnected', () => {
    const delivery = { state: 'delivered', clientLeft: true } as const;
    const received = { status: 201, problem: undefined, form: 'json' as const, delivery };
    expect(conclusionOf(received)).toBe('UNKNOWN');
  });
});

it.each<[string | null, BodyForm]>([
  [null, 'none'],
  ['', 'none'],
  ['{"id":"PAY-1"}', 'json'],
  ['{"id":"PAY-', 'broken'],
  [' <html></html>', 'html'],
  ['Bad gateway', 'broken'],
])('reads the body %j as %s', (body, form) => {
  expect(bodyFormOf(body)).toBe(form);
});
