/** Shops in other languages that retry after a lost answer: right with the same request id, wrong with a new one. */
import { describe, expect, it, onTestFinished, type TestContext } from 'vitest';
import { createSandbox, type OutcomeId } from '../../../src/index.ts';
import { runOrSkip, script, type Program } from './programs.ts';

const shops: readonly (Program & { readonly file: string })[] = [
  { command: 'python3', probe: ['--version'], needs: 'python3', file: 'shop.py' },
  { command: 'php', probe: ['--version'], needs: 'php', file: 'shop.php' },
  { command: 'ruby', probe: ['-e', 'require "net/http"'], needs: 'ruby', file: 'shop.rb' },
];

const lostAnswers: readonly OutcomeId[] = [
  'reset-after-commit',
  'close-after-commit',
  'garbage-then-close',
];

describe.each(shops)('a shop in $command', ({ file, ...program }) => {
  it.for(lostAnswers)('passes with one request id for each order: %s', async (outcome, context) => {
    const { printed, verdict } = await buy(context, outcome, 'same-id');
    expect(printed).toBe('completed\n');
    expect(verdict.findings.filter(({ severity }) => severity !== 'low')).toEqual([]);
    expect(verdict.passed).toBe(true);
  });

  it.for(lostAnswers)('fails with a new request id for the retry: %s', async (outcome, context) => {
    const { printed, verdict } = await buy(context, outcome, 'new-id');
    expect(printed).toBe('completed\n');
    expect(verdict.passed).toBe(false);
    expect(verdict.findings).toContainEqual(
      expect.objectContaining({ rule: 'double-charge', severity: 'critical' }),
    );
  });

  async function buy(context: TestContext, outcome: OutcomeId, habit: 'same-id' | 'new-id') {
    const sandbox = createSandbox({ fixtures: 'empty' });
    onTestFinished(() => sandbox.close());
    const { url } = await sandbox.listen();
    const merchant = sandbox.merchant('my-shop');
    merchant.force({ op: 'payment.create', outcome });
    const args = [script(`shops/${file}`), url, merchant.id, habit];
    const { stdout } = await runOrSkip(context, program, args);
    return { printed: stdout, verdict: await merchant.verdict() };
  }
});
