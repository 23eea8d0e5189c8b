/** The last lines of a run say what failed, as a log may be cut to its tail. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { runNode } from './child.ts';

it('the last lines of a run name each failure with the first line of its error, and count', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'card-vault-sandbox-closing-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const counts = join(folder, 'counts');
  const args = ['run', '--config=test/compat/runners/closing-line/vitest.config.ts'];
  const ran = await runNode(['node_modules/vitest/vitest.mjs', ...args], undefined, {
    TEST_COUNTS: counts,
  });
  const lines = [
    'Failed: failing.suite.ts > a shop > pays once: the charges: expected 2 to be 1 // Object.is equality',
    'Failed: failing.suite.ts > a shop without a sandbox: No sandbox answers.',
    'Failed: unreadable.suite.ts: This file cannot be loaded.',
  ];
  const said = ran.stdout.trimEnd().split('\n');
  expect(said.slice(-4, -1).toSorted()).toEqual(lines);
  expect(said.at(-1)).toBe('1 passed, 3 failed, 1 skipped');
  const kept = readFileSync(counts, 'utf8').trimEnd().split('\n');
  expect(kept.toSorted()).toEqual([said.at(-1), ...lines]);
  expect(ran.code).toBe(1);
});
