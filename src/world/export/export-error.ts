import { DocumentError } from '../../documents/document-error.ts';
import type { Path } from '../../documents/source.ts';

/** A place in an export and what is wrong there. */
export type ExportIssue = readonly [path: Path, text: string];

/** One or more mistakes about an export. Each is one line that names its place and what to do. */
export class ExportError extends DocumentError {
  override readonly name = 'ExportError';
}
