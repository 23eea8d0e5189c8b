/** Keeps two sandboxes from saving to one file. */
import { readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { clearInterval, setInterval } from 'node:timers';
import { z } from '@hono/zod-openapi';

/** How often the owner touches the lock. */
const touchMs = 5_000;

/** A lock of another machine or container that was not touched for so long has no owner. */
const staleMs = 20_000;

const Owner = z.object({
  pid: z.int(),
  host: z.string(),
  /** When the process started, so that another process with the same id is not taken for it. */
  started: z.string().optional(),
  token: z.string(),
});

type Owner = z.output<typeof Owner>;

/** The tokens of locks that this process holds. */
const held = new Set<string>();

export class FileLock {
  readonly path: string;
  readonly #token: string;
  readonly #timer: NodeJS.Timeout;

  private constructor(path: string, token: string) {
    this.path = path;
    this.#token = token;
    this.#timer = setInterval(() => {
      if (!this.isHeld) return;
      const now = new Date();
      utimesSync(path, now, now);
    }, touchMs).unref();
  }

  /** Takes the lock of a file. Returns the owner, if another sandbox has it. Throws file system errors. */
  static take(file: string): FileLock | string {
    const path = `${file}.lock`;
    const token = Math.random().toString(36).slice(2);
    const { pid } = process;
    const owner: Owner = { pid, host: hostname(), started: startOf(pid), token };
    for (;;) {
      try {
        writeFileSync(path, JSON.stringify(owner), { flag: 'wx' });
        held.add(token);
        return new FileLock(path, token);
      } catch (error) {
        if (!isCode(error, 'EEXIST')) throw error;
      }
      const found = ownerIn(path);
      if (found !== undefined && isAlive(found, path)) {
        return `process ${found.pid} on ${found.host}`;
      }
      rmSync(path, { force: true });
    }
  }

  /** Whether no other sandbox has taken the lock, as after a long pause of this process. */
  get isHeld(): boolean {
    return ownerIn(this.path)?.token === this.#token;
  }

  release(): void {
    clearInterval(this.#timer);
    held.delete(this.#token);
    if (this.isHeld) rmSync(this.path, { force: true });
  }
}

function ownerIn(path: string): Owner | undefined {
  try {
    const owner = Owner.safeParse(JSON.parse(readFileSync(path, 'utf8')));
    return owner.success ? owner.data : undefined;
  } catch {
    return undefined;
  }
}

function isAlive({ pid, host, started, token }: Owner, path: string): boolean {
  // The processes of another container cannot be seen. Its owner touches the lock.
  if (host !== hostname()) return Date.now() - modifiedMs(path) < staleMs;
  // The main process of a restarted container has the same id.
  if (pid === process.pid) return held.has(token);
  return isRunning(pid) && (started === undefined || started === startOf(pid));
}

function modifiedMs(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return isCode(error, 'EPERM');
  }
}

/** The start time of a process in ticks since the boot. `undefined` on a machine without /proc. */
function startOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name of the program, in parentheses, may hold spaces.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
  } catch {
    return undefined;
  }
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
