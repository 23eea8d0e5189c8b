import type { StoredEntry } from '../../../journal/stored-entry.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import { firstExamples, formatCount } from '../../phrases.ts';
import type { Detection, FindingRule } from '../finding-rule.ts';

/** Finds clients that open a connection for each request although the last one is idle. */
export const connectionPerRequest: FindingRule = {
  id: 'connection-per-request',
  severity: 'info',
  about: 'Every request used a new connection.',
  remedy: 'Use one HTTP agent with keep-alive for the whole process.',
  find: findUnusedConnections,
};

/** A short script has nothing to keep alive. */
const minRequests = 20;

/** Clients close idle connections after a few seconds: Node's agent after 5 s, undici after 4 s. */
const minIdleTimeoutMs = 2_000;

function* findUnusedConnections({ entries }: Evidence): Generator<Detection> {
  const onNewConnections: StoredEntry[] = [];
  let last: StoredEntry | undefined;
  for (const entry of entries) {
    if (entry.reusedConnection === true) return;
    if (entry.reusedConnection === undefined) continue;
    if (last !== undefined && couldReuse(last, entry)) onNewConnections.push(entry);
    last = entry;
  }
  if (onNewConnections.length < minRequests) return;
  yield {
    what: `${formatCount(onNewConnections.length, 'request')} opened a new connection while the previous one was idle.`,
    evidence: firstExamples(onNewConnections),
  };
}

/** Whether the connection of the last exchange was still open and idle. */
function couldReuse(last: StoredEntry, entry: StoredEntry): boolean {
  return (
    last.overAtSeq !== 0 &&
    last.overAtSeq <= entry.seq &&
    last.delivery.state === 'delivered' &&
    last.status !== 413 &&
    entry.openedRealMs - last.closedRealMs <= minIdleTimeoutMs
  );
}
