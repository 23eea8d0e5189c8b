/** A `test` of vitest that gives each test a merchant of its own, and judges at its end what happened to the money. */
import { test, type TestAPI } from 'vitest';
import type { Remote, RemoteMerchant } from '../client/connect.ts';
import type { Merchant, Sandbox } from '../sandbox/create-sandbox.ts';
import type { SandboxOptions } from '../sandbox/options.ts';
import { checkedOrder, mergedOrder, type EndOrder } from './verdict-at-end.ts';
import { merchantName } from './merchant-name.ts';
import { connect } from '../client/connect.ts';
import { VerdictError } from '../report/verdict-error.ts';
import { createSandbox } from '../sandbox/create-sandbox.ts';
import { refuseUnknownOptions } from '../shared/option-error.ts';
import { tellFindings, tellStory, type Teller } from './print-story.ts';

interface EveryWhere {
  /** How every test asks for its verdict; a test adds to it with `merchant.atEnd`. */
  readonly verdict?: EndOrder | undefined;
  /** What client ids begin with: sets apart runs that share one server. */
  readonly prefix?: string | undefined;
  /** Keep the merchants of tests that passed, to be looked at or reported on afterwards. */
  readonly keep?: boolean | undefined;
}

/** A sandbox in this process. */
export interface InProcess extends EveryWhere {
  readonly url?: undefined;
  /** What the sandbox is told, as `createSandbox` takes it. */
  readonly sandbox?: SandboxOptions | undefined;
}

/** A sandbox that runs elsewhere. */
export interface Elsewhere extends EveryWhere {
  readonly url: string;
  /** The control token that the sandbox was started with, if it was. */
  readonly token?: string | undefined;
}

/** The merchant of one test. */
export type TestMerchant<M> = M & {
  /**
   * Says how the verdict at the end is asked for; what several calls say adds up. Throws an `ArgumentError` or a
   * `VerdictOptionsError` where it cannot be asked for so.
   */
  readonly atEnd: (order: EndOrder) => void;
};

/** What a test is given. */
export interface SandboxFixtures<S, M> {
  /** The sandbox that the tests of a worker share. */
  readonly sandbox: S;
  /** Its address; one in process opens a socket for whoever asks. */
  readonly baseUrl: string;
  /** A merchant of the test's own, fresh. Its `id` is the client id for the code under test, with any secret. */
  readonly merchant: TestMerchant<M>;
}

export type SandboxTest<S, M> = TestAPI<SandboxFixtures<S, M>>;

/**
 * Makes the `test` of a suite. A test that takes `merchant` has a world of its own, and fails at its end where the
 * verdict does; one that does not take it is not judged.
 *
 * ```ts
 * const test = sandboxTest({ sandbox: { seed: 'checkout' } });
 *
 * test('pays once', async ({ sandbox, merchant }) => {
 *   await checkout({ fetch: sandbox.fetch, clientId: merchant.id });
 * });
 * ```
 */
export function sandboxTest(options?: InProcess): SandboxTest<Sandbox, Merchant>;
export function sandboxTest(options: Elsewhere): SandboxTest<Remote, RemoteMerchant>;
export function sandboxTest(
  options: InProcess | Elsewhere,
): SandboxTest<Sandbox | Remote, Merchant | RemoteMerchant>;
// The compiler takes no test of one kind of sandbox for a test of either, though that is what each of them is here.
export function sandboxTest(options: InProcess | Elsewhere = {}): unknown {
  refuseUnknownOptions(options, known);
  if (options.verdict !== undefined) checkedOrder('verdict', options.verdict);
  return testOn<Sandbox | Remote, Merchant | RemoteMerchant>(options, {
    open: () =>
      options.url === undefined
        ? createSandbox(options.sandbox)
        : connect(options.url, { token: options.token }),
    addressOf: async (sandbox) =>
      'listen' in sandbox ? (await sandbox.listen({ port: 0 })).url : sandbox.url,
  });
}

const known = ['sandbox', 'url', 'token', 'verdict', 'prefix', 'keep'] satisfies (
  keyof InProcess | keyof Elsewhere
)[];

/** What the fixtures need of a merchant, be it here or elsewhere. */
interface Judged extends Teller {
  reset(): void | Promise<void>;
}

/** What they need of a sandbox. */
interface Shared<M> {
  merchant(id: string): M;
  merchants(): string[] | Promise<string[]>;
  deleteMerchant(id: string): void | Promise<void>;
  close(): Promise<void>;
}

interface Place<S> {
  readonly open: () => S;
  readonly addressOf: (sandbox: S) => Promise<string>;
}

function testOn<S extends Shared<M>, M extends Judged>(
  { verdict: order = {}, prefix = '', keep = false }: EveryWhere,
  { open, addressOf }: Place<S>,
): SandboxTest<S, M> {
  return test.extend<{
    readonly $worker: { readonly sandbox: S; readonly baseUrl: string };
    readonly $test: { readonly merchant: TestMerchant<M> };
  }>({
    sandbox: [
      // What vitest looks for fixtures in must be a pattern, be it an empty one.
      // oxlint-disable-next-line no-empty-pattern
      async ({}, use) => {
        const sandbox = open();
        await use(sandbox);
        await sandbox.close();
      },
      { scope: 'worker' },
    ],
    baseUrl: [
      async ({ sandbox }, use) => {
        await use(await addressOf(sandbox));
      },
      { scope: 'worker' },
    ],
    merchant: async ({ sandbox, task, onTestFinished }, use) => {
      const orders: EndOrder[] = [order];
      const id = merchantName(prefix, task.name, task.id);
      const merchant = sandbox.merchant(id);
      // What an earlier try left, or an earlier run of the same test at the same server.
      await merchant.reset();
      // Not after `use`: vitest tells what is thrown there twice.
      onTestFinished(async () => {
        await judgeAtEnd(merchant, mergedOrder(orders), task.result?.state === 'fail');
        if (task.result?.state === 'fail' || keep) return;
        // A test that asked nothing made none.
        if ((await sandbox.merchants()).includes(id)) await sandbox.deleteMerchant(id);
      });
      const atEnd = (more: EndOrder): void => {
        try {
          orders.push(checkedOrder('atEnd', more));
        } catch (error) {
          // The line of the test is what a reader looks for, not this one.
          if (error instanceof Error) Error.captureStackTrace(error, atEnd);
          throw error;
        }
      };
      await use({ ...merchant, atEnd });
    },
  });
}

async function judgeAtEnd(
  merchant: Judged,
  { judge = true, ...asked }: EndOrder,
  hasFailed: boolean,
): Promise<void> {
  const verdict = judge ? await merchant.verdict(asked) : undefined;
  // A test that failed before it came to ask anything says why itself.
  const isBeside =
    hasFailed && verdict?.reasons.every(({ kind }) => kind === 'no-requests') === true;
  if (verdict?.passed === false && !isBeside) {
    const error = new VerdictError(verdict);
    // The test is the place, and the reporter names it; frames of this file would hide it.
    error.stack = `${error.name}: ${error.message}`;
    throw error;
  }
  if (hasFailed) await tellStory(merchant);
  else if (verdict !== undefined) tellFindings(verdict);
}
