/** A usage error is one message that says what to change, and exit code 2. */
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runCli, type Start } from '../cli-process.ts';

/** Runs a command line that is wrong, and returns the message. */
async function usageError(args: readonly string[], env?: Start['env']): Promise<string> {
  const { code, stdout, stderr } = await runCli(args, env && { env });
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toMatch(/^card-vault-sandbox: .+\n$/s);
  expect(stderr).not.toMatch(/^\s+at /m);
  return stderr.slice('card-vault-sandbox: '.length, -1);
}

/** A port that is in use until the test ends. */
async function usedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // It listens on TCP.
  return port;
}

const seeServeHelp = 'Run "card-vault-sandbox serve --help" for all options.';
const seeHelp = 'Run "card-vault-sandbox --help" for help.';

it.each([
  [['--allow-cards', '4929851042331971']],
  [['--port', '4929851042331971']],
  [['--4929851042331971']],
  [['4929 8510 4233 1971']],
  [[], { CARD_VAULT_PORT: '4929-8510-4233-1971' }],
])('does not quote a card number from the command line: %j', async (args, env?: Start['env']) => {
  expect((await usageError(args, env)).replaceAll(/\D/g, '')).not.toContain('492985');
});

it('names the place where a fixture file contains itself', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'endless-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'mine.yaml');
  writeFileSync(path, 'cards: &a [*a]');
  expect(await usageError(['--fixtures', path])).toContain(
    `${path}:1:12 cards[0]: this value contains itself.`,
  );
});

describe('an option that is wrong', () => {
  it.each([
    [['--prot', '1'], `Unknown option "--prot". Did you mean "--port"? ${seeServeHelp}`],
    [['--PORT', '1'], `Unknown option "--PORT". Did you mean "--port"? ${seeServeHelp}`],
    [
      ['--JOURNAL-BYTES'],
      `Unknown option "--JOURNAL-BYTES". Did you mean "--max-journal-bytes"? ${seeServeHelp}`,
    ],
    [
      ['--log-level', 'DEBUG'],
      '--log-level must be one of debug, info, warn, error, silent, got "DEBUG". Did you mean "debug"?',
    ],
    [['--hlep'], `Unknown option "--hlep". Did you mean "--help"? ${seeServeHelp}`],
    [
      ['--journal-bytes', '1'],
      `Unknown option "--journal-bytes". Did you mean "--max-journal-bytes"? ${seeServeHelp}`,
    ],
    [['serve', '--zzz'], `Unknown option "--zzz". ${seeServeHelp}`],
    [['-p', '1'], `Unknown option "-p". ${seeServeHelp}`],
    [['--port'], `--port needs a value: --port <number>. ${seeHelp}`],
    [['--port', '--quiet'], `--port needs a value: --port <number>. ${seeServeHelp}`],
    [
      ['run', '--coverage', '--', 'npm', 'test'],
      '--coverage needs a value: --coverage <file>. Run "card-vault-sandbox run --help" for all options.',
    ],
    [
      ['verdict', '--json', '--html=page.html'],
      '--json needs a value: --json <file>. Run "card-vault-sandbox verdict --help" for all options.',
    ],
    [
      ['wait', '--timeout'],
      '--timeout needs a value: --timeout <duration>. Run "card-vault-sandbox wait --help" for all options.',
    ],
    [['--quiet=yes'], `The option --quiet is a switch and takes no value. ${seeServeHelp}`],
    [
      ['verdict', '--quiet'],
      'Unknown option "--quiet". Run "card-vault-sandbox verdict --help" for all options.',
    ],
    [
      ['health', '--url', 'http://127.0.0.1:9'],
      'Unknown option "--url". Pass the address without an option: card-vault-sandbox health localhost:3000. Run "card-vault-sandbox health --help" for all options.',
    ],
    [
      ['wait', '--url=http://127.0.0.1:9', '--timeout', '1s'],
      'Unknown option "--url". Pass the address without an option: card-vault-sandbox wait localhost:3000. Run "card-vault-sandbox wait --help" for all options.',
    ],
    [
      ['verdict', '--host', '127.0.0.1', '--port', '9'],
      'Unknown option "--host". Pass the address without an option: card-vault-sandbox verdict localhost:3000. Run "card-vault-sandbox verdict --help" for all options.',
    ],
    [
      ['coverage', '--port', '9'],
      'Unknown option "--port". Pass the address without an option: card-vault-sandbox coverage localhost:3000. Run "card-vault-sandbox coverage --help" for all options.',
    ],
    [
      ['check', '--url', 'http://127.0.0.1:9'],
      'Unknown option "--url". Run "card-vault-sandbox check --help" for all options.',
    ],
    [
      ['--quiet', 'verdict', 'http://127.0.0.1:9', '--merchant', 'pp'],
      `The command "verdict" must come before all options. ${seeHelp}`,
    ],
    [
      ['verdict', '--suppressions', 'nope.yaml'],
      "--suppressions: cannot read nope.yaml: ENOENT: no such file or directory, open 'nope.yaml'",
    ],
    [
      ['--port', '21610', '--control-port', '21610'],
      '--port and --control-port are both 21610. Choose another control port, or omit --control-port to serve /_sandbox on the main port.',
    ],
    [['--', '--port'], `The option --port must come before "--". ${seeServeHelp}`],
    [['--port', 'http'], '--port must be a whole number from 0 to 65535, got "http".'],
    [['--port', '65536'], '--port must be a whole number from 0 to 65535, got "65536".'],
    [['--port', '-1'], '--port must be a whole number from 0 to 65535, got "-1".'],
    [['--max-records', '0'], '--max-records must be a whole number from 1 to 100000000, got "0".'],
    [['--seed='], '--seed must be 1 to 256 characters, got "".'],
    [
      ['--profile', 'recoded'],
      '--profile must be one of documented, recorded, got "recoded". Did you mean "recorded"?',
    ],
    [
      ['--clock-start', 'tomorrow'],
      '--clock-start must be an RFC 3339 time, such as 2030-01-02T03:04:05Z, got "tomorrow".',
    ],
    [
      ['--clock-start', '9999-01-01T00:00:00Z'],
      '--clock-start must not be later than 9996-12-31T23:59:59.999Z, the last time that a clock can show.',
    ],
    [
      ['--base-url', 'ftp://shop.test'],
      '--base-url must be a URL that starts with http:// or https://, got "ftp://shop.test".',
    ],
  ])('%j', async (args, message) => {
    expect(await usageError(args)).toBe(message);
  });

  it('is reported together with every other one', async () => {
    const message = await usageError(['--port', 'x', '--auth', 'closed'], {
      CARD_VAULT_LOG_LEVEL: 'loud',
    });
    expect(message.split('\n')).toEqual([
      '--port must be a whole number from 0 to 65535, got "x".',
      '--auth must be one of open, strict, got "closed".',
      'CARD_VAULT_LOG_LEVEL must be one of debug, info, warn, error, silent, got "loud".',
    ]);
  });
});

