/** What is wrong with the way a verdict is asked for. */
import { DocumentError } from '../documents/document-error.ts';

/** One or more mistakes in what is asked of a verdict. */
export class VerdictOptionsError extends DocumentError {
  override readonly name = 'VerdictOptionsError';
}
