/** How long an answer to another process waits, so that workers of one client that start together meet. */
import { availableParallelism, loadavg } from 'node:os';

/**
 * No real payment is answered this fast. Two threads of a client start up to 5 ms apart on an idle machine, and up to
 * 20 ms apart on one with as much work as it has cores.
 */
const calmMs = 20;

/** With three times as much work as cores, threads wait for their turn, and start up to 90 ms apart. */
const perTaskInLineMs = 40;

/** A real payment often takes longer. */
const longestMs = 250;

/** The wait for a machine with so many cores, and so many tasks that run or want to. Windows does not count them. */
export function gatherMsAt(tasks: number, cores: number): number {
  const inLine = Math.max(0, tasks / cores - 1);
  return Math.min(calmMs + perTaskInLineMs * inLine, longestMs);
}

/** The wait for this machine as it was over the last minute. */
export function gatherMs(): number {
  const [tasks = 0] = loadavg();
  return gatherMsAt(tasks, availableParallelism());
}
