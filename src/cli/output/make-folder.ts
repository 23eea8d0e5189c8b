/** Makes a folder, with those above it that are missing. */
import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * As `recursive` does, which on Node 20 tries for ever in a folder that is there and takes none, such as `/proc`. Throws
 * the error of the file system where one cannot be made.
 */
export function makeFolder(path: string, mode?: number): void {
  if (isFolder(path)) return;
  const above = dirname(path);
  if (above !== path) makeFolder(above, mode);
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    // Another process may have made it in the meantime.
    if (!isFolder(path)) throw error;
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
