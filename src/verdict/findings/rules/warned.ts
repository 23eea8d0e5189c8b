/** Findings that the guard against real cards and live credentials made when the request came. */
import type { WarningKind } from '../../../journal/entry.ts';
import type { FindingRule, Notice } from '../finding-rule.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import { groupBy } from '../../evidence/group-by.ts';
import { formatCount, firstExamples } from '../../phrases.ts';

export const liveCredentialRule: FindingRule = {
  id: 'live-looking-credential',
  severity: 'critical',
  about: 'Credentials were sent that look like live ones.',
  remedy: 'Take the live credentials back, and give tests some of their own: any will do here.',
  find: (evidence) => warnedOf(evidence, 'live-looking-credential', 'live-looking credentials'),
};

export const realCardRule: FindingRule = {
  id: 'real-looking-card',
  severity: 'critical',
  about: 'A card number was sent that is on no list of test numbers.',
  remedy: 'Test with published numbers, and add numbers of your own by --allow-cards.',
  find: (evidence) => warnedOf(evidence, 'real-looking-card', 'a card number that may be real'),
};

function* warnedOf(evidence: Evidence, kind: WarningKind, what: string): Generator<Notice> {
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
