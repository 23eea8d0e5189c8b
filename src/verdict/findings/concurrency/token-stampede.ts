import type { FindingRule, Detection } from '../finding-rule.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import type { StoredEntry } from '../../../journal/stored-entry.ts';
import { OpenRequests } from '../../client-knowledge/overlap.ts';
import { firstExamples } from '../../phrases.ts';

/** Several tokens were asked for at once. */
export const tokenStampede: FindingRule = {
  id: 'token-stampede',
  severity: 'medium',
  about: 'Several tokens were asked for at once.',
  remedy: 'Let one request fetch the token, and all others wait for it.',
  find: stampedes,
};

function* stampedes(evidence: Evidence): Generator<Detection> {
  let most: StoredEntry[] = [];
  const open = new OpenRequests();
  for (const entry of evidence.of('token.create')) {
    const others = open.openAt(entry);
    if (others.length >= most.length) most = [...others, entry];
    open.add(entry);
  }
  if (most.length < 2) return;
  yield {
    what: `${most.length} tokens were asked for at once.`,
    evidence: firstExamples(most),
    // Two processes that start together ask for one token each.
    ...(most.length === 2 ? { severity: 'low', confidence: 'possible' } : { confidence: 'likely' }),
  };
}
