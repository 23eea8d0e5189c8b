/** Errors about scenarios and rules. They load nothing of the server, so that the client can throw them too. */
import { DocumentError } from '../documents/document-error.ts';
import type { ErrorDetail } from '../shared/sandbox-error.ts';
import { memberOf } from '../shared/unknown-value.ts';

/** A scenario is unknown or invalid. Each line of the message names one problem, its place and what to do. */
export class ScenarioError extends DocumentError {
  override readonly name: string = 'ScenarioError';

  constructor(lines: readonly string[], code = 'invalid-scenario', detail?: ErrorDetail) {
    super(lines, code, detail);
  }
}

/** A gate for `hold` is invalid, or requests cannot be released or waited for as asked. */
export class GateError extends ScenarioError {
  override readonly name = 'GateError';

  constructor(lines: readonly string[], code = 'invalid-gate', detail?: ErrorDetail) {
    super(lines, code, detail);
  }
}

/** A rule for `force` is invalid. Each line of the message names one problem and what to do. */
export class RuleError extends ScenarioError {
  override readonly name = 'RuleError';

  constructor(lines: readonly string[], code = 'invalid-rule', detail?: ErrorDetail) {
    super(lines, code, detail);
  }
}

/** Refuses `{ name }` in code, where a scenario is played by its name alone. Over HTTP a body needs the key. */
export function refuseNameObject(source: unknown): void {
  const name = memberOf(source, 'name');
  if (typeof name !== 'string' || Object.keys(Object(source)).length > 1) return;
  throw new ScenarioError([
    `scenario name: this is not a complete scenario. Pass a name alone, as in playScenario(${JSON.stringify(name.slice(0, 64))}).`,
  ]);
}
