import type { Evidence } from '../../evidence/evidence.ts';
import { firstExamples, formatDuration } from '../../phrases.ts';
import type { Detection, FindingRule } from '../finding-rule.ts';
import { areEqual, groupByOperation } from './retry-waits.ts';

/** Finds clients whose first retries all come after the same wait, so that many clients retry at once. */
export const retryNoJitter: FindingRule = {
  id: 'retry-no-jitter',
  severity: 'low',
  about: 'Every first retry came after the same wait.',
  remedy: 'Choose each wait at random between zero and its full length.',
  find: findEqualWaits,
};

/** Equal waits before fewer first retries may be chance. */
const minRuns = 4;

function* findEqualWaits(evidence: Evidence): Generator<Detection> {
  for (const [operation, runs] of groupByOperation(evidence)) {
    const firsts = runs.flatMap(({ attempts: [first, retry], waits: [wait] }) =>
      wait?.isOwn === true && first !== undefined && retry !== undefined
        ? [{ wait, first, retry }]
        : [],
    );
    if (firsts.length < minRuns || !areEqual(firsts.map(({ wait }) => wait))) continue;
    yield {
      what: `The first retry of ${operation} came after ${formatDuration(firsts[0]?.wait.ms ?? 0)} in all ${firsts.length} cases.`,
      evidence: firstExamples(firsts.flatMap(({ first, retry }) => [first, retry])),
      confidence: 'likely',
    };
  }
}
