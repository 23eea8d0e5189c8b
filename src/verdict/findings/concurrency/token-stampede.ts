import type { StoredEntry } from '../../../journal/stored-entry.ts';
import { countKeptTokens } from '../../client-knowledge/processes.ts';
import { OpenRequests } from '../../client-knowledge/parallel/open-requests.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import { firstExamples } from '../../phrases.ts';
import type { Detection, FindingRule } from '../finding-rule.ts';

/** Finds clients that request several tokens at the same time. */
export const tokenStampede: FindingRule = {
  id: 'token-stampede',
  severity: 'medium',
  about: 'Several tokens were requested at the same time.',
  remedy: 'Let one request fetch the token, and let all others wait for it.',
  find: findStampedes,
};

function* findStampedes(evidence: Evidence): Generator<Detection> {
  let largest: StoredEntry[] = [];
  const open = new OpenRequests();
  for (const entry of evidence.of('token.create')) {
    const others = open.openAt(entry);
    if (others.length >= largest.length) largest = [...others, entry];
    open.add(entry);
  }
  if (largest.length < 2) return;
  yield {
    what: `${largest.length} tokens were requested at the same time.`,
    evidence: firstExamples(largest),
    // Processes that start together need one token each. Two of them are common, and each goes on with its own.
    ...((largest.length === 2 || countKeptTokens(evidence, largest) + 1 >= largest.length) && {
      severity: 'low',
    }),
    confidence: 'possible',
  };
}
