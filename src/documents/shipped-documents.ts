/**
 * The documents that ship, as builds hold them. This file is what runs from source, where they are read from their YAML
 * like any other; a build puts a file in its place that has them checked and ready, so that a start reads no YAML.
 */
import { readdirSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import { packageRoot } from '../shared/package-root.ts';

/** Folders of the package that hold documents. */
export type ShippedFolder = 'fixtures' | 'scenarios';

/** Names of the documents that ship in a folder of the package, in order. */
export function shippedNames(folder: ShippedFolder): string[] {
  return readdirSync(join(packageRoot(), folder))
    .filter((file) => extname(file) === '.yaml')
    .map((file) => basename(file, '.yaml'))
    .sort();
}

/** A document as its schema read it when the build was made; `undefined` where it is still to be read. */
export function readyDocument(_folder: ShippedFolder, _name: string): unknown {
  return undefined;
}
