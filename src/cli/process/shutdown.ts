/** Ends the process when it is asked to: first politely, then at once. */
import { constants } from 'node:os';
import type { Log } from '../output/log.ts';

/** How long requests under way may take to finish. */
const graceMs = 5_000;

/** npm passes on a Ctrl-C that the terminal has sent to everyone already: that is one wish, not two. */
const echoMs = 500;

/** The part of `process` that is needed. */
export interface Stoppable {
  on(signal: 'SIGINT' | 'SIGTERM' | 'SIGHUP', listener: () => void): unknown;
  exit(code: number): void;
}

/**
 * On SIGINT, SIGTERM or, when the terminal is closed, SIGHUP, closes and exits with 0. Another signal meanwhile exits
 * with 128 and the signal's number.
 */
export function stopOnSignal(
  program: Stoppable,
  log: Pick<Log, 'info' | 'warn'>,
  close: (graceMs: number) => Promise<void>,
): void {
  let firstAtMs: number | undefined;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    program.on(signal, () => {
      const nowMs = performance.now();
      if (firstAtMs === undefined) {
        firstAtMs = nowMs;
        log.info({ signal, graceMs }, 'stopping');
        void close(graceMs).then(() => {
          log.info('stopped');
          program.exit(0);
        });
      } else if (nowMs - firstAtMs > echoMs) {
        log.warn({ signal }, 'stopped');
        program.exit(128 + constants.signals[signal]);
      }
    });
  }
}
