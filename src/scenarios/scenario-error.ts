/** Errors about scenarios and rules. They load nothing of the server, so that the client can throw them too. */
import { DocumentError } from '../documents/document-error.ts';
import type { ErrorDetail } from '../shared/sandbox-error.ts';

/** One or more problems in a scenario. */
export class ScenarioError extends DocumentError {
  override readonly name: string = 'ScenarioError';

  constructor(lines: readonly string[], code = 'invalid-scenario', detail?: ErrorDetail) {
    super(lines, code, detail);
  }
}

/** One or more problems in a rule given to `force`. */
export class RuleError extends ScenarioError {
  override readonly name = 'RuleError';

  constructor(lines: readonly string[], code = 'invalid-rule', detail?: ErrorDetail) {
    super(lines, code, detail);
  }
}
