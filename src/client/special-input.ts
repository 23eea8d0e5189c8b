/** The few verbs whose input the client checks or changes before it is sent, so that they behave as in process. */
import { noDebugId, QueryError } from '../journal/errors.ts';
import { ArgumentError, checkKeys, checkText } from '../outcomes/argument-error.ts';
import { refuseNameObject, ScenarioError } from '../scenarios/scenario-error.ts';
import {
  isSignal,
  isUrl,
  asPlainObject,
  memberOf,
  describeValue,
} from '../shared/unknown-value.ts';
import { MerchantError, SnapshotError } from '../world/errors.ts';
import { allMerchants, type Target, type VerbName } from '../contract/control/verbs.ts';
import { reasonOf, type RequestParts } from './call.ts';

/** What a verb returns without a request. */
export interface LocalResult {
  readonly result: unknown;
}

type Encoder = (
  input: unknown,
  target: Target | undefined,
) => LocalResult | RequestParts | Promise<RequestParts>;

/** How long a wait may take when it does not say, as in process. */
const defaultWaitMs = 5_000;

/** How long a verdict waits for open exchanges when its options do not say, as in process. */
const defaultIdleMs = 500;

/** The encoder of each verb that has one. The others send their input as it is. */
export const encoders: Readonly<Partial<Record<VerbName, Encoder>>> = {
  clearRules: (input, target) => {
    const id = memberOf(input, 'id');
    if (id === undefined) return { input: {} };
    checkText('The id of a rule', id, 'rule', 'rule-1');
    if (isPathStep(id)) return { input: { id } };
    const message =
      target === allMerchants
        ? `No rule for several merchants is called "${id}".`
        : `The merchant ${String(target)} has no armed rule "${id}".`;
    throw new ArgumentError(message, undefined, 'unknown-rule');
  },
  deleteMerchant: (input) => {
    const id = memberOf(input, 'id');
    if (isPathStep(id)) return { input };
    throw new MerchantError('unknown-merchant', `There is no merchant "${String(id)}".`);
  },
  explain: (input) => {
    const debugId = memberOf(input, 'debugId');
    if (typeof debugId !== 'string') throw noDebugId();
    return /^[\w-]+$/.test(debugId) ? { input } : { result: undefined };
  },
  outcome: (input) => {
    const id = memberOf(input, 'id');
    checkText('The id of an outcome', id, 'outcome', 'decline-generic');
    if (isPathStep(id)) return { input };
    const message = `Unknown outcome "${String(id)}". Run "card-vault-sandbox outcomes" or GET /_sandbox/outcomes for the list.`;
    throw new ArgumentError(message, { place: 'outcome' }, 'unknown-outcome');
  },
  restore: snapshotStep,
  dropSnapshot: snapshotStep,
  journal: (query) => {
    checkQuery(query);
    return { input: query };
  },
  outcomes: (filter) => {
    // Callers without types may give anything; this says what is wrong with it.
    checkKeys('outcomes', filter as object, filterKeys);
    return { input: filter };
  },
  verify: (expected) => ({ input: asPlainObject(expected) }),
  verdict: (options) => {
    const waitMs = memberOf(options, 'waitMs');
    return {
      input: asPlainObject(options),
      heldMs: typeof waitMs === 'number' ? waitMs : defaultIdleMs,
    };
  },
  coverage: (selection) => ({ input: selectionIn('coverage', selection) }),
  verdictPage: (selection) => ({
    input: selectionIn('verdictPage', selection),
    heldMs: defaultIdleMs,
  }),
  waitFor: (input) => {
    const { signal, ...rest } = waitOptions(memberOf(input, 'options'));
    const timeoutMs = memberOf(rest, 'timeoutMs');
    return {
      // A missing match must be refused, not read as a match of every exchange.
      input: { match: asPlainObject(memberOf(input, 'match')) ?? null, ...rest },
      heldMs: typeof timeoutMs === 'number' ? timeoutMs : defaultWaitMs,
      signal,
    };
  },
  waitForHeld: (options) => {
    const { signal, ...rest } = waitOptions(options);
    const timeoutMs = memberOf(rest, 'timeoutMs');
    return {
      input: rest,
      heldMs: typeof timeoutMs === 'number' ? timeoutMs : defaultWaitMs,
      signal,
    };
  },
  playScenario: (source) => {
    if (typeof source === 'string' || isUrl(source)) return scenarioNamed(String(source));
    refuseNameObject(source);
    return { input: source };
  },
};

const filterKeys = { operation: true, tier: true } as const;

/** A query in an address would turn any other prefix into text, and a key `merchant` would choose another merchant. */
function selectionIn(verb: string, selection: unknown): unknown {
  // Callers without types may give anything; this says what is wrong with it.
  checkKeys(verb, selection as object, { prefix: true });
  const prefix = memberOf(selection, 'prefix');
  if (prefix !== undefined) checkText('prefix', prefix, 'prefix', 'ci-');
  return selection;
}

function snapshotStep(input: unknown, target: Target | undefined): RequestParts {
  const name = memberOf(input, 'name');
  if (isPathStep(name)) return { input };
  const text = typeof name === 'string' ? name : describeValue(name);
  const message = `The merchant ${String(target)} has no snapshot "${text}".`;
  throw new SnapshotError('unknown-snapshot', message);
}

/** Whether a value can be a step of a path. An empty one, `.` and `..` would lead to another address. */
function isPathStep(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value !== '.' && value !== '..';
}

/** The signal is not sent, so the sandbox cannot check it. */
function waitOptions(given: unknown): { readonly signal?: AbortSignal | undefined } {
  if (typeof given !== 'object' || given === null) throw noObject();
  const { signal, ...rest } = given as { readonly signal?: unknown }; // Any key may be there.
  if (signal === undefined || signal === null) return rest;
  if (isSignal(signal)) return { ...rest, signal };
  throw new QueryError("'signal' must be an AbortSignal.", { place: 'signal' });
}

function noObject(): QueryError {
  return new QueryError('The query must be of type object.');
}

/** A query in an address would turn any other value into text. */
function checkQuery(query: unknown): void {
  if (asPlainObject(query) === null) throw noObject();
  for (const [name, value] of Object.entries(Object(query))) {
    const isMerchant = name === 'merchant';
    if (!isMerchant && /^(?:string|number|boolean|undefined)$/.test(typeof value)) continue;
    const message = isMerchant
      ? "Unknown key 'merchant'. Use sandbox.merchant(id) for another merchant."
      : `'${name}' cannot be ${describeValue(value)}.`;
    throw new QueryError(message, { place: name });
  }
}

/** The server knows names; a file is known only here. */
async function scenarioNamed(source: string): Promise<RequestParts> {
  if (!/[/\\.]/.test(source)) return { input: { name: source } };
  // Loaded on first use, so that the client also runs where there are no files.
  const { readFile } = await import('node:fs/promises');
  try {
    return {
      yaml: await readFile(/^file:\/\//i.test(source) ? new URL(source) : source, 'utf8'),
    };
  } catch (cause) {
    const why =
      memberOf(cause, 'code') === 'EISDIR'
        ? 'this is a folder. Name one of the files in it.'
        : `this file cannot be read here (${reasonOf(cause)}). Name a known scenario without a path; scenarios() lists them.`;
    throw new ScenarioError([`${source}: ${why}`], 'invalid-scenario', { cause });
  }
}
