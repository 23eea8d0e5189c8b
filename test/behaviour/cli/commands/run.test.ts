/** `run`: another command with its own sandbox, and the exit code. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { paymentBody } from '../../../support/samples.ts';
import { CliProcess, runCli } from '../cli-process.ts';

/** A Node command that runs this code, with `pay(requestId)` defined. */
function shop(text: string): string[] {
  const body = paymentBody({ cardId: 'CARD-VISA0000000000001EXAMPLE' });
  const pay = `const pay = (key) => fetch(process.env.VAULT_URL + '/v1/payments/payment', {
    method: 'POST',
    headers: { Authorization: 'Bearer sandbox.shop', 'Content-Type': 'application/json', 'PayPal-Request-Id': key },
    body: ${JSON.stringify(JSON.stringify(body))},
  }).then(({ status }) => status, () => 'lost');`;
  return ['--', process.execPath, '--input-type=module', '-e', `${pay}\n${text}`];
}

/** The first answer is lost, and the retry uses another request id. */
const payTwice = `
  await fetch(process.env.VAULT_URL + '/_sandbox/rules?merchant=shop', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ op: 'payment.create', outcome: 'reset-after-commit' }),
  });
  console.log(await pay('one'), await pay('another'));`;

describe('run', () => {
  it('passes the address, leaves stdout to the command, and prints the verdict to stderr', async () => {
    const { code, stdout, stderr } = await runCli([
      'run',
      ...shop(`console.log(await pay('one'));`),
    ]);
    expect([code, stdout]).toEqual([0, '201\n']);
    expect(stderr).toMatch(
      /^card-vault-sandbox: Listening at http:.+ the address in VAULT_URL\.\nPASSED shop /,
    );
  });

  it('fails a passing command after a double charge, and writes the reports', async () => {
    const at = mkdtempSync(join(tmpdir(), 'card-vault-sandbox-run-'));
    onTestFinished(() => {
      rmSync(at, { recursive: true });
    });
    const files = ['json', 'junit', 'sarif', 'html'].map((name) => [`--${name}`, join(at, name)]);
    const { code, stdout, stderr } = await runCli(['run', ...files.flat(), ...shop(payTwice)]);
    expect([code, stdout]).toEqual([1, 'lost 201\n']);
    expect(stderr).toContain('FAILED shop');
    expect(stderr).toContain('The command passed, but the verdict failed. Exit code: 1.');
    expect(JSON.parse(readFileSync(join(at, 'json'), 'utf8'))).toMatchObject({ passed: false });
    for (const name of ['junit', 'sarif', 'html']) {
      expect(readFileSync(join(at, name), 'utf8')).toContain('double-charge');
    }
  });

  it('refuses an invalid merchant before the command runs', async () => {
    const { code, stdout, stderr } = await runCli(['run', '--merchant', '', ...shop(payTwice)]);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain('--merchant: A merchant id must be 1 to 128 letters');
  });

  // Node 20 tries for ever to create a folder in an existing folder that accepts none.
  it.runIf(existsSync('/proc/self'))('ends if it cannot create a report folder', async () => {
    const report = '/proc/nothing/verdict.xml';
    const { code, stderr } = await runCli(['run', '--junit', report, ...shop(payTwice)]);
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining(`Cannot write the report ${report}: ENOENT`),
    ]);
    expect(stderr).toContain('FAILED shop');
    expect(stderr).not.toContain('Exit code: 1');
  });

  it('passes with suppressed findings', async () => {
    const rules = ['double-charge', 'orphaned-charge', 'new-key-on-retry'];
    const suppressed = rules.flatMap((rule) => ['--suppress', `${rule}=shown on purpose`]);
    const { code } = await runCli(['run', ...suppressed, ...shop(payTwice)]);
    expect(code).toBe(0);
  });

  it('keeps the exit code of a failed command, and still prints the verdict', async () => {
    const { code, stderr } = await runCli(['run', ...shop(`await pay('one'); process.exit(7);`)]);
    expect([code, stderr]).toEqual([7, expect.stringContaining('PASSED shop')]);
  });

  it('fails if a merchant of the command was rejected by --max-merchants', async () => {
    const ask = `
      const headers = (id) => ({ Authorization: 'Bearer sandbox.' + id });
      for (const id of ['first', 'late']) {
        await fetch(process.env.VAULT_URL + '/v1/vault/credit-cards', { headers: headers(id) });
      }`;
    const { code, stderr } = await runCli(['run', '--max-merchants', '1', ...shop(ask)]);
    expect(code).toBe(1);
    expect(stderr).toContain(
      '1 request of merchant late was refused because the sandbox already had its maximum number of',
    );
  });

  it('fails if no request arrived, unless --allow-no-requests is set; --quiet prints only failures', async () => {
    const idle = shop('');
    const failed = await runCli(['run', '--quiet', ...idle]);
    expect([failed.code, failed.stderr]).toEqual([
      1,
      expect.stringMatching(/^FAILED default .+sent no requests/s),
    ]);
    const allowed = await runCli(['run', '--quiet', '--allow-no-requests', ...idle]);
    expect([allowed.code, allowed.stderr]).toEqual([0, '']);
  });

  it('sets the variables of --url-in, and ignores PORT in the environment', async () => {
    const print = shop(`
      const { VAULT_URL, MY_BASE, PORT } = process.env;
      console.log(VAULT_URL === MY_BASE, new URL(VAULT_URL).port === PORT, PORT);`);
    const flags = ['run', '--url-in', 'MY_BASE', '--allow-no-requests'];
    const env = { PORT: '1', CARD_VAULT_PORT: '2', CARD_VAULT_CONTROL_PORT: '3' };
    const { code, stdout } = await runCli([...flags, ...print], { env });
    expect([code, stdout]).toEqual([0, 'true false 1\n']);
  });

  it('accepts options of serve', async () => {
    const ask = `const { status } = await fetch(process.env.VAULT_URL + '/v1/payments/payment', {
      headers: { Authorization: 'Bearer sandbox.shop' } });
      console.log(status);`;
    const flags = ['run', '--auth', 'strict', '--log-level', 'warn', '--log-format', 'pretty'];
    const { stdout, stderr } = await runCli([...flags, ...shop(ask)]);
    expect(stdout).toBe('401\n');
    expect(stderr).toContain('WARN: 401 GET payment.list');
  });

  it('reports once that the command uses https', async () => {
    const ask = shop(`for (const path of ['/v1/oauth2/token', '/v1/vault/credit-cards']) {
      await fetch(process.env.VAULT_URL.replace('http:', 'https:') + path).catch(() => 'refused');
    }`);
    const { code, stderr } = await runCli(['run', ...ask]);
    expect(code).toBe(1);
    expect(
      stderr.match(/Received data that is not an HTTP request\..+ Use http:\/\//g),
    ).toHaveLength(1);
  });

  it('forwards a signal, and keeps the exit code of the command', async () => {
    const wait = shop(`
      process.on('SIGTERM', () => { console.log('stopping'); process.exit(5); });
      setInterval(() => undefined, 1000);
      console.log('waiting');`);
    const run = new CliProcess(['run', '--allow-no-requests', ...wait]);
    await run.printed(/waiting/);
    const { code, stdout } = await run.stop();
    expect([code, stdout]).toEqual([5, 'waiting\nstopping\n']);
  });

  it('exits like a shell if a signal ended the command', async () => {
    const { code } = await runCli(['run', ...shop(`process.kill(process.pid, 'SIGKILL');`)]);
    expect(code).toBe(137);
  });

  it.each([
    ['not-a-command-at-all', 127, 'ENOENT'],
    [tmpdir(), 126, 'EACCES'],
  ])('reports why it cannot run %s', async (file, expected, why) => {
    const { code, stderr } = await runCli(['run', '--quiet', '--', file]);
    expect([code, stderr]).toEqual([
      expected,
      `card-vault-sandbox: Cannot run ${JSON.stringify(file)} (${why}).\n`,
    ]);
  });

  it.each([
    [[], 'Name the command to run after "--": card-vault-sandbox run -- npm test.'],
    [['npm', 'test'], 'Put "--" before the command to run: card-vault-sandbox run -- npm'],
    [['npm', '--', 'test'], 'Unexpected argument "npm".'],
    [['--junitt', 'x', '--', 'npm'], 'Unknown option "--junitt". Did you mean "--junit"?'],
    [['--url-in', 'a b', '--', 'npm'], '--url-in must be the name of an environment variable'],
    [['--prefix', '', '--', 'npm'], '--prefix must not be empty.'],
    [['--fail-on', 'hihg', '--', 'npm'], 'Did you mean "high"?'],
    [['--fixtures', './none', '--', 'npm'], '--fixtures ./none'],
    [['--port', '70000', '--', 'npm'], '--port must be a whole number from 0 to 65535'],
  ])('refuses %j before the command runs', async (args, message) => {
    const { code, stdout, stderr } = await runCli(['run', ...args]);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(message);
    expect(stderr).not.toContain('Listening');
  });
});
