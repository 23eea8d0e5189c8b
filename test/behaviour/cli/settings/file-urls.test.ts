/** Every file may be named by a file URL: by flags, variables and arguments, and in code. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createSandbox } from '../../../../src/index.ts';
import { pathOf, withPaths } from '../../../../src/documents/file-url.ts';
import { envNames, flags } from '../../../../src/cli/settings/flags.ts';
import { readSettings } from '../../../../src/cli/settings/settings.ts';
import { CliProcess, runCli } from '../cli-process.ts';
import { folder, open } from '../judged-sandbox.ts';

const scenario = `scenario: mine
version: 1
rules:
  - { op: payment.create, then: decline-generic }
`;

/** A folder whose name needs escapes in a URL, with a file in it. */
function fileIn(name: string, text?: string): { readonly path: string; readonly url: string } {
  const path = join(folder(), `a b#ä-${name}`);
  if (text !== undefined) writeFileSync(path, text);
  return { path, url: pathToFileURL(path).href };
}

const pathFlags = flags.filter(({ value = '' }) => value.includes('path'));

describe('a file URL', () => {
  it.each(pathFlags)('is a path in the flag and the variable of $name', (flag) => {
    const { path, url } = fileIn('x');
    const [variable = ''] = envNames(flag);
    expect(readSettings({}, { [variable]: url }).settings[flag.name]).toBe(path);
    expect(readSettings({ [flag.name]: url }, {}).settings[flag.name]).toBe(path);
  });

  it('is a path in the words of a command line, and stays in other words', () => {
    const { path, url } = fileIn('x');
    expect(withPaths([url, `--html=${url}`, '--html', url, 'x', '--seed=a=b', '-'])).toEqual([
      path,
      `--html=${path}`,
      '--html',
      path,
      'x',
      '--seed=a=b',
      '-',
    ]);
    expect(withPaths([`--suppress=rule=${url}`, `see ${url}`])).toEqual([
      `--suppress=rule=${url}`,
      `see ${url}`,
    ]);
  });

  it.each(['file://other-host/x', 'file:///%2f', 'file:x', 'http://a/x', 'FILE'])(
    'that names no file here stays as it is: %s',
    (text) => {
      expect(pathOf(text)).toBe(text);
    },
  );

  it('names the files of play, check, verdict, coverage, init and wait', async () => {
    const { sandbox, url } = await open();
    const mine = fileIn('mine.yaml', scenario);
    const played = await runCli(['play', mine.url, url, '--merchant', 'a']);
    expect([played.code, played.stderr]).toEqual([0, '']);
    expect(sandbox.merchant('a').rules()).toHaveLength(1);
    expect((await runCli(['check', mine.url])).stdout).toBe('1 file is valid.\n');

    const [json, html, coverage] = [fileIn('v.json'), fileIn('v.html'), fileIn('c.json')];
    const accepted = fileIn('s.yaml', 'suppress: []\n');
    const reports = ['--json', json.url, `--html=${html.url}`, '--coverage', coverage.url];
    await runCli(['verdict', url, '--suppressions', accepted.url, ...reports]);
    expect([json, html, coverage].map(({ path }) => existsSync(path))).toEqual([true, true, true]);
    const merged = fileIn('m.json');
    expect((await runCli(['coverage', coverage.url, '--out', merged.url])).code).toBe(0);
    expect(existsSync(merged.path)).toBe(true);

    const project = fileIn('project');
    expect((await runCli(['init', project.url])).code).toBe(0);
    expect(existsSync(join(project.path, 'fixtures'))).toBe(true);
    const ready = fileIn('ready', `${url}\n`);
    expect((await runCli(['wait', '--ready-file', ready.url, '--timeout', '9s'])).code).toBe(0);
  });

  it('names the files of serve', async () => {
    const [ready, persist, ca] = [fileIn('ready'), fileIn('p.json'), fileIn('ca.pem')];
    const cards = fileIn('cards', '4929851042331971\n');
    const [fixtures, mine] = [fileIn('f.yaml', 'cards: []\n'), fileIn('mine.yaml', scenario)];
    const cli = new CliProcess(
      ['--port', '0', '--tls', '--tls-port', '0', '--tls-ca-file', ca.url].concat(
        ['--ready-file', ready.url, `--persist=${persist.url}`, '--allow-cards', cards.url],
        ['--fixtures', fixtures.url],
      ),
      { env: { CARD_VAULT_SCENARIO: mine.url } },
    );
    const url = await cli.url();
    expect(readFileSync(ready.path, 'utf8')).toContain(url);
    expect(readFileSync(ca.path, 'utf8')).toContain('BEGIN CERTIFICATE');
    const about: unknown = await (await fetch(`${url}/_sandbox/about`)).json();
    expect(about).toMatchObject({ scenario: 'mine' });
    await cli.stop();
    expect(existsSync(persist.path)).toBe(true);
  });

  it('is left to the command of run', async () => {
    const script = 'process.stdout.write(process.argv[1])';
    const ran = await runCli(['run', '--', process.execPath, '-e', script, 'file:///x/y']);
    expect(ran.stdout).toBe('file:///x/y');
  });

  it('or a URL names the files of TLS in code', async () => {
    const sandbox = createSandbox();
    onTestFinished(() => sandbox.close());
    const ca = fileIn('ca.pem');
    await sandbox.listen({ tls: { caFile: new URL(ca.url) } });
    expect(readFileSync(ca.path, 'utf8')).toContain('BEGIN CERTIFICATE');
    const missing = fileIn('missing.pem');
    for (const cert of [missing.url, new URL(missing.url)]) {
      await expect(createSandbox().listen({ tls: { cert, key: cert } })).rejects.toThrow(
        `must name a readable PEM file, but ${missing.path} cannot be read`,
      );
    }
  });
});
