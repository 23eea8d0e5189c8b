/** A merchant's own clock: the real one, one that starts elsewhere, or one that stands still. */

export interface ClockStart {
  /** Where the clock starts; the real time when absent. */
  readonly atMs?: number | undefined;
  /** A frozen clock stands still until it is advanced. */
  readonly frozen?: boolean | undefined;
}

/** A control call asked for something a clock cannot do. */
export class ClockMistake extends Error {}

/** Time of one world. It never runs backwards, whatever the machine's clock does. */
export class WorldClock {
  readonly #realNowMs: () => number;
  /** Added to the real time; while frozen, unused. */
  #offsetMs: number;
  #frozenAtMs: number | undefined;
  #latestMs = Number.NEGATIVE_INFINITY;

  constructor(realNowMs: () => number, start: ClockStart = {}) {
    this.#realNowMs = realNowMs;
    const startMs = start.atMs ?? realNowMs();
    this.#offsetMs = start.atMs === undefined ? 0 : startMs - realNowMs();
    this.#frozenAtMs = start.frozen === true ? startMs : undefined;
  }

  /** Milliseconds since 1970 in this world. */
  nowMs(): number {
    if (this.#frozenAtMs !== undefined) return this.#frozenAtMs;
    const nowMs = this.#realNowMs() + this.#offsetMs;
    if (nowMs > this.#latestMs) this.#latestMs = nowMs;
    return this.#latestMs;
  }

  get frozen(): boolean {
    return this.#frozenAtMs !== undefined;
  }

  freeze(): void {
    this.#frozenAtMs = this.nowMs();
  }

  /** Lets a frozen clock run on from where it stands. */
  resume(): void {
    if (this.#frozenAtMs === undefined) return;
    this.#offsetMs = this.#frozenAtMs - this.#realNowMs();
    this.#latestMs = this.#frozenAtMs;
    this.#frozenAtMs = undefined;
  }

  /** Moves the clock to a later instant. */
  set(atMs: number): void {
    const nowMs = this.nowMs();
    if (!Number.isFinite(atMs) || atMs < nowMs) {
      throw new ClockMistake(
        `The clock stands at ${new Date(nowMs).toISOString()} and never runs backwards; set it to a later time, or reset the merchant to start anew.`,
      );
    }
    if (this.#frozenAtMs !== undefined) this.#frozenAtMs = atMs;
    else this.#offsetMs += atMs - nowMs;
  }

  /** Moves the clock ahead. */
  advance(byMs: number): void {
    this.set(this.nowMs() + byMs);
  }
}
