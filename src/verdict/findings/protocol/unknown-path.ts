import type { FindingRule, Detection } from '../finding-rule.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import { problems } from '../../../contract/problems.ts';
import { groupBy } from '../../evidence/group-by.ts';
import { firstExamples } from '../../phrases.ts';

/** A request went to a path that the service does not have. */
export const unknownPath: FindingRule = {
  id: 'unknown-path',
  severity: 'low',
  about: 'A request went to a path that the service does not have.',
  remedy: 'Compare the path with those listed at /docs.',
  find: unknownPaths,
};

const longestPath = 80;

function* unknownPaths({ remarkable }: Evidence): Generator<Detection> {
  const lost = remarkable.filter(
    ({ operation, problem }) =>
      operation === undefined && problem === problems['unknown-path'].name,
  );
  // By what is next to it: a path with an id in it is another one each time.
  for (const [hint, ofOne] of groupBy(lost, ({ method, reason }) => `${method} ${reason ?? ''}`)) {
    const [first] = ofOne;
    if (first === undefined) continue;
    const [path = ''] = first.path.split('?');
    yield {
      what: `No operation has the path of ${first.method} ${path.slice(0, longestPath)}. ${hint.slice(first.method.length + 1)}.`,
      evidence: firstExamples(ofOne),
    };
  }
}
