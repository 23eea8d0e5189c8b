/** Values of wrong types from programs without types: each is refused with a named error and a sentence. */
import { runInNewContext } from 'node:vm';
import { afterAll, describe, expect, it } from 'vitest';
import { createSandbox } from '../../../src/index.ts';

const sandbox = createSandbox({ seed: 'untyped' });
afterAll(() => sandbox.close());

/** The result or error of a call with an argument that the types forbid. */
function outcomeOf(call: (...given: never[]) => unknown, given: unknown): unknown {
  try {
    return Reflect.apply(call, undefined, [given]);
  } catch (error) {
    return error;
  }
}

const things = [null, undefined, 5, true, 'not-there', []];

describe('a value of the wrong type', () => {
  it.each(things)('is refused as a rule: %j', (thing) => {
    expect(outcomeOf(sandbox.force, thing)).toMatchObject({
      name: 'RuleError',
      message: expect.stringMatching(/\bforce\b/),
    });
    expect(sandbox.rules()).toEqual([]);
  });

  it.each([
    [{ sequence: 5 }, 'force sequence: must be a list'],
    [{ sequence: 'ok' }, 'force sequence: must be a list'],
    [{ sequence: null }, 'force sequence: must be a list'],
    [{ outcome: null }, 'force outcome: '],
    [{ then: null }, 'force then: '],
    [{ outcome: 'decline-generic', name: null }, 'force name: '],
  ])('is refused as a part of a rule: %j', (part, words) => {
    const given = { op: 'payment.create', ...part };
    expect(outcomeOf(sandbox.force, given)).toMatchObject({
      name: 'RuleError',
      message: expect.stringContaining(words),
    });
    expect(sandbox.rules()).toEqual([]);
  });

  it.each(things)('is refused as a scenario: %j', (thing) => {
    expect(outcomeOf(sandbox.playScenario, thing)).toMatchObject({
      name: 'ScenarioError',
      message: expect.stringMatching(/\bscenario\b/),
    });
  });

  it.each(things.filter((thing) => thing !== undefined))(
    'is refused as the options: %j',
    (thing) => {
      expect(outcomeOf(createSandbox, thing)).toMatchObject({
        name: 'OptionError',
        message: 'The options: must be an object of keys and values.',
      });
    },
  );

  it.each([
    [{ fixtures: null }, 'Option fixtures: must be a name, a path or a document.'],
    [{ scenario: 5 }, 'Option scenario: must be a name, a path or a document.'],
    [{ clock: null }, 'Option clock: must be an object of keys and values.'],
    [
      { profile: 'recordd' },
      'Option profile: must be one of documented, recorded. Did you mean "recorded"?',
    ],
    [{ auth: 'Open' }, 'Option auth: must be one of open, strict. Did you mean "open"?'],
    [{ seed: 5 }, 'Option seed: must be text in quotes.'],
    [{ seed: '' }, 'Option seed: must not be empty.'],
    [{ seed: 'x'.repeat(257) }, 'Option seed: must have at most 256 characters.'],
    [{ limits: { maxRecords: 1e9 } }, 'Option limits.maxRecords: must be at most 100000000.'],
    [{ magicAmounts: 'yes' }, 'Option magicAmounts: must be true or false.'],
    [{ limits: { maxRecords: 0 } }, 'Option limits.maxRecords: must be at least 1.'],
    [{ limits: { maxRecords: 0.5 } }, 'Option limits.maxRecords: must be a whole number.'],
    [{ controlAllowedHosts: 'shop.test' }, 'Option controlAllowedHosts: must be a list.'],
    [{ controlAllowedHosts: [5] }, 'Option controlAllowedHosts[0]: must be text in quotes.'],
    [
      { baseUrl: 'sandbox.test' },
      'Option baseUrl: must be an http or https URL such as https://sandbox.test.',
    ],
    [
      { clock: { start: 'soon' } },
      'Option clock.start: must be an RFC 3339 time, such as 2030-01-02T03:04:05Z, or a Date.',
    ],
    [{ listeners: { onExchange: true } }, 'Option listeners.onExchange: must be a function.'],
    [
      { port: 3000 },
      'Unknown option "port". It is an option of listen, such as sandbox.listen({ port: 3000 }).',
    ],
    [
      Object.create({ port: 3000 }),
      'Unknown option "port". It is an option of listen, such as sandbox.listen({ port: 3000 }).',
    ],
    [{ clock: { port: 3000 } }, 'Unknown option "clock.port". Known: start, frozen.'],
    [
      { profile: 'recordd', seed: 5 },
      'Option profile: must be one of documented, recorded. Did you mean "recorded"?\nOption seed: must be text in quotes.',
    ],
  ])('is refused as an option: %j', (options, message) => {
    expect(outcomeOf(createSandbox, options)).toMatchObject({ name: 'OptionError', message });
  });

  it.each([
    [Number.NaN, 'NaN'],
    ['noon', '"noon"'],
    [1e16, '10000000000000000'],
    [undefined, 'undefined'],
  ])('is refused as a time: %j', (time, words) => {
    const options: object = { systemClock: { nowMs: () => time } };
    const message = `Option systemClock.nowMs: must return milliseconds since 1970, and returned ${words}.`;
    const read = () => createSandbox(options).clock.read();
    expect(outcomeOf(read, undefined)).toMatchObject({ name: 'OptionError', message });
  });

  it.each(things.filter((thing) => thing !== undefined))(
    'is refused by generateCards: %j',
    (thing) => {
      expect(outcomeOf(sandbox.generateCards, thing)).toMatchObject({
        name: 'ArgumentError',
        message: expect.stringMatching(
          /^generateCards expects an object with any of outcome, brand, count, got .+\.$/,
        ),
      });
    },
  );

  it.each(things.filter((thing) => thing !== undefined))(
    'is refused as a filter of outcomes: %j',
    (thing) => {
      expect(outcomeOf(sandbox.outcomes, thing)).toMatchObject({
        name: 'ArgumentError',
        message: expect.stringMatching(
          /^outcomes expects an object with any of operation, tier, got/,
        ),
      });
    },
  );

  it.each([
    [
      sandbox.generateCards,
      { outcom: 'x' },
      'unknown key "outcom". Did you mean "outcome"?',
      'outcome',
    ],
    [sandbox.generateCards, { brand: 'viza' }, '"viza". Did you mean "visa"?', 'visa'],
    [sandbox.generateCards, { brand: null }, 'Unknown brand null. Known:', undefined],
    [sandbox.outcomes, { teir: 1 }, 'unknown key "teir". Did you mean "tier"?', 'tier'],
    [sandbox.outcomes, { operation: 'card.creat' }, 'Did you mean "card.create"?', 'card.create'],
    [
      sandbox.outcomes,
      { operation: ['card.create'] },
      'Unknown operation a list. Known:',
      undefined,
    ],
  ])('is refused with the nearest allowed word', (call, given, words, nearest) => {
    const error = outcomeOf(call, given);
    expect(error).toMatchObject({
      name: 'ArgumentError',
      message: expect.stringContaining(words),
    });
    expect(Reflect.get(Object(error), 'nearest')).toBe(nearest);
  });

  it.each([...things, 'decline-genric'])('is refused as an outcome: %j', (thing) => {
    expect(outcomeOf(sandbox.outcome, thing)).toMatchObject({
      name: 'ArgumentError',
      message: expect.stringMatching(/decline-generic|for the list\.$/),
    });
  });

  it.each([...things.filter((thing) => thing !== 'not-there'), '', 'my shop', 'a/b'])(
    'is refused as a merchant id: %j',
    (thing) => {
      expect(outcomeOf(sandbox.merchant, thing)).toMatchObject({
        name: 'ArgumentError',
        message: expect.stringMatching(/^A merchant id must be 1 to 128 letters, .+, got /),
      });
    },
  );

  it.each([...things, {}, new Date(Number.NaN)])('is refused as a time: %j', (thing) => {
    expect(outcomeOf(sandbox.clock.set, thing)).toMatchObject({
      name: 'ClockError',
      message: expect.stringMatching(/^Set a clock to a time such as .+, got .+\.$/),
    });
  });

  it.each([...things, Number.NaN, Infinity, 1.5, '5', 'P1.5D'].filter((thing) => thing !== 5))(
    'is refused as a duration: %j',
    (thing) => {
      expect(outcomeOf(sandbox.clock.advance, thing)).toMatchObject({
        name: 'ClockError',
        message: expect.stringMatching(/^Advance a clock by a duration .+, got .+\. Write .+\.$/),
      });
    },
  );

  it.each([...things, {}])('is refused as a snapshot: %j', (thing) => {
    for (const call of [sandbox.restore, sandbox.dropSnapshot]) {
      expect(outcomeOf(call, thing)).toMatchObject({
        name: 'SnapshotError',
        message: expect.stringContaining('has no snapshot'),
      });
    }
    if (thing === undefined || thing === null || thing === 'not-there') return;
    expect(outcomeOf(sandbox.snapshot, thing)).toMatchObject({ name: 'SnapshotError' });
  });

  it('does not include a Date of another realm, which is a time', () => {
    const elsewhere = runInNewContext("new Date('2999-01-02T03:04:05.000Z')") as Date; // It is one there.
    expect(elsewhere instanceof Date).toBe(false);
    expect(outcomeOf(sandbox.clock.set, elsewhere)).toMatchObject({
      now: expect.stringMatching(/^2999-01-02T03:04:05/),
    });
  });
});
