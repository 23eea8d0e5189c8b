/** What is wrong with the way a verdict is asked for. */
import { DocumentMistake } from '../documents/document-error.ts';

/** One or more mistakes in what is asked of a verdict. */
export class VerdictMistake extends DocumentMistake {
  override readonly name = 'VerdictMistake';
}
