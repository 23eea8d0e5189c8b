/** Flags and environment variables, without a process. */
import { describe, expect, it } from 'vitest';
import { envNames, flags, flagWord } from '../../../../src/cli/settings/flags.ts';
import { readSettings, sandboxOptions } from '../../../../src/cli/settings/settings.ts';
import { UsageError } from '../../../../src/cli/errors/usage-error.ts';
import { OptionError } from '../../../../src/shared/option-error.ts';
import { checkOptions } from '../../../../src/sandbox/check-options.ts';

const settings = (env: Record<string, string>, fromFlags: Record<string, unknown> = {}) =>
  readSettings(fromFlags, env).settings;

describe('settings', () => {
  it('use the defaults of the library if nothing is set', () => {
    const read = readSettings({}, {});
    expect(read).toEqual({ settings: {}, origins: new Map(), warnings: [] });
    expect(checkOptions(sandboxOptions(read.settings))).toEqual(checkOptions({}));
  });

  it('become options of the library', () => {
    const options = sandboxOptions(
      settings({
        CARD_VAULT_FIXTURES: 'shop',
        CARD_VAULT_PROFILE: 'recorded',
        CARD_VAULT_SEED: 'x',
        CARD_VAULT_CLOCK_START: '2030-01-02T03:04:05Z',
        CARD_VAULT_CLOCK_FROZEN: 'true',
        CARD_VAULT_BASE_URL: 'https://sandbox.test',
        CARD_VAULT_AUTH: 'strict',
        CARD_VAULT_OWNER_CHECK: 'lenient',
        CARD_VAULT_ALLOW_PAST_EXPIRY: '1',
        CARD_VAULT_REAL_CARDS: 'refuse',
        CARD_VAULT_ALLOW_CARDS: './cards.txt',
        CARD_VAULT_MAGIC_AMOUNTS: 'on',
        CARD_VAULT_SCENARIO: 'lost-answer',
        CARD_VAULT_CONTROL_TOKEN: 'open-sesame',
        CARD_VAULT_CONTROL_ALLOWED_HOST: 'sandbox, sandbox.test',
        CARD_VAULT_MAX_MERCHANTS: '1',
        CARD_VAULT_MAX_RECORDS: '2',
        CARD_VAULT_MAX_REQUEST_IDS: '3',
        CARD_VAULT_MAX_BODY_BYTES: '4',
        CARD_VAULT_MAX_SNAPSHOTS: '5',
        CARD_VAULT_MAX_JOURNAL_ENTRIES: '6',
        CARD_VAULT_MAX_JOURNAL_BYTES: '7',
      }),
    );
    expect(options).toEqual({
      profile: 'recorded',
      seed: 'x',
      clock: { start: '2030-01-02T03:04:05Z', frozen: true },
      baseUrl: 'https://sandbox.test',
      auth: 'strict',
      ownerCheck: 'lenient',
      allowPastExpiry: true,
      realCards: 'refuse',
      allowCards: './cards.txt',
      magicAmounts: true,
      scenario: 'lost-answer',
      controlToken: 'open-sesame',
      controlAllowedHosts: ['sandbox', 'sandbox.test'],
      limits: {
        maxMerchants: 1,
        maxRecords: 2,
        maxRequestIds: 3,
        maxBodyBytes: 4,
        maxSnapshots: 5,
        maxJournalEntries: 6,
        maxJournalBytes: 7,
      },
    });
  });

  it('prefer CARD_VAULT_PORT to PORT', () => {
    expect(settings({ PORT: '1', CARD_VAULT_PORT: '2' })).toEqual({ port: 2 });
    expect(settings({ PORT: '1', CARD_VAULT_PORT: '' })).toEqual({ port: 1 });
  });

  it.each(['tcp', 'udp', 'sctp'])('ignore a %s link to a service', (protocol) => {
    const env = { CARD_VAULT_PORT: `${protocol}://10.0.0.1:80`, PORT: '1' };
    expect(settings(env)).toEqual({ port: 1 });
    // In another variable it is ordinary text.
    expect(settings({ CARD_VAULT_SEED: env.CARD_VAULT_PORT })).toEqual({
      seed: env.CARD_VAULT_PORT,
    });
  });

  it('are read only if they are wanted', () => {
    const env = { CARD_VAULT_PORT: '1', CARD_VAULT_MAX_RECORDS: 'many' };
    expect(readSettings({}, env, ['port', 'host']).settings).toEqual({ port: 1 });
  });

  it('prefer a flag to an invalid variable', () => {
    expect(settings({ CARD_VAULT_PORT: 'x' }, { port: '3' })).toEqual({ port: 3 });
    expect(settings({ CARD_VAULT_QUIET: 'yes' }, { quiet: false })).toEqual({ quiet: false });
  });

  it.each([
    ['true', true],
    ['TRUE', true],
    ['1', true],
    ['on', true],
    ['false', false],
    ['0', false],
    ['off', false],
  ])('accept %s for a switch', (word, value) => {
    expect(settings({ CARD_VAULT_QUIET: word })).toEqual({ quiet: value });
  });

  it('cut and escape a quoted value', () => {
    const port = `${'\u001B[31m'}${'9'.repeat(500)}`;
    expect(() => settings({ PORT: port })).toThrow(
      new UsageError(
        `PORT must be a whole number from 0 to 65535, got "\\u001b[31m${'9'.repeat(55)}…".`,
      ),
    );
  });

  it.each([
    'http://ada:open-sesame@sandbox.test',
    'http://ada@sandbox.test/',
    'https://sandbox.test?',
    'https://sandbox.test/vault?tenant=1',
    'https://sandbox.test/#top',
  ])('refuse a base URL that links cannot start with, without quoting it: %s', (baseUrl) => {
    const words = 'must have no user name, password, query or fragment, since links begin with it.';
    expect(() => settings({}, { baseUrl })).toThrow(new UsageError(`--base-url ${words}`));
    expect(() => checkOptions({ baseUrl })).toThrow(new OptionError(`Option baseUrl: ${words}`));
  });

  it.each(['http://sandbox.test', 'https://[::1]:8443/', 'https://sandbox.test/a/@b/c'])(
    'accept a base URL that links can start with: %s',
    (baseUrl) => {
      expect(settings({}, { baseUrl })).toEqual({ baseUrl });
      expect(checkOptions({ baseUrl }).baseUrl).toBe(baseUrl.replace(/\/$/, ''));
    },
  );

  it('report an invalid URL once', () => {
    expect(() => settings({}, { baseUrl: 'sandbox.test?' })).toThrow(
      new UsageError(
        '--base-url must be a URL that starts with http:// or https://, got "sandbox.test?".',
      ),
    );
  });

  it.each(flags)('spell $name as an option and as a variable', (flag) => {
    expect(flagWord(flag.name)).toMatch(/^--[a-z]+(?:-[a-z]+)*$/);
    expect(envNames(flag)[0]).toBe(
      `CARD_VAULT_${flagWord(flag.name).slice(2).replaceAll('-', '_').toUpperCase()}`,
    );
  });
});

