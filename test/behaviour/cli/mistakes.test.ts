/** A wrong call gets one message that says what would be right, exit code 2, and nothing else. */
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runCli, type Start } from './cli-process.ts';

/** What is said about a call that cannot work. */
async function refusal(args: readonly string[], env?: Start['env']): Promise<string> {
  const { code, stdout, stderr } = await runCli(args, env && { env });
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toMatch(/^card-vault-sandbox: .+\n$/s);
  expect(stderr).not.toMatch(/^\s+at /m);
  return stderr.slice('card-vault-sandbox: '.length, -1);
}

/** A port that something listens on until the test is over. */
async function takenPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // It listens on TCP.
  return port;
}

const seeHelp = 'All flags: card-vault-sandbox --help';

it.each([
  [['--allow-cards', '4929851042331971']],
  [['--port', '4929851042331971']],
  [['--4929851042331971']],
  [['4929 8510 4233 1971']],
  [[], { CARD_VAULT_PORT: '4929-8510-4233-1971' }],
])('a card number that was typed is not quoted: %j', async (args, env?: Start['env']) => {
  expect((await refusal(args, env)).replaceAll(/\D/g, '')).not.toContain('492985');
});

it('a fixture file that stands within itself is told where', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'endless-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'mine.yaml');
  writeFileSync(path, 'cards: &a [*a]');
  expect(await refusal(['--fixtures', path])).toContain(
    `${path}:1:12 cards[0]: this stands within itself, so it has no end.`,
  );
});

describe('a flag that cannot be', () => {
  it.each([
    [['--prot', '1'], `There is no flag "--prot". Did you mean "--port"? ${seeHelp}`],
    [['--PORT', '1'], `There is no flag "--PORT". Did you mean "--port"? ${seeHelp}`],
    [
      ['--JOURNAL-BYTES'],
      `There is no flag "--JOURNAL-BYTES". Did you mean "--max-journal-bytes"? ${seeHelp}`,
    ],
    [
      ['--log-level', 'DEBUG'],
      '--log-level must be one of debug, info, warn, error, silent, not "DEBUG". Did you mean "debug"?',
    ],
    [['--hlep'], `There is no flag "--hlep". Did you mean "--help"? ${seeHelp}`],
    [
      ['--journal-bytes', '1'],
      `There is no flag "--journal-bytes". Did you mean "--max-journal-bytes"? ${seeHelp}`,
    ],
    [['serve', '--zzz'], `There is no flag "--zzz". ${seeHelp}`],
    [['-p', '1'], `There is no flag "-p". ${seeHelp}`],
    [['--port'], `--port needs a value: --port <number>. ${seeHelp}`],
    [
      ['wait', '--timeout'],
      '--timeout needs a value: --timeout <span>. All flags: card-vault-sandbox wait --help',
    ],
    [['--quiet=yes'], `The flag --quiet is a switch and takes no value. ${seeHelp}`],
    [
      ['verdict', '--quiet'],
      'There is no flag "--quiet". All flags: card-vault-sandbox verdict --help',
    ],
    [
      ['health', '--url', 'http://127.0.0.1:9'],
      'There is no flag "--url". The address needs none: card-vault-sandbox health http://127.0.0.1:3000. All flags: card-vault-sandbox health --help',
    ],
    [
      ['wait', '--url=http://127.0.0.1:9', '--timeout', '1s'],
      'There is no flag "--url". The address needs none: card-vault-sandbox wait http://127.0.0.1:3000. All flags: card-vault-sandbox wait --help',
    ],
    [
      ['verdict', '--host', '127.0.0.1', '--port', '9'],
      'There is no flag "--host". The address needs none: card-vault-sandbox verdict http://127.0.0.1:3000. All flags: card-vault-sandbox verdict --help',
    ],
    [
      ['coverage', '--port', '9'],
      'There is no flag "--port". The address needs none: card-vault-sandbox coverage http://127.0.0.1:3000. All flags: card-vault-sandbox coverage --help',
    ],
    [
      ['check', '--url', 'http://127.0.0.1:9'],
      'There is no flag "--url". All flags: card-vault-sandbox check --help',
    ],
    [
      ['--quiet', 'verdict', 'http://127.0.0.1:9', '--merchant', 'pp'],
      `The command "verdict" must come before all flags. ${seeHelp}`,
    ],
    [
      ['verdict', '--suppressions', 'nope.yaml'],
      "--suppressions nope.yaml cannot be read: ENOENT: no such file or directory, open 'nope.yaml'",
    ],
    [
      ['--port', '21610', '--control-port', '21610'],
      '--port and --control-port name one port, 21610. Choose another for the control plane, or leave --control-port out: it is then on the same port as all else.',
    ],
    [['--', '--port'], `The flag --port must come before "--". ${seeHelp}`],
    [['--port', 'http'], '--port must be a whole number from 0 to 65535, not "http".'],
    [['--port', '65536'], '--port must be a whole number from 0 to 65535, not "65536".'],
    [['--port', '-1'], '--port must be a whole number from 0 to 65535, not "-1".'],
    [['--max-records', '0'], '--max-records must be a whole number from 1 to 100000000, not "0".'],
    [['--seed='], '--seed must be 1 to 256 characters, not "".'],
    [
      ['--profile', 'recoded'],
      '--profile must be one of documented, recorded, not "recoded". Did you mean "recorded"?',
    ],
    [
      ['--clock-start', 'tomorrow'],
      '--clock-start must be an RFC 3339 time, such as 2030-01-02T03:04:05Z, not "tomorrow".',
    ],
    [
      ['--clock-start', '9999-01-01T00:00:00Z'],
      '--clock-start must not be later than 9996-12-31T23:59:59.999Z, the last time a clock shows.',
    ],
    [
      ['--base-url', 'ftp://shop.test'],
      '--base-url must be a URL that starts with http:// or https://, not "ftp://shop.test".',
    ],
  ])('%j', async (args, message) => {
    expect(await refusal(args)).toBe(message);
  });

  it('is named together with every other', async () => {
    const message = await refusal(['--port', 'x', '--auth', 'closed'], {
      CARD_VAULT_LOG_LEVEL: 'loud',
    });
    expect(message.split('\n')).toEqual([
      '--port must be a whole number from 0 to 65535, not "x".',
      '--auth must be one of open, strict, not "closed".',
      'CARD_VAULT_LOG_LEVEL must be one of debug, info, warn, error, silent, not "loud".',
    ]);
  });
});

