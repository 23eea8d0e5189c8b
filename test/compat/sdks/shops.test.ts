/**
 * Shops in other languages. Some retry after a lost answer: right with the same request id, wrong with a new one. Some pay
 * twice at once: right for two sellers, wrong for one order.
 */
import { describe, expect, it, onTestFinished, type TestContext } from 'vitest';
import { createSandbox, type OutcomeId } from '../../../src/index.ts';
import { runOrSkip, script, type Program } from './programs.ts';

interface ShopProgram extends Program {
  readonly file: string;
  /** Arguments before the file. */
  readonly before?: readonly string[];
}

const shops: readonly ShopProgram[] = [
  { command: 'python3', probe: ['--version'], needs: 'python3', file: 'shop.py' },
  { command: 'php', probe: ['--version'], needs: 'php', file: 'shop.php' },
  { command: 'ruby', probe: ['-e', 'require "net/http"'], needs: 'ruby', file: 'shop.rb' },
];

/** Each sends two payments at once: from processes, threads, one thread, and goroutines that share a pool. */
const hurriedShops: readonly ShopProgram[] = [
  { command: 'python3', probe: ['--version'], needs: 'python3', file: 'shop.py' },
  { command: 'ruby', probe: ['-e', 'require "net/http"'], needs: 'ruby', file: 'shop.rb' },
  {
    command: 'php',
    probe: ['-r', 'curl_multi_init();'],
    needs: 'PHP with curl',
    file: 'multi.php',
  },
  { command: 'go', probe: ['version'], needs: 'Go', before: ['run'], file: 'shop.go' },
];

const lostAnswers: readonly OutcomeId[] = [
  'reset-after-commit',
  'close-after-commit',
  'garbage-then-close',
];

describe.each(shops)('a shop in $command', (program) => {
  it.for(lostAnswers)('passes with one request id for each order: %s', async (outcome, context) => {
    const { printed, verdict } = await buy(context, program, 'same-id', outcome);
    expect(printed).toBe('completed\n');
    expect(verdict.findings.filter(({ severity }) => severity !== 'low')).toEqual([]);
    expect(verdict.passed).toBe(true);
  });

  it.for(lostAnswers)('fails with a new request id for the retry: %s', async (outcome, context) => {
    const { printed, verdict } = await buy(context, program, 'new-id', outcome);
    expect(printed).toBe('completed\n');
    expect(verdict.passed).toBe(false);
    expect(verdict.findings).toContainEqual(
      expect.objectContaining({ rule: 'double-charge', severity: 'critical' }),
    );
  });
});

describe.each(hurriedShops)('a shop in $command that pays twice at once', (program) => {
  it('fails for one order', async (context) => {
    const { printed, verdict } = await buy(context, program, 'double-click');
    expect(printed).toBe('completed\n');
    expect(verdict.passed).toBe(false);
    expect(verdict.findings).toContainEqual(
      expect.objectContaining({ rule: 'double-charge', severity: 'high' }),
    );
  });

  it('passes for two sellers that its descriptions name', async (context) => {
    const { printed, verdict } = await buy(context, program, 'two-sellers');
    expect(printed).toBe('completed\n');
    expect(verdict.findings.filter(({ severity }) => severity !== 'low')).toEqual([]);
    expect(verdict.passed).toBe(true);
  });
});

type Habit = 'same-id' | 'new-id' | 'double-click' | 'two-sellers';

async function buy(
  context: TestContext,
  { file, before = [], ...program }: ShopProgram,
  habit: Habit,
  outcome?: OutcomeId,
) {
  const sandbox = createSandbox({ fixtures: 'empty' });
  onTestFinished(() => sandbox.close());
  const { url } = await sandbox.listen();
  const merchant = sandbox.merchant('my-shop');
  if (outcome !== undefined) merchant.force({ op: 'payment.create', outcome });
  const args = [...before, script(`shops/${file}`), url, merchant.id, habit];
  const { stdout } = await runOrSkip(context, program, args);
  return { printed: stdout, verdict: await merchant.verdict() };
}
