/** The commands check, outcomes, health and wait. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createSandbox } from '../../../../src/index.ts';
import { catalogue } from '../../../../src/outcomes/catalogue.ts';
import { listOutcomes } from '../../../../src/outcomes/catalogue-queries.ts';
import { root } from '../../../support/repository/source-files.ts';
import { runCli } from '../cli-process.ts';

const good = `scenario: mine
version: 1
about: One decline.
rules:
  - op: payment.create
    then: decline-generic
`;

/** A folder of scenario files, removed when the test ends. */
function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'card-vault-sandbox-check-'));
  onTestFinished(() => {
    rmSync(folder, { recursive: true });
  });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

describe('check', () => {
  it('accepts the scenarios of the package', async () => {
    const run = await runCli(['check', join(root, 'scenarios')]);
    expect(run).toEqual({ code: 0, stdout: '18 files are valid.\n', stderr: '' });
  });

  it('accepts a single file', async () => {
    const folder = folderWith({ 'mine.yaml': good });
    const { code, stdout } = await runCli(['check', join(folder, 'mine.yaml')]);
    expect([code, stdout]).toEqual([0, '1 file is valid.\n']);
  });

  it('reports every problem with file, line and nearest match', async () => {
    const folder = folderWith({
      'good.yaml': good,
      'bad.yaml': good.replace('decline-generic', 'decline-genric').replace('about', 'abuot'),
    });
    const { code, stdout, stderr } = await runCli(['check', folder, join(folder, 'none.yaml')]);
    const bad = join(folder, 'bad.yaml');
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
    expect(stdout).toContain(`${bad}:3:1 abuot: this key is not known here.`);
    expect(stdout).toContain('Did you mean "about"?');
    expect(stdout).toContain(`${bad}:6:5 rules[0].then: Unknown outcome "decline-genric".`);
    expect(stdout).toContain(`${join(folder, 'none.yaml')}: no such file or folder.`);
    expect(stdout).toMatch(/\n3 problems in 2 of 3 files\.\n$/);
  });

  it('says that fixtures are no scenario', async () => {
    const folder = folderWith({ 'cards.yaml': "cards:\n  - { number: '4111111111111111' }\n" });
    const { code, stdout } = await runCli(['check', join(folder, 'cards.yaml')]);
    expect([code, stdout]).toEqual([
      1,
      expect.stringContaining('these are fixtures, not a scenario. The sandbox checks them at its'),
    ]);
    expect(stdout).toContain('1 problem in 1 of 1 files.');
  });

  it('requires a file', async () => {
    const { code, stdout, stderr } = await runCli(['check']);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain('card-vault-sandbox check ./scenarios');
  });
});

describe('outcomes', () => {
  it('lists every outcome', async () => {
    const { code, stdout } = await runCli(['outcomes']);
    expect(code).toBe(0);
    const missing = catalogue.filter(
      ({ id, tier, concludes, response }) =>
        !stdout.includes(`  ${id} `) ||
        !stdout.includes(`${tier}     ${concludes.padEnd(7)}  ${response}\n`),
    );
    expect(missing.map(({ id }) => id)).toEqual([]);
  });

  it('describes one outcome in full', async () => {
    const { code, stdout } = await runCli(['outcomes', 'decline-insufficient-funds']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^decline-insufficient-funds\n/);
    for (const words of ['CCREJECT-IF', '4000000000009995', '40000099003', '9000.51', 'FAIL']) {
      expect(stdout).toContain(words);
    }
    expect((await runCli(['outcomes', 'hang-after-commit'])).stdout).toContain('cap: ');
  });

  it.each([
    [['--operation', 'token.create', '--tier', '1'], { operation: 'token.create', tier: 1 }],
    [['--operation', 'capture.*'], { operation: 'capture.*' }],
  ] as const)('lists those of %j', async (flags, filter) => {
    const { code, stdout } = await runCli(['outcomes', ...flags]);
    const ids = [...stdout.matchAll(/^ {2}([a-z\d-]+) +\d/gm)].map(([, id]) => id);
    expect([code, ids]).toEqual([0, listOutcomes(filter).map(({ id }) => id)]);
    expect(ids.length).toBeGreaterThan(0);
  });

  it.each([
    [['--operation', 'payment.craete'], 'Did you mean "payment.create"?'],
    [['--tier', '4'], '--tier must be one of 1, 2, 3, got "4"'],
    [['hang-after-commit', '--tier', '1'], 'not both'],
    [['payment.create'], 'card-vault-sandbox outcomes --operation payment.create'],
  ])('refuses %j', async (args, words) => {
    const { code, stderr } = await runCli(['outcomes', ...args]);
    expect(code).toBe(2);
    expect(stderr).toContain(words);
  });

  it('suggests the nearest outcome', async () => {
    const { code, stderr } = await runCli(['outcomes', 'hang-after-comit']);
    expect(code).toBe(2);
    expect(stderr).toContain('Did you mean "hang-after-commit"?');
  });
});

