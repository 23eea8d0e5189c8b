/** `--home`: a project folder with fixtures and scenarios. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { connect } from '../../../../src/client/connect.ts';
import { CliProcess, runCli } from '../cli-process.ts';

const scenario = (name: string) =>
  [
    `scenario: ${name}`,
    'version: 1',
    'about: Written by ourselves.',
    'rules:',
    '  - name: down',
    '    op: payment.create',
    '    then: error-500-after-commit',
    '',
  ].join('\n');

function homeWith(files: Readonly<Record<string, string>>): string {
  const home = mkdtempSync(join(tmpdir(), 'card-vault-sandbox-home-'));
  onTestFinished(() => {
    rmSync(home, { recursive: true });
  });
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(home, path, '..'), { recursive: true });
    writeFileSync(join(home, path), text);
  }
  return home;
}

async function sandboxAt(home: string, ...args: string[]) {
  const cli = new CliProcess(['--port', '0', '--home', home, ...args]);
  return connect(await cli.url());
}

async function cardsIn(sandbox: Awaited<ReturnType<typeof sandboxAt>>): Promise<unknown> {
  const headers = { Authorization: `Bearer ${sandbox.token}` };
  return (await sandbox.request('/v1/vault/credit-cards', { headers })).json();
}

describe('fixtures in the home folder', () => {
  it('are the starting data of every merchant', async () => {
    const sandbox = await sandboxAt(homeWith({ 'fixtures/none.yaml': 'about: Nothing.\n' }));
    expect(await cardsIn(sandbox)).toMatchObject({ total_items: 0 });
  });

  it('yield to --fixtures', async () => {
    const home = homeWith({ 'fixtures/none.yaml': 'about: Nothing.\n' });
    const sandbox = await sandboxAt(home, '--fixtures', 'default');
    expect(await cardsIn(sandbox)).toMatchObject({ total_items: 8 });
  });
});

describe('scenarios in the home folder', () => {
  it('are found by name before those of the package', async () => {
    const home = homeWith({
      'scenarios/a.yaml': scenario('our-bad-day'),
      'scenarios/b.yaml': scenario('hang'),
    });
    const sandbox = await sandboxAt(home, '--scenario', 'our-bad-day');
    expect(await sandbox.about()).toMatchObject({ scenario: 'our-bad-day' });
    const known = await sandbox.scenarios();
    expect(known.filter(({ about }) => about === 'Written by ourselves.')).toHaveLength(2);
    expect(known.filter(({ name }) => name === 'hang')).toHaveLength(1);
    expect(known.map(({ name }) => name)).toContain('lost-answer');
    expect(await sandbox.playScenario('hang')).toBe('hang');
    const outcomes = (await sandbox.rules()).flatMap(({ steps }) => steps);
    expect(outcomes).toMatchObject([{ outcome: 'error-500-after-commit' }]);
  });
});

it('lists its scenarios after an unknown scenario name', async () => {
  const home = homeWith({ 'scenarios/bad-day.yaml': scenario('our-bad-day') });
  const { code, stderr } = await runCli(['--home', home, '--scenario', 'bad-day']);
  expect(code).toBe(2);
  expect(stderr).toContain('Scenarios of your project, by the name in the file: our-bad-day.');
});

it('refuses a project folder that does not exist', async () => {
  const ended = await runCli(['--port', '0'], { env: { CARD_VAULT_HOME: './nowhere' } });
  expect(ended).toEqual({
    code: 2,
    stdout: '',
    stderr:
      'card-vault-sandbox: CARD_VAULT_HOME names "./nowhere", which is not a folder. Name a folder with fixtures/, scenarios/ or both.\n',
  });
});

it('refuses a project folder that it cannot read', async () => {
  const home = homeWith({ 'fixtures/none.yaml': 'about: Nothing.\n' });
  symlinkSync(join(home, 'scenarios'), join(home, 'scenarios'));
  const ended = await runCli(['--port', '0', '--home', home]);
  expect(ended).toEqual({
    code: 2,
    stdout: '',
    stderr: `card-vault-sandbox: --home names "${home}", which cannot be read (ELOOP).\n`,
  });
});
