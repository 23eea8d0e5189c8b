/** Files that people write for the sandbox: where they lie, how they end, how they are read. */
import { isUtf8 } from 'node:buffer';
import { readdirSync, readFileSync, statSync, type Stats } from 'node:fs';
import { extname, join } from 'node:path';
import { packageRoot } from '../shared/package-root.ts';
import { readyDocument, type ShippedFolder } from './shipped-documents.ts';
import type { DocumentErrorClass } from './document-error.ts';
import { lazySource, readSource, type Source } from './source.ts';
import { describeReadFailure } from './read-failure.ts';

export const documentEndings: readonly string[] = ['.json', '.yaml', '.yml'];

/** Lies next to documents for editors to read; it is none itself. */
const schemaFile = 'schema.json';

/** Whether a file of this name can be read as a document. */
export function isDocumentFile(file: string): boolean {
  return documentEndings.includes(extname(file).toLowerCase());
}

/**
 * Names of the documents in a folder, in order. Hidden files are none: editors and systems leave locks and notes of
 * their own beside what is written, under its name with a dot before it.
 */
export function documentFilesIn(folder: string, ErrorClass: DocumentErrorClass): string[] {
  return readOrThrow(folder, 'folder', ErrorClass, () => readdirSync(folder))
    .filter((file) => isDocumentFile(file) && !file.startsWith('.') && file !== schemaFile)
    .sort();
}

/** What lies at a path, if something does. */
export function statOf(path: string, ErrorClass: DocumentErrorClass): Stats | undefined {
  return readOrThrow(path, 'path', ErrorClass, () => statSync(path, { throwIfNoEntry: false }));
}

/** Reads a document; `name` is what messages call it. */
export function readDocumentFile(
  path: string,
  name: string,
  ErrorClass: DocumentErrorClass,
): Source {
  return readSource(name, readTextFile(path, name, ErrorClass), ErrorClass);
}

/** The text of a file, which must be UTF-8; `name` is what messages call it. */
export function readTextFile(path: string, name: string, ErrorClass: DocumentErrorClass): string {
  const bytes = readOrThrow(name, 'file', ErrorClass, () => readFileSync(path));
  // Read all the same, each letter that is not ASCII would become another one.
  if (!isUtf8(bytes)) {
    throw new ErrorClass([`${name}: this file is not UTF-8. Save it in that encoding.`]);
  }
  return bytes.toString();
}

/**
 * A document that ships: as the build left it, or read from its file. `ready` is what its schema made of it already,
 * and the file is then opened only to say where something stands.
 */
export function readShipped(
  folder: ShippedFolder,
  name: string,
  ErrorClass: DocumentErrorClass,
): { readonly source: Source; readonly ready: unknown } {
  const file = `${folder}/${name}.yaml`;
  const read = (): Source => readDocumentFile(join(packageRoot(), file), file, ErrorClass);
  const ready = readyDocument(folder, name);
  return { ready, source: ready === undefined ? read() : lazySource(ready, read) };
}

function readOrThrow<T>(
  name: string,
  what: string,
  ErrorClass: DocumentErrorClass,
  read: () => T,
): T {
  try {
    return read();
  } catch (error) {
    throw new ErrorClass([`${name}: this ${what} ${describeReadFailure(error)}`]);
  }
}