describe('a command that is none', () => {
  it.each([
    [
      ['serv'],
      'There is no command "serv". Did you mean "serve"? Commands: serve, check, outcomes, health, wait, verdict, coverage, run, help.',
    ],
    [
      ['help', 'serv'],
      'There is no command "serv". Did you mean "serve"? Commands: serve, check, outcomes, health, wait, verdict, coverage, run, help.',
    ],
    [
      ['chekc', 'x.yaml'],
      'There is no command "chekc". Did you mean "check"? Commands: serve, check, outcomes, health, wait, verdict, coverage, run, help.',
    ],
    [['--port', '0', 'serve'], 'The command "serve" must come before all flags.'],
  ])('%j', async (args, message) => {
    expect(await refusal(args)).toBe(`${message} ${seeHelp}`);
  });
});

describe('a variable that cannot be', () => {
  it.each([
    ['PORT', 'http', 'PORT must be a whole number from 0 to 65535, not "http".'],
    [
      'CARD_VAULT_PORT',
      'http://10.0.0.1:80',
      'CARD_VAULT_PORT must be a whole number from 0 to 65535, not "http://10.0.0.1:80".',
    ],
    ['CARD_VAULT_QUIET', 'maybe', 'CARD_VAULT_QUIET must be true or false, not "maybe".'],
  ])('%s=%s', async (name, value, message) => {
    expect(await refusal([], { [name]: value })).toBe(message);
  });
});

describe('fixtures that cannot be', () => {
  it('are named with the nearest set', async () => {
    const [first, second] = (await refusal(['--fixtures', 'shp'])).split('\n');
    expect(first).toBe('The fixtures (--fixtures shp) cannot be used.');
    expect(second).toContain('Did you mean "shop"?');
  });

  it('are named with file, line and what is wrong', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'card-vault-sandbox-'));
    onTestFinished(() => {
      rmSync(folder, { recursive: true });
    });
    const file = join(folder, 'mine.yaml');
    writeFileSync(file, 'about: mine\ncrads: []\n');
    const message = await refusal([], { CARD_VAULT_FIXTURES: file });
    expect(message).toContain(`The fixtures (CARD_VAULT_FIXTURES ${file}) cannot be used.\n`);
    expect(message).toContain(`${file}:2:1 crads: `);
    expect(message).toContain('Did you mean "cards"?');
  });
});

describe('a list of test numbers that cannot be', () => {
  it('is named with file, line and what is allowed, and without what it holds', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'card-vault-sandbox-'));
    onTestFinished(() => {
      rmSync(folder, { recursive: true });
    });
    const file = join(folder, 'cards.txt');
    writeFileSync(file, '4929851042331971\n4929851042331972\n');
    const message = await refusal(['--allow-cards', file]);
    expect(message).toContain(
      `The list of test numbers (--allow-cards ${file}) cannot be used.\n${file}:2: the check digit of this number is wrong. Each line holds`,
    );
    expect(message).not.toContain('492985');
    expect(await refusal([], { CARD_VAULT_ALLOW_CARDS: join(folder, 'none') })).toContain(
      `(CARD_VAULT_ALLOW_CARDS ${join(folder, 'none')}) cannot be used.`,
    );
  });
});

describe('a scenario that cannot be', () => {
  it('is named with the nearest one', async () => {
    const [first, second] = (await refusal(['--scenario', 'lost-answr'])).split('\n');
    expect(first).toBe('The scenario (--scenario lost-answr) cannot be used.');
    expect(second).toContain('Did you mean "lost-answer"?');
  });

  it.each([['hang'], [undefined]])('is one to watch that is no file: %s', async (name) => {
    const args = name === undefined ? [] : ['--scenario', name];
    expect(await refusal(args, { CARD_VAULT_WATCH: 'true' })).toBe(
      'CARD_VAULT_WATCH needs a scenario file to watch. Name one with --scenario and its path, such as --scenario ./my-scenario.yaml.',
    );
  });
});

describe('an address that cannot be had', () => {
  it('is a port that is taken', async () => {
    const port = await takenPort();
    const message = await refusal(['--port', String(port)]);
    expect(message).toContain(`Port ${port} on 127.0.0.1 is taken.`);
    expect(message).toMatch(/--port 0\.$/);
  });

  it('is named as the variable that it comes from', async () => {
    const port = await takenPort();
    const message = await refusal([], { PORT: String(port) });
    expect(message).toMatch(/The port comes from the environment variable PORT\.$/);
  });

  it('is a host that is not of this machine', async () => {
    // Of a block that is kept for documentation, so no machine has it.
    const message = await refusal(['--port', '0'], { HOST: '203.0.113.9' });
    expect(message).toContain("This machine has no address '203.0.113.9'.");
    expect(message).toMatch(/The host comes from the environment variable HOST\.$/);
  });
});
