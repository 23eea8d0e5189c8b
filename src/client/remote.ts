/** What can be done with a running sandbox: the verbs of one in process, each of which now takes a round trip. */
import type { z } from '@hono/zod-openapi';
import type { AboutOut, ClockReading, Health, LedgerReading } from '../contract/control.ts';
import type {
  CardOrder,
  Outcome,
  OutcomeFilter,
  RuleReading,
  ShippedScenario,
  TestCard,
} from '../contract/control-forcing.ts';
import type { Coverage } from '../contract/control-coverage.ts';
import type { Verdict, VerdictOrder } from '../contract/control-verdict.ts';
import type { OperationName } from '../contract/operations.ts';
import type { ForcedRule } from '../scenarios/armed.ts';
import type { ExpectationsInput } from '../scenarios/expect.ts';
import type { ScenarioDocument } from '../scenarios/schema.ts';

/** How a verdict is asked for. */
export type VerdictInput = Omit<z.input<typeof VerdictOrder>, 'expect'> & {
  readonly expect?: ExpectationsInput | undefined;
};

/** A merchant's clock. Each call answers with where it stands afterwards. */
export interface RemoteClock {
  read(): Promise<z.output<typeof ClockReading>>;
  freeze(): Promise<z.output<typeof ClockReading>>;
  resume(): Promise<z.output<typeof ClockReading>>;
  /** Moves it to a later time (RFC 3339 or a Date). */
  set(at: string | Date): Promise<z.output<typeof ClockReading>>;
  /** Moves it ahead. */
  advance(byMs: number): Promise<z.output<typeof ClockReading>>;
}

/** One merchant of a running sandbox. */
export interface RemoteMerchant {
  readonly id: string;
  /** A bearer token that needs no token call (while `auth` is `open`). */
  readonly token: string;
  readonly clock: RemoteClock;
  /** Puts it back to how it began. */
  reset(): Promise<void>;
  ledger(): Promise<z.output<typeof LedgerReading>>;
  /**
   * Judges what happened to the money: was anyone charged twice, charged and not told, refunded too much? Asked at
   * the end of a test.
   */
  verdict(order?: VerdictInput): Promise<z.output<typeof Verdict>>;
  /** Which outcomes its requests met, by operation. */
  coverage(): Promise<z.output<typeof Coverage>>;
  /** Arms a rule: `force({ op: 'payment.create', outcome: 'reset-after-commit' })`. */
  force(rule: ForcedRule): Promise<string[]>;
  /** The rules in force, how often each was met and fired, and why it last did not. */
  rules(): Promise<z.output<typeof RuleReading>[]>;
  /** Rules that should have fired and never did. */
  unfired(): Promise<z.output<typeof RuleReading>[]>;
  /** Takes armed rules away; gives how many. */
  disarm(id?: string): Promise<number>;
  /**
   * Begins anew and plays a scenario: one that ships by its name, a document, or a file of this machine, which is
   * read here and sent. Gives its name.
   */
  scenario(source: string | ScenarioDocument): Promise<string>;
  /** Card numbers for tests, each another one; with an outcome, their cards ask for it when they pay. */
  generateCards(order?: z.input<typeof CardOrder>): Promise<z.output<typeof TestCard>[]>;
}

/** Which outcomes are wanted; all where nothing is said. */
export interface RemoteFilter {
  readonly operation?: OperationName | undefined;
  readonly tier?: z.output<typeof OutcomeFilter>['tier'];
}

/** A running sandbox. */
export interface Remote extends RemoteMerchant {
  /** Where it is, without a trailing slash. */
  readonly url: string;
  /** Asks the sandbox whatever host the code under test calls: give it to that code as its `fetch`. */
  readonly fetch: typeof globalThis.fetch;
  /** The same for a path: `sandbox.request('/v1/vault/credit-cards', …)`. */
  request(path: string, init?: RequestInit): Promise<Response>;
  merchant(id: string): RemoteMerchant;
  /** Which outcomes the requests of all merchants met since the sandbox started, whatever was reset meanwhile. */
  coverageOfAll(): Promise<z.output<typeof Coverage>>;
  /** Every merchant that has a world. */
  merchants(): Promise<string[]>;
  deleteMerchant(id: string): Promise<void>;
  /** Puts every merchant back to how it began. */
  resetAll(): Promise<void>;
  /** Every outcome there is, or those of one operation or tier. */
  outcomes(filter?: RemoteFilter): Promise<readonly z.output<typeof Outcome>[]>;
  /** One outcome by its id. */
  outcome(id: string): Promise<z.output<typeof Outcome>>;
  /** The scenarios that ship. */
  scenarios(): Promise<z.output<typeof ShippedScenario>[]>;
  about(): Promise<z.output<typeof AboutOut>>;
  health(): Promise<z.output<typeof Health>>;
  /** Ends nothing: the sandbox was started by somebody else. Here so that a test closes either kind. */
  close(): Promise<void>;
}
