/** Programs without types give anything: each is told what is wrong, in a sentence and by the mistake's own name. */
import { afterAll, describe, expect, it } from 'vitest';
import { createSandbox } from '../../src/index.ts';

const sandbox = createSandbox({ seed: 'untyped' });
afterAll(() => sandbox.close());

/** What comes of a call whose argument the types would refuse. */
function outcomeOf(call: (...given: never[]) => unknown, given: unknown): unknown {
  try {
    return Reflect.apply(call, undefined, [given]);
  } catch (error) {
    return error;
  }
}

const things = [null, undefined, 5, true, 'not-there', []];

describe('anything but what was asked for', () => {
  it.each(things)('is no rule: %j', (thing) => {
    expect(outcomeOf(sandbox.force, thing)).toMatchObject({
      name: 'ScenarioMistake',
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
    [{ name: null }, 'force name: '],
  ])('is no part of a rule: %j', (part, words) => {
    const given = { op: 'payment.create', ...part };
    expect(outcomeOf(sandbox.force, given)).toMatchObject({
      name: 'ScenarioMistake',
      message: expect.stringContaining(words),
    });
    expect(sandbox.rules()).toEqual([]);
  });

  it.each(things)('is no scenario: %j', (thing) => {
    expect(outcomeOf(sandbox.scenario, thing)).toMatchObject({
      name: 'ScenarioMistake',
      message: expect.stringMatching(/\bscenario\b/),
    });
  });

  it.each(things.filter((thing) => thing !== undefined))('is no options: %j', (thing) => {
    expect(outcomeOf(createSandbox, thing)).toMatchObject({
      name: 'OptionMistake',
      message: expect.stringContaining('The options: Invalid input: expected object'),
    });
  });

  it.each([
    [{ fixtures: null }, 'Option fixtures: must be a name, a path or a document.'],
    [{ scenario: 5 }, 'Option scenario: must be a name, a path or a document.'],
    [{ clock: null }, 'Option clock: Invalid input: expected object, received null.'],
  ])('is no option: %j', (options, words) => {
    expect(outcomeOf(createSandbox, options)).toMatchObject({
      name: 'OptionMistake',
      message: expect.stringContaining(words),
    });
  });
});
