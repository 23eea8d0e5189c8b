import type { Entry } from '../journal/entry.ts';

/** One of several things that are wrong with a rule or a scenario. */
export interface ErrorIssue {
  readonly message: string;
  readonly place?: string | undefined;
  readonly allowed?: readonly string[] | undefined;
  readonly nearest?: string | undefined;
}

/** What the server said of it, beside the message. */
export interface SandboxErrorDetail extends Omit<ErrorIssue, 'message'> {
  readonly mistakes?: readonly ErrorIssue[] | undefined;
  /** Exchanges that had come, where others were waited for. */
  readonly seen?: readonly Entry[] | undefined;
  /** What the verb in process throws where it is given what it cannot take. */
  readonly mistake?: ErrorName | undefined;
  readonly cause?: unknown;
}

export type ErrorName =
  | 'ArgumentError'
  | 'ClockError'
  | 'ExportError'
  | 'ScenarioError'
  | 'SnapshotError'
  | 'VerdictOptionsError';

/** What the errors of verbs in process are called, where the client throws no such class. */
const namesInProcess: Readonly<Record<string, ErrorName | 'MerchantError'>> = {
  'clock-refused': 'ClockError',
  'export-refused': 'ExportError',
  'invalid-export': 'ExportError',
  'invalid-name': 'SnapshotError',
  'invalid-rule': 'ScenarioError',
  'invalid-scenario': 'ScenarioError',
  'invalid-verdict': 'VerdictOptionsError',
  'merchants-full': 'MerchantError',
  'snapshots-full': 'SnapshotError',
  'unknown-merchant': 'MerchantError',
  'unknown-outcome': 'ArgumentError',
  'unknown-snapshot': 'SnapshotError',
};

/** What a call was given is wrong, whichever it is. */
const ofWhatWasGiven: ReadonlySet<string> = new Set([
  'invalid-body',
  'invalid-parameter',
  'unknown-key',
  'unknown-parameter',
]);

/** A control call that a running sandbox refused, or that did not reach it. The message is the server's own. */
export class SandboxError extends Error {
  /** `invalid-rule`, `unknown-merchant` and the like; `unreachable` where nothing answered. */
  readonly kind: string;
  /** Of the answer; 0 where there was none. */
  readonly status: number;
  /** What is wrong: `body.<key>`, `query.<name>`, a header or a path. */
  readonly place: string | undefined;
  readonly allowed: readonly string[] | undefined;
  /** The allowed word that was probably meant. */
  readonly nearest: string | undefined;
  /** Everything that is wrong with a rule, a scenario or an export. */
  readonly mistakes: readonly ErrorIssue[];
  /** Exchanges that had come, where others were waited for. */
  readonly seen: readonly Entry[];

  constructor(message: string, kind: string, status: number, detail: SandboxErrorDetail = {}) {
    super(message, { cause: detail.cause });
    const mistake = ofWhatWasGiven.has(kind) ? detail.mistake : namesInProcess[kind];
    this.name = mistake ?? 'SandboxError';
    this.kind = kind;
    this.status = status;
    this.place = detail.place;
    this.allowed = detail.allowed;
    this.nearest = detail.nearest;
    this.mistakes = detail.mistakes ?? [];
    this.seen = detail.seen ?? [];
  }
}