describe('the highest limit', () => {
  it.each(flags.map(({ name }) => name).filter((name) => name.startsWith('max')))(
    'equals the limit of the library for %s',
    (name) => {
      const outOf = (value: string) => {
        try {
          settings({}, { [name]: value });
          return 0;
        } catch (error) {
          return Number(/ to (\d+), got/.exec(String(error))?.[1]);
        }
      };
      const most = outOf('99999999999');
      const limits = (value: number) => () => checkOptions({ limits: { [name]: value } });
      expect(outOf(String(most))).toBe(0);
      expect(limits(most)).not.toThrow();
      expect(limits(most + 1)).toThrow(OptionError);
    },
  );
});

describe('a warning', () => {
  it('reports an unknown variable that resembles one of ours', () => {
    const { warnings } = readSettings({}, { CARD_VAULT_PROFIL: 'recorded' });
    expect(warnings).toEqual([
      'Unknown environment variable CARD_VAULT_PROFIL. Did you mean CARD_VAULT_PROFILE?',
    ]);
  });

  it.each([
    ['CARD_VAULT_PORT', 'card-vault'],
    ['CARD_VAULT_CONTROL_PORT', 'card-vault-control'],
  ])('reports a service link in %s', (name, service) => {
    const { settings: read, warnings } = readSettings({}, { [name]: 'tcp://10.0.0.1:3000' });
    expect(read).toEqual({});
    expect(warnings).toEqual([
      `The environment variable ${name} is a link to a service called ${service} and is ignored. In Kubernetes, set enableServiceLinks: false to avoid such links.`,
    ]);
  });

  it('is not issued for variables of a cluster or another program', () => {
    const env = {
      CARD_VAULT_SERVICE_HOST: '10.0.0.1',
      CARD_VAULT_SANDBOX_PORT_3000_TCP: 'tcp://10.0.0.1:3000',
      CARD_VAULT_URL: 'http://127.0.0.1:3000',
      CARD_VAULTS: '1',
    };
    expect(readSettings({}, env).warnings).toEqual([]);
  });
});