describe('an unknown command', () => {
  it.each([
    [
      ['serv'],
      'Unknown command "serv". Did you mean "serve"? Commands: serve, run, verdict, coverage, play, check, init, outcomes, health, wait, help.',
    ],
    [
      ['help', 'serv'],
      'Unknown command "serv". Did you mean "serve"? Commands: serve, run, verdict, coverage, play, check, init, outcomes, health, wait, help.',
    ],
    [
      ['chekc', 'x.yaml'],
      'Unknown command "chekc". Did you mean "check"? Commands: serve, run, verdict, coverage, play, check, init, outcomes, health, wait, help.',
    ],
    [['--port', '0', 'serve'], 'The command "serve" must come before all options.'],
  ])('%j', async (args, message) => {
    expect(await usageError(args)).toBe(`${message} ${seeHelp}`);
  });
});

describe('an environment variable that is wrong', () => {
  it.each([
    ['PORT', 'http', 'PORT must be a whole number from 0 to 65535, got "http".'],
    [
      'CARD_VAULT_PORT',
      'http://10.0.0.1:80',
      'CARD_VAULT_PORT must be a whole number from 0 to 65535, got "http://10.0.0.1:80".',
    ],
    ['CARD_VAULT_QUIET', 'maybe', 'CARD_VAULT_QUIET must be true or false, got "maybe".'],
  ])('%s=%s', async (name, value, message) => {
    expect(await usageError([], { [name]: value })).toBe(message);
  });
});

describe('fixtures that cannot be used', () => {
  it('are reported with the nearest name', async () => {
    const [first, second] = (await usageError(['--fixtures', 'shp'])).split('\n');
    expect(first).toBe('Cannot use the fixtures (--fixtures shp).');
    expect(second).toContain('Did you mean "shop"?');
  });

  it('are reported with file, line and problem', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'card-vault-sandbox-'));
    onTestFinished(() => {
      rmSync(folder, { recursive: true });
    });
    const file = join(folder, 'mine.yaml');
    writeFileSync(file, 'about: mine\ncrads: []\n');
    const message = await usageError([], { CARD_VAULT_FIXTURES: file });
    expect(message).toContain(`Cannot use the fixtures (CARD_VAULT_FIXTURES ${file}).\n`);
    expect(message).toContain(`${file}:2:1 crads: `);
    expect(message).toContain('Did you mean "cards"?');
  });
});

