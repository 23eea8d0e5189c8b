/** Files that a command writes beside what it prints. */
import { writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { makeFolder } from '../../compiled/make-folder.ts';
import { UsageError } from '../errors/usage-error.ts';

/** A file to write. */
export interface Report {
  readonly path: string;
  /** Makes what stands in it; a `UsageError` is told as one of the file. */
  readonly text: () => string | Promise<string>;
}

/**
 * Writes them, with the folders that are missing. One that cannot be written keeps none of the others from it; a
 * `UsageError` that names each of those is thrown at the end.
 */
export async function writeReports(reports: readonly Report[]): Promise<void> {
  const told = await Promise.all(reports.map(mistakeIn));
  const mistakes = told.filter((mistake) => mistake !== undefined);
  if (mistakes.length > 0) throw new UsageError(mistakes.join('\n'));
}

async function mistakeIn({ path, text }: Report): Promise<string | undefined> {
  try {
    const written = await text();
    writeWithFolder(path, written);
    return undefined;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return error.message;
  }
}

function writeWithFolder(path: string, text: string): void {
  try {
    makeFolder(dirname(path));
    writeFileSync(path, text);
  } catch (error) {
    throw new UsageError(
      `The report ${path} cannot be written: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}
