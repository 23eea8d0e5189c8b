/** The program that the container image runs as its health check. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createSandbox } from '../../../src/index.ts';
import { root } from '../../support/repository/source-files.ts';

const program = join(root, 'dist', 'health-check.cjs');

function check(env: Readonly<Record<string, string>>): Promise<{ code: number; stderr: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [program], { env }, (error, _stdout, stderr) => {
      resolve({ code: Number(error?.code ?? 0), stderr });
    });
  });
}

it('succeeds where the sandbox of the environment is ready, at its control port too', async () => {
  const sandbox = createSandbox();
  onTestFinished(() => sandbox.close());
  const { port, control } = await sandbox.listen({ port: 0, control: { port: 0 } });
  const variables = { CARD_VAULT_PORT: `${port}`, CARD_VAULT_CONTROL_PORT: `${control.port}` };
  expect(await check(variables)).toEqual({ code: 0, stderr: '' });
  // The service port has no health of its own if the control API has its own port.
  const { CARD_VAULT_PORT } = variables;
  expect(await check({ CARD_VAULT_PORT })).toMatchObject({ code: 1 });
});

it('fails and says why where nothing listens', async () => {
  expect(await check({ CARD_VAULT_PORT: '1' })).toEqual({
    code: 1,
    stderr: expect.stringContaining('Nothing answers at http://127.0.0.1:1 (') as string,
  });
});
