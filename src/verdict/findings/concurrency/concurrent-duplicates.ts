import { isOneOrderInParallel, parallelAttempts } from '../../client-knowledge/overlap.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import { firstExamples, formatCount } from '../../phrases.ts';
import { duplicateSeverity, type AttemptGroup } from '../../purchases/attempts.ts';
import type { Detection, FindingRule } from '../finding-rule.ts';

/** Finds requests for the same thing that were open at the same time with different request ids, or none. */
export const concurrentDuplicates: FindingRule = {
  id: 'concurrent-duplicates',
  severity: 'critical',
  about: 'Several requests for one purchase were open at once without a shared PayPal-Request-Id.',
  remedy:
    'Lock the order while it is paid, or send the same PayPal-Request-Id with every request for it.',
  find: findParallelDuplicates,
};

function* findParallelDuplicates(evidence: Evidence): Generator<Detection> {
  for (const group of evidence.retriedGroups) {
    const parallel = [...parallelAttempts(group)];
    if (parallel.length === 0) continue;
    const executed = parallel.filter(({ committed }) => committed).length;
    const end = executed > 1 ? `, and ${executed} of them were executed` : '';
    yield {
      what: `${formatCount(parallel.length, 'request')} for ${group.description} were open at the same time${end}.`,
      evidence: firstExamples(parallel),
      purchase: group.purchase,
      ...weigh(evidence, group, executed),
    };
  }
}

function weigh(
  evidence: Evidence,
  group: AttemptGroup,
  executed: number,
): Pick<Detection, 'severity' | 'confidence'> {
  if (group.isNamed) {
    const severity = duplicateSeverity[group.operation];
    return { severity: executed > 1 || severity !== 'critical' ? severity : 'high' };
  }
  // Two buyers may want the same thing at once, unless the purchase has a name of its own.
  return isOneOrderInParallel(evidence, group)
    ? { severity: 'high', confidence: 'likely' }
    : { severity: 'medium', confidence: 'possible' };
}
