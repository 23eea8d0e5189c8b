/** Runs the examples of docs/concepts/gates.md that are not JavaScript of their own. */
import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { createSandbox } from '../../src/index.ts';
import { exampleOf } from '../support/repository/documentation.ts';
import { rawPaymentBody } from '../support/samples.ts';

const run = promisify(execFile);
const hasCurl = spawnSync('curl', ['--version']).status === 0;

it.runIf(hasCurl)('the example over HTTP holds two payments and is judged', async () => {
  const sandbox = createSandbox({ seed: 'gates' });
  const folder = mkdtempSync(join(tmpdir(), 'card-vault-sandbox-gates-'));
  onTestFinished(async () => {
    await sandbox.close();
    rmSync(folder, { recursive: true });
  });
  const { port } = await sandbox.listen({ port: 0 });
  const code = exampleOf('gates over HTTP').replaceAll('localhost:3000', `127.0.0.1:${port}`);
  const { stdout } = await run('bash', ['-euc', code], { cwd: folder });
  const answers: unknown[] = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(answers).toMatchObject([
    { id: 'gate-1' },
    [{ arrived: 1 }, { arrived: 2 }],
    { released: [{ arrived: 2 }, { arrived: 1 }] },
    { passed: false, findings: [{ rule: 'double-charge' }, {}] },
  ]);
});

it('the example of a scenario releases its payments in reverse', async () => {
  const sandbox = createSandbox({ seed: 'gates' });
  const played = await sandbox.request('/_sandbox/scenario', {
    method: 'POST',
    headers: { 'Content-Type': 'text/yaml' },
    body: exampleOf('gates in a scenario'),
  });
  expect(played.status).toBe(200);
  const pay = () =>
    sandbox.merchant('default').fetch('http://sandbox.local/v1/payments/payment', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(rawPaymentBody({}, { transaction: { custom: 'A-7' } })),
    });
  await Promise.all([pay(), pay()]);
  const { entries } = sandbox.journal();
  expect(entries.map(({ holds }) => holds[0]?.released)).toEqual([2, 1]);
  expect((await sandbox.verdict()).expectations).toMatchObject([{ ok: false }]);
});
