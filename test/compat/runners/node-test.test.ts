/** `assertPassed` in `node --test`, as its users run it, from the package that ships. */
import { describe, expect, it } from 'vitest';
import { runNode } from './child.ts';

const runTests = (name: string) =>
  runNode(['--test', '--test-reporter=spec', `test/compat/runners/node-test/${name}.mjs`]);

describe('node:test', () => {
  it('passes a correct test', async () => {
    const { code, stdout } = await runTests('passing');
    expect([code, stdout]).toEqual([0, expect.stringMatching(/tests 2\n.*\n.*pass 2\n/)]);
  });

  it('fails a test with a bad verdict, and shows what happened to the money', async () => {
    const { code, stdout } = await runTests('failing');
    expect(code).toBe(1);
    expect(stdout).toMatch(/VerdictError.*: FAILED careless {2}2 requests, 1 purchase/);
    expect(stdout).toContain('CRITICAL double-charge');
    expect(stdout).toMatch(/completed, 30\.11 of 30\.11 USD kept; the client never knew/);
    expect(stdout).toContain('failing.mjs:42');
    expect(stdout).toContain('got a promise: add await');
    expect(stdout).toMatch(/tests 2\n.*\n.*pass 0\n.*fail 2\n/);
    // Of the verdict itself nothing is printed.
    expect(stdout).not.toContain('confidence');
  });
});
