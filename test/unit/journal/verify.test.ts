/** Verification answers, explains, and admits what it cannot know. */
import { describe, expect, it } from 'vitest';
import { readExpectation } from '../../../src/journal/query/read-query.ts';
import { verify } from '../../../src/journal/query/verify.ts';
import { cardBody, pans } from '../../support/samples.ts';
import { declined, journalOf, nowMs, type Exchange } from './write-entries.ts';

const check = (exchanges: readonly Exchange[], expected: unknown) =>
  verify(journalOf(exchanges), readExpectation(expected));

const stored: Exchange = { operation: 'card.create' };
const paid: Exchange = { operation: 'payment.create' };
const refunded: Exchange = { operation: 'sale.refund' };

describe('a count', () => {
  const match = { operation: 'payment.create' };
  it.each([
    [{ match }, true],
    [{ match, times: 2 }, true],
    [{ match, times: 1 }, false],
    [{ match, times: 3 }, false],
    [{ match, atLeast: 2 }, true],
    [{ match, atLeast: 3 }, false],
    [{ match, atMost: 2 }, true],
    [{ match, atMost: 1 }, false],
    [{ match, atLeast: 1, atMost: 2 }, true],
    [{ match: { operation: 'sale.refund' }, times: 0 }, true],
    [{ match: { operation: 'sale.refund' } }, false],
  ])('%j: %s', (expected, ok) => {
    const { status, ok: said } = check([stored, paid, paid], expected);
    expect({ status, ok: said }).toEqual({ status: ok ? 'ok' : 'failed', ok });
  });

  it('returns the counted exchanges', () => {
    expect(check([stored, paid, paid], { match }).seen.map(({ seq }) => seq)).toEqual([2, 3]);
  });

  it('shows the exchanges and the nearest one', () => {
    const outcomes = [{ id: 'card-declined', by: 'header' }];
    const { message } = check(
      [
        stored,
        { ...paid, ...declined, outcomes },
        { ...stored, operation: undefined, status: 404 },
      ],
      { match: { ...match, status: 201 } },
    );
    expect(message).toBe(
      [
        'Expected at least 1 exchange with operation payment.create, status 201; received 0.',
        'Received:',
        '      operation                  answer                client knows  outcomes',
        '  #1  card.create                201                   OK            -',
        '  #2  payment.create             400 VALIDATION_ERROR  FAIL          card-declined (header)',
        '  #3  POST /v1/payments/payment  404                   FAIL          -',
        'Nearest: #2, but status is 400 VALIDATION_ERROR, not 201.',
      ].join('\n'),
    );
  });

  it('shows the latest ten of many', () => {
    const { message } = check(
      Array.from({ length: 13 }, () => paid),
      { match, times: 1 },
    );
    expect(message).toContain('... 3 earlier exchanges, then');
    expect(message).toContain('#13');
  });
});

describe('a sequence', () => {
  const sequence = [{ operation: 'card.create' }, { operation: 'payment.create' }];

  it('matches although other exchanges are in between', () => {
    expect(check([refunded, stored, refunded, paid], { sequence })).toMatchObject({
      ok: true,
      message: 'Received 2 exchanges in the expected order: #2, #4.',
    });
  });

  it('names the missing step', () => {
    expect(check([paid, stored], { sequence })).toMatchObject({
      ok: false,
      message: expect.stringContaining(
        'step 2, with operation payment.create, did not arrive after #2.',
      ),
    });
  });

  it('is searched among matching exchanges only', () => {
    const match = { status: 201 };
    const expected = { match, times: 2, sequence };
    expect(check([stored, { ...paid, ...declined }, paid], expected)).toMatchObject({ ok: true });
    expect(check([stored, paid, paid], expected)).toMatchObject({ ok: false });
  });
});

