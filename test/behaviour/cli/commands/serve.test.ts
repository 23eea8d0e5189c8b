/** What `serve` prints, and that it applies its settings. */
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { connect } from '../../../../src/client/connect.ts';
import { packageVersion } from '../../../../src/shared/package-root.ts';
import { rawPaymentBody } from '../../../support/samples.ts';
import { CliProcess } from '../cli-process.ts';
import { jsonLines } from '../json-lines.ts';

const authorization = { Authorization: 'Bearer sandbox.my-shop' };
const CardList = z.object({ items: z.array(z.object({ id: z.string() })) });

describe('logs in JSON', () => {
  it('are the default without a terminal, and start with the address', async () => {
    const cli = new CliProcess(['--port', '0', '--seed', 'repeat-me']);
    const url = await cli.url();
    const { stdout, stderr } = await cli.stop();
    expect(stderr).toBe('');
    expect(jsonLines(stdout)[0]).toEqual({
      level: 'info',
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      msg: 'listening',
      url,
      host: '127.0.0.1',
      port: Number(new URL(url).port),
      profile: 'documented',
      seed: 'repeat-me',
      realCards: 'warn',
      auth: 'open',
      maxMerchants: 1000,
      token: 'sandbox.<client id>',
      version: packageVersion(),
    });
  });

  it('have one line for each request, with the reason of a refusal', async () => {
    const cli = new CliProcess(['serve', '--port', '0']);
    const url = await cli.url();
    const listed = await fetch(`${url}/v1/vault/credit-cards`, { headers: authorization });
    const unknown = await fetch(`${url}/v1/vault/credit-cards/CARD-0`, { headers: authorization });
    const body: unknown = await unknown.json();
    const lines = jsonLines((await cli.stop()).stdout).filter(({ msg }) => msg === 'exchange');
    expect(lines).toEqual([
      expect.objectContaining({
        level: 'info',
        method: 'GET',
        operation: 'card.list',
        merchant: 'my-shop',
        status: listed.status,
        replayed: false,
      }),
      expect.objectContaining({
        level: 'warn',
        merchant: 'my-shop',
        status: 404,
        reason: expect.any(String),
        debugId: unknown.headers.get('paypal-debug-id'),
      }),
    ]);
    expect(body).toMatchObject({ name: lines[1]?.['problem'], debug_id: lines[1]?.['debugId'] });
  });

  it('omit only successful requests with --log-requests refused', async () => {
    const cli = new CliProcess(['--port', '0', '--log-requests', 'refused']);
    const url = await cli.url();
    const store = (number: string) =>
      fetch(`${url}/v1/vault/credit-cards`, {
        method: 'POST',
        headers: { ...authorization, 'Content-Type': 'application/json' },
        body: JSON.stringify({ number, type: 'visa', expire_month: 11, expire_year: 2099 }),
      });
    expect((await store('4417119669820331')).status).toBe(201);
    expect((await store('4929851042331971')).status).toBe(201); // on no list of test numbers
    expect((await store('0')).status).toBe(400);
    const lines = jsonLines((await cli.stop()).stdout);
    expect(lines.map(({ msg, level, status }) => [msg, level, status])).toEqual([
      ['listening', 'info', undefined],
      ['exchange', 'warn', 201],
      ['exchange', 'warn', 400],
      ['stopping', 'info', undefined],
      ['stopped', 'info', undefined],
    ]);
  });

  it('name the forced outcome even if the status is 201 and the answer was lost', async () => {
    const cli = new CliProcess(['--port', '0', '--log-requests', 'refused']);
    const url = await cli.url();
    const shop = connect(url, { merchant: 'my-shop' });
    const [rule] = await shop.force({ op: 'payment.create', outcome: 'reset-after-commit' });
    const pay = (headers: Readonly<Record<string, string>> = {}) =>
      fetch(`${url}/v1/payments/payment`, {
        method: 'POST',
        headers: { ...authorization, 'Content-Type': 'application/json', ...headers },
        body: JSON.stringify(rawPaymentBody()),
      });
    await expect(pay()).rejects.toThrow('fetch failed');
    expect((await pay({ 'Sandbox-Outcome': 'decline-generic' })).status).toBe(400);
    await fetch(`${url}/v1/oauth2/token`, { method: 'POST' });
    const lines = jsonLines((await cli.stop()).stdout).filter(({ msg }) => msg === 'exchange');
    expect(lines).toMatchObject([
      {
        level: 'warn',
        status: 201,
        forced: [{ outcome: 'reset-after-commit', by: 'armed', rule }],
      },
      {
        level: 'warn',
        status: 400,
        forced: [{ outcome: 'decline-generic', by: 'header' }],
      },
      { level: 'warn', problem: 'invalid_client', reason: 'Client credentials are missing' },
    ]);
  });

  it('contain nothing that a client sent', async () => {
    const cli = new CliProcess(['--port', '0', '--log-level', 'debug']);
    const url = await cli.url();
    await fetch(`${url}/v1/vault/credit-cards?secret=query-word`, {
      method: 'POST',
      headers: { ...authorization, 'Content-Type': 'application/json', 'X-Word': 'header-word' },
      body: '{"type":"visa","number":"4111111111111111","cvv2":"987","first_name":"body-word"}',
    });
    const { stdout } = await cli.stop();
    expect(stdout).toContain('"card.create"');
    expect(stdout).not.toMatch(/4111111|"987"|cvv2|query-word|header-word|body-word|Bearer/);
  });

  it('name the origin of each setting at level debug', async () => {
    const cli = new CliProcess(['--port', '0', '--log-level=debug'], {
      env: { HOST: '127.0.0.1' },
    });
    await cli.url();
    const { stdout } = await cli.stop();
    expect(jsonLines(stdout)[1]).toMatchObject({
      msg: 'settings',
      settings: { port: 0, host: '127.0.0.1', logLevel: 'debug' },
      origins: { port: '--port', host: 'HOST', logLevel: '--log-level' },
    });
  });
});

