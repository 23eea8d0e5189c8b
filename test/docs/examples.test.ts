/** Runs the examples of the documentation as they are written. */
import { execFile, spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { brands } from '../../src/domain/card/brand.ts';
import { createSandbox, type Sandbox } from '../../src/index.ts';
import { packageRoot } from '../../src/shared/package-root.ts';
import { pages, readPage } from '../support/documentation.ts';

const run = promisify(execFile);

/** The blocks after `<!-- run -->`, by language, with the page of each. */
function examples(language: string) {
  const fence = new RegExp(`<!-- run -->\\n\\n\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, 'g');
  return pages.flatMap((page) =>
    [...readPage(page).matchAll(fence)].map(([, code = ''], index) => ({ page, index, code })),
  );
}

describe('the examples of the documentation', () => {
  let sandbox: Sandbox;
  let port: number;
  let folder: string;

  beforeAll(async () => {
    sandbox = createSandbox({ seed: 'documentation' });
    port = (await sandbox.listen({ port: 0 })).port;
    folder = mkdtempSync(join(tmpdir(), 'card-vault-sandbox-examples-'));
    mkdirSync(join(folder, 'node_modules'));
    copyFileSync(
      join(packageRoot(), 'scenarios', 'lost-answer.yaml'),
      join(folder, 'my-scenario.yaml'),
    );
    symlinkSync(packageRoot(), join(folder, 'node_modules', 'card-vault-sandbox'), 'junction');
    symlinkSync(
      join(packageRoot(), 'node_modules', 'paypal-rest-sdk'),
      join(folder, 'node_modules', 'paypal-rest-sdk'),
      'junction',
    );
  });

  afterAll(async () => {
    await sandbox.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const onThisPort = (code: string): string =>
    code
      .replaceAll('localhost:3000', `127.0.0.1:${port}`)
      .replaceAll('port: 3000', `port: ${port}`);

  const hasCurl = spawnSync('curl', ['--version']).status === 0;
  if (!hasCurl) process.stdout.write('The curl examples did not run: this machine has no curl.\n');

  it.runIf(hasCurl).each(examples('sh'))(
    'curl answers JSON: $page, block $index',
    async ({ code }) => {
      const { stdout } = await run('bash', ['-euc', onThisPort(code)], { cwd: folder });
      const answers = stdout.replaceAll('}{', '}\n{').split('\n');
      for (const answer of answers) expect(JSON.parse(answer)).toBeTypeOf('object');
      expect(answers.length).toBe(
        code.split('\n').filter((line) => line.startsWith('curl')).length,
      );
    },
  );

  it.each(examples('js'))('code runs: $page, block $index', async ({ code }) => {
    const file = join(folder, 'example.mjs');
    writeFileSync(file, onThisPort(code));
    const { stdout } = await run(process.execPath, ['--no-deprecation', file]);
    expect(stdout).toMatch(/completed|CARD-/);
  });

  it('has examples of both kinds', () => {
    expect(examples('sh').length).toBeGreaterThanOrEqual(5);
    expect(examples('js').length).toBeGreaterThanOrEqual(6);
  });

  it.each(
    [...readPage('docs/reference/test-cards.md').matchAll(/^\| (\w+) +\| (\d{12,19}) +\|$/gm)].map(
      ([, brand, pan]) => ({ brand, pan }),
    ),
  )('stores the test card $brand $pan', async ({ brand, pan }) => {
    expect(brands).toContain(brand);
    const answer = await sandbox.request('/v1/vault/credit-cards', {
      method: 'POST',
      headers: { Authorization: `Bearer ${sandbox.token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ number: pan, type: brand, expire_month: 11, expire_year: 2099 }),
    });
    expect(answer.status).toBe(201);
  });
});
