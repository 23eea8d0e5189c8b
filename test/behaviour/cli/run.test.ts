/** `run`: another command beside a sandbox of its own, and what it ends with. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { paymentBody } from '../../support/samples.ts';
import { CliProcess, runCli } from './cli-process.ts';

/** A command that runs this text, with `pay(requestId)` in it. */
function shop(text: string): string[] {
  const body = paymentBody({ cardId: 'CARD-VISA0000000000001EXAMPLE' });
  const pay = `const pay = (key) => fetch(process.env.VAULT_URL + '/v1/payments/payment', {
    method: 'POST',
    headers: { Authorization: 'Bearer sandbox.shop', 'Content-Type': 'application/json', 'PayPal-Request-Id': key },
    body: ${JSON.stringify(JSON.stringify(body))},
  }).then(({ status }) => status, () => 'lost');`;
  return ['--', process.execPath, '--input-type=module', '-e', `${pay}\n${text}`];
}

/** The answer is lost, and a second try under another request id charges again. */
const payTwice = `
  await fetch(process.env.VAULT_URL + '/_sandbox/rules?merchant=shop', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ op: 'payment.create', outcome: 'reset-after-commit' }),
  });
  console.log(await pay('one'), await pay('another'));`;

describe('run', () => {
  it('gives the command an address, leaves stdout to it, and judges it on stderr', async () => {
    const { code, stdout, stderr } = await runCli([
      'run',
      ...shop(`console.log(await pay('one'));`),
    ]);
    expect([code, stdout]).toEqual([0, '201\n']);
    expect(stderr).toMatch(
      /^card-vault-sandbox: listening at http:.+ finds in VAULT_URL\.\nPASSED shop /,
    );
  });

  it('fails a command that passed where a buyer was charged twice, and writes the reports', async () => {
    const at = mkdtempSync(join(tmpdir(), 'card-vault-sandbox-run-'));
    onTestFinished(() => {
      rmSync(at, { recursive: true });
    });
    const files = ['json', 'junit', 'sarif', 'html'].map((name) => [`--${name}`, join(at, name)]);
    const { code, stdout, stderr } = await runCli(['run', ...files.flat(), ...shop(payTwice)]);
    expect([code, stdout]).toEqual([1, 'lost 201\n']);
    expect(stderr).toContain('FAILED shop');
    expect(stderr).toContain('the command ended with 0, and the verdict with 1.');
    expect(JSON.parse(readFileSync(join(at, 'json'), 'utf8'))).toMatchObject({ passed: false });
    for (const name of ['junit', 'sarif', 'html']) {
      expect(readFileSync(join(at, name), 'utf8')).toContain('double-charge');
    }
  });

  it('refuses a merchant that cannot be, before the command runs', async () => {
    const { code, stdout, stderr } = await runCli(['run', '--merchant', '', ...shop(payTwice)]);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain('--merchant: No merchant can have the id ""');
  });

  // A folder that is there and takes none, of which Node 20 asks again and again.
  it.runIf(existsSync('/proc/self'))('ends where a folder cannot be made', async () => {
    const report = '/proc/nothing/verdict.xml';
    const { code, stderr } = await runCli(['run', '--junit', report, ...shop(`await pay('one');`)]);
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining(`The report ${report} cannot be written: ENOENT`),
    ]);
  });

  // A later Node makes that folder itself, before any program of ours runs, and asks again and again.
  it.runIf(existsSync('/proc/self') && process.versions.node.startsWith('20.'))(
    'goes on without what was compiled where no folder can be made for it',
    async () => {
      const env = { NODE_COMPILE_CACHE: '/proc/nothing/compiled' };
      expect(await runCli(['--version'], { env })).toMatchObject({ code: 0, stderr: '' });
    },
  );

  it('passes it with a suppression, as a verdict does', async () => {
    const rules = ['double-charge', 'orphaned-charge', 'new-key-on-retry'];
    const suppressed = rules.flatMap((rule) => ['--suppress', `${rule}=shown on purpose`]);
    const { code } = await runCli(['run', ...suppressed, ...shop(payTwice)]);
    expect(code).toBe(0);
  });

  it('ends as the command does that failed, with the verdict nonetheless', async () => {
    const { code, stderr } = await runCli(['run', ...shop(`await pay('one'); process.exit(7);`)]);
    expect([code, stderr]).toEqual([7, expect.stringContaining('PASSED shop')]);
  });

  it('fails where there was no room for a merchant of the command', async () => {
    const ask = `
      const headers = (id) => ({ Authorization: 'Bearer sandbox.' + id });
      for (const id of ['first', 'late']) {
        await fetch(process.env.VAULT_URL + '/v1/vault/credit-cards', { headers: headers(id) });
      }`;
    const { code, stderr } = await runCli(['run', '--max-merchants', '1', ...shop(ask)]);
    expect(code).toBe(1);
    expect(stderr).toContain('1 request of merchant late came when this sandbox held the most');
  });

  it('fails where nothing was asked, and not if told so; quiet says only what failed', async () => {
    const idle = shop('');
    const failed = await runCli(['run', '--quiet', ...idle]);
    expect([failed.code, failed.stderr]).toEqual([
      1,
      expect.stringMatching(/^FAILED default .+asked nothing/s),
    ]);
    const allowed = await runCli(['run', '--quiet', '--allow-no-requests', ...idle]);
    expect([allowed.code, allowed.stderr]).toEqual([0, '']);
  });

  it('writes the address to other variables too, and takes no port of the environment', async () => {
    const tell = shop(`
      const { VAULT_URL, MY_BASE, PORT } = process.env;
      console.log(VAULT_URL === MY_BASE, new URL(VAULT_URL).port === PORT, PORT);`);
    const flags = ['run', '--url-in', 'MY_BASE', '--allow-no-requests'];
    const env = { PORT: '1', CARD_VAULT_PORT: '2', CARD_VAULT_CONTROL_PORT: '3' };
    const { code, stdout } = await runCli([...flags, ...tell], { env });
    expect([code, stdout]).toEqual([0, 'true false 1\n']);
  });

  it('takes what serve takes', async () => {
    const ask = `const { status } = await fetch(process.env.VAULT_URL + '/v1/payments/payment', {
      headers: { Authorization: 'Bearer sandbox.shop' } });
      console.log(status);`;
    const flags = ['run', '--auth', 'strict', '--log-level', 'warn', '--log-format', 'pretty'];
    const { stdout, stderr } = await runCli([...flags, ...shop(ask)]);
    expect(stdout).toBe('401\n');
    expect(stderr).toContain('WARN: 401 GET payment.list');
  });

  it('says once what keeps a command from reaching it whose base URL says https', async () => {
    const ask = shop(`for (const path of ['/v1/oauth2/token', '/v1/vault/credit-cards']) {
      await fetch(process.env.VAULT_URL.replace('http:', 'https:') + path).catch(() => 'refused');
    }`);
    const { code, stderr } = await runCli(['run', ...ask]);
    expect(code).toBe(1);
    expect(stderr.match(/what came was no HTTP request\..+ write http:\/\//g)).toHaveLength(1);
  });

  it('passes a signal on, and ends with what came of it', async () => {
    const wait = shop(`
      process.on('SIGTERM', () => { console.log('told'); process.exit(5); });
      setInterval(() => undefined, 1000);
      console.log('waiting');`);
    const run = new CliProcess(['run', '--allow-no-requests', ...wait]);
    await run.printed(/waiting/);
    const { code, stdout } = await run.stop();
    expect([code, stdout]).toEqual([5, 'waiting\ntold\n']);
  });

  it('ends as shells do where a signal ended the command', async () => {
    const { code } = await runCli(['run', ...shop(`process.kill(process.pid, 'SIGKILL');`)]);
    expect(code).toBe(137);
  });

  it.each([
    ['not-a-command-at-all', 127, 'ENOENT'],
    [tmpdir(), 126, 'EACCES'],
  ])('says why %s cannot be run', async (file, expected, why) => {
    const { code, stderr } = await runCli(['run', '--quiet', '--', file]);
    expect([code, stderr]).toEqual([
      expected,
      `card-vault-sandbox: ${JSON.stringify(file)} cannot be run (${why}).\n`,
    ]);
  });

  it.each([
    [[], 'Name the command to run behind two dashes: card-vault-sandbox run -- npm test.'],
    [['npm', 'test'], 'The command to run stands behind two dashes: card-vault-sandbox run -- npm'],
    [['npm', '--', 'test'], '"npm" is one word too many'],
    [['--junitt', 'x', '--', 'npm'], 'There is no flag "--junitt". Did you mean "--junit"?'],
    [['--url-in', 'a b', '--', 'npm'], '--url-in must be the name of an environment variable'],
    [['--prefix', '', '--', 'npm'], '--prefix needs a text that names begin with.'],
    [['--fail-on', 'hihg', '--', 'npm'], 'Did you mean "high"?'],
    [['--fixtures', './none', '--', 'npm'], '--fixtures ./none'],
    [['--port', '70000', '--', 'npm'], '--port must be a whole number from 0 to 65535'],
  ])('refuses %j before anything runs', async (args, message) => {
    const { code, stdout, stderr } = await runCli(['run', ...args]);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(message);
    expect(stderr).not.toContain('listening');
  });
});
