import type { FindingRule, Detection } from '../finding-rule.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import { parallelAttempts, isOneOrderInParallel } from '../../client-knowledge/overlap.ts';
import { capitalize, formatCount, firstExamples } from '../../phrases.ts';
import { type AttemptGroup, duplicateSeverity } from '../../purchases/attempts.ts';

/** Two requests for one purchase were under way at once, with nothing to tie them together. */
export const concurrentDuplicates: FindingRule = {
  id: 'concurrent-duplicates',
  severity: 'critical',
  about: 'Two requests for one purchase were under way at once, with nothing to tie them together.',
  remedy:
    'Lock the purchase, or send one PayPal-Request-Id with both; disable the button while it is paid.',
  find: duplicates,
};

function* duplicates(evidence: Evidence): Generator<Detection> {
  for (const task of evidence.retriedGroups) {
    const together = [...parallelAttempts(task)];
    if (together.length === 0) continue;
    const done = together.filter(({ committed }) => committed).length;
    yield {
      what: `${capitalize(task.description)} was asked for by ${formatCount(together.length, 'request')} at once${done > 1 ? ` and carried out by ${done} of them` : ''}.`,
      evidence: firstExamples(together),
      purchase: task.purchase,
      ...weightOf(evidence, task, done),
    };
  }
}

function weightOf(
  evidence: Evidence,
  task: AttemptGroup,
  done: number,
): Pick<Detection, 'severity' | 'confidence'> {
  if (task.isNamed) {
    const severity = duplicateSeverity[task.operation];
    return { severity: done > 1 || severity !== 'critical' ? severity : 'high' };
  }
  // Two buyers may want the same thing at once, unless it has a name that nothing else has.
  return isOneOrderInParallel(evidence, task)
    ? { severity: 'high', confidence: 'likely' }
    : { severity: 'medium', confidence: 'possible' };
}
