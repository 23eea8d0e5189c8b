/** Checks the options of a sandbox, and fills in their defaults. */
import { z } from '@hono/zod-openapi';
import { profiles, type Profile, type ProfileName } from '../contract/profile.ts';
import type { ControlFailureListener } from '../control/errors/control-error.ts';
import { pathOf } from '../documents/file-url.ts';
import type { FixtureDocument } from '../fixtures/document.ts';
import { guardModes, type GuardMode } from '../guard/card-guard.ts';
import type { ExchangeListener, Hooks } from '../http/exchange.ts';
import { hideCardNumbers } from '../redaction/hide-card-numbers.ts';
import { hostNameForm } from '../shared/host-names.ts';
import { controlTokenRule, OptionError } from '../shared/option-error.ts';
import { validateOptions, lazySchemas } from '../documents/validate-options.ts';
import { memberOf, describeValue } from '../shared/unknown-value.ts';
import type { ScenarioDocument } from '../scenarios/document.ts';
import type { UnreadableRequestListener } from '../transport-port/request-refusal.ts';
import { canStartAt, startsTooLate, timeOf } from '../world/time/clock.ts';
import { type CheckedLimits, type SandboxOptions, defaultLimits } from './options.ts';

const sinceStartMs = (): number => performance.now();
const count = (most: number) => z.int().min(1).max(most);
const isFunction = (value: unknown): boolean => typeof value === 'function';
const nameOrDocument = () =>
  z.union(
    [z.string().min(1), z.record(z.string(), z.unknown())],
    'must be a name, a path or a document',
  );
const hook = () => z.unknown().refine(isFunction, 'must be a function');
const onOrOff = () => z.boolean();

