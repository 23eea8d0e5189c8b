/** `--prefix` selects one of several runs that share a sandbox. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runCli } from '../cli-process.ts';
import { folder, open } from '../judged-sandbox.ts';

describe('--prefix', () => {
  async function sharedByTwoRuns(): Promise<string> {
    const { sandbox, url } = await open();
    for (const merchant of ['run-7~cart', 'run-7~card', 'run-8~cart']) {
      const headers = { Authorization: `Bearer sandbox.${merchant}` };
      await sandbox.request('/v1/vault/credit-cards', { headers });
    }
    sandbox.merchant('run-8~cart').force({ op: 'payment.create', outcome: 'reset-after-commit' });
    return url;
  }

  it('judges merchants whose id starts with it, and counts how many passed', async () => {
    const url = await sharedByTwoRuns();
    const [all, first, second] = await Promise.all(
      [[], ['--prefix', 'run-7~'], ['--prefix', 'run-8~']].map((flags) =>
        runCli(['verdict', url, ...flags]),
      ),
    );
    expect([all?.code, first?.code, second?.code]).toEqual([1, 0, 1]);
    expect(all?.stdout).toMatch(/\n\nFAILED 1 of 3 merchants: run-8~cart\n$/);
    expect(first?.stdout).toMatch(/\n\nPASSED all 2 merchants\n$/);
    expect(first?.stdout).not.toContain('run-8~cart');
    expect(second?.stdout).not.toContain(' merchants\n');
  });

  it('counts what those merchants tried', async () => {
    const url = await sharedByTwoRuns();
    const at = folder();
    const operationsOf = async (name: string, ...flags: readonly string[]) => {
      const path = join(at, name);
      expect((await runCli(['coverage', url, '--out', path, ...flags])).code).toBe(0);
      return (JSON.parse(readFileSync(path, 'utf8')) as { readonly operations: unknown })
        .operations;
    };
    expect(await operationsOf('all')).toEqual({ 'card.list': 3 });
    expect(await operationsOf('run-7', '--prefix', 'run-7~')).toEqual({ 'card.list': 2 });
    const page = join(at, 'verdict.html');
    await runCli(['verdict', url, '--prefix', 'run-7~', '--html', page]);
    expect(readFileSync(page, 'utf8')).not.toContain('run-8~cart');
  });

  it('fails if no id starts with it, unless --allow-no-requests is set', async () => {
    const url = await sharedByTwoRuns();
    const { code, stdout } = await runCli(['verdict', url, '--prefix', 'run-9~']);
    expect([code, stdout]).toEqual([
      1,
      expect.stringContaining(
        'No merchant has an id that starts with run-9~, so nothing was tested.',
      ),
    ]);
    const allowed = ['verdict', url, '--prefix', 'run-9~', '--allow-no-requests'];
    expect((await runCli(allowed)).code).toBe(0);
  });

  it('fails the coverage if no id starts with it at any address', async () => {
    const [url, { url: empty }] = [await sharedByTwoRuns(), await open()];
    const { code, stderr } = await runCli(['coverage', url, empty, '--prefix', 'run-9~']);
    expect([code, stderr]).toEqual([
      1,
      'card-vault-sandbox: No merchant has an id that starts with run-9~, so nothing was tested. Check --prefix, and the client id in your code.\n',
    ]);
    const known = await runCli(['coverage', empty, url, '--prefix', 'run-7~']);
    expect([known.code, known.stderr]).toEqual([0, '']);
  });

  it.each([
    [['verdict', '--prefix', 'a', '--merchant', 'b'], 'Use --merchant or --prefix, not both'],
    [['verdict', '--prefix', ''], '--prefix must not be empty'],
    [['coverage', '--prefix', ''], '--prefix must not be empty'],
  ])('is refused: %j', async (args, words) => {
    const { url } = await open();
    const { code, stderr } = await runCli([...args, url]);
    expect([code, stderr]).toEqual([2, expect.stringContaining(words)]);
  });

  it('is refused if only files are named', async () => {
    const { url } = await open();
    const path = join(folder(), 'some.json');
    await runCli(['coverage', url, '--out', path]);
    const { code, stderr } = await runCli(['coverage', path, '--prefix', 'run-7~']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('Name a sandbox with --url')]);
  });
});