describe('a list of test numbers that cannot be used', () => {
  it('is reported with file, line and the allowed form, but without its numbers', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'card-vault-sandbox-'));
    onTestFinished(() => {
      rmSync(folder, { recursive: true });
    });
    const file = join(folder, 'cards.txt');
    writeFileSync(file, '4929851042331971\n4929851042331972\n');
    const message = await usageError(['--allow-cards', file]);
    expect(message).toContain(
      `Cannot use the list of test numbers (--allow-cards ${file}).\n${file}:2: the check digit of the number is wrong. Each line must be`,
    );
    expect(message).not.toContain('492985');
    expect(await usageError([], { CARD_VAULT_ALLOW_CARDS: join(folder, 'none') })).toContain(
      `Cannot use the list of test numbers (CARD_VAULT_ALLOW_CARDS ${join(folder, 'none')}).`,
    );
  });
});

describe('a scenario that cannot be used', () => {
  it('is reported with the nearest name', async () => {
    const [first, second] = (await usageError(['--scenario', 'lost-answr'])).split('\n');
    expect(first).toBe('Cannot use the scenario (--scenario lost-answr).');
    expect(second).toContain('Did you mean "lost-answer"?');
  });

  it.each([['hang'], [undefined]])(
    'is rejected by --watch if it is not a file: %s',
    async (name) => {
      const args = name === undefined ? [] : ['--scenario', name];
      expect(await usageError(args, { CARD_VAULT_WATCH: 'true' })).toBe(
        'CARD_VAULT_WATCH needs a scenario file. Name one with --scenario, such as --scenario ./my-scenario.yaml.',
      );
    },
  );
});

describe('an address that is not available', () => {
  it('is reported for a port in use', async () => {
    const port = await usedPort();
    const message = await usageError(['--port', String(port)]);
    expect(message).toBe(
      `Port ${port} on 127.0.0.1 is in use. Stop the other process or choose another port, such as --port 7801.`,
    );
  });

  it('is reported with the variable that it comes from', async () => {
    const port = await usedPort();
    const message = await usageError([], { PORT: String(port) });
    expect(message).toMatch(/The port comes from the environment variable PORT\.$/);
  });

  it('is reported for a host of another machine', async () => {
    // This address is reserved for documentation, so no machine has it.
    const message = await usageError(['--port', '0'], { HOST: '203.0.113.9' });
    expect(message).toContain("This machine has no address '203.0.113.9'.");
    expect(message).toMatch(/The host comes from the environment variable HOST\.$/);
  });
});

describe('options about TLS', () => {
  it.each([
    [['--tls-cert', '/no/cert.pem'], '--tls-cert needs its private key: set --tls-key too.'],
    [
      ['--tls-key', '/no/key.pem'],
      '--tls-key needs the certificate of that key: set --tls-cert too.',
    ],
    [
      ['--tls-cert', '/no/cert.pem', '--tls-key', '/no'],
      '--tls-cert must name a readable PEM file',
    ],
    [['--tls-host', 'vault:3443'], '--tls-host must be host names or addresses without ports'],
    [['--tls-port', '3000'], 'The default of --port and --tls-port are both 3000.'],
    [
      ['--tls-port', '4001', '--control-port', '4001'],
      '--control-port and --tls-port are both 4001.',
    ],
    [
      ['--tls-ca-file', '/no/such/ca.pem'],
      'Cannot write --tls-ca-file "/no/such/ca.pem" (ENOENT).',
    ],
  ])('are one message for %j', async (args, words) => {
    expect(await usageError(args)).toContain(words);
  });

  it('name the port of https that is in use', async () => {
    const port = await usedPort();
    expect(await usageError(['--port', '0', '--tls-port', String(port)])).toBe(
      `Port ${port} on 127.0.0.1 is in use. Stop the other process or choose another port, such as --tls-port 7843.`,
    );
  });
});

it.each(['/run/vault.sock', 'unix:/run/vault.sock'])('refuses to listen on %s', async (host) => {
  expect(await usageError(['--port', '0', '--host', host])).toContain(
    'Unix sockets are not served',
  );
});
