/** The reader of the output may go at any time, as with `card-vault-sandbox --help | head -1`, and disks fill up. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { connect } from '../../../../src/index.ts';
import { root } from '../../../support/repository/source-files.ts';

/** Starts the command with a reader that leaves after the first chunk. */
function startWithLeavingReader(args: readonly string[]) {
  const child = spawn(process.execPath, [join(root, 'dist', 'cli.cjs'), ...args], {
    env: {},
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const said: string[] = [];
  child.stderr.setEncoding('utf8').on('data', (text: string) => said.push(text));
  const first = once(child.stdout.setEncoding('utf8'), 'data').then(([text]) => {
    child.stdout.destroy();
    return String(text);
  });
  return { child, first, said };
}

it.each([[['--help']], [['outcomes']], [['check', join(root, 'scenarios')]]])(
  '%j ends quietly when its reader leaves',
  async (args) => {
    const { child, said } = startWithLeavingReader(args);
    const [code] = await once(child, 'close');
    expect([code, said]).toEqual([0, []]);
  },
);

it('serve goes on when its reader leaves', async () => {
  const { child, first, said } = startWithLeavingReader(['--port', '0']);
  const [, url = ''] = /(http:[^"]+)/.exec(await first) ?? [];
  const sandbox = connect(url);
  for (let time = 0; time < 3; time++) {
    expect((await sandbox.request('/v1/vault/credit-cards')).status).toBe(401);
  }
  expect((await sandbox.health()).status).toBe('ready');
  expect([child.exitCode, said]).toEqual([null, []]);
  child.kill('SIGTERM');
  const [code] = await once(child, 'exit');
  expect(code).toBe(0);
});

describe.skipIf(!existsSync('/dev/full'))('on a full disk', () => {
  const full = existsSync('/dev/full') ? openSync('/dev/full', 'w') : 'ignore';

  /** Starts the command with one of its outputs on a full disk. */
  function onFullDisk(args: readonly string[], which: 'stdout' | 'stderr') {
    const child = spawn(process.execPath, [join(root, 'dist', 'cli.cjs'), ...args], {
      env: {},
      stdio: which === 'stdout' ? ['ignore', full, 'pipe'] : ['ignore', 'pipe', full],
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    const said: string[] = [];
    for (const other of [child.stdout, child.stderr]) {
      other?.setEncoding('utf8').on('data', (text: string) => said.push(text));
    }
    return { child, said };
  }

  it.each([[['--help']], [['outcomes']], [['check', join(root, 'scenarios')]]])(
    '%j reports it and exits with 2',
    async (args) => {
      const { child, said } = onFullDisk(args, 'stdout');
      const [code] = await once(child, 'close');
      const message = 'card-vault-sandbox: Cannot write to stdout (ENOSPC).\n';
      expect([code, said.join('')]).toEqual([2, message]);
    },
  );

  it('serve reports it once and goes on', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'full-disk-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const ready = join(folder, 'url');
    const { child, said } = onFullDisk(['--port', '0', '--ready-file', ready], 'stdout');
    const { stderr } = child;
    if (stderr !== null) await once(stderr, 'data');
    const sandbox = connect(readFileSync(ready, 'utf8').trim());
    expect((await sandbox.request('/v1/vault/credit-cards')).status).toBe(401);
    expect((await sandbox.health()).status).toBe('ready');
    child.kill('SIGTERM');
    const [code] = await once(child, 'close');
    expect([code, said.join('')]).toEqual([
      0,
      'card-vault-sandbox: Cannot write the log (ENOSPC). The sandbox continues without a log.\n',
    ]);
  });

  it('run lets its command finish and exits with the code of the verdict', async () => {
    const command = ['run', '--', process.execPath, '-e', 'console.log("finished")'];
    const { child, said } = onFullDisk(command, 'stderr');
    const [code] = await once(child, 'close');
    expect([code, said.join('')]).toEqual([1, 'finished\n']);
  });
});