describe('the banner', () => {
  it('shows the address, the access and how to repeat the run', async () => {
    const cli = new CliProcess(['--port', '0', '--log-format', 'pretty']);
    const url = await cli.url();
    const [, seed] = await cli.printed(/To repeat this run: --seed=(\S+)\n/);
    const { stdout } = await cli.stop();
    expect(stdout).toContain(`Base URL  ${url}\n`);
    expect(stdout).toContain(`Docs      ${url}/docs\n`);
    expect(stdout).toContain(`Verdict   ${url}/_sandbox/verdict\n`);
    expect(stdout).toContain(`Seed      ${seed}\n`);
    expect(stdout).toContain('Bearer sandbox.my-shop');
    expect(stdout).not.toContain('listening');
  });

  it('is followed by requests as sentences', async () => {
    const cli = new CliProcess(['--port', '0', '--log-format', 'pretty']);
    const url = await cli.url();
    await fetch(`${url}/v1/vault/credit-cards`, { headers: authorization });
    await fetch(`${url}/v1/vault/credit-cards`);
    const { stdout } = await cli.stop();
    expect(stdout).toMatch(/^\[[\d:]+\] INFO: 200 GET card\.list my-shop$/m);
    expect(stdout).toMatch(
      /^\[[\d:]+\] WARN: 401 GET card\.list \w+ \w+\n {4}The request has no Authorization header\./m,
    );
    expect(stdout).toMatch(/Stopping\. .+\n.+ Stopped\.\n$/);
  });

  it('is followed by advice for a client that uses https', async () => {
    const cli = new CliProcess(['--port', '0', '--log-format', 'pretty']);
    const url = await cli.url();
    await expect(fetch(url.replace('http:', 'https:'))).rejects.toThrow('fetch failed');
    const { stdout } = await cli.stop();
    expect(stdout).toMatch(
      /\] WARN: Not an HTTP request\n {4}A client used TLS, as for https, on a port of plain HTTP\. Use http:\/\/ in /,
    );
  });

  it('has no colours without a terminal', async () => {
    const cli = new CliProcess(['--port', '0', '--log-format', 'pretty'], {
      env: { FORCE_COLOR: '1' },
    });
    await cli.printed(/refund/);
    expect((await cli.stop()).stdout).not.toContain('\u001B');
  });
});

describe('--quiet', () => {
  it.each(['pretty', 'json'])('prints only warnings and errors in %s', async (format) => {
    // Without a log line that shows the address, the port must be known: one that was free a moment ago.
    const probe = new CliProcess(['--port', '0']);
    const url = await probe.url();
    await probe.stop();
    const cli = new CliProcess(['--quiet', '--log-format', format], {
      // These variables cause warnings once the sandbox listens.
      env: {
        PORT: new URL(url).port,
        CARD_VAULT_SEDE: 'x',
        CARD_VAULT_CONTROL_PORT: 'tcp://10.0.0.1:80',
      },
    });
    await cli.printed(
      /Unknown environment variable CARD_VAULT_SEDE\. Did you mean CARD_VAULT_SEED/,
    );
    await fetch(`${url}/v1/vault/credit-cards`, { headers: authorization });
    await fetch(`${url}/v1/nothing`);
    const { stdout } = await cli.stop();
    const lines = stdout.trim().split('\n');
    expect(lines[0]).toContain('CARD_VAULT_CONTROL_PORT is a link to a service');
    expect(lines[1]).toContain('CARD_VAULT_SEDE');
    expect(lines[2]).toContain('404');
    expect(stdout).not.toMatch(/card\.list|listening|stopping|Stopping|curl/);
  });
});

describe('settings', () => {
  it('prefer flags to variables to defaults', async () => {
    const cli = new CliProcess(
      ['--port=0', '--fixtures', 'empty', '--no-quiet', '--profile', 'recorded'],
      {
        env: {
          PORT: '1',
          CARD_VAULT_PORT: '2',
          CARD_VAULT_FIXTURES: 'no such',
          CARD_VAULT_QUIET: 'true',
          CARD_VAULT_SEED: 'from-env',
          CARD_VAULT_PROFILE: '',
        },
      },
    );
    const url = await cli.url();
    const [started] = jsonLines((await cli.printed(/.*\n/))[0]);
    expect(started).toMatchObject({ seed: 'from-env', profile: 'recorded' });
    const list = await fetch(`${url}/v1/vault/credit-cards`, { headers: authorization });
    expect(CardList.parse(await list.json()).items).toEqual([]);
  });

  it('accept --auth strict', async () => {
    const cli = new CliProcess(['--port', '0'], { env: { CARD_VAULT_AUTH: 'strict' } });
    const url = await cli.url();
    const list = await fetch(`${url}/v1/vault/credit-cards`, { headers: authorization });
    expect(list.status).toBe(401);
  });

  it('show a usable address when the sandbox listens on all addresses', async () => {
    const cli = new CliProcess(['--port', '0', '--host', '0.0.0.0']);
    expect(await cli.url()).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  });
});
