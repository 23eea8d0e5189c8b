/** Errors about merchants, clocks, snapshots and exports. The client throws them too, so this file loads no world. */
import { DocumentError } from '../documents/document-error.ts';
import type { Path } from '../documents/source.ts';
import { SandboxError, type ErrorDetail } from '../shared/sandbox-error.ts';

/** There is no such merchant, or no room for another. */
export class MerchantError extends SandboxError {
  override readonly name = 'MerchantError';
}

/** The clock cannot be set to the requested time. */
export class ClockError extends SandboxError {
  override readonly name = 'ClockError';
}

/** There is no snapshot of that name, no room for another, or the name is not allowed. */
export class SnapshotError extends SandboxError {
  override readonly name = 'SnapshotError';
}

/** A place in an export and what is wrong there. */
export type ExportIssue = readonly [path: Path, text: string];

/** The world cannot be exported, or the document to import has one or more problems. */
export class ExportError extends DocumentError {
  override readonly name = 'ExportError';

  constructor(lines: readonly string[], code = 'invalid-export', detail?: ErrorDetail) {
    super(lines, code, detail);
  }
}
