/** `--home`: the folder that the image reserves for what is mounted into it. What is not there is left to the defaults. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { ReadSettings } from './settings.ts';
import { UsageMistake } from './usage-mistake.ts';

/** Options that name files. */
export interface HomeOptions {
  readonly fixtures?: string | undefined;
  readonly scenarios?: string | undefined;
}

/** The folders found there, as options. Fixtures that were named are taken rather than those found. */
export function homeOptions({ settings: { home, fixtures }, origins }: ReadSettings): HomeOptions {
  if (home === undefined) return { fixtures };
  if (!isFolder(home)) {
    throw new UsageMistake(
      `${origins.get('home')} names "${home}", which is no folder that can be read. Give a folder that holds fixtures/, scenarios/ or both.`,
    );
  }
  const inside = (name: string): string | undefined => {
    const folder = join(home, name);
    return isFolder(folder) ? folder : undefined;
  };
  return { fixtures: fixtures ?? inside('fixtures'), scenarios: inside('scenarios') };
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
