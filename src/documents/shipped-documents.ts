/**
 * The documents that ship. Run from source, they are read from their YAML files like any other document. A build replaces
 * this module by one that holds them as JSON, so that a start parses no YAML.
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

/** The value of a document, where this is a build; `undefined` where its file must be read. */
export function shippedDocument(_folder: ShippedFolder, _name: string): unknown {
  return undefined;
}
