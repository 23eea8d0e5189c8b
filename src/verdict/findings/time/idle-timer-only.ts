import type { FindingRule, Detection } from '../finding-rule.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import { operationNames } from '../../../contract/service/operations.ts';
import { hasFault } from '../../evidence/exchange-results.ts';
import { openForMs } from '../../evidence/exchange-order.ts';
import { formatDuration } from '../../phrases.ts';

/** A client leaves when nothing comes, and stays as long as a little comes now and then. */
export const idleTimerOnly: FindingRule = {
  id: 'idle-timer-only',
  severity: 'medium',
  about: 'A client leaves when nothing comes, and stays as long as a little comes now and then.',
  remedy: 'Set a deadline for the whole call beside the idle timer, such as AbortSignal.timeout.',
  find: idleTimers,
};

/** What a total deadline allows for a slow answer at most, in lengths of the wait that it ended. */
const beyondDeadline = 3;

/** Shorter ones are those of tests, whose timers may be played. */
const shortestTimerMs = 500;

function* idleTimers(evidence: Evidence): Generator<Detection> {
  for (const operation of operationNames) {
    const entries = evidence.forced.filter((one) => one.operation === operation);
    const hung = entries.filter((one) => one.delivery.clientLeft && hasFault(one, 'hang'));
    const [first] = hung;
    if (first === undefined) continue;
    const longest = hung.reduce(
      (most, one) => (openForMs(one) > openForMs(most) ? one : most),
      first,
    );
    const dribbled = entries.filter((one) => hasFault(one, 'slow-dribble'));
    const satThrough = dribbled.find(
      (one) =>
        one.delivery.state === 'delivered' && openForMs(one) > beyondDeadline * openForMs(longest),
    );
    if (satThrough === undefined || openForMs(longest) < shortestTimerMs) continue;
    if (dribbled.some(({ delivery }) => delivery.clientLeft)) continue;
    yield {
      what: `A hanging ${operation} was left after ${formatDuration(openForMs(longest))}, and an answer that dripped was waited for ${formatDuration(openForMs(satThrough))}.`,
      evidence: [longest, satThrough].toSorted((a, b) => a.seq - b.seq),
      confidence: 'possible',
    };
  }
}
