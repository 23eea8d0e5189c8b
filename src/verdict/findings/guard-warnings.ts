import type { Evidence } from '../evidence/evidence.ts';
import type { WarningKind } from '../../journal/entry.ts';
import type { Detection } from './finding-rule.ts';
import { groupBy } from '../evidence/group-by.ts';
import { formatCount, firstExamples } from '../phrases.ts';

export function* warnedOf(
  evidence: Evidence,
  kind: WarningKind,
  what: string,
): Generator<Detection> {
  const warned = evidence.remarkable.filter(({ warnings }) =>
    warnings.some((warning) => warning.kind === kind),
  );
  for (const [operation, ofOne] of groupBy(warned, (entry) => entry.operation)) {
    yield {
      what: `${formatCount(ofOne.length, 'request')} of ${operation ?? 'no operation'} came with ${what}.`,
      evidence: firstExamples(ofOne),
      // Teams name their fakes so, and make up numbers.
      confidence: 'likely',
    };
  }
}
