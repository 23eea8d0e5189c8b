/** The packed package in vitest, whose pools run tests among Node's own globals or among others, and in bundles. */
import { symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Consumers, type Project } from './consumer.ts';

const vitest = dirname(createRequire(import.meta.url).resolve('vitest/package.json'));

/** What is the caller's own is an instance of the caller's classes, and one library is behind all entries. */
const suite = `
import { connect, createSandbox, OptionError, VerdictError, assertPassed } from 'card-vault-sandbox';
import { connect as connectByClient } from 'card-vault-sandbox/client';
import { sandboxTest } from 'card-vault-sandbox/vitest';
import { expect, test } from 'vitest';

const authorized = ({ token }) => ({ headers: { Authorization: 'Bearer ' + token } });

test('is of this realm', async () => {
  const sandbox = createSandbox({ seed: 'pools' });
  const answer = await sandbox.request('/v1/vault/credit-cards', authorized(sandbox));
  expect(answer).toBeInstanceOf(Response);
  expect(sandbox.rules()).toStrictEqual([]);
  expect(sandbox.merchants()).toBeInstanceOf(Array);
  const mistake = await Promise.resolve().then(() => createSandbox({ sead: 1 })).catch((error) => error);
  expect(mistake).toBeInstanceOf(OptionError);
  expect(mistake).toBeInstanceOf(Error);
  expect(connectByClient).toBe(connect);
});

sandboxTest()('has one fixture with it', async ({ merchant, sandbox }) => {
  await sandbox.request('/v1/vault/credit-cards', authorized(merchant));
  const verdict = await merchant.verdict();
  expect(verdict).toPass();
  expect(() => assertPassed({ ...verdict, passed: false })).toThrow(VerdictError);
});
`;

const program = `
import { createSandbox } from 'card-vault-sandbox';
import { connect } from 'card-vault-sandbox/client';
const sandbox = createSandbox();
const { status } = await sandbox.request('/v1/vault/credit-cards', { headers: { Authorization: 'Bearer ' + sandbox.token } });
console.log(status, (await sandbox.verdict()).passed, typeof connect);
try {
  sandbox.about();
} catch (error) {
  console.log(error.message);
}
`;

const consumers = new Consumers();
afterAll(() => {
  consumers.remove();
});

let project: Project;
beforeAll(() => {
  project = consumers.project('pools', {
    'package.json': '{ "private": true, "type": "module" }',
    'shop.test.js': suite,
    'program.js': program,
  });
  symlinkSync(vitest, join(project.folder, 'node_modules', 'vitest'));
});

describe.each(['forks', 'threads', 'vmForks', 'vmThreads'])(
  'the package in the pool %s',
  (pool) => {
    it('is loaded once, in the realm of its importer', async () => {
      const ran = await project.run([join(vitest, 'vitest.mjs'), 'run', `--pool=${pool}`]);
      expect(ran.code, ran.stdout + ran.stderr).toBe(0);
      expect(ran.stdout).toContain('2 passed');
    });
  },
);

describe.each([
  { bundler: 'with the default conditions', conditions: [] },
  { bundler: 'with the condition node alone', conditions: ['node'] },
])('the package in a bundle built $bundler', ({ bundler, conditions }) => {
  it('works, and says what it misses of its own files', async () => {
    const outfile = join(project.folder, `${bundler.replaceAll(' ', '-')}.mjs`);
    await build({
      entryPoints: [join(project.folder, 'program.js')],
      outfile,
      bundle: true,
      platform: 'node',
      format: 'esm',
      logLevel: 'error',
      ...(conditions.length > 0 && { conditions }),
    });
    const ran = await project.run([outfile]);
    expect(ran).toMatchObject({ code: 0, stderr: '' });
    expect(ran.stdout).toMatch(
      /^200 true function\nNo package\.json of card-vault-sandbox lies in or above .+\n$/,
    );
  });
});
