/** Ends the process on a signal: first gracefully, then at once. */
import { constants } from 'node:os';
import type { Log } from '../output/log.ts';

/** Time for requests in progress to finish. */
const graceMs = 5_000;

/** npm repeats a Ctrl-C that the terminal already sent to every process. Both count as one signal. */
const echoMs = 500;

/** The part of `process` that this module uses. */
export interface Stoppable {
  on(signal: 'SIGINT' | 'SIGTERM' | 'SIGHUP', listener: () => void): unknown;
  exit(code: number): void;
}

/**
 * Closes the sandbox and exits with 0 on SIGINT, SIGTERM or SIGHUP. A second signal exits at once with 128 plus its
 * number.
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