describe('a field', () => {
  const match = { operation: 'payment.create' };
  it.each([
    [{ 'body.transactions[0].amount.total': '30.11' }, true],
    [{ 'body.transactions[0].amount.total': 30.11 }, true],
    [{ 'body.transactions[0].amount.total': '30.12' }, false],
    [{ 'body.transactions[1].amount.total': '30.11' }, false],
    [{ 'response.state': 'created', 'response.id': 'PAY-1' }, true],
    [{ 'response.state': null }, false],
  ])('%j: %s', (fields, ok) => {
    expect(check([paid], { match, fields })).toMatchObject({ ok });
  });

  it('is named if it differs', () => {
    const fields = { 'body.transactions[0].amount.total': '30.12' };
    expect(check([paid], { match, fields }).message).toContain(
      'Nearest: #1, but body.transactions[0].amount.total is "30.11", not "30.12".',
    );
  });

  it('is absent in a body that is not JSON', () => {
    const fields = { 'body.intent': 'sale' };
    expect(check([{ ...paid, request: 'intent=sale' }], { match, fields })).toMatchObject({
      ok: false,
    });
  });

  it('is compared by the last four digits and never shown if it holds a card number', () => {
    const request = JSON.stringify(cardBody());
    const fields = { 'body.number': pans.visa };
    expect(check([{ ...stored, request }], { fields })).toMatchObject({ ok: true });
    const { ok, message } = check([{ ...stored, request }], {
      fields: { 'body.number': pans.amex },
    });
    expect(ok).toBe(false);
    expect(message).not.toContain(pans.amex.slice(0, 6));
  });
});

describe('a body with a number that looks like a card number', () => {
  const trace = 4929851042331971;
  const body = `{"trace":${trace},"traces":[1, ${trace} ],"external_customer_id":"c1"}`;
  const asked = (fields: Readonly<Record<string, unknown>>, request = body) =>
    check([{ ...stored, request }], { fields, times: 1 });

  it.each([
    [{ 'body.external_customer_id': 'c1' }, 'ok'],
    [{ 'body.external_customer_id': 'c2' }, 'failed'],
    [{ 'body.trace': trace }, 'ok'],
    [{ 'body.trace': String(trace) }, 'ok'],
    [{ 'body.traces[1]': trace }, 'ok'],
    [{ 'body.trace': 4417119669820331 }, 'failed'],
  ])('matches %j: %s', (fields, status) => {
    expect(asked(fields)).toMatchObject({ status });
  });

  it('may contain anything if it is masked and not JSON', () => {
    const { status } = asked({ 'body.external_customer_id': 'c1' }, `trace=${trace}, ${body}`);
    expect(status).toBe('unsure');
  });

  it('is matched by its redacted key', () => {
    const { status, message } = asked({ [`body.${trace}`]: 2 }, `{"${trace}":1}`);
    expect(status).toBe('failed');
    expect(message).not.toContain(String(trace));
  });
});

describe('an incomplete journal', () => {
  const match = { operation: 'payment.create' };
  const short = journalOf([paid, stored, paid, { ...paid, atMs: nowMs + 9_000 }], {
    maxEntries: 3,
  });
  const ask = (expected: unknown) => verify(short, readExpectation(expected));

  it.each([
    [{ match, times: 2 }, 'unsure'],
    [{ match, times: 3 }, 'unsure'],
    [{ match, times: 1 }, 'failed'],
    [{ match, atLeast: 2 }, 'ok'],
    [{ match, atLeast: 3 }, 'unsure'],
    [{ match, atMost: 2 }, 'unsure'],
    [{ match, atMost: 1 }, 'failed'],
    [{ sequence: [{ operation: 'card.create' }, match] }, 'ok'],
    [{ sequence: [match, { operation: 'card.create' }] }, 'unsure'],
    [{ match: { ...match, from: nowMs + 1 }, times: 1 }, 'ok'],
    [{ match: { ...match, from: nowMs }, times: 2 }, 'unsure'],
  ])('answers %j with %s', (expected, status) => {
    expect(ask(expected)).toMatchObject({ status });
  });

  it('explains why it cannot know, and what to do', () => {
    const { ok, message } = ask({ match, times: 2 });
    expect(ok).toBeUndefined();
    expect(message).toMatch(/^Cannot tell: the journal dropped 1 exchange that might match\./);
    expect(message).toContain('Clear it before the test');
  });

  it('does not guess a verification code', () => {
    const request = JSON.stringify(cardBody());
    const { status, message } = check([{ ...stored, request }], { fields: { 'body.cvv2': '874' } });
    expect(status).toBe('unsure');
    expect(message).toContain('It never keeps verification codes and secrets');
    expect(message).not.toContain('874');
  });

  it('does not guess the rest of a truncated body', () => {
    const journal = journalOf([paid], { maxTextLength: 10 });
    const expected = readExpectation({ fields: { 'body.transactions[0].amount.total': '30.11' } });
    expect(verify(journal, expected)).toMatchObject({ status: 'unsure' });
  });
});
