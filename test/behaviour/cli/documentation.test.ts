/** Command lines of the documentation, run by the command. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createSandbox } from '../../../src/index.ts';
import { exampleOf } from '../../support/repository/documentation.ts';
import { cardBody } from '../../support/samples.ts';
import { CliProcess, runCli } from './cli-process.ts';

/** The words of a line after the program name, as a shell splits them. */
function wordsOf(line: string): string[] {
  const words = line.match(/"[^"]*"|\S+/g) ?? [];
  return words.slice(1).map((word) => word.replaceAll('"', ''));
}

it('the documented suppressions work on the command line and in a file', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'card-vault-sandbox-suppressions-'));
  onTestFinished(() => {
    rmSync(folder, { recursive: true });
  });
  const file = join(folder, 'suppressions.yaml');
  // The date in the documentation will pass.
  const lasting = exampleOf('suppressions file').replace(/\d{4}-\d\d-\d\d/, '9999-12-31');
  writeFileSync(file, lasting);

  const sandbox = createSandbox();
  onTestFinished(() => sandbox.close());
  const { url } = await sandbox.listen({ port: 0 });
  await sandbox.request('/v1/vault/credit-cards', {
    method: 'POST',
    headers: { Authorization: `Bearer ${sandbox.token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(cardBody()),
  });
  const lines = exampleOf('suppressions').trim().split('\n');
  expect(lines).toHaveLength(2);
  for (const line of lines) {
    const [verb = '', ...order] = wordsOf(line);
    const args = order.map((word) => (word === 'suppressions.yaml' ? file : word));
    const { code, stderr } = await runCli([verb, url, ...args]);
    expect([code, stderr], line).toEqual([0, '']);
  }
});

it('the documented options work after npm start', async () => {
  const [start, dashes, ...given] = wordsOf(exampleOf('flags').trim());
  expect([start, dashes]).toEqual(['start', '--']);
  const args = given.map((word) => (word === '4000' ? '0' : word));
  const cli = new CliProcess(args);
  const answer = await fetch(`${await cli.url()}/_sandbox/about`);
  expect(await answer.json()).toMatchObject({ seed: 'checkout' });
  expect((await cli.stop()).code).toBe(0);
});
