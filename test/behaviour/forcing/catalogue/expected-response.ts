/** The expected response for each kind of effect, derived from the catalogue row. */
import { expect } from 'vitest';
import { informationLink } from '../../../../src/contract/problems.ts';
import type { OperationName } from '../../../../src/contract/service/operation-name.ts';
import type {
  ChangeKind,
  DialectName,
  Effect,
  FaultName,
  Outcome,
  PaymentOverrides,
} from '../../../../src/outcomes/outcome.ts';
import { testNow } from '../../../support/transports.ts';
import { at, type Seen } from '../tolerant-client.ts';

/** The status of an operation without a forced outcome. */
export function usualStatus(operation: OperationName): number {
  switch (operation) {
    case 'card.create':
    case 'payment.create':
    case 'sale.refund':
    case 'capture.refund':
      return 201;
    case 'card.delete':
      return 204;
    default:
      return 200;
  }
}

/** The error code of `fetch` for a fault, over both transports. After its cap, a hang ends like a closed connection. */
const codes: Partial<Record<FaultName, string>> = {
  reset: 'ECONNRESET',
  'reset-if-reused': 'ECONNRESET',
  close: 'UND_ERR_SOCKET',
  hang: 'UND_ERR_SOCKET',
  garbage: 'HPE_INVALID_CONSTANT',
  'truncated-body': 'UND_ERR_SOCKET',
  'malformed-chunk': 'HPE_INVALID_CHUNK_SIZE',
  'wrong-content-encoding': 'Z_DATA_ERROR',
};

/** Faults without any response. */
const answerless: readonly FaultName[] = ['reset', 'reset-if-reused', 'close', 'hang', 'garbage'];

/** Whether the client receives a response, with the header that names the outcome. */
export function answers({ effect }: Outcome): boolean {
  return effect.kind === 'fault'
    ? !answerless.includes(effect.fault)
    : effect.kind !== 'refuse-connections';
}

/** Compares what a client received with the catalogue row. `usual` is the status without a forced outcome. */
export function expectWire(
  outcome: Outcome,
  operation: OperationName,
  usual: number,
  seen: Seen,
): void {
  const { effect } = outcome;
  expectRetryAfter(outcome, seen);
  if (effect.kind === 'refuse-connections') {
    expect(seen.status).toBeUndefined();
    // Over a socket the client is already connected, so its connection is reset. The next one is refused.
    expect(['ECONNREFUSED', 'ECONNRESET']).toContain(seen.broke);
    return;
  }
  expect(seen.broke).toBe(effect.kind === 'fault' ? codes[effect.fault] : undefined);
  if (!answers(outcome)) {
    expect([seen.status, seen.text]).toEqual([undefined, '']);
  } else if (effect.kind === 'fault') expectFault(effect.fault, usual, seen);
  else if (outcome.parameters['body']?.default === 'html' && 'status' in effect) {
    expectPage(seen, effect.status);
  } else expectAnswer(effect, operation, usual, seen);
}

function expectFault(fault: FaultName, usual: number, seen: Seen): void {
  const form = [seen.status, seen.headers.get('content-type')];
  switch (fault) {
    case 'html-page':
      expectPage(seen, 200);
      return;
    case 'redirect':
      expect([...form, seen.text]).toEqual([302, 'text/html', '']);
      expect(seen.headers.get('location')).toBe('https://portal.example.com/sign-in');
      return;
    case 'wrong-content-type':
      expect(form).toEqual([usual, 'text/plain']);
      expectRecord(seen);
      return;
    default:
      expect(form).toEqual([usual, usual === 204 ? null : 'application/json']);
  }
  if (usual === 204) expect(seen.text).toBe('');
  else if (['slow-first-byte', 'varying-delay', 'slow-dribble', 'slow-close'].includes(fault))
    expectRecord(seen);
  else expect(() => JSON.parse(seen.text)).toThrow(SyntaxError);
  if (fault === 'empty-body') expect(seen.text).toBe('');
  if (fault === 'truncated-body') {
    expect(Buffer.byteLength(seen.text)).toBe(20);
    expect(Number(seen.headers.get('content-length'))).toBeGreaterThan(20);
  }
}

