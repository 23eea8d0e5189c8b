/** What is wrong with a scenario, said to the person who wrote it. */
import { DocumentError } from '../documents/document-error.ts';

/** One or more mistakes in scenarios. Each is one line that names its place and what to do. */
export class ScenarioError extends DocumentError {
  override readonly name = 'ScenarioError';
}
