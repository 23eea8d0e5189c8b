/** Options of a suite: which sandbox its tests use, and how they are judged. */
import type { SandboxOptions } from '../sandbox/options.ts';
import type { EndOptions } from './verdict-at-end.ts';
import { connect, type Remote } from '../client/connect.ts';
import { createSandbox, type Sandbox } from '../sandbox/create-sandbox.ts';
import { OptionError, refuseUnknownOptions } from '../shared/option-error.ts';
import { describeValue } from '../shared/unknown-value.ts';
import { checkEndOptions } from './verdict-at-end.ts';

interface CommonOptions {
  /** Options of the verdict of every test. A test adds its own with `merchant.atEnd`. */
  readonly verdict?: EndOptions | undefined;
  /** Prefix of every client id, to separate runs that share one server. */
  readonly prefix?: string | undefined;
  /** Keep the merchants of passed tests for later inspection. Default false. */
  readonly keep?: boolean | undefined;
}

/** Options for a sandbox in this process. */
export interface InProcess extends CommonOptions {
  readonly url?: undefined;
  /** Options of `createSandbox`. */
  readonly sandbox?: SandboxOptions | undefined;
}

/** Options for a running sandbox. */
export interface Elsewhere extends CommonOptions {
  /** Address of the sandbox. */
  readonly url: string;
  /** The control token, if the sandbox was started with one. */
  readonly token?: string | undefined;
}

export type SuiteOptions = InProcess | Elsewhere;

const known = ['sandbox', 'url', 'token', 'verdict', 'prefix', 'keep'] satisfies (
  | keyof InProcess
  | keyof Elsewhere
)[];

/**
 * Checks options where the suite gives them.
 *
 * @throws {OptionError} If an option is unknown or invalid.
 * @throws {ArgumentError | VerdictOptionsError} If an option of the verdict is invalid.
 */
export function checkSuiteOptions(options: SuiteOptions): void {
  refuseUnknownOptions(options, known);
  const problem = findProblem(options);
  if (problem !== undefined) throw new OptionError(problem);
  if (options.verdict !== undefined) checkEndOptions('verdict', options.verdict);
}

/** Callers without types may give anything. */
function findProblem(options: object): string | undefined {
  const { prefix, keep } = { ...options } as Readonly<Record<string, unknown>>;
  if (prefix !== undefined && typeof prefix !== 'string') {
    return `Option prefix: must be text, got ${describeValue(prefix)}.`;
  }
  if (keep !== undefined && typeof keep !== 'boolean') {
    return `Option keep: must be true or false, got ${describeValue(keep)}.`;
  }
  return undefined;
}

/** Makes the sandbox of a worker, or connects to the one that runs elsewhere. */
export const openSandbox = (options: SuiteOptions): Sandbox | Remote =>
  options.url === undefined
    ? createSandbox(options.sandbox)
    : connect(options.url, { token: options.token });

/** The address of a sandbox. One in this process opens a socket on first use. */
export const addressOf = async (sandbox: Sandbox | Remote): Promise<string> =>
  'listen' in sandbox ? (await sandbox.listen({ port: 0 })).url : sandbox.url;
