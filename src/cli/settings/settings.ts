/** Flags and environment, read once: text in, checked settings out. */
import { z } from 'zod';
import { didYouMean } from '../../shared/did-you-mean.ts';
import { controlTokenRule } from '../../shared/option-error.ts';
import {
  hostNameForm,
  plainUrlForm,
  plainUrlWords,
  type SandboxOptions,
} from '../../sandbox/options.ts';
import { canStartAt, startsTooLate } from '../../world/time/clock.ts';
import { doubtsAbout, emptyTokens, setIn, type Env } from './environment.ts';
import { flags, flagWord, type FlagName } from './flags.ts';
import { UsageError } from '../errors/usage-error.ts';

const longestShown = 60;

/** Ends a sentence that began with the flag or variable. The value may be anything, so it is cut and escaped. */
function must(expected: string, choices: readonly string[] = []) {
  return {
    error: ({ input }: { readonly input?: unknown }) => {
      const given = String(input);
      const shown = given.length > longestShown ? `${given.slice(0, longestShown)}…` : given;
      return `must be ${expected}, not ${JSON.stringify(shown)}.${didYouMean(given, choices)}`;
    },
  };
}

function wholeNumber(least: number, most: number) {
  const expected = must(`a whole number from ${least} to ${most}`);
  const lies = (digits: string) =>
    /^\d+$/.test(digits) && Number(digits) >= least && Number(digits) <= most;
  return z.string(expected).refine(lies, expected).transform(Number);
}

function oneOf<const Choices extends readonly string[]>(choices: Choices) {
  return z.enum(choices, must(`one of ${choices.join(', ')}`, choices));
}

function text(most: number) {
  const expected = must(`1 to ${most} characters`);
  const fits = ({ length }: string) => length >= 1 && length <= most;
  return z.string(expected).refine(fits, expected);
}

function hostNames() {
  const expected = must(
    'host names without ports, with commas between, such as sandbox,sandbox.test',
  );
  return z
    .string(expected)
    .transform((names) => names.split(',').map((name) => name.trim()))
    .refine((names) => names.every((name) => hostNameForm.test(name)), expected);
}

/** A switch comes as a boolean from a flag, as a word from the environment. */
function onOrOff() {
  const words = z.stringbool({
    truthy: ['true', '1', 'yes', 'on'],
    falsy: ['false', '0', 'no', 'off'],
  });
  return z.union([z.boolean(), words], must('true or false'));
}

function plainUrl() {
  const form = /^https?$/;
  return (
    z
      .url({ protocol: form, abort: true, ...must('a URL that starts with http:// or https://') })
      // Without the value: it may hold a password.
      .regex(plainUrlForm, `${plainUrlWords}.`)
  );
}

function startOfClock() {
  const expected = must('an RFC 3339 time, such as 2030-01-02T03:04:05Z');
  return z.iso
    .datetime({ offset: true, abort: true, ...expected })
    .refine(canStartAt, `${startsTooLate}.`);
}

/** What reads each setting. It is made for those that were set, which are few: all of them take a millisecond of a start. */
const readers = {
  port: () => wholeNumber(0, 65_535),
  host: () => text(255),
  baseUrl: plainUrl,
  controlPort: () => wholeNumber(0, 65_535),
  controlHost: () => text(255),
  controlAllowedHost: hostNames,
  controlToken: () => z.string().regex(controlTokenRule.form, `${controlTokenRule.words}.`),
  controlTokenFile: () => text(4096),
  fixtures: () => text(4096),
  scenario: () => text(4096),
  home: () => text(4096),
  watch: onOrOff,
  seed: () => text(256),
  clockStart: startOfClock,
  clockFrozen: onOrOff,
  profile: () => oneOf(['documented', 'recorded']),
  auth: () => oneOf(['open', 'strict']),
  ownerCheck: () => oneOf(['strict', 'lenient']),
  allowPastExpiry: onOrOff,
  realCards: () => oneOf(['refuse', 'warn', 'off']),
  allowCards: () => text(4096),
  magicAmounts: onOrOff,
  maxMerchants: () => wholeNumber(1, 1_000_000),
  maxRecords: () => wholeNumber(1, 100_000_000),
  maxRequestIds: () => wholeNumber(1, 10_000_000),
  maxSnapshots: () => wholeNumber(1, 100_000),
  maxJournalEntries: () => wholeNumber(0, 10_000_000),
  maxJournalBytes: () => wholeNumber(1, 1_073_741_824),
  maxBodyBytes: () => wholeNumber(1, 1_073_741_824),
  logFormat: () => oneOf(['pretty', 'json', 'auto']),
  logLevel: () => oneOf(['debug', 'info', 'warn', 'error', 'silent']),
  logRequests: () => oneOf(['all', 'refused']),
  readyFile: () => text(4096),
  quiet: onOrOff,
} satisfies Record<FlagName, () => z.ZodType>;

