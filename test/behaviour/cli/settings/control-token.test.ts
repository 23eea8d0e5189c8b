/** The control token in a file, and in an empty variable. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readSettings } from '../../../../src/cli/settings/settings.ts';
import { CliProcess, runCli } from '../cli-process.ts';
import { folder } from '../judged-sandbox.ts';

function fileWith(text: string): string {
  const path = join(folder(), 'token');
  writeFileSync(path, text);
  return path;
}

const mustBe =
  'must be 1 to 256 printable ASCII characters with no space at either end, as headers carry them';

const noToken = `has no valid token. A token ${mustBe}.`;

const unsendable = ['€uro', 'caf\u00e9', ' open', 'sesame ', 'one\nanother', 'S'.repeat(257)];

describe('a control token in a file', () => {
  it('is required of calls, and sent by commands', async () => {
    const env = { CARD_VAULT_CONTROL_TOKEN_FILE: fileWith('open sesame\n') };
    const url = await new CliProcess(['--port', '0'], { env }).url();
    const statusWith = async (token: string): Promise<number> =>
      (await fetch(`${url}/_sandbox/about`, { headers: { Authorization: `Bearer ${token}` } }))
        .status;
    expect([await statusWith('open sesame'), await statusWith('other')]).toEqual([200, 401]);
    expect(await runCli(['coverage', url], { env })).toMatchObject({ code: 0, stderr: '' });
    const refused = await runCli(['coverage', url]);
    expect([refused.code, refused.stderr]).toEqual([
      2,
      expect.stringContaining('or name a file in CARD_VAULT_CONTROL_TOKEN_FILE.'),
    ]);
  });

  it.each([
    ['does not exist', '/nowhere/token', '(ENOENT)'],
    ['is empty', '\n', noToken],
    ['has two lines', 'a\nb\n', noToken],
    ['has characters that a header cannot carry', '€uro\n', noToken],
  ])('is refused if the file %s', async (_what, text, words) => {
    const path = text.startsWith('/') ? text : fileWith(text);
    const run = await runCli(['--port', '0', '--control-token-file', path]);
    expect([run.code, run.stdout]).toEqual([2, '']);
    expect(run.stderr).toContain('card-vault-sandbox: --control-token-file must name a');
    expect(run.stderr).toContain(words);
    expect(run.stderr).toContain(path);
  });

  it.each(unsendable)('is refused if a client cannot send it: %j', async (token) => {
    const refused = { code: 2, stdout: '' };
    const run = await runCli(['--port', '0', '--control-token', token]);
    expect(run).toEqual({
      ...refused,
      stderr: `card-vault-sandbox: --control-token ${mustBe}.\n`,
    });
    const env = { CARD_VAULT_CONTROL_TOKEN: token };
    expect(await runCli(['coverage', 'http://127.0.0.1:1'], { env })).toEqual({
      ...refused,
      stderr: `card-vault-sandbox: CARD_VAULT_CONTROL_TOKEN ${mustBe}.\n`,
    });
  });

  it('is refused together with a token in a setting', async () => {
    const env = { CARD_VAULT_CONTROL_TOKEN: 'one' };
    const run = await runCli(['--port', '0', '--control-token-file', fileWith('another')], { env });
    expect(run).toEqual({
      code: 2,
      stdout: '',
      stderr:
        'card-vault-sandbox: CARD_VAULT_CONTROL_TOKEN and --control-token-file both set the control token. Remove one of them.\n',
    });
  });
});

describe('an empty control token', () => {
  it.each(['CARD_VAULT_CONTROL_TOKEN', 'CARD_VAULT_CONTROL_TOKEN_FILE'])(
    'causes a warning in %s',
    async (name) => {
      const cli = new CliProcess(['--port', '0'], { env: { [name]: '' } });
      await cli.printed(
        new RegExp(
          `The environment variable ${name} is empty, so calls to /_sandbox need no token`,
        ),
      );
      expect((await fetch(`${await cli.url()}/_sandbox/about`)).status).toBe(200);
    },
  );

  it('causes no warning if another token is set', () => {
    const env = { CARD_VAULT_CONTROL_TOKEN: '', CARD_VAULT_CONTROL_TOKEN_FILE: 'token' };
    expect(readSettings({}, env).warnings).toEqual([]);
    expect(readSettings({ controlToken: 'x' }, { CARD_VAULT_CONTROL_TOKEN: '' }).warnings).toEqual(
      [],
    );
  });
});
