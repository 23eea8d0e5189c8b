/** Whoever reads the output may go at any time: `card-vault-sandbox --help | head -1`. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { connect } from '../../src/index.ts';
import { root } from '../support/source-files.ts';

/** Starts the command, and hands it a reader that goes after the first piece. */
function leaving(args: readonly string[]) {
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
  '%j ends quietly',
  async (args) => {
    const { child, said } = leaving(args);
    const [code] = await once(child, 'close');
    expect([code, said]).toEqual([0, []]);
  },
);

it('serve goes on', async () => {
  const { child, first, said } = leaving(['--port', '0']);
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
