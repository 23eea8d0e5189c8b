import type { FindingRule, Detection } from '../finding-rule.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import type { StoredEntry } from '../../../journal/stored-entry.ts';
import { formatCount, firstExamples } from '../../phrases.ts';

/** Every request came on a connection of its own. */
export const connectionPerRequest: FindingRule = {
  id: 'connection-per-request',
  severity: 'info',
  about: 'Every request came on a connection of its own.',
  remedy: 'Use an HTTP agent that keeps connections alive, one for the whole process.',
  find: newConnections,
};

/** Short scripts have nothing to keep alive. */
const fewestRequests = 20;

/** Clients close idle connections after a few seconds (Node's agent 5 s, undici 4 s). */
const surelyIdleMs = 2_000;

function* newConnections({ entries }: Evidence): Generator<Detection> {
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
