/** Reads flags and environment variables into checked settings. */
import { z } from 'zod';
import { pathOf } from '../../documents/file-url.ts';
import { didYouMean } from '../../shared/did-you-mean.ts';
import {
  hostNameForm,
  isCertificateHost,
  isListenHost,
  listenHostWords,
} from '../../shared/host-names.ts';
import { controlTokenRule } from '../../shared/option-error.ts';
import { plainUrlForm, plainUrlWords } from '../../sandbox/check-options.ts';
import type { SandboxOptions } from '../../sandbox/options.ts';
import { canStartAt, startsTooLate } from '../../world/time/clock.ts';
import { emptyTokenWarnings, environmentWarnings, variableFor, type Env } from './environment.ts';
import { flags, flagWord, type FlagName } from './flags.ts';
import { UsageError } from '../errors/usage-error.ts';

const longestShown = 60;

/** Completes a message that starts with the flag or variable. The value may be anything, so it is cut and escaped. */
function must(expected: string, choices: readonly string[] = []) {
  return {
    error: ({ input }: { readonly input?: unknown }) => {
      const given = String(input);
      const shown = given.length > longestShown ? `${given.slice(0, longestShown)}…` : given;
      return `must be ${expected}, got ${JSON.stringify(shown)}.${didYouMean(given, choices)}`;
    },
  };
}

function wholeNumber(min: number, max: number) {
  const expected = must(`a whole number from ${min} to ${max}`);
  const isInRange = (digits: string) =>
    /^\d+$/.test(digits) && Number(digits) >= min && Number(digits) <= max;
  return z.string(expected).refine(isInRange, expected).transform(Number);
}

function oneOf<const Choices extends readonly string[]>(choices: Choices) {
  return z.enum(choices, must(`one of ${choices.join(', ')}`, choices));
}

function text(most: number) {
  const expected = must(`1 to ${most} characters`);
  const hasAllowedLength = ({ length }: string) => length >= 1 && length <= most;
  return z.string(expected).refine(hasAllowedLength, expected);
}

/** A variable of the environment may hold a file URL too. */
function filePath() {
  return text(4096).transform((given) => pathOf(given));
}

function hostNames() {
  return listOf(
    'host names without ports, separated by commas, such as sandbox,sandbox.test',
    (name) => hostNameForm.test(name),
  );
}

function certificateHosts() {
  return listOf(
    'host names or addresses without ports, separated by commas, such as vault,10.0.0.7',
    isCertificateHost,
  );
}

function listOf(expectation: string, isAllowed: (name: string) => boolean) {
  const expected = must(expectation);
  return z
    .string(expected)
    .transform((names) => names.split(',').map((name) => name.trim()))
    .refine((names) => names.every(isAllowed), expected);
}

function listenHost() {
  return text(255).refine(isListenHost, must(listenHostWords));
}

/** A switch is a boolean from a flag, and a word from the environment. */
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
      // The message omits the value: it may contain a password.
      .regex(plainUrlForm, `${plainUrlWords}.`)
  );
}

function startOfClock() {
  const expected = must('an RFC 3339 time, such as 2030-01-02T03:04:05Z');
  return z.iso
    .datetime({ offset: true, abort: true, ...expected })
    .refine(canStartAt, `${startsTooLate}.`);
}

/** The reader of each setting. Only those that are needed are made, because all of them take 1 ms of a start. */
const readers = {
  port: () => wholeNumber(0, 65_535),
  host: listenHost,
  baseUrl: plainUrl,
  controlPort: () => wholeNumber(0, 65_535),
  controlHost: listenHost,
  controlAllowedHost: hostNames,
  controlToken: () => z.string().regex(controlTokenRule.form, `${controlTokenRule.words}.`),
  controlTokenFile: filePath,
  trustProxy: onOrOff,
  tls: onOrOff,
  tlsPort: () => wholeNumber(0, 65_535),
  tlsHost: certificateHosts,
  tlsCaFile: filePath,
  tlsCert: filePath,
  tlsKey: filePath,
  fixtures: filePath,
  scenario: filePath,
  home: filePath,
  watch: onOrOff,
  seed: () => text(256),
  clockStart: startOfClock,
  clockFrozen: onOrOff,
  persist: filePath,
  profile: () => oneOf(['documented', 'recorded']),
  auth: () => oneOf(['open', 'strict']),
  ownerCheck: () => oneOf(['strict', 'lenient']),
  allowPastExpiry: onOrOff,
  realCards: () => oneOf(['refuse', 'warn', 'off']),
  allowCards: filePath,
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
  readyFile: filePath,
  quiet: onOrOff,
} satisfies Record<FlagName, () => z.ZodType>;

/** The settings that were given. The library has the defaults of the others. */
export type Settings = {
  readonly [Name in FlagName]?: z.output<ReturnType<(typeof readers)[Name]>> | undefined;
};

export interface ReadSettings {
  readonly settings: Settings;
  /** The flag or variable that each setting comes from. */
  readonly origins: ReadonlyMap<string, string>;
  /** One warning for each variable that looks like a setting but has no effect. */
  readonly warnings: readonly string[];
}

/**
 * Reads the wanted settings and ignores all others. A flag has precedence over a variable.
 *
 * @throws {UsageError} If settings are invalid. The message names all of them.
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
    const origin =
      fromFlags[flag.name] === undefined ? variableFor(env, flag) : flagWord(flag.name);
    if (origin === undefined) continue;
    origins.set(flag.name, origin);
    given[flag.name] = fromFlags[flag.name] ?? env[origin];
    shape[flag.name] = readers[flag.name]();
  }
  // The schema is used once, so compiling it would cost more than it saves.
  const checked = z.object(shape).safeParse(given, { jitless: true });
  if (!checked.success) {
    const sentences = checked.error.issues.map(
      ({ path, message }) => `${origins.get(String(path[0]))} ${message}`,
    );
    throw new UsageError(sentences.join('\n'));
  }
  const settings = checked.data as Settings; // Each value comes from the reader of its name.
  const { controlToken, controlTokenFile } = settings;
  const hasToken = controlToken !== undefined || controlTokenFile !== undefined;
  return {
    settings,
    origins,
    warnings: [...environmentWarnings(env), ...(hasToken ? [] : emptyTokenWarnings(env))],
  };
}

/** The options of `createSandbox`, except those that come from the project folder. */
export function sandboxOptions(settings: Settings): SandboxOptions {
  const { clockStart, clockFrozen, maxMerchants, maxRecords, maxRequestIds, maxBodyBytes } =
    settings;
  const { maxSnapshots, maxJournalEntries, maxJournalBytes } = settings;
  const { scenario, profile, seed, baseUrl, trustProxy } = settings;
  const { controlToken, controlAllowedHost, persist } = settings;
  const { auth, ownerCheck, allowPastExpiry, realCards, allowCards, magicAmounts } = settings;
  return {
    scenario,
    profile,
    seed,
    clock: groupOf({ start: clockStart, frozen: clockFrozen }),
    baseUrl,
    trustProxy,
    persist,
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

/** A group of options; `undefined` if none of them was given. */
function groupOf<Group extends object>(group: Group): Group | undefined {
  return Object.values(group).some((value) => value !== undefined) ? group : undefined;
}

/** The settings without the control token, for the log. */
export function removeSecrets(settings: Settings): Settings {
  return settings.controlToken === undefined ? settings : { ...settings, controlToken: '[secret]' };
}
