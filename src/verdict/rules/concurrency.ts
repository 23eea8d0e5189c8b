/** Findings about what a client did several times at once. */
import type { KeptEntry } from '../../journal/kept-entry.ts';
import type { Evidence } from '../evidence.ts';
import type { FindingRule, Notice } from '../finding-rule.ts';
import { twiceSeverity, type Task } from '../task.ts';
import { UnderWay } from '../under-way.ts';
import { capital, countWords, firstOf } from '../words.ts';

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

function* duplicates({ repeated }: Evidence): Generator<Notice> {
  for (const task of repeated) {
    const together = [...untied(task)];
    if (together.length === 0) continue;
    const done = together.filter(({ committed }) => committed).length;
    yield {
      what: `${capital(task.words)} was asked for by ${countWords(together.length, 'request')} at once${done > 1 ? ` and carried out by ${done} of them` : ''}.`,
      evidence: firstOf(together),
      purchase: task.purchase,
      ...weightOf(task, done),
    };
  }
}

/** Attempts under way beside another one that does not carry the same request id. */
function untied({ attempts }: Task): Set<KeptEntry> {
  const together = new Set<KeptEntry>();
  const open = new UnderWay();
  const alone = new UnderWay();
  for (const entry of attempts) {
    const { requestId } = entry;
    const isTied = (other: KeptEntry) => requestId !== undefined && other.requestId === requestId;
    open.beside(entry);
    if (open.isAnyBut(requestId)) {
      for (const other of alone.beside(entry)) if (!isTied(other)) together.add(other);
      alone.keep(isTied);
      together.add(entry);
    } else alone.add(entry);
    open.add(entry);
  }
  return together;
}

function weightOf(
  { operation, isNamed }: Task,
  done: number,
): Pick<Notice, 'severity' | 'confidence'> {
  // Two buyers may want the same thing at once: only an invoice number says that it is one purchase.
  if (!isNamed) return { severity: 'medium', confidence: 'possible' };
  const severity = twiceSeverity[operation];
  return { severity: done > 1 || severity !== 'critical' ? severity : 'high' };
}

function* stampedes(evidence: Evidence): Generator<Notice> {
  let most: KeptEntry[] = [];
  const open = new UnderWay();
  for (const entry of evidence.of('token.create')) {
    const others = open.beside(entry);
    if (others.length >= most.length) most = [...others, entry];
    open.add(entry);
  }
  if (most.length < 2) return;
  yield {
    what: `${most.length} tokens were asked for at once.`,
    evidence: firstOf(most),
    // Two processes that start together ask for one token each.
    ...(most.length === 2 ? { severity: 'low', confidence: 'possible' } : { confidence: 'likely' }),
  };
}

/** Short scripts have nothing to keep alive. */
const fewestRequests = 20;

/** Clients close idle connections after a few seconds (Node's agent 5 s, undici 4 s). */
const surelyIdleMs = 2_000;

function* newConnections({ entries }: Evidence): Generator<Notice> {
  const anew: KeptEntry[] = [];
  let last: KeptEntry | undefined;
  for (const entry of entries) {
    if (entry.reusedConnection === true) return;
    if (entry.reusedConnection === undefined) continue;
    if (last !== undefined && couldReuse(last, entry)) anew.push(entry);
    last = entry;
  }
  if (anew.length < fewestRequests) return;
  yield {
    what: `${countWords(anew.length, 'request')} came on new connections while one that had just been used stood idle.`,
    evidence: firstOf(anew),
  };
}

/** The connection of the last exchange was free, and whole. */
function couldReuse(last: KeptEntry, entry: KeptEntry): boolean {
  return (
    last.overAtSeq !== 0 &&
    last.overAtSeq <= entry.seq &&
    last.delivery.state === 'delivered' &&
    last.status !== 413 &&
    entry.openedRealMs - last.closedRealMs <= surelyIdleMs
  );
}
