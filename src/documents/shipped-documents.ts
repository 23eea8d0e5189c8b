/**
 * Documents of this package. From source they are read from YAML files.
 *
 * A build replaces this module by one with validated documents, so that a start reads no YAML.
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

/** The document as its schema read it at build time; `undefined` if it still has to be read. */
export function readyDocument(_folder: ShippedFolder, _name: string): unknown {
  return undefined;
}
