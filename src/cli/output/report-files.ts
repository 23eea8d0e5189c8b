/** Writes report files. */
import { writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { makeFolder } from './make-folder.ts';
import { UsageError } from '../errors/usage-error.ts';

/** A report file. */
export interface Report {
  readonly path: string;
  /** Makes the content. */
  readonly text: () => string | Promise<string>;
}

/**
 * Writes every report that can be written, and missing folders.
 *
 * @throws {UsageError} At the end, naming each report that could not be written.
 */
export async function writeReports(reports: readonly Report[]): Promise<void> {
  const results = await Promise.all(reports.map(writeReport));
  const problems = results.filter((problem) => problem !== undefined);
  if (problems.length > 0) throw new UsageError(problems.join('\n'));
}

/** Returns the problem, if there is one. */
async function writeReport({ path, text }: Report): Promise<string | undefined> {
  try {
    writeWithFolder(path, await text());
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
      `Cannot write the report ${path}: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}