/** What was set. What was not is left to the defaults of whoever reads it. */
export type Settings = {
  readonly [Name in FlagName]?: z.output<ReturnType<(typeof readers)[Name]>> | undefined;
};

export interface ReadSettings {
  readonly settings: Settings;
  /** The flag or variable that each setting came from. */
  readonly origins: ReadonlyMap<string, string>;
  /** One sentence for each variable that does nothing, though it looks as if it should. */
  readonly doubts: readonly string[];
}

/**
 * Reads settings, or throws a `UsageError` that names everything that is wrong. A flag goes before a variable. What is
 * not among `wanted` is left alone, be it right or wrong.
 */
export function readSettings(
  fromFlags: Readonly<Record<string, unknown>>,
  env: Env,
  wanted: readonly FlagName[] = flags.map(({ name }) => name),
): ReadSettings {
  const origins = new Map<string, string>();
  const given: Record<string, unknown> = {};
  const shape: Record<string, z.ZodType> = {};
  for (const flag of flags.filter(({ name }) => wanted.includes(name))) {
    const origin = fromFlags[flag.name] === undefined ? setIn(env, flag) : flagWord(flag.name);
    if (origin === undefined) continue;
    origins.set(flag.name, origin);
    given[flag.name] = fromFlags[flag.name] ?? env[origin];
    shape[flag.name] = readers[flag.name]();
  }
  // Read once, which is less work than to compile what reads it.
  const checked = z.object(shape).safeParse(given, { jitless: true });
  if (!checked.success) {
    const sentences = checked.error.issues.map(
      ({ path, message }) => `${origins.get(String(path[0]))} ${message}`,
    );
    throw new UsageError(sentences.join('\n'));
  }
  const settings = checked.data as Settings; // Each was read by what reads the setting of its name.
  const { controlToken, controlTokenFile } = settings;
  const hasToken = controlToken !== undefined || controlTokenFile !== undefined;
  return {
    settings,
    origins,
    doubts: [...doubtsAbout(env), ...(hasToken ? [] : emptyTokens(env))],
  };
}

/** Settings as the sandbox takes them, but for what is read from folders. */
export function sandboxOptions(settings: Settings): SandboxOptions {
  const { clockStart, clockFrozen, maxMerchants, maxRecords, maxRequestIds, maxBodyBytes } =
    settings;
  const { maxSnapshots, maxJournalEntries, maxJournalBytes } = settings;
  const { scenario, profile, seed, baseUrl } = settings;
  const { controlToken, controlAllowedHost } = settings;
  const { auth, ownerCheck, allowPastExpiry, realCards, allowCards, magicAmounts } = settings;
  return {
    scenario,
    profile,
    seed,
    clock: groupOf({ start: clockStart, frozen: clockFrozen }),
    baseUrl,
    controlToken,
    controlAllowedHosts: controlAllowedHost,
    auth,
    ownerCheck,
    allowPastExpiry,
    realCards,
    allowCards,
    magicAmounts,
    limits: groupOf({
      maxMerchants,
      maxRecords,
      maxRequestIds,
      maxSnapshots,
      maxJournalEntries,
      maxJournalBytes,
      maxBodyBytes,
    }),
  };
}

/** Options that stand together; none where nothing of them was set. */
function groupOf<Group extends object>(group: Group): Group | undefined {
  return Object.values(group).some((value) => value !== undefined) ? group : undefined;
}

/** Settings as they may be printed. */
export function withoutSecrets(settings: Settings): Settings {
  return settings.controlToken === undefined ? settings : { ...settings, controlToken: '[secret]' };
}
