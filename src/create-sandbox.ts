/** The front door for importers: one call, one sandbox, no state outside it. */
import { inProcessFetch } from './doors/in-process.ts';
import { listen, type Listening, type ListenOptions } from './doors/socket.ts';
import type { SandboxOptions } from './options.ts';
import type { Outcome } from './outcomes/outcome.ts';
import type { ForcedRule } from './scenarios/armed.ts';
import type { ScenarioDocument } from './scenarios/schema.ts';
import {
  SandboxCore,
  type About,
  type ClockReading,
  type Health,
  type LedgerReading,
  type JournalQueryInput,
  type MatchInput,
  type RequestsReading,
  type RuleReading,
  type VerifyInput,
  type WaitInput,
} from './sandbox.ts';
import type { Entry } from './journal/entry.ts';
import type { Verification } from './journal/verify.ts';

/** A merchant's clock. Each call answers with where it stands afterwards. */
export interface MerchantClock {
  read(): ClockReading;
  freeze(): ClockReading;
  resume(): ClockReading;
  /** Moves it to a later time (RFC 3339 or a Date). */
  set(at: string | Date): ClockReading;
  /** Moves it ahead. */
  advance(byMs: number): ClockReading;
}

/** One merchant, which is one client id, which is one world. */
export interface Merchant {
  readonly id: string;
  /** A bearer token that needs no token call (while `auth` is `open`). */
  readonly token: string;
  readonly clock: MerchantClock;
  /** Puts it back to how it began. */
  reset(): void;
  ledger(): LedgerReading;
  /**
   * Arms a rule: `force({ op: 'payment.create', outcome: 'reset-after-commit' })`. It fires once unless it says
   * otherwise, and is gone after a minute.
   */
  force(rule: ForcedRule): string[];
  /** The rules in force, how often each was met and fired, and why it last did not. */
  rules(): RuleReading[];
  /** Rules that should have fired and never did. */
  unfired(): RuleReading[];
  /** Takes armed rules away; gives how many. */
  disarm(id?: string): number;
  /** What was asked and answered, redacted, oldest first; and how many older ones are gone. */
  requests(query?: JournalQueryInput): RequestsReading;
  /** One exchange by the debug id of its answer: why it was refused, what was forced, what arrived. */
  explain(debugId: string): Entry | undefined;
  /** Counts exchanges, or looks for them in order; `unsure` where the journal no longer holds what would decide it. */
  verify(expected: VerifyInput): Verification;
  /** Resolves once the exchanges have come; rejects when they have not in time. */
  waitFor(query: MatchInput, settings?: WaitInput): Promise<readonly Entry[]>;
  /** Begins anew and plays a scenario: one that ships by its name, a file, or a document. Gives its name. */
  scenario(source: string | ScenarioDocument): string;
}

export interface Sandbox extends Merchant {
  readonly seed: string;
  /** The Hono app behind both doors. */
  readonly app: SandboxCore['app'];
  /** Answers in this process: give it to the code under test as its `fetch`. */
  readonly fetch: typeof globalThis.fetch;
  /** The same for a path, as Hono's `app.request`: `sandbox.request('/v1/vault/credit-cards', …)`. */
  request(path: string, init?: RequestInit): Promise<Response>;
  /** Opens a socket; resolves once it is listening. */
  listen(options?: ListenOptions): Promise<Listening>;
  merchant(id: string): Merchant;
  /** Every merchant that has a world. */
  merchants(): string[];
  deleteMerchant(id: string): void;
  /** Puts every merchant back to how it began. */
  resetAll(): void;
  /** Every outcome that can be forced. */
  outcomes(): readonly Outcome[];
  about(): About;
  health(): Health;
  /** Closes every socket this sandbox opened. */
  close(graceMs?: number): Promise<void>;
}

/** The merchant that verbs act on when none is named. */
export const defaultMerchant = 'default';

/**
 * Makes a sandbox. Throws an `OptionMistake` or a `FixtureMistake` that says what is wrong and what would be right.
 *
 * ```ts
 * const sandbox = createSandbox({ seed: 'checkout' });
 * const answer = await sandbox.request('/v1/vault/credit-cards', {
 *   headers: { Authorization: `Bearer ${sandbox.token}` },
 * });
 * ```
 */
export function createSandbox(options: SandboxOptions = {}): Sandbox {
  const core = new SandboxCore(options);
  const fetch = inProcessFetch(core);
  const open = new Set<Listening>();
  return {
    ...merchantOf(core, defaultMerchant),
    seed: core.seed,
    app: core.app,
    fetch,
    request: (path, init) => fetch(path, init),
    listen: async (where) => {
      const door = await listen(core, where);
      open.add(door);
      return door;
    },
    merchant: (id) => merchantOf(core, id),
    merchants: () => core.merchants(),
    deleteMerchant: (id) => {
      core.deleteMerchant(id);
    },
    resetAll: () => {
      core.resetAll();
    },
    outcomes: () => core.outcomes(),
    about: () => core.about(),
    health: () => core.health(),
    close: async (graceMs) => {
      core.stop();
      const doors = [...open];
      open.clear();
      await Promise.all(doors.map((door) => door.close(graceMs)));
    },
  };
}

function merchantOf(core: SandboxCore, id: string): Merchant {
  return {
    id,
    token: `sandbox.${id}`,
    clock: {
      read: () => core.readClock(id),
      freeze: () => core.freezeClock(id),
      resume: () => core.resumeClock(id),
      set: (at) => core.setClock(id, typeof at === 'string' ? Date.parse(at) : at.getTime()),
      advance: (byMs) => core.advanceClock(id, byMs),
    },
    reset: () => {
      core.reset(id);
    },
    ledger: () => core.ledger(id),
    force: (rule) => core.force(id, rule),
    rules: () => core.rules(id),
    unfired: () => core.unfired(id),
    disarm: (rule) => core.disarm(id, rule),
    requests: (query) => core.requests(id, query),
    explain: (debugId) => core.explain(id, debugId),
    verify: (expected) => core.verify(id, expected),
    waitFor: (query, settings) => core.waitFor(id, query, settings),
    scenario: (source) => core.playScenario(id, source),
  };
}
