import type { FindingRule, Detection } from '../finding-rule.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import { byOperation, areAlike } from './retry-waits.ts';
import { formatDuration, firstExamples } from '../../phrases.ts';

/** Every first retry came after the same pause. */
export const retryNoJitter: FindingRule = {
  id: 'retry-no-jitter',
  severity: 'low',
  about: 'Every first retry came after the same pause.',
  remedy: 'Draw each pause at random between nothing and its full length.',
  find: evenRetries,
};

/** As few purchases as can show it. */
const fewestRuns = 4;

function* evenRetries(evidence: Evidence): Generator<Detection> {
  for (const [operation, runs] of byOperation(evidence)) {
    const firsts = runs.flatMap(({ attempts: [one, two], waits: [wait] }) =>
      wait?.isOwn === true && one !== undefined && two !== undefined ? [{ wait, one, two }] : [],
    );
    if (firsts.length < fewestRuns || !areAlike(firsts.map(({ wait }) => wait))) continue;
    yield {
      what: `The first retry of ${operation} came after ${formatDuration(firsts[0]?.wait.ms ?? 0)} in all ${firsts.length} cases.`,
      evidence: firstExamples(firsts.flatMap(({ one, two }) => [one, two])),
      confidence: 'likely',
    };
  }
}
