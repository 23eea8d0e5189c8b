/** Finds and reads the files that people write for the sandbox. */
import { isUtf8 } from 'node:buffer';
import { readdirSync, readFileSync, statSync, type Stats } from 'node:fs';
import { extname, join } from 'node:path';
import { packageRoot } from '../shared/package-root.ts';
import { shippedDocument, type ShippedFolder } from './shipped-documents.ts';
import type { DocumentErrorClass } from './document-error.ts';
import { lazySource, readSource, type Source } from './source.ts';
import { describeReadFailure } from './read-failure.ts';

export const documentEndings: readonly string[] = ['.json', '.yaml', '.yml'];

/** A file for editors next to the documents. It is not a document itself. */
const schemaFile = 'schema.json';

/** Whether a file with this name can be a document. */
export function isDocumentFile(file: string): boolean {
  return documentEndings.includes(extname(file).toLowerCase());
}

/**
 * The document files of a folder, sorted. Hidden files are skipped: editors and systems leave lock
 * files there.
 */
export function documentFilesIn(folder: string, ErrorClass: DocumentErrorClass): string[] {
  return readOrThrow(folder, 'folder', ErrorClass, () => readdirSync(folder))
    .filter((file) => isDocumentFile(file) && !file.startsWith('.') && file !== schemaFile)
    .sort();
}

/** The file or folder at a path; `undefined` if there is none. */
export function statOf(path: string, ErrorClass: DocumentErrorClass): Stats | undefined {
  return readOrThrow(path, 'path', ErrorClass, () => statSync(path, { throwIfNoEntry: false }));
}

/** Reads a document; messages call it `name`. */
export function readDocumentFile(
  path: string,
  name: string,
  ErrorClass: DocumentErrorClass,
): Source {
  return readSource(name, readTextFile(path, name, ErrorClass), ErrorClass);
}

/** Reads a text file, which must be UTF-8; messages call it `name`. */
export function readTextFile(path: string, name: string, ErrorClass: DocumentErrorClass): string {
  const bytes = readOrThrow(name, 'file', ErrorClass, () => readFileSync(path));
  // Decoding other encodings as UTF-8 would silently change every non-ASCII letter.
  if (!isUtf8(bytes)) {
    throw new ErrorClass([`${name}: this file is not UTF-8. Save it as UTF-8.`]);
  }
  return bytes.toString();
}

/** Reads a document of this package. A build contains its value, so the file is read only to locate a part. */
export function readShipped(
  folder: ShippedFolder,
  name: string,
  ErrorClass: DocumentErrorClass,
): Source {
  const file = `${folder}/${name}.yaml`;
  const read = (): Source => readDocumentFile(join(packageRoot(), file), file, ErrorClass);
  const document = shippedDocument(folder, name);
  return document === undefined ? read() : lazySource(document, read);
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
