/** One of several things that are wrong with a rule or a scenario. */
export interface SentMistake {
  readonly message: string;
  readonly place?: string | undefined;
  readonly allowed?: readonly string[] | undefined;
  readonly nearest?: string | undefined;
}

/** What the server said of it, beside the message. */
export interface SandboxErrorDetail extends Omit<SentMistake, 'message'> {
  readonly mistakes?: readonly SentMistake[] | undefined;
  readonly cause?: unknown;
}

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
  /** Everything that is wrong with a rule or a scenario. */
  readonly mistakes: readonly SentMistake[];

  constructor(message: string, kind: string, status: number, detail: SandboxErrorDetail = {}) {
    super(message, { cause: detail.cause });
    this.name = 'SandboxError';
    this.kind = kind;
    this.status = status;
    this.place = detail.place;
    this.allowed = detail.allowed;
    this.nearest = detail.nearest;
    this.mistakes = detail.mistakes ?? [];
  }
}
