/** `--ready-file`: says by a file that the sandbox listens, and where. */
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { UsageError } from '../errors/usage-error.ts';

/** Holds the address and a newline, whole from the first moment, until the process ends. */
export function keepReadyFile(
  path: string,
  url: string,
  program: Pick<NodeJS.Process, 'on' | 'pid'>,
): void {
  const text = `${url}\n`;
  attempt(path, () => {
    // A reader must never see half of it.
    const unfinished = `${path}.${program.pid}`;
    writeFileSync(unfinished, text);
    renameSync(unfinished, path);
  });
  program.on('exit', () => {
    if (textIn(path) === text) rmSync(path, { force: true });
  });
}

/** One that is left from a process that was killed would say that a sandbox is ready which is not. */
export function removeReadyFile(path: string): void {
  attempt(path, () => {
    rmSync(path, { force: true });
  });
}

function attempt(path: string, run: () => void): void {
  try {
    run();
  } catch (error) {
    const why = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    throw new UsageError(
      `The ready file "${path}" cannot be written (${why}). Name a file in a folder that is there and can be written to, such as one in a mounted folder or on a tmpfs.`,
    );
  }
}

/** The address that such a file holds; `undefined` before it is written. */
export function readReadyFile(path: string): string | undefined {
  const text = textIn(path)?.trim();
  return text !== undefined && URL.canParse(text) ? text : undefined;
}

/** Another sandbox may have written its own in the meantime. */
function textIn(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
