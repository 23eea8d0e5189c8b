/** Every flag of `serve` and `run`, as help shows it. What values it takes is said in settings.ts. */

interface FlagRow {
  /** In camel case; flag and environment variable are spelled from it. */
  readonly name: string;
  readonly group: string;
  /** What stands for the value in help; a switch has none. */
  readonly value?: string;
  readonly text: string;
  readonly default?: string;
  /** The variable that platforms set for any server, read where ours is not set. */
  readonly plainEnv?: string;
}

const listening = 'Where it listens:';
const start = 'What it starts with:';
const behaviour = 'How it behaves:';
const bounds = 'How much it takes:';
const output = 'What it prints:';

const rows = [
  {
    name: 'port',
    group: listening,
    value: '<number>',
    text: 'Port; 0 takes any free one.',
    default: '3000',
    plainEnv: 'PORT',
  },
  {
    name: 'host',
    group: listening,
    value: '<address>',
    text: 'Address; 0.0.0.0 lets other machines in.',
    default: '127.0.0.1',
    plainEnv: 'HOST',
  },
  {
    name: 'baseUrl',
    group: listening,
    value: '<url>',
    text: 'What links in answers start with, if not the address that the client used.',
  },
  {
    name: 'controlPort',
    group: listening,
    value: '<number>',
    text: 'A port for /_sandbox alone, which --port then does not serve; 0 takes any free one.',
  },
  {
    name: 'controlHost',
    group: listening,
    value: '<address>',
    text: 'Address of the control port. Without it: that of --host.',
  },
  {
    name: 'controlAllowedHost',
    group: listening,
    value: '<names>',
    text: 'Names, with commas between, that browsers may call /_sandbox by. Programs may use any.',
  },
  {
    name: 'controlToken',
    group: listening,
    value: '<secret>',
    text: 'What calls under /_sandbox must carry, but for health. Without it: nothing.',
  },
  {
    name: 'controlTokenFile',
    group: listening,
    value: '<path>',
    text: 'A file that holds it, as Docker and Kubernetes mount secrets.',
  },
  {
    name: 'fixtures',
    group: start,
    value: '<name|path>',
    text: 'What every merchant has: default, empty, shop, or a file or folder of YAML or JSON.',
    default: 'default',
  },
  {
    name: 'scenario',
    group: start,
    value: '<name|path>',
    text: 'What every merchant plays, also after a reset: one that ships, or a file.',
  },
  {
    name: 'home',
    group: start,
    value: '<folder>',
    text: 'A folder of yours: fixtures/ in it is what every merchant has, scenarios/ are known by name.',
  },
  {
    name: 'watch',
    group: start,
    text: 'Take the rules of the scenario file anew whenever it is saved; all else stays.',
  },
  {
    name: 'seed',
    group: start,
    value: '<text>',
    text: 'Same seed, same requests, same clock: same bytes. Without it: another one each time.',
  },
  {
    name: 'clockStart',
    group: start,
    value: '<time>',
    text: 'Where clocks start, in RFC 3339. Without it: now.',
  },
  { name: 'clockFrozen', group: start, text: 'Clocks stand still until they are moved.' },
  {
    name: 'profile',
    group: behaviour,
    value: '<name>',
    text: 'documented: as the service document says. recorded: as the service was recorded.',
    default: 'documented',
  },
  {
    name: 'auth',
    group: behaviour,
    value: '<mode>',
    text: 'open: "Bearer sandbox.<client id>" works without a token call. strict: it does not.',
    default: 'open',
  },
  {
    name: 'ownerCheck',
    group: behaviour,
    value: '<mode>',
    text: 'strict: pay with the customer id a card was stored with. lenient: it may be left out.',
    default: 'strict',
  },
  { name: 'allowPastExpiry', group: behaviour, text: 'Store cards that have expired.' },
  {
    name: 'realCards',
    group: behaviour,
    value: '<mode>',
    text: 'Numbers that are on no list of test numbers: refuse, warn or off. See "Real cards".',
    default: 'warn',
  },
  {
    name: 'allowCards',
    group: behaviour,
    value: '<path>',
    text: 'Test numbers of your own: a file with a number, or its SHA-256, a line.',
  },
  {
    name: 'magicAmounts',
    group: behaviour,
    text: "Totals from 9000.00 on ask for an outcome by their cents: 9000.51 is the issuer's 51.",
  },
  {
    name: 'maxMerchants',
    group: bounds,
    value: '<number>',
    text: 'Client ids with a world of their own.',
    default: '1,000',
  },
  {
    name: 'maxRecords',
    group: bounds,
    value: '<number>',
    text: 'Records in the world of one merchant.',
    default: '2,000,000',
  },
  {
    name: 'maxRequestIds',
    group: bounds,
    value: '<number>',
    text: 'Remembered PayPal-Request-Ids of one merchant.',
    default: '100,000',
  },
  {
    name: 'maxSnapshots',
    group: bounds,
    value: '<number>',
    text: 'Snapshots that one merchant keeps.',
    default: '100',
  },
  {
    name: 'maxJournalEntries',
    group: bounds,
    value: '<number>',
    text: 'Exchanges in the journal of one merchant; 0 switches it off.',
    default: '1,000',
  },
  {
    name: 'maxJournalBytes',
    group: bounds,
    value: '<number>',
    text: 'Bytes of the journal of one merchant.',
    default: '4,194,304',
  },
  {
    name: 'maxBodyBytes',
    group: bounds,
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
    text: 'all, or refused: those refused, forced, warned of or failed.',
    default: 'all',
  },
  {
    name: 'readyFile',
    group: output,
    value: '<path>',
    text: 'A file that holds the address while it listens: written once it does, removed at the end.',
  },
  { name: 'quiet', group: output, text: 'No banner; only warnings and errors.' },
] as const satisfies readonly FlagRow[];

export type FlagName = (typeof rows)[number]['name'];

export interface Flag extends FlagRow {
  readonly name: FlagName;
}

export const flags: readonly Flag[] = rows;

const servedOnly: ReadonlySet<FlagName> = new Set([
  'port',
  'host',
  'controlPort',
  'controlHost',
  'controlAllowedHost',
  'watch',
  'readyFile',
]);

/** Those that `run` takes as well. Where its sandbox listens it says by flags of its own; the rest is of no use there. */
export const runFlags: readonly Flag[] = flags.filter(({ name }) => !servedOnly.has(name));

const words = (name: string): string[] => name.split(/(?=[A-Z])/).map((word) => word.toLowerCase());

/** How a flag is written: `--max-records`. */
export function flagWord(name: FlagName): string {
  return `--${words(name).join('-')}`;
}

/** The variables that set a flag, the one that wins first. */
export function envNames(flag: Flag): string[] {
  const own = `CARD_VAULT_${words(flag.name).join('_').toUpperCase()}`;
  return flag.plainEnv === undefined ? [own] : [own, flag.plainEnv];
}
