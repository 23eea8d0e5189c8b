/** The fixtures for Playwright, in a Playwright of their own: what passes, what fails, and what is shown. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { createSandbox } from '../../../src/index.ts';
import { join } from 'node:path';
import { runNode } from './child.ts';

const Report = z.object({
  suites: z.array(
    z.object({
      specs: z.array(
        z.object({
          title: z.string(),
          tests: z.array(
            z.object({
              results: z.array(z.object({ errors: z.array(z.object({ message: z.string() })) })),
            }),
          ),
        }),
      ),
    }),
  ),
});

/** Runs a suite. Gives its exit code, its output and the messages of each test. */
async function runSuite(name: string, env: NodeJS.ProcessEnv = {}) {
  const output = mkdtempSync(join(tmpdir(), 'card-vault-sandbox-playwright-'));
  onTestFinished(() => rmSync(output, { recursive: true }));
  const { code, stdout, stderr } = await runNode(
    [
      'node_modules/@playwright/test/cli.js',
      'test',
      '--config=test/compat/runners/playwright',
      '--reporter=json',
      `--output=${output}`,
      name,
    ],
    undefined,
    env,
  );
  const { suites } = Report.parse(JSON.parse(stdout));
  const failures = suites
    .flatMap(({ specs }) => specs)
    .map(({ title, tests }) => {
      const results = tests.flatMap((test) => test.results);
      return [title, results.flatMap(({ errors }) => errors.map(({ message }) => message))];
    });
  return { code, stdout, stderr, failures: Object.fromEntries(failures) as Failures };
}

type Failures = Readonly<Record<string, readonly string[]>>;

describe('sandboxTest of Playwright', () => {
  it('passes correct tests, each with its own merchant', async () => {
    const server = createSandbox({ fixtures: 'empty' });
    onTestFinished(() => server.close());
    const { url } = await server.listen({ port: 0 });
    const { code, failures, stdout } = await runSuite('passing', { SANDBOX_URL: url });
    expect(Object.values(failures).flat()).toEqual([]);
    expect(Object.keys(failures)).toHaveLength(5);
    expect(code, stdout).toBe(0);
    expect(server.merchants()).toEqual([
      expect.stringMatching(/^ci-drives-a-sandbox-that-runs-elsewhere~/),
    ]);
  });

  it('fails tests with a bad verdict, and shows what happened to the money', async () => {
    const { code, failures, stdout } = await runSuite('failing');
    expect(code).toBe(1);
    const messages = (title: string): string => failures[title]?.join('\n') ?? '';
    expect(messages('pays twice')).toMatch(
      /VerdictError.*FAILED pays-twice~\S+ {2}3 requests, 1 purchase/,
    );
    expect(messages('pays twice')).toContain('Purchase "order-1" was charged twice');
    expect(messages('sends no requests')).toMatch(/sent no requests, so nothing\s+was tested/);
    expect(messages('expects another state')).toContain('pending');
    expect(stdout).toMatch(/Requests of merchant expects-another-state~/);
    expect(messages('finds no sandbox')).toContain('Nothing answers at http://127.0.0.1:9');
    expect(Object.keys(failures)).toHaveLength(4);
  });
});
