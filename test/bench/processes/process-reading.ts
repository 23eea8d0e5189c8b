/** The CPU time and memory of a process. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

export interface ProcessReading {
  /** CPU time of all threads, in user code and in the kernel. */
  readonly cpuSeconds: number;
  readonly rssBytes: number;
}

/** The unit of CPU time in /proc, whatever the tick of the kernel. */
const ticksPerSecond = 100;
const pageBytes = 4096;

/** Reads /proc if it exists, and otherwise runs `ps`. */
export function readProcess(pid: number): ProcessReading {
  const path = `/proc/${pid}/stat`;
  return existsSync(path) ? fromStat(readFileSync(path, 'utf8')) : fromPs(pid);
}

/** The command's name is in parentheses and may contain anything, so fields are counted after it. */
export function fromStat(stat: string): ProcessReading {
  const fields = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  const [userTicks = 0, systemTicks = 0] = fields.slice(11, 13);
  return {
    cpuSeconds: (userTicks + systemTicks) / ticksPerSecond,
    rssBytes: (fields[21] ?? 0) * pageBytes,
  };
}

function fromPs(pid: number): ProcessReading {
  const text = execFileSync('ps', ['-o', 'time=,rss=', '-p', String(pid)], { encoding: 'utf8' });
  const [time = '', kilobytes = ''] = text.trim().split(/\s+/);
  return { cpuSeconds: secondsOf(time), rssBytes: Number(kilobytes) * 1024 };
}

/** `[[days-]hours:]minutes:seconds`, as `ps` writes it. */
export function secondsOf(time: string): number {
  const [clock = '', days = '0'] = time.split('-').toReversed();
  const seconds = clock.split(':').reduce((sum, part) => sum * 60 + Number(part), 0);
  return Number(days) * 86_400 + seconds;
}
