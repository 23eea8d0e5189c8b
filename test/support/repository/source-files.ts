/** What the sources import, read from their text. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, posix, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../../..', import.meta.url));

export interface Import {
  /** The package or the source file (`src/http/pipeline.ts`) that is imported. */
  readonly target: string;
  /** `import type` leaves nothing behind when the program runs. */
  readonly typeOnly: boolean;
  /** `import()` loads nothing before the program comes to it. */
  readonly lazy: boolean;
}

export interface SourceFile {
  readonly path: string;
  readonly text: string;
  /** The text without comments and without what stands in quotes. */
  readonly code: string;
  readonly imports: readonly Import[];
}

const comments = /\/\*[\s\S]*?\*\/|(?<![:'"`\\])\/\/.*$/gm;
const quoted = /'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`/g;
const imported =
  /^(?:import|export)\s(?<type>type\s)?[^'";]*?from\s'(?<from>[^']+)'|^import\s'(?<bare>[^']+)'|\bimport\('(?<lazy>[^']+)'\)/gm;

/** Reads one file. The house's formatting keeps every import at the start of a line, in single quotes. */
export function readSource(path: string, text: string): SourceFile {
  const uncommented = text.replace(comments, '');
  const imports = [...uncommented.matchAll(imported)].map(({ groups = {} }) => {
    const name = groups['from'] ?? groups['bare'] ?? groups['lazy'] ?? '';
    const target = name.startsWith('.') ? posix.join(posix.dirname(path), name) : name;
    return { target, typeOnly: groups['type'] !== undefined, lazy: groups['lazy'] !== undefined };
  });
  return { path, text, code: uncommented.replace(quoted, "''"), imports };
}

/** Paths of the files in a folder of the repository, with forward slashes, in order. */
export function filesIn(folder: string): readonly string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .toSorted();
}

export function readText(path: string): string {
  return readFileSync(join(root, path), 'utf8');
}

/** All of `src`. */
export function readSources(): readonly SourceFile[] {
  return filesIn('src')
    .filter((path) => path.endsWith('.ts'))
    .map((path) => readSource(path, readText(path)));
}
