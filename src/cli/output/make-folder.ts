/** Folders: whether one exists, and how to create it. */
import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Creates a folder and its missing parents. The `recursive` option of Node 20 never returns for a folder such as `/proc`.
 *
 * @throws The error of the file system if a folder cannot be created.
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

/** Whether a path is a folder. Throws if it cannot be inspected. */
export function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
