/** Findings about what a client did several times at once. */
import type { StoredEntry } from '../../../journal/stored-entry.ts';
import {
  OpenRequests,
  isOneOrderInParallel,
  parallelAttempts,
} from '../../client-knowledge/overlap.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import type { FindingRule, Notice } from '../finding-rule.ts';
import { capitalize, firstExamples, formatCount } from '../../phrases.ts';
import { duplicateSeverity, type AttemptGroup } from '../../purchases/attempts.ts';

export const concurrencyRules: readonly FindingRule[] = [
  {
    id: 'concurrent-duplicates',
    severity: 'critical',
    about:
      'Two requests for one purchase were under way at once, with nothing to tie them together.',
    remedy:
      'Lock the purchase, or send one PayPal-Request-Id with both; disable the button while it is paid.',
    find: duplicates,
  },
  {
    id: 'token-stampede',
    severity: 'medium',
    about: 'Several tokens were asked for at once.',
    remedy: 'Let one request fetch the token, and all others wait for it.',
    find: stampedes,
  },
  {
    id: 'connection-per-request',
    severity: 'info',
    about: 'Every request came on a connection of its own.',
    remedy: 'Use an HTTP agent that keeps connections alive, one for the whole process.',
    find: newConnections,
  },
];

function* duplicates(evidence: Evidence): Generator<Notice> {
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
): Pick<Notice, 'severity' | 'confidence'> {
  if (task.isNamed) {
    const severity = duplicateSeverity[task.operation];
    return { severity: done > 1 || severity !== 'critical' ? severity : 'high' };
  }
  // Two buyers may want the same thing at once, unless it has a name that nothing else has.
  return isOneOrderInParallel(evidence, task)
    ? { severity: 'high', confidence: 'likely' }
    : { severity: 'medium', confidence: 'possible' };
}

function* stampedes(evidence: Evidence): Generator<Notice> {
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

/** Short scripts have nothing to keep alive. */
const fewestRequests = 20;

/** Clients close idle connections after a few seconds (Node's agent 5 s, undici 4 s). */
const surelyIdleMs = 2_000;

function* newConnections({ entries }: Evidence): Generator<Notice> {
  const anew: StoredEntry[] = [];
  let last: StoredEntry | undefined;
  for (const entry of entries) {
    if (entry.reusedConnection === true) return;
    if (entry.reusedConnection === undefined) continue;
    if (last !== undefined && couldReuse(last, entry)) anew.push(entry);
    last = entry;
  }
  if (anew.length < fewestRequests) return;
  yield {
    what: `${formatCount(anew.length, 'request')} came on new connections while one that had just been used stood idle.`,
    evidence: firstExamples(anew),
  };
}

/** The connection of the last exchange was free, and whole. */
function couldReuse(last: StoredEntry, entry: StoredEntry): boolean {
  return (
    last.overAtSeq !== 0 &&
    last.overAtSeq <= entry.seq &&
    last.delivery.state === 'delivered' &&
    last.status !== 413 &&
    entry.openedRealMs - last.closedRealMs <= surelyIdleMs
  );
}
