/** The fixture and the matcher for vitest, in a vitest of their own: what passes, what fails, and what is shown. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { runNode, type Ran } from './child.ts';

const Report = z.object({
  testResults: z.array(
    z.object({
      assertionResults: z.array(
        z.object({ title: z.string(), status: z.string(), failureMessages: z.array(z.string()) }),
      ),
    }),
  ),
});

interface Suite extends Ran {
  /** The message of each failed test, by its title. A passed test has none. */
  readonly failures: Readonly<Record<string, readonly string[]>>;
}

async function runSuite(name: string): Promise<Suite> {
  const folder = mkdtempSync(join(tmpdir(), 'card-vault-sandbox-vitest-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const report = join(folder, 'report.json');
  const ran = await runNode([
    'node_modules/vitest/vitest.mjs',
    'run',
    '--config=test/compat/runners/vitest/vitest.config.ts',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
    name,
  ]);
  const { testResults } = Report.parse(JSON.parse(readFileSync(report, 'utf8')));
  const tests = testResults.flatMap(({ assertionResults }) => assertionResults);
  return {
    ...ran,
    failures: Object.fromEntries(tests.map((test) => [test.title, test.failureMessages])),
  };
}

describe('sandboxTest', () => {
  it('passes correct tests, each with its own merchant', async () => {
    const { code, stderr, failures } = await runSuite('passing');
    const { 'resets the merchant before each try': tries, ...others } = failures;
    expect(Object.values(others).flat()).toEqual([]);
    // The first try fails by intent, and the second would see its order if the merchant was not reset.
    expect(tries).toEqual([expect.stringContaining('expected 1 to be 2')]);
    expect(Object.keys(others)).toHaveLength(18);
    // A passed test prints only findings that may have cost money.
    expect(stderr.match(/^PASSED \S+/gm)).toEqual([
      expect.stringMatching(/^PASSED may-have-charged-twice~/),
    ]);
    expect(stderr).toContain('MEDIUM double-charge (possible)');
    expect(code).toBe(0);
  });

  it('fails tests with a bad verdict, and shows what happened to the money', async () => {
    const { code, stderr, failures } = await runSuite('failing');
    expect(code).toBe(1);
    const messages = Object.entries(failures).map(([title, texts]) => [title, texts.length]);
    expect(messages).toEqual([
      ['pays twice', 1],
      ['arms a rule that never fires', 1],
      ['fails before it asks anything', 1],
      ['asks nothing', 1],
      ['fails of itself, and the money is right', 1],
      ['judges a promise', 1],
      ['expects a bad verdict of good money', 1],
      ['asks for its verdict in a wrong way', 1],
      ['finds no sandbox', 1],
    ]);
    const message = (title: string): string => failures[title]?.join('\n') ?? '';

    const story = message('pays twice');
    expect(story).toMatch(/^VerdictError: FAILED pays-twice~\S+ {2}3 requests, 1 purchase/);
    expect(story).toContain('USD: 60.22 charged, 0.00 returned, 60.22 kept');
    expect(story).toContain('CRITICAL double-charge\n    Purchase "order-1" was charged twice');
    expect(story).toMatch(
      /payment\.create {2}executed, answer lost; the client cannot know the result\s+\[reset/,
    );
    expect(story).toMatch(/completed, 30\.11 of 30\.11 USD kept; the client never knew/);
    // No frame of ours, which vitest would show in the place of the test.
    expect(story).not.toMatch(/^ +at /m);
    expect(stderr).toContain(story.slice(0, story.indexOf('\n')));

    expect(message('arms a rule that never fires')).toContain('Rule rule-1 never fired');
    expect(message('fails before it asks anything')).toContain('Unknown outcome');
    expect(message('asks nothing')).toContain('sent no requests, so nothing was tested');
    expect(message('fails of itself, and the money is right')).toContain("to be 'pending'");
    expect(stderr).toMatch(
      /Requests of merchant fails-of-itself\S+:\n.*\n +#1 +token\.create +200/,
    );
    expect(stderr).toMatch(
      /completed, 30\.11 of 30\.11 USD kept; the client\s+knew\s+from\s+the\s+answer/,
    );
    expect(message('judges a promise')).toContain('got a promise: add await');
    expect(message('expects a bad verdict of good money')).toMatch(
      /to fail, but it passed:\nPASSED/,
    );
    // The first frame is the line that says it.
    expect(message('asks for its verdict in a wrong way')).toMatch(
      /Did you mean "double-charge"\?\n +at .*failing\.suite\.ts:\d+/,
    );
    expect(message('finds no sandbox')).toContain('Nothing answers at http://127.0.0.1:9');
  });
});
