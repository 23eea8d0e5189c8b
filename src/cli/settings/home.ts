/** `--home`: the folder that the image reserves for what is mounted into it. What is not there is left to the defaults. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { describeReadFailure } from '../../documents/unreadable.ts';
import type { ReadSettings } from './settings.ts';
import { UsageError } from '../errors/usage-error.ts';

/** Options that name files. */
export interface HomeOptions {
  readonly fixtures?: string | undefined;
  readonly scenarios?: string | undefined;
}

/** The folders found there, as options. Fixtures that were named are taken rather than those found. */
export function homeOptions({ settings: { home, fixtures }, origins }: ReadSettings): HomeOptions {
  if (home === undefined) return { fixtures };
  const named = `${origins.get('home')} names "${home}", which`;
  try {
    if (isFolder(home)) {
      const inside = (name: string): string | undefined => {
        const folder = join(home, name);
        return isFolder(folder) ? folder : undefined;
      };
      return { fixtures: fixtures ?? inside('fixtures'), scenarios: inside('scenarios') };
    }
  } catch (error) {
    // What may be there, and cannot be looked at, is not to be taken for missing.
    throw new UsageError(`${named} ${describeReadFailure(error)}`);
  }
  throw new UsageError(
    `${named} is no folder. Give a folder that holds fixtures/, scenarios/ or both.`,
  );
}

/** Throws where that cannot be told. */
function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