/** A URL to which a path can be appended. */
export const plainUrlForm = /^[a-z]+:\/\/[^/?#@]+(?:\/[^?#]*)?$/i;

export const plainUrlWords =
  'must have no user name, password, query or fragment, since links begin with it';

const optionReaders = lazySchemas({
  fixtures: nameOrDocument,
  profile: () => z.enum(['documented', 'recorded'] satisfies ProfileName[]),
  seed: () =>
    z
      .string()
      .min(1)
      .max(256)
      .refine(
        (seed) => hideCardNumbers(seed) === seed,
        'must not contain a card number, because it is shown',
      ),
  clock: () =>
    z.strictObject({
      start: z
        .unknown()
        .refine((given) => !Number.isNaN(timeOf(given)), {
          error: 'must be an RFC 3339 time, such as 2030-01-02T03:04:05Z, or a Date',
          abort: true,
        })
        .refine(canStartAt, startsTooLate)
        .optional(),
      frozen: z.boolean().optional(),
    }),
  baseUrl: () =>
    z
      .url({
        protocol: /^https?$/,
        error: 'must be an http or https URL such as https://sandbox.test',
        abort: true,
      })
      .regex(plainUrlForm, plainUrlWords),
  trustProxy: onOrOff,
  auth: () => z.enum(['open', 'strict']),
  ownerCheck: () => z.enum(['strict', 'lenient']),
  allowPastExpiry: onOrOff,
  realCards: () => z.enum(guardModes),
  allowCards: () => z.string().min(1),
  magicAmounts: onOrOff,
  scenario: nameOrDocument,
  scenarios: () => z.string().min(1),
  persist: () => z.string().min(1),
  controlToken: () => z.string().regex(controlTokenRule.form, controlTokenRule.words),
  controlAllowedHosts: () =>
    z.array(
      z.string().regex(hostNameForm, 'must be a host name such as sandbox.test, without a port'),
    ),
  limits: () =>
    z.strictObject({
      maxMerchants: count(1_000_000).optional(),
      maxRecords: count(100_000_000).optional(),
      maxRequestIds: count(10_000_000).optional(),
      maxSnapshots: count(100_000).optional(),
      maxJournalEntries: z.int().min(0).max(10_000_000).optional(),
      maxJournalBytes: count(1_073_741_824).optional(),
      maxBodyBytes: count(1_073_741_824).optional(),
    }),
  listeners: () =>
    z.strictObject({
      onExchange: hook().optional(),
      onControlFailure: hook().optional(),
      onUnreadable: hook().optional(),
      onPersistProblem: hook().optional(),
    }),
  hooks: () =>
    z.strictObject({
      beforeRead: hook().optional(),
      beforeCommit: hook().optional(),
      afterCommit: hook().optional(),
    }),
  systemClock: () => z.strictObject({ nowMs: hook().optional(), monotonicMs: hook().optional() }),
});

/** Options after validation, with defaults. `seed` may be missing, because the sandbox draws it. */
export interface CheckedOptions {
  readonly fixtures: string | FixtureDocument;
  readonly profileName: ProfileName;
  readonly profile: Profile;
  readonly seed: string | undefined;
  readonly clock: { readonly atMs: number | undefined; readonly frozen: boolean };
  readonly baseUrl: string | undefined;
  readonly trustProxy: boolean;
  readonly auth: 'open' | 'strict';
  readonly ownerCheck: 'strict' | 'lenient';
  readonly allowPastExpiry: boolean;
  readonly realCards: GuardMode;
  readonly allowCards: string | undefined;
  readonly magicAmounts: boolean;
  readonly scenario: string | ScenarioDocument | undefined;
  readonly scenarios: string | undefined;
  readonly persist: string | undefined;
  readonly controlToken: string | undefined;
  readonly controlAllowedHosts: readonly string[];
  readonly limits: CheckedLimits;
  readonly onExchange: ExchangeListener | undefined;
  readonly onControlFailure: ControlFailureListener | undefined;
  readonly onUnreadable: UnreadableRequestListener | undefined;
  readonly onPersistProblem: (message: string) => void;
  readonly hooks: Hooks;
  readonly realNowMs: () => number;
  readonly monotonicMs: () => number;
}

/** Options in which no path is a URL. */
type WithPaths = { readonly [K in keyof SandboxOptions]: Exclude<SandboxOptions[K], URL> };

/** Replaces file URLs by the paths that they name. */
function withPaths(options: SandboxOptions): WithPaths {
  const names = ['fixtures', 'allowCards', 'persist', 'scenario', 'scenarios'] as const;
  const urls = names.filter((name) => Object(options)[name] !== undefined);
  if (urls.length === 0) return options as WithPaths; // No path is given.
  const paths = urls.map((name) => [name, pathOf(options[name])]);
  return { ...options, ...Object.fromEntries(paths) };
}

/** Checks options and fills in the defaults. It throws an `OptionError` that names every mistake. */
export function checkOptions(given: SandboxOptions): CheckedOptions {
  const options = withPaths(given);
  validateOptions(optionReaders, options, hintAtListen);
  const { clock, limits = {}, listeners = {}, systemClock = {} } = options;
  const { nowMs, monotonicMs = sinceStartMs } = systemClock;
  const profileName = options.profile ?? 'documented';
  return {
    fixtures: options.fixtures ?? 'default',
    profileName,
    profile: profiles[profileName],
    seed: options.seed,
    clock: {
      atMs: clock?.start === undefined ? undefined : timeOf(clock.start),
      frozen: clock?.frozen ?? false,
    },
    baseUrl: options.baseUrl?.replace(/\/+$/, ''),
    trustProxy: options.trustProxy ?? false,
    auth: options.auth ?? 'open',
    ownerCheck: options.ownerCheck ?? 'strict',
    allowPastExpiry: options.allowPastExpiry ?? false,
    realCards: options.realCards ?? 'warn',
    allowCards: options.allowCards,
    magicAmounts: options.magicAmounts ?? false,
    scenario: options.scenario,
    scenarios: options.scenarios,
    persist: options.persist,
    controlToken: options.controlToken,
    controlAllowedHosts: options.controlAllowedHosts ?? [],
    limits: {
      maxMerchants: limits.maxMerchants ?? defaultLimits.maxMerchants,
      maxRecords: limits.maxRecords ?? defaultLimits.maxRecords,
      maxRequestIds: limits.maxRequestIds ?? defaultLimits.maxRequestIds,
      maxSnapshots: limits.maxSnapshots ?? defaultLimits.maxSnapshots,
      maxJournalEntries: limits.maxJournalEntries ?? defaultLimits.maxJournalEntries,
      maxJournalBytes: limits.maxJournalBytes ?? defaultLimits.maxJournalBytes,
      maxBodyBytes: limits.maxBodyBytes ?? defaultLimits.maxBodyBytes,
    },
    onExchange: listeners.onExchange,
    onControlFailure: listeners.onControlFailure,
    onUnreadable: listeners.onUnreadable,
    onPersistProblem: listeners.onPersistProblem ?? ignoreProblem,
    hooks: options.hooks ?? {},
    realNowMs: nowMs === undefined ? Date.now : checkedTime(nowMs),
    monotonicMs,
  };
}

const ignoreProblem = (): void => undefined;

/** The furthest from 1970 that a `Date` can be. */
const mostMs = 8.64e15;

/** Checks every reading, because a later error could not name the option. */
function checkedTime(nowMs: () => number): () => number {
  return () => {
    const ms: unknown = nowMs(); // Callers without types may return anything.
    if (typeof ms === 'number' && Math.abs(ms) <= mostMs) return ms;
    throw new OptionError(
      `Option systemClock.nowMs: must return milliseconds since 1970, and returned ${describeValue(ms)}.`,
    );
  };
}

/** The message for an option of `listen` that was given to `createSandbox`. */
function hintAtListen(key: string): string | undefined {
  const example: unknown = memberOf(listenExamples, key);
  return example === undefined
    ? undefined
    : `Unknown option "${key}". It is an option of listen, such as sandbox.listen({ ${String(example)} }).`;
}

const listenExamples = {
  port: 'port: 3000',
  host: "host: '0.0.0.0'",
  control: 'control: { port: 3001 }',
  tls: 'tls: true',
};