describe('health and wait', () => {
  async function serving() {
    const sandbox = createSandbox({ fixtures: 'empty', controlToken: 'open-sesame' });
    onTestFinished(() => sandbox.close());
    return sandbox.listen({ port: 0 });
  }

  it.each(['health', 'wait'])('%s reports that a sandbox is ready', async (command) => {
    const { url } = await serving();
    const run = await runCli([command, `${url}/`]);
    expect(run).toEqual({ code: 0, stdout: `${url} is ready.\n`, stderr: '' });
  });

  it.each(['health', 'wait'])(
    '%s finds the sandbox that the same environment would start',
    async (command) => {
      const { url, port } = await serving();
      const env = { PORT: String(port), HOST: '0.0.0.0' };
      expect(await runCli([command], { env })).toMatchObject({ stdout: `${url} is ready.\n` });
    },
  );

  it.each(['health', 'wait', 'verdict', 'coverage'])(
    '%s ignores variables that it does not need',
    async (command) => {
      const sandbox = createSandbox({ fixtures: 'empty' });
      onTestFinished(() => sandbox.close());
      const { url, port } = await sandbox.listen({ port: 0 });
      const env = { CARD_VAULT_MAX_RECORDS: 'many', CARD_VAULT_AUTH: 'x' };
      const named = await runCli([command, url], { env: { ...env, CARD_VAULT_PORT: 'x' } });
      const found = await runCli([command], { env: { ...env, CARD_VAULT_PORT: String(port) } });
      expect([named.stderr, found.stderr]).toEqual(['', '']);
    },
  );

  it('health reports why a sandbox is not ready', async () => {
    const { url, close } = await serving();
    await close();
    const { code, stdout, stderr } = await runCli(['health', url]);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain(`Nothing answers at ${url} (ECONNREFUSED).`);
  });

  it('wait returns once the sandbox is ready', async () => {
    const { url, port, close } = await serving();
    await close();
    const waiting = runCli(['wait', url, '--timeout', '120s']);
    const late = createSandbox({ fixtures: 'empty' });
    onTestFinished(() => late.close());
    await new Promise((resolve) => setTimeout(resolve, 600));
    await late.listen({ port });
    expect(await waiting).toMatchObject({ code: 0, stderr: '' });
  });

  it('wait stops at the timeout even if a server accepts connections and never answers', async () => {
    const server: Server = createServer(() => undefined).listen(0, '127.0.0.1');
    onTestFinished(() => void server.close());
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo; // It listens on TCP.
    const { code, stderr } = await runCli([
      'wait',
      `http://127.0.0.1:${port}`,
      '--timeout',
      '500ms',
    ]);
    expect(code).toBe(1);
    expect(stderr).toMatch(/Waited 500ms\.\n$/);
  });

  it.each([
    [['health', 'localhost'], 'The address must be a URL, host:port or a port'],
    [['health', '0'], 'localhost:3000, [::1]:3000 or 3000, got "0".'],
    [['wait', '65536'], 'The address must be'],
    [['verdict', 'ftp://localhost:3000'], 'The address must be'],
    [['coverage', '--url', 'user@localhost:3000'], 'The address must be'],
    [['wait', '--timeout', 'soon'], '--timeout must be a duration, got "soon"'],
    [['wait', '--tiemout', '3s'], 'Did you mean "--timeout"?'],
    [['wait', 'http://a.test', 'b'], 'Unexpected argument "b".'],
    [['health', '--quiet'], 'Unknown option "--quiet".'],
  ])('%j is a usage error', async (args, words) => {
    const { code, stdout, stderr } = await runCli(args);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(words);
  });
});

describe('help', () => {
  it.each(['check', 'outcomes', 'health', 'wait'])('describes %s', async (command) => {
    for (const args of [
      ['help', command],
      [command, '--help'],
    ]) {
      const { code, stdout } = await runCli(args);
      expect(code).toBe(0);
      expect(stdout).toContain(`card-vault-sandbox ${command}`);
    }
    expect((await runCli(['--help'])).stdout).toMatch(new RegExp(`^  ${command} `, 'm'));
  });
});
