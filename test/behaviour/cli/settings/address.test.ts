/** Every command that takes an address accepts the same forms of it. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { resolveAddress } from '../../../../src/cli/settings/address.ts';
import { open } from '../judged-sandbox.ts';
import { runCli } from '../cli-process.ts';

const program = { argv: [], env: {} };

describe('an address', () => {
  it.each([
    ['4400', 'http://127.0.0.1:4400'],
    [':4400', 'http://127.0.0.1:4400'],
    ['localhost:4400', 'http://localhost:4400'],
    ['vault_1:4400', 'http://vault_1:4400'],
    ['10.0.0.7:80', 'http://10.0.0.7:80'],
    ['[::1]:4400', 'http://[::1]:4400'],
    ['http://localhost:4400/', 'http://localhost:4400'],
    ['https://vault:3443', 'https://vault:3443'],
  ])('%s means %s', (address, url) => {
    expect(resolveAddress(address, program)).toBe(url);
  });

  it.each([
    '',
    'localhost',
    '0',
    '65536',
    '::1',
    '[::1]',
    '[::g]:80',
    'http://',
    'a b:80',
    '1:2:3',
  ])('%j is refused', (address) => {
    expect(() => resolveAddress(address, program)).toThrow('The address must be');
  });

  it.each([
    [['health'], 0],
    [['wait'], 0],
    [['verdict'], 1],
    [['coverage'], 0],
    [['coverage', '--url'], 0],
  ] as const)('can be a port or host:port for %j', async (command, code) => {
    const { port } = new URL((await open()).url);
    const forms = [port, `localhost:${port}`];
    const ended = await Promise.all(forms.map((form) => runCli([...command, form])));
    expect(ended).toEqual(forms.map(() => expect.objectContaining({ code, stderr: '' })));
  });
});

it('coverage reads a file whose name looks like a port', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'card-vault-sandbox-coverage-'));
  onTestFinished(() => {
    rmSync(folder, { recursive: true });
  });
  const before = process.cwd();
  writeFileSync(join(folder, '4400'), 'no coverage');
  const ended = await runCli(['coverage', '4400'], {
    node: [`--import=data:text/javascript,process.chdir(${JSON.stringify(folder)})`],
  });
  expect(process.cwd()).toBe(before);
  expect(ended.stderr).toContain('4400');
  expect(ended.stderr).not.toContain('127.0.0.1:4400');
});
