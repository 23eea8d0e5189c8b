/** The options of `serve` and `run`, as help shows them. settings.ts checks their values. */

interface FlagRow {
  /** In camel case; the option and the environment variable are spelled from it. */
  readonly name: string;
  readonly group: string;
  /** The placeholder of the value in help. A switch has none. */
  readonly value?: string;
  readonly text: string;
  readonly default?: string;
  /** The variable that platforms set for any server, read when ours is not set. */
  readonly plainEnv?: string;
}

const listening = 'Listening';
const tls = 'TLS';
const start = 'Starting data';
const behaviour = 'Behaviour';
const limits = 'Limits';
const output = 'Output';

/** The port of the command. The library listens on a free port by default. */
export const defaultPort = 3000;

/** The port of https. */
export const defaultTlsPort = 3443;

const rows = [
  {
    name: 'port',
    group: listening,
    value: '<number>',
    text: 'Port to listen on; 0 picks a free one.',
    default: String(defaultPort),
    plainEnv: 'PORT',
  },
  {
    name: 'host',
    group: listening,
    value: '<address>',
    text: 'Address to listen on; 0.0.0.0 accepts other machines.',
    default: '127.0.0.1',
    plainEnv: 'HOST',
  },
  {
    name: 'baseUrl',
    group: listening,
    value: '<url>',
    text: 'Start of the links in answers. Default: the address that the client used.',
  },
  {
    name: 'controlPort',
    group: listening,
    value: '<number>',
    text: 'Serve /_sandbox on this port instead of --port; 0 picks a free one.',
  },
  {
    name: 'controlHost',
    group: listening,
    value: '<address>',
    text: 'Address of the control port. Default: the address of --host.',
  },
  {
    name: 'controlAllowedHost',
    group: listening,
    value: '<names>',
    text: 'Host names, separated by commas, that browsers may use for /_sandbox.',
  },
  {
    name: 'controlToken',
    group: listening,
    value: '<secret>',
    text: 'Secret that calls to /_sandbox must send, except health. Default: none.',
  },
  {
    name: 'controlTokenFile',
    group: listening,
    value: '<path>',
    text: 'File that holds the control token, for Docker and Kubernetes secrets.',
  },
  {
    name: 'trustProxy',
    group: listening,
    text: 'Links follow X-Forwarded-Proto, X-Forwarded-Host and Forwarded of a proxy.',
  },
  {
    name: 'tls',
    group: tls,
    text: 'Also serve https, with a certificate made at the start. So does each --tls-… option.',
  },
  {
    name: 'tlsPort',
    group: tls,
    value: '<number>',
    text: 'Port of https; 0 picks a free one, as --port 0 does.',
    default: String(defaultTlsPort),
  },
  {
    name: 'tlsHost',
    group: tls,
    value: '<names>',
    text: 'Names, separated by commas, that clients use, such as a Compose service.',
  },
  {
    name: 'tlsCaFile',
    group: tls,
    value: '<path>',
    text: 'File to write the certificate to that clients must trust.',
  },
  {
    name: 'tlsCert',
    group: tls,
    value: '<path>',
    text: 'PEM file with a certificate of your own, instead of a made one.',
  },
  {
    name: 'tlsKey',
    group: tls,
    value: '<path>',
    text: 'PEM file with its private key.',
  },
  {
    name: 'fixtures',
    group: start,
    value: '<name|path>',
    text: 'Starting data of every merchant: default, empty, shop, or a file or folder.',
    default: 'default',
  },
  {
    name: 'scenario',
    group: start,
    value: '<name|path>',
    text: 'Scenario that every merchant plays, also after a reset: a name or a file.',
  },
  {
    name: 'home',
    group: start,
    value: '<folder>',
    text: 'Project folder: fixtures/ is loaded for every merchant, scenarios/ by name.',
  },
  {
    name: 'watch',
    group: start,
    text: 'Reload the rules of the scenario file whenever it is saved.',
  },
  {
    name: 'seed',
    group: start,
    value: '<text>',
    text: 'Same seed, same requests, same clock: same bytes. Default: random.',
  },
  {
    name: 'clockStart',
    group: start,
    value: '<time>',
    text: 'Time at which the clocks start, in RFC 3339. Default: now.',
  },
  {
    name: 'clockFrozen',
    group: start,
    text: 'Stop the clocks until a call moves them.',
  },
  {
    name: 'persist',
    group: start,
    value: '<path>',
    text: 'File that keeps the worlds of all merchants across restarts.',
  },
  {
    name: 'profile',
    group: behaviour,
    value: '<name>',
    text: 'documented follows the service document; recorded follows recorded answers.',
    default: 'documented',
  },
  {
    name: 'auth',
    group: behaviour,
    value: '<mode>',
    text: 'open accepts "Bearer sandbox.<client id>" without a token call; strict does not.',
    default: 'open',
  },
  {
    name: 'ownerCheck',
    group: behaviour,
    value: '<mode>',
    text: 'strict requires the customer id that the card was stored with; lenient does not.',
    default: 'strict',
  },
  {
    name: 'allowPastExpiry',
    group: behaviour,
    text: 'Accept cards that have expired.',
  },
  {
    name: 'realCards',
    group: behaviour,
    value: '<mode>',
    text: 'Reaction to a card number that is on no list of test numbers: refuse, warn or off.',
    default: 'warn',
  },
  {
    name: 'allowCards',
    group: behaviour,
    value: '<path>',
    text: 'File of your own test numbers, or their SHA-256, one per line.',
  },
  {
    name: 'magicAmounts',
    group: behaviour,
    text: 'Totals from 9000.00 choose an outcome by their cents: 9000.51 is issuer code 51.',
  },
  {
    name: 'maxMerchants',
    group: limits,
    value: '<number>',
    text: 'Merchants that exist at the same time.',
    default: '1,000',
  },
  {
    name: 'maxRecords',
    group: limits,
    value: '<number>',
    text: 'Records of one merchant.',
    default: '2,000,000',
  },
  {
    name: 'maxRequestIds',
    group: limits,
    value: '<number>',
    text: 'PayPal-Request-Ids remembered for one merchant.',
    default: '100,000',
  },
  {
    name: 'maxSnapshots',
    group: limits,
    value: '<number>',
    text: 'Snapshots of one merchant.',
    default: '100',
  },
  {
    name: 'maxJournalEntries',
    group: limits,
    value: '<number>',
    text: 'Journal entries of one merchant; 0 switches the journal off.',
    default: '1,000',
  },
  {
    name: 'maxJournalBytes',
    group: limits,
    value: '<number>',
    text: 'Bytes of the journal of one merchant.',
    default: '4,194,304',
  },
  {
    name: 'maxBodyBytes',
    group: limits,
    value: '<number>',
    text: 'Bytes of a request body.',
    default: '1,048,576',
  },
  {
    name: 'logFormat',
    group: output,
    value: '<format>',
    text: 'pretty, json, or auto: pretty on a terminal, json elsewhere.',
    default: 'auto',
  },
  {
    name: 'logLevel',
    group: output,
    value: '<level>',
    text: 'debug, info, warn, error or silent.',
    default: 'info',
  },
  {
    name: 'logRequests',
    group: output,
    value: '<which>',
    text: 'all, or refused: only requests that were refused, forced or warned about.',
    default: 'all',
  },
  {
    name: 'readyFile',
    group: output,
    value: '<path>',
    text: 'File that holds the address while the sandbox listens.',
  },
  {
    name: 'quiet',
    group: output,
    text: 'Print no banner; log only warnings and errors.',
  },
] as const satisfies readonly FlagRow[];

export type FlagName = (typeof rows)[number]['name'];

export interface Flag extends FlagRow {
  readonly name: FlagName;
}

export const flags: readonly Flag[] = rows;

const serveOnly: ReadonlySet<FlagName> = new Set([
  'port',
  'host',
  'controlPort',
  'controlHost',
  'controlAllowedHost',
  'trustProxy',
  'tls',
  'tlsPort',
  'tlsHost',
  'tlsCaFile',
  'tlsCert',
  'tlsKey',
  'persist',
  'watch',
  'readyFile',
]);

/** The flags that `run` accepts too. It declares its own --port and --host, and has no use for the rest. */
export const runFlags: readonly Flag[] = flags.filter(({ name }) => !serveOnly.has(name));

const words = (name: string): string[] => name.split(/(?=[A-Z])/).map((word) => word.toLowerCase());

/** The spelling of a flag on the command line, such as `--max-records`. */
export function flagWord(name: FlagName): string {
  return `--${words(name).join('-')}`;
}

/** The environment variables that set a flag, in order of precedence. */
export function envNames(flag: Flag): string[] {
  const own = `CARD_VAULT_${words(flag.name).join('_').toUpperCase()}`;
  return flag.plainEnv === undefined ? [own] : [own, flag.plainEnv];
}
