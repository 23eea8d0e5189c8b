/** Options of `sandboxTest`, for vitest and Playwright. */
import { expect, it } from 'vitest';
import { checkSuiteOptions, type SuiteOptions } from '../../../src/test-runner/suite-options.ts';

const url = 'http://127.0.0.1:3000';

it.each<readonly [object, string]>([
  [{ sandbx: {} }, 'Unknown option "sandbx". Did you mean "sandbox"?'],
  [{ prefix: 5 }, 'Option prefix: must be text, got 5.'],
  [{ keep: 'yes' }, 'Option keep: must be true or false, got "yes".'],
  [{ verdict: { settle: '3 days' } }, 'verdict settle: must be a duration ('],
  [{ verdict: { failon: 'high' } }, 'verdict: unknown key "failon". Did you mean "failOn"?'],
])('sandboxTest refuses %j', (options, message) => {
  expect(() => checkSuiteOptions(options as SuiteOptions)).toThrow(message);
});

it.each<SuiteOptions>([
  {},
  { url, token: 'secret', prefix: 'ci-', keep: true },
  { sandbox: { seed: 'checkout' }, verdict: { settle: '12h' } },
  // A suite may name the address of a running sandbox in a variable that is not always set.
  { url, sandbox: { seed: 'checkout' } } as SuiteOptions,
  { url: undefined, token: 'secret' } as SuiteOptions,
])('sandboxTest accepts %j', (options) => {
  expect(() => checkSuiteOptions(options)).not.toThrow();
});
