/** The public types of the client: the methods of a sandbox in process, each with a promise. */
import type { ScenarioDocument } from '../scenarios/document.ts';
import type {
  EveryMerchant,
  Merchant,
  MerchantClock,
  Sandbox,
  SandboxVerb,
} from '../sandbox/types.ts';

/** The same members, where each method returns a promise. Members that the client declares itself are left out. */
type Remotely<Local, Own extends keyof Local = never> = {
  readonly [Name in keyof Local as Exclude<Name, Own>]: Local[Name] extends (
    ...args: infer Args
  ) => infer Result
    ? (...args: Args) => Promise<Awaited<Result>>
    : Local[Name];
};

/** The clock of one merchant. Each method returns the time that it shows afterwards. */
export interface RemoteClock extends Remotely<MerchantClock> {}

/**
 * One merchant of a running sandbox: a client id with its own cards, clock, rules, journal and ledger. Its methods are
 * those of `Merchant`, and reject with the errors that those throw.
 */
export interface RemoteMerchant extends Remotely<Merchant, 'fetch' | 'clock' | 'playScenario'> {
  /**
   * Sends a request to the sandbox with this merchant's token, unless the request has an `Authorization`
   * header.
   */
  readonly fetch: typeof globalThis.fetch;
  readonly clock: RemoteClock;
  /**
   * Resets the merchant and plays a scenario: a shipped one by name, a document, or a file of this machine
   * by path, which is read here and sent. Returns its name.
   */
  readonly playScenario: (source: string | URL | ScenarioDocument) => Promise<string>;
}

/** Verbs that act on every merchant at once. */
export interface RemoteEveryMerchant extends Remotely<EveryMerchant> {}

/** A running sandbox. Its own merchant verbs act on the merchant of the options. */
export interface Remote extends RemoteMerchant, Remotely<Pick<Sandbox, SandboxVerb>> {
  /** Its address, without a trailing slash. */
  readonly url: string;
  /** Sends a request to the sandbox, whatever its host. It adds no token. */
  readonly fetch: typeof globalThis.fetch;
  /** Sends a request to a path of the sandbox. */
  request(path: string, init?: RequestInit): Promise<Response>;
  /** Another merchant of this sandbox. */
  merchant(id: string): RemoteMerchant;
  /** Verbs that act on every merchant at once. */
  readonly all: RemoteEveryMerchant;
  /** Does nothing, because another program started the sandbox. Tests can close either kind. */
  close(): Promise<void>;
  /** The same, at the end of an `await using` block. */
  [Symbol.asyncDispose](): Promise<void>;
}
