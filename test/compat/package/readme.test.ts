/** Runs the shell lines of the documentation in a project that has installed the package. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { createSandbox } from '../../../src/index.ts';
import { exampleOf } from '../../support/repository/documentation.ts';
import { readText } from '../../support/repository/source-files.ts';
import { Consumers, type Project } from './consumer.ts';

const Manifest = z.object({ exports: z.record(z.string(), z.unknown()) });

const GitLabJob = z.object({ test: z.object({ script: z.array(z.string()) }) });

it('the documentation lists every import', () => {
  const { exports } = Manifest.parse(JSON.parse(readText('package.json')));
  const listed = [
    ...readText('docs/guides/install.md').matchAll(/^\| `card-vault-sandbox(\/\S+)?` /gm),
  ];
  expect(listed.map(([, subpath = '']) => `.${subpath}`)).toEqual(
    Object.keys(exports).filter((subpath) => subpath !== './package.json'),
  );
});

/** Passes where a sandbox is at the address in its variable, and where its settings say to ask nothing. */
const shopTest = `
if (process.env.SHOP_ASKS_NOTHING) process.exit(0);
const { status } = await fetch(process.env.VAULT_URL + '/v1/payments/payment', {
  headers: { Authorization: 'Bearer sandbox.shop' },
});
console.log('the shop was tested: ' + status);
process.exit(Number(process.env.SHOP_ENDS_WITH ?? 0));
`;

const hasBash = spawnSync('bash', ['--version']).status === 0;
if (!hasBash)
  process.stdout.write(
    'The shell lines of the documentation did not run: this machine has no bash.\n',
  );

describe.runIf(hasBash)('shell lines of the documentation', () => {
  const consumers = new Consumers();
  let project: Project;
  beforeAll(() => {
    project = consumers.project('shop', {
      'package.json': '{ "private": true, "scripts": { "test": "node shop.test.mjs" } }',
      'shop.test.mjs': shopTest,
    });
  });
  afterAll(() => {
    consumers.remove();
  });

  /** In a process group of its own, which ends with the test, should the lines leave a sandbox behind. */
  async function run(lines: string): Promise<{ code: unknown; stdout: string }> {
    const shell = spawn('bash', ['-euc', lines], {
      cwd: project.folder,
      detached: true,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const { pid } = shell;
    if (pid === undefined) throw new Error('bash did not start.');
    onTestFinished(() => {
      spawnSync('bash', ['-c', `kill -TERM -- -${pid}`]);
    });
    let stdout = '';
    shell.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
    const [code] = (await once(shell, 'exit')) as [unknown];
    return { code, stdout };
  }

  it.each([
    ['passes', 0],
    ['fails', 1],
  ])('wait for a sandbox in a script, and stop it when the test %s', async (_how, status) => {
    // As one that was killed would have left it.
    const readyFile = join(project.folder, 'vault.url');
    writeFileSync(readyFile, 'http://127.0.0.1:1\n');
    const ran = await run(`export SHOP_ENDS_WITH=${status}\n${exampleOf('script')}`);
    const [, url = ''] = /^(http:\/\/127\.0\.0\.1:\d+) is ready\.$/m.exec(ran.stdout) ?? [];
    expect(ran.stdout).toMatch(/^the shop was tested: 200$/m);
    expect(ran.code).toBe(status);
    const answers = (): Promise<boolean> =>
      fetch(url).then(
        () => true,
        () => false,
      );
    // After a signal, it ends once its requests are answered.
    while ((await answers()) || existsSync(readyFile));
    expect(await answers()).toBe(false);
  });

  it('fail a script whose tests pass and whose verdict fails', async () => {
    const ran = await run(`export SHOP_ASKS_NOTHING=1\n${exampleOf('script')}`);
    expect(ran.stdout).toContain('sent no requests, so nothing was tested');
    expect(ran.code).toBe(1);
  });

  it.each([
    ['tests and verdict are well', {}, 0],
    ['tests fail', { SHOP_ENDS_WITH: '3' }, 3],
    ['the verdict fails', { SHOP_ASKS_NOTHING: '1' }, 1],
  ])('print a verdict in a job of GitLab where %s', async (_where, settings, code) => {
    const sandbox = createSandbox();
    onTestFinished(() => sandbox.close());
    const { url } = await sandbox.listen({ port: 0 });
    const { script } = GitLabJob.parse(parse(exampleOf('gitlab'))).test;
    const [install, ...lines] = script;
    expect(install).toBe('npm ci');
    const variables = Object.entries({ ...settings, VAULT_URL: url });
    const exported = variables.map(([name, value]) => `export ${name}=${value}`);
    const ran = await run([...exported, ...lines].join('\n'));
    expect(ran.code).toBe(code);
    expect(ran.stdout).toMatch(/^(PASSED|FAILED)/m);
  });

  it('fail if no sandbox starts', async () => {
    const lines = exampleOf('script').replace('--port 0', '--port x');
    // In a script that would go on.
    const ran = await run(`set +e\n${lines.replace(' wait ', ' wait --timeout 200ms ')}`);
    expect(ran.stdout).not.toContain('the shop was tested');
    expect(ran.code).toBe(1);
  });

  it('run a command with a sandbox, and print the verdict', async () => {
    const ran = await run(exampleOf('beside'));
    expect(ran.stdout).toMatch(/^the shop was tested: 200$/m);
    expect(ran.code).toBe(0);
    const report = readFileSync(join(project.folder, 'verdict.xml'), 'utf8');
    expect(report).toContain('tests=');
  });

  it('install the package and run it', async () => {
    const named = `./${basename(consumers.tarball)}`;
    expect(exampleOf('package')).toContain(` ${named}\n`);
    const lines = exampleOf('package').replace(
      named,
      `--offline --no-audit '${consumers.tarball}'`,
    );
    const ran = await run(lines);
    expect(ran.stdout).toMatch(/^\d+\.\d+\.\d+$/m);
    expect(ran.code).toBe(0);
  });
});
