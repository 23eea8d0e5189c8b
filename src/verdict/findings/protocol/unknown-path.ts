import { serviceProblems } from '../../../contract/problems.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import { groupBy } from '../../evidence/group-by.ts';
import { firstExamples } from '../../phrases.ts';
import type { Detection, FindingRule } from '../finding-rule.ts';

/** Finds requests to paths that are not part of the API. */
export const unknownPath: FindingRule = {
  id: 'unknown-path',
  severity: 'low',
  about: 'A request was sent to a path that the service does not have.',
  remedy: 'Compare the path with the list at /docs.',
  find: findUnknownPaths,
};

const maxPathLength = 80;

function* findUnknownPaths({ remarkable }: Evidence): Generator<Detection> {
  const unknown = remarkable.filter(
    ({ operation, problem }) =>
      operation === undefined && problem === serviceProblems['unknown-path'].name,
  );
  // Grouped by the hint in the answer, because paths with ids differ each time.
  const byHint = groupBy(unknown, ({ method, reason }) => `${method} ${reason ?? ''}`);
  for (const [, entries] of byHint) {
    const [first] = entries;
    if (first === undefined) continue;
    const [path = ''] = first.path.split('?');
    yield {
      what: `No operation has the path of ${first.method} ${path.slice(0, maxPathLength)}. ${first.reason ?? ''}.`,
      evidence: firstExamples(entries),
    };
  }
}
