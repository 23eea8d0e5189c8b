import { DocumentError } from '../documents/document-error.ts';
import type { ErrorDetail } from '../shared/sandbox-error.ts';

/** One or more problems in the options of a verdict. */
export class VerdictOptionsError extends DocumentError {
  override readonly name = 'VerdictOptionsError';

  constructor(lines: readonly string[], code = 'invalid-verdict', detail?: ErrorDetail) {
    super(lines, code, detail);
  }
}
