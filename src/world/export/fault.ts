/** What is wrong at one place of an export. */
import type { Path } from '../../fixtures/source.ts';

/** A place in the document, and what is wrong there. */
export type Fault = readonly [path: Path, words: string];
