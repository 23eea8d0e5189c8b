/** The options of a sandbox. */
import type { ProfileName } from '../contract/profile.ts';
import type { ControlFailureListener } from '../control/errors/control-error.ts';
import type { FixtureDocument } from '../fixtures/document.ts';
import type { GuardMode } from '../guard/card-guard.ts';
import type { ExchangeListener, Hooks } from '../http/exchange.ts';
import type { ScenarioDocument } from '../scenarios/document.ts';
import type { UnreadableRequestListener } from '../transport-port/request-refusal.ts';

/** Limits on what a sandbox stores and accepts. */
export interface Limits {
  /** Merchants (client ids) that exist at the same time. Default 1,000. */
  readonly maxMerchants?: number | undefined;
  /** Records of one merchant: cards, payments, and all that follows from payments. Default 2,000,000. */
  readonly maxRecords?: number | undefined;
  /** PayPal-Request-Ids remembered for one merchant; the oldest are dropped first. Default 100,000. */
  readonly maxRequestIds?: number | undefined;
  /** Snapshots of one merchant. Default 100. */
  readonly maxSnapshots?: number | undefined;
  /** Journal entries of one merchant; the oldest are dropped first, and 0 switches the journal off. Default 1,000. */
  readonly maxJournalEntries?: number | undefined;
  /** Bytes of the journal of one merchant. Default 4 MiB. */
  readonly maxJournalBytes?: number | undefined;
  /** Bytes of a request body. Default 1 MiB. */
  readonly maxBodyBytes?: number | undefined;
}

/** Every limit, with its default filled in. */
export type CheckedLimits = Readonly<Record<keyof Limits, number>>;

/** Options of `createSandbox`. Each has a default that suits a test suite. */
export interface SandboxOptions {
  /**
   * Starting data of every merchant: a built-in set (`default`, `empty`, `shop`), the path of a JSON or YAML file or of
   * a folder of such files, or a document. Default `default`.
   */
  readonly fixtures?: string | URL | FixtureDocument | undefined;
  /** `documented` follows the service document, `recorded` follows recorded answers. Default `documented`. */
  readonly profile?: ProfileName | undefined;
  /** Same seed, same requests, same clock: same bytes. Default: a random seed, which `about` shows. */
  readonly seed?: string | undefined;
  /** The time at which every merchant's clock starts (RFC 3339, or a `Date`), and whether it is stopped. Default: real time. */
  readonly clock?:
    | { readonly start?: string | Date | undefined; readonly frozen?: boolean | undefined }
    | undefined;
  /** Base URL of the links in answers, such as `https://sandbox.test`. Default: the address that the client used. */
  readonly baseUrl?: string | undefined;
  /**
   * Build links from the headers of a proxy: `Forwarded`, or `X-Forwarded-Proto` and `X-Forwarded-Host`. Invalid values
   * are ignored, and `baseUrl` has precedence. Default false, because any client can send these headers.
   */
  readonly trustProxy?: boolean | undefined;
  /** `open` accepts `Bearer sandbox.<client id>` without a token call, `strict` only issued tokens. Default `open`. */
  readonly auth?: 'open' | 'strict' | undefined;
  /** `strict` requires the customer id that the card was stored with, `lenient` does not. Default `strict`. */
  readonly ownerCheck?: 'strict' | 'lenient' | undefined;
  /** Accept cards that have expired, for old test data. Default false. */
  readonly allowPastExpiry?: boolean | undefined;
  /**
   * Reaction to card numbers that are on no list of test numbers, and to credentials that look like live ones. `refuse`
   * refuses the request and stores neither of them, `warn` adds a warning to the answer and the journal, `off` checks
   * nothing. Default `warn`.
   */
  readonly realCards?: GuardMode | undefined;
  /**
   * The path of a text file with your own test numbers. Each line is a number, or its SHA-256 in hexadecimal. Default:
   * none.
   */
  readonly allowCards?: string | URL | undefined;
  /** Totals from 9000.00 choose an outcome by their cents: 9000.51 is issuer code 51. Default false. */
  readonly magicAmounts?: boolean | undefined;
  /**
   * Scenario that every merchant plays, also after a reset: the name of a built-in scenario or of one in `scenarios`,
   * the path of a JSON or YAML file, or a document. Default: none.
   */
  readonly scenario?: string | URL | ScenarioDocument | undefined;
  /**
   * The path of a folder with your own scenarios, which can then be played by name. A scenario with the name of a
   * built-in one replaces it. Default: none.
   */
  readonly scenarios?: string | URL | undefined;
  /** A secret that control calls must carry: printable ASCII, at most 256 characters. Default: none is required. */
  readonly controlToken?: string | undefined;
  /**
   * Host names by which browsers may call the control API, such as `sandbox.test`. IP addresses, localhost, the host of
   * `listen` and the host of `baseUrl` are always allowed. Programs may use any name.
   */
  readonly controlAllowedHosts?: readonly string[] | undefined;
  /** Limits on what the sandbox stores and accepts. */
  readonly limits?: Limits | undefined;
  /**
   * The path of a file that keeps the worlds of all merchants: the next sandbox with this file continues them. It is
   * saved soon after each change and when the sandbox closes. It holds no journal, no snapshots and no card numbers.
   */
  readonly persist?: string | URL | undefined;
  /** Functions that the sandbox calls after an event. */
  readonly listeners?: Listeners | undefined;
  /** Internal: functions for tests of the sandbox itself. Use `hold` to hold requests. */
  readonly hooks?: Hooks | undefined;
  /** Replaces the clocks of the machine, so that a test can control them. */
  readonly systemClock?: SystemClock | undefined;
}

/** Functions that the sandbox calls after an event. */
export interface Listeners {
  /** Called for every `/v1` exchange after its answer. */
  readonly onExchange?: ExchangeListener | undefined;
  /** Called when a control request fails because of a bug in the sandbox. The request is answered with 500. */
  readonly onControlFailure?: ControlFailureListener | undefined;
  /**
   * Called when a socket receives something that is not served as a request: TLS from a client with an https base URL,
   * CONNECT from a client with a proxy setting, HTTP/2, or headers that are too long. The reason says what to change.
   * It quotes nothing of the request.
   */
  readonly onUnreadable?: UnreadableRequestListener | undefined;
  /** Called with a message if the file of `persist` was damaged or cannot be saved. */
  readonly onPersistProblem?: ((message: string) => void) | undefined;
}

/** The clocks of the machine. */
export interface SystemClock {
  /** Milliseconds since 1970. Default `Date.now`. */
  readonly nowMs?: (() => number) | undefined;
  /** Milliseconds from any start, never set back. Requests are timed with it. Default `performance.now`. */
  readonly monotonicMs?: (() => number) | undefined;
}

export const defaultLimits = {
  maxMerchants: 1_000,
  maxRecords: 2_000_000,
  maxRequestIds: 100_000,
  maxSnapshots: 100,
  maxJournalEntries: 1_000,
  maxJournalBytes: 4_194_304,
  maxBodyBytes: 1_048_576,
} as const satisfies Required<Limits>;