function expectAnswer(effect: Effect, operation: OperationName, usual: number, seen: Seen): void {
  switch (effect.kind) {
    case 'error':
      if (operation === 'token.create') expectOAuth(seen, effect.status);
      else expectProblem(seen, effect);
      return;
    case 'page':
      expectPage(seen, effect.status);
      return;
    case 'token-error':
      expectOAuth(seen, effect.status);
      expect(bodyOf(seen)).toEqual({ error: effect.error, error_description: effect.description });
      return;
    case 'unauthenticated':
      expect(seen.status).toBe(401);
      expect(seen.headers.get('www-authenticate')).toMatch(/^Bearer .*error="invalid_token"$/);
      expect(bodyOf(seen)).toMatchObject({
        error: 'invalid_token',
        error_description: effect.description,
      });
      return;
    case 'card-deleted':
    case 'not-visible-yet':
      expect([seen.status, at(bodyOf(seen), 'name')]).toEqual([404, 'INVALID_RESOURCE_ID']);
      return;
    case 'payment':
      if (effect.answer !== undefined) {
        expectProblem(seen, effect.answer);
        return;
      }
      expectUsual(effect, usual, seen);
      return;
    default:
      expectUsual(effect, usual, seen);
  }
}

/** The usual response with the change of the effect. */
function expectUsual(effect: Effect, usual: number, seen: Seen): void {
  expect(seen.status, seen.text).toBe(usual);
  if (usual < 300) expectRecord(seen);
  expectDifference(effect, seen);
}

/** The difference of a response that is otherwise usual. */
function expectDifference(effect: Effect, seen: Seen): void {
  const body = bodyOf(seen);
  const sale = at(body, 'transactions', 0, 'related_resources', 0, 'sale');
  switch (effect.kind) {
    case 'payment':
      expectPaid(effect.overrides, body, sale);
      return;
    case 'stale-read':
      expectStale(effect.of, body);
      return;
    case 'page-shift':
      // The page would contain the records after the only one, or after the newest one.
      expect(at(body, 'items', 'length') ?? at(body, 'count')).toBe(1);
      return;
    case 'card':
      expect([at(body, 'state'), at(body, 'expire_year')]).toEqual(['ok', 2031]);
      return;
    case 'refund':
      expect(at(body, 'state')).toBe(effect.overrides.refund);
      return;
    case 'later':
      expect(at(sale, 'state')).toBe('completed');
      return;
    case 'token-lifetime':
      expect(at(body, 'expires_in')).toBe(3);
      return;
    case 'dialect':
      expectDialect(effect.dialect, body, sale, seen);
      return;
    default:
  }
}

/** The sale in a payment. */
function expectPaid(
  { sale: bent, processor }: PaymentOverrides,
  body: unknown,
  sale: unknown,
): void {
  if (bent === 'none') {
    expect([at(body, 'state'), at(body, 'failure_reason'), sale]).toEqual([
      'failed',
      'UNABLE_TO_COMPLETE_TRANSACTION',
      undefined,
    ]);
    return;
  }
  const states = { held: 'completed', pending: 'pending', denied: 'denied', late: undefined };
  expect(at(sale, 'state')).toBe(bent === undefined ? 'completed' : states[bent]);
  expect(at(sale, 'payment_hold_status')).toBe(bent === 'held' ? 'HELD' : undefined);
  expect(at(sale, 'processor_response')).toEqual(processor);
  expect(at(sale, 'reason_code')).toBe(bent === 'pending' ? 'PAYMENT_REVIEW' : undefined);
}

/** The response of a replica that has not received the latest change. */
function expectStale(unheard: ChangeKind, body: unknown): void {
  if (unheard === 'made') expect(at(body, 'items') ?? at(body, 'payments')).toEqual([]);
  else if (unheard === 'removed') {
    expect(at(body, 'id') ?? at(body, 'items', 0, 'id')).toMatch(/^CARD-/);
  } else expect(at(body, 'first_name') ?? at(body, 'state')).toMatch(/^(Ada|completed)$/);
}

/** The fields of a payment in their order. */
const paymentKeys = [
  'id',
  'create_time',
  'update_time',
  'state',
  'intent',
  'payer',
  'transactions',
  'links',
];

