/** The built library, as consumers import it. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type * as library from '../../../src/index.ts';

export type Library = typeof library;

/** Imports the library in this process. */
export async function importLibrary(): Promise<Library> {
  // The build compiled it from the file whose type this is.
  return (await import(pathToFileURL(join('dist', 'index.js')).href)) as Library;
}
