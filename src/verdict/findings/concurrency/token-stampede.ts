import type { StoredEntry } from '../../../journal/stored-entry.ts';
import { isAnswerReceived } from '../../client-knowledge/disclosure.ts';
import { mayBeOfProcesses } from '../../client-knowledge/processes.ts';
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
  const requests = evidence.of('token.create');
  const received = largestGroup(requests.filter(isAnswerReceived));
  const isServed = received.length > commonCount;
  const group = isServed ? received : largestGroup(requests);
  if (group.length < commonCount) return;
  yield {
    what: `${group.length} tokens were requested at the same time.`,
    evidence: firstExamples(group),
    // Processes that start together need one token each, and each goes on with its own. Without a token none can.
    ...((!isServed || mayBeOfProcesses(evidence, received)) && { severity: 'low' }),
    confidence: 'possible',
  };
}

/** Two processes often start together, so two tokens at once are a remark. */
const commonCount = 2;

/** The largest number of requests that were open at the same time. */
function largestGroup(requests: readonly StoredEntry[]): readonly StoredEntry[] {
  let largest: StoredEntry[] = [];
  const open = new OpenRequests();
  for (const entry of requests) {
    const others = open.openAt(entry);
    if (others.length >= largest.length) largest = [...others, entry];
    open.add(entry);
  }
  return largest;
}
