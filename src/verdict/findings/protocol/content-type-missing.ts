import type { FindingRule, Detection } from '../finding-rule.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import { problems } from '../../../contract/problems.ts';
import { groupBy } from '../../evidence/group-by.ts';
import { firstExamples } from '../../phrases.ts';

/** A body was sent without Content-Type: application/json. */
export const contentTypeMissing: FindingRule = {
  id: 'content-type-missing',
  severity: 'low',
  about: 'A body was sent without Content-Type: application/json.',
  remedy: 'Send Content-Type: application/json with every body.',
  find: missingTypes,
};

/** Bodies of reads and deletions mean nothing, whatever they are. */
const writing: ReadonlySet<string> = new Set(['POST', 'PATCH', 'PUT']);

function* missingTypes({ remarkable }: Evidence): Generator<Detection> {
  const untyped = remarkable.filter(
    ({ operation, method, signs, problem }) =>
      // A token request is a form, and taken without a type as well.
      operation !== undefined &&
      operation !== 'token.create' &&
      writing.has(method) &&
      (signs.includes('content-type-missing') ||
        problem === problems['unsupported-media-type'].name),
  );
  for (const [operation, ofOne] of groupBy(untyped, (entry) => entry.operation)) {
    yield {
      what: `${ofOne.length} ${ofOne.length === 1 ? 'body' : 'bodies'} of ${operation ?? ''} came without Content-Type: application/json.`,
      evidence: firstExamples(ofOne),
    };
  }
}
