/**
 * The documents of this package. When it runs from source, they are read from YAML files like other documents. A build
 * replaces this module by one that contains them as JSON, so a start parses no YAML.
 */
import { readdirSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import { packageRoot } from '../shared/package-root.ts';

/** Folders of the package that contain documents. */
export type ShippedFolder = 'fixtures' | 'scenarios';

/** Names of this package's documents in a folder, sorted. */
export function shippedNames(folder: ShippedFolder): string[] {
  return readdirSync(join(packageRoot(), folder))
    .filter((file) => extname(file) === '.yaml')
    .map((file) => basename(file, '.yaml'))
    .sort();
}

/** Returns the value of a document in a build; `undefined` if its file must be read. */
export function shippedDocument(_folder: ShippedFolder, _name: string): unknown {
  return undefined;
}
