/** What a process has taken of the machine so far. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

export interface ProcessReading {
  /** Of all its threads, in user code and in the kernel. */
  readonly cpuSeconds: number;
  readonly rssBytes: number;
}

/** Linux counts in these, whatever the kernel's own tick is. */
const ticksPerSecond = 100;
const pageBytes = 4096;

/** Reads it from the kernel where that is a file, else from `ps`. */
export function readProcess(pid: number): ProcessReading {
  const path = `/proc/${pid}/stat`;
  return existsSync(path) ? fromStat(readFileSync(path, 'utf8')) : fromPs(pid);
}

/** The name of the command stands in parentheses and may hold anything; what follows is counted from behind it. */
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
