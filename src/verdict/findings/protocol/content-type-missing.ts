import { serviceProblems } from '../../../contract/problems.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import { groupBy } from '../../evidence/group-by.ts';
import { firstExamples } from '../../phrases.ts';
import type { Detection, FindingRule } from '../finding-rule.ts';

/** Finds JSON bodies without their media type. */
export const contentTypeMissing: FindingRule = {
  id: 'content-type-missing',
  severity: 'low',
  about: 'A body was sent without Content-Type: application/json.',
  remedy: 'Send Content-Type: application/json with every body.',
  find: findMissingTypes,
};

/** Methods whose bodies count. */
const methodsWithBody: ReadonlySet<string> = new Set(['POST', 'PATCH', 'PUT']);

function* findMissingTypes({ remarkable }: Evidence): Generator<Detection> {
  const untyped = remarkable.filter(
    ({ operation, method, signs, problem }) =>
      operation !== undefined &&
      // A token request is a form, and is accepted without a type.
      operation !== 'token.create' &&
      methodsWithBody.has(method) &&
      (signs.includes('content-type-missing') ||
        problem === serviceProblems['unsupported-media-type'].name),
  );
  for (const [operation, entries] of groupBy(untyped, (entry) => entry.operation)) {
    yield {
      what: `${entries.length} ${operation ?? ''} ${entries.length === 1 ? 'body was' : 'bodies were'} sent without Content-Type: application/json.`,
      evidence: firstExamples(entries),
    };
  }
}
