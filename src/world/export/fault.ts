/** What is wrong at one place of an export. */
import type { Path } from '../../documents/source.ts';

/** A place in the document, and what is wrong there. */
export type ExportIssue = readonly [path: Path, words: string];