function expectDialect(dialect: DialectName, body: unknown, sale: unknown, seen: Seen): void {
  switch (dialect) {
    case 'unknown-field':
      expect(at(body, 'x_next_year')).toBeDefined();
      expect(at(body, 'transactions', 0, 'x_next_year')).toBeDefined();
      return;
    case 'unknown-enum':
      expect(at(body, 'state')).toBe('in_review');
      return;
    case 'shuffled-keys':
      expect(Object.keys(Object(body))).not.toEqual(paymentKeys);
      expect(Object.keys(Object(body)).toSorted()).toEqual(paymentKeys.toSorted());
      return;
    case 'null-for-absent':
      expect(at(body, 'custom')).toBeNull();
      return;
    case 'longer-ids':
      expect(at(body, 'id')).toMatch(/^NEXT-PAY-[A-Z0-9]+-Z+$/);
      expect(String(at(body, 'id'))).toHaveLength(64);
      expect(at(sale, 'parent_payment')).toBe(at(body, 'id'));
      return;
    case 'extra-links':
      expect(at(body, 'links', 0, 'rel')).toBe('help');
      return;
    case 'numbers-as-strings':
      expect(at(body, 'expire_month')).toBe('11');
      return;
    case 'other-time-precision':
      expect(at(body, 'create_time')).toMatch(/\d\dZ$/);
      expect(at(body, 'create_time')).not.toContain('.');
      return;
    case 'clock-ahead':
    case 'clock-behind': {
      const skewMs = dialect === 'clock-ahead' ? 300_000 : -300_000;
      const nowMs = Date.parse(testNow);
      expect(Date.parse(String(at(body, 'create_time')))).toBe(nowMs + skewMs);
      const dateMs = Date.parse(seen.headers.get('date') ?? '');
      expect(dateMs).toBe(Math.floor((nowMs + skewMs) / 1000) * 1000);
      return;
    }
    case 'deprecation-headers':
      expect(seen.headers.get('deprecation')).toMatch(/^@\d+$/);
      expect(Date.parse(seen.headers.get('sunset') ?? '')).not.toBeNaN();
  }
}

function expectProblem(seen: Seen, effect: Extract<Effect, { readonly kind: 'error' }>): void {
  expect([seen.status, seen.headers.get('content-type')]).toEqual([
    effect.status,
    'application/json',
  ]);
  expect(bodyOf(seen)).toEqual({
    name: effect.name,
    message: expect.stringMatching(/^[A-Z].*[^.]$/),
    information_link: informationLink(effect.name),
    debug_id: seen.headers.get('paypal-debug-id'),
    ...(effect.details === undefined ? {} : { details: effect.details }),
    ...(effect.processor === undefined ? {} : { processor_response: effect.processor }),
  });
}

function expectOAuth(seen: Seen, status: number): void {
  expect([seen.status, seen.headers.get('content-type')]).toEqual([status, 'application/json']);
  expect(bodyOf(seen)).toEqual({
    error: expect.stringMatching(/^[a-z_]+$/),
    error_description: expect.stringMatching(/./),
  });
  const challenge = seen.headers.get('www-authenticate');
  if (status === 401) expect(challenge).toMatch(/^Basic /);
  else expect(challenge).toBeNull();
}

function expectPage(seen: Seen, status: number): void {
  expect([seen.status, seen.headers.get('content-type')]).toEqual([status, 'text/html']);
  expect(seen.text).toMatch(/^<!DOCTYPE html>.*<\/html>$/s);
}

/** `Retry-After` exists only if the row has it, in seconds or as a date on the merchant's clock. */
function expectRetryAfter({ parameters }: Outcome, seen: Seen): void {
  const seconds = parameters['retryAfter']?.default;
  const said = seen.headers.get('retry-after');
  if (seconds === undefined) expect(said).toBeNull();
  else if (parameters['retryAfterForm']?.default === 'date') {
    const sentAtMs = Date.parse(seen.headers.get('date') ?? '');
    expect(Date.parse(said ?? '')).toBe(sentAtMs + Number(seconds) * 1000);
  } else expect(said).toBe(String(seconds));
}

/** A complete response of the service that is not an error. */
function expectRecord(seen: Seen): void {
  const body = bodyOf(seen);
  expect(body).toBeTypeOf('object');
  expect(at(body, 'name')).toBeUndefined();
}

function bodyOf(seen: Seen): unknown {
  return JSON.parse(seen.text);
}
