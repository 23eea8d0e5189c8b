/** `--home`: a project folder with fixtures/ and scenarios/. The image mounts one. */
import { join } from 'node:path';
import { describeReadFailure } from '../../documents/read-failure.ts';
import { isFolder } from '../output/make-folder.ts';
import type { ReadSettings } from './settings.ts';
import { UsageError } from '../errors/usage-error.ts';

/** The options that name files. */
export interface HomeOptions {
  readonly fixtures?: string | undefined;
  readonly scenarios?: string | undefined;
}

/** The options for the folders that exist. `--fixtures` has precedence over fixtures/ in the project folder. */
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
    // A folder that cannot be read is not a missing folder.
    throw new UsageError(`${named} ${describeReadFailure(error)}`);
  }
  throw new UsageError(
    `${named} is not a folder. Name a folder with fixtures/, scenarios/ or both.`,
  );
}
