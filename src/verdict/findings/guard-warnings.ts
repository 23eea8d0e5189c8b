/** Makes detections from the warnings of the guard against real cards and live credentials. */
import type { WarningKind } from '../../journal/entry.ts';
import type { Evidence } from '../evidence/evidence.ts';
import { groupBy } from '../evidence/group-by.ts';
import { firstExamples, formatCount } from '../phrases.ts';
import type { Detection } from './finding-rule.ts';

/** One detection for each operation whose requests the guard warned about. */
export function* findWarnings(
  { remarkable }: Evidence,
  kind: WarningKind,
  sentWords: string,
): Generator<Detection> {
  const warned = remarkable.filter(({ warnings }) =>
    warnings.some((warning) => warning.kind === kind),
  );
  for (const [operation, entries] of groupBy(warned, (entry) => entry.operation)) {
    const requests = formatCount(
      entries.length,
      operation === undefined ? 'request' : `${operation} request`,
    );
    yield {
      what: `${requests} contained ${sentWords}.`,
      evidence: firstExamples(entries),
      // Made-up numbers and credentials can look real.
      confidence: 'likely',
    };
  }
}
