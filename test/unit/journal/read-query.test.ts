/** Journal queries are checked strictly, and a mistake is reported with what was probably meant. */
import { describe, expect, it } from 'vitest';
import { QueryError } from '../../../src/journal/errors.ts';
import {
  readExpectation,
  readMatch,
  readQuery,
  readWait,
  readWaitInput,
} from '../../../src/journal/query/read-query.ts';

const mistakeIn = (read: () => unknown): QueryError => {
  try {
    read();
  } catch (error) {
    if (error instanceof QueryError) return error;
  }
  throw new Error('It was read without a mistake.');
};

const statusForm = "'status' must be a status such as 201, or a class of them such as 4xx.";
const timeForm =
  "'from' must be an RFC 3339 time such as 2026-05-06T07:08:09Z, or milliseconds since 1970.";

describe('a mistake in a query', () => {
  it('is reported with the allowed keys and the nearest one', () => {
    const mistake = mistakeIn(() => readQuery({ opration: 'card.create' }));
    expect(mistake).toMatchObject({ place: 'opration', nearest: 'operation' });
    expect(mistake.message).toMatch(
      /^Unknown key 'opration'\. Did you mean 'operation'\? Allowed: operation, status, .*limit\.$/,
    );
  });

  it('is reported with the step that has it', () => {
    const mistake = mistakeIn(() => readExpectation({ sequence: [{}, { statsu: 201 }] }));
    expect(mistake).toMatchObject({ place: 'sequence[1].statsu', nearest: 'status' });
    expect(mistake.allowed).not.toContain('times');
  });

  it('is reported with the nearest operation if it is in the name of one', () => {
    const mistake = mistakeIn(() => readExpectation({ match: { operation: 'payment.creat' } }));
    expect(mistake).toMatchObject({ place: 'match.operation', nearest: 'payment.create' });
    expect(mistake.message).toMatch(
      /^'match\.operation' must be one of .*\. Did you mean 'payment\.create'\?$/,
    );
  });

  it.each([
    [readQuery, { status: '9xx' }, statusForm],
    [readQuery, { status: 42 }, statusForm],
    [readQuery, { status: true }, statusForm],
    [readQuery, { limit: -1 }, "'limit' must be a whole number, 0 or more."],
    [readQuery, { limit: '1e3' }, "'limit' must be a whole number, 0 or more."],
    [readQuery, { replayed: 'yes' }, "'replayed' must be true or false."],
    [readQuery, { from: 'noon' }, timeForm],
    [readQuery, [], 'The query must be of type object.'],
    [readQuery, { card: 7 }, "'card' must be of type string."],
    [readMatch, { limit: 1 }, "Unknown key 'limit'."],
    [readExpectation, { times: 1, atLeast: 1 }, 'takes either times, or atLeast and atMost.'],
    [readExpectation, { atLeast: 2, atMost: 1 }, 'has an atLeast that is larger than its atMost.'],
    [readExpectation, { sequence: [] }, "'sequence' must name at least one exchange."],
    [
      readExpectation,
      { fields: { total: '1' } },
      "'fields.total' must start with body. or response.",
    ],
    [
      readExpectation,
      { fields: { 'body.a': [] } },
      'must be a text, a number, true, false or null.',
    ],
    [readWait, { timeoutMs: 'soon' }, "'timeoutMs' must be a whole number, 0 or more."],
    [readWaitInput, null, 'The query must be of type object.'],
    [readWaitInput, [], 'The query must be of type object.'],
    [readWaitInput, { signal: 'soon' }, "'signal' must be an AbortSignal."],
    [readWaitInput, { signal: new AbortController() }, "'signal' must be an AbortSignal."],
    [readWaitInput, { match: {} }, "Unknown key 'match'."],
    [readWaitInput, { sginal: null }, "Did you mean 'signal'?"],
  ])('is reported if it is in a value: %#', (read, asked, message) => {
    expect(mistakeIn(() => read(asked)).message).toContain(message);
  });
});

it('counts and flags are read from an address as from JSON', () => {
  expect(readQuery({ limit: '5', replayed: 'true', status: '201' })).toEqual(
    readQuery({ limit: 5, replayed: true, status: 201 }),
  );
  expect(readWait({})).toEqual({ match: {}, times: 1, timeoutMs: 4_000 });
});
