/** Writes files that other programs read: whole or not at all, and only where a regular file may be. */
import {
  closeSync,
  fsyncSync,
  lstatSync,
  openSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';

/**
 * Why a path cannot be written as a file, or `undefined`. A symbolic link, a folder or a device is refused: replacing one
 * would surprise its owner.
 */
export function findPathProblem(path: string): string | undefined {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined || found.isFile()) return undefined;
  if (found.isSymbolicLink()) return 'it is a symbolic link';
  return found.isDirectory() ? 'it is a folder' : 'it is no regular file';
}

/** The end of the names of temporary files. A crash leaves one behind. */
export const temporarySuffix = '.unfinished';

/**
 * Replaces a file in one step, after its content is on the disk. A crash leaves the old file or the new one, and perhaps
 * the temporary file beside it.
 */
export function replaceFile(path: string, content: string | readonly string[]): void {
  const unfinished = temporaryPath(path);
  try {
    // `wx` follows no symbolic link that someone else put there.
    const file = openSync(unfinished, 'wx', 0o644);
    try {
      for (const part of typeof content === 'string' ? [content] : content) {
        writeFileSync(file, part);
      }
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(unfinished, path);
  } catch (error) {
    rmSync(unfinished, { force: true });
    throw error;
  }
}

/** The file that `replaceFile` writes first. Two processes that write the same file do not meet there. */
function temporaryPath(path: string): string {
  return `${path}.${Math.random().toString(36).slice(2)}${temporarySuffix}`;
}

/** The code of a file system error, or its message. */
export function fileErrorCode(error: unknown): string {
  if (error instanceof Error && 'code' in error) return String(error.code);
  return error instanceof Error ? error.message : String(error);
}
