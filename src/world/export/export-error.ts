/** Why a world cannot be written down, or what is wrong with one that was. */
import { DocumentError } from '../../documents/document-error.ts';

/** One or more mistakes about an export. Each is one line that names its place and what to do. */
export class ExportError extends DocumentError {
  override readonly name = 'ExportError';
}
