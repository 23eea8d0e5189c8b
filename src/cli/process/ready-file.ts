/** `--ready-file`: a file that holds the address while the sandbox listens. */
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { UsageError } from '../errors/usage-error.ts';

/** Writes the address and a newline. The file is removed when the process ends. */
export function writeReadyFile(
  path: string,
  url: string,
  program: Pick<NodeJS.Process, 'on' | 'pid'>,
): void {
  const text = `${url}\n`;
  attempt(path, () => {
    // Rename, so that a reader never sees a partial file.
    const unfinished = `${path}.${program.pid}`;
    writeFileSync(unfinished, text);
    renameSync(unfinished, path);
  });
  program.on('exit', () => {
    if (textIn(path) === text) rmSync(path, { force: true });
  });
}

/** Removes a file that a killed process left behind. */
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
      `Cannot write the ready file "${path}" (${why}). Name a file in an existing, writable folder, such as a mounted folder or a tmpfs.`,
    );
  }
}

/** Reads the address; `undefined` before the file is written. */
export function readReadyFile(path: string): string | undefined {
  const text = textIn(path)?.trim();
  return text !== undefined && URL.canParse(text) ? text : undefined;
}

/** Checked before removal: another sandbox may have written its own address meanwhile. */
function textIn(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
