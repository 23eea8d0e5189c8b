/** When an authorization was captured, and whether the captures took more than was authorized. */
import type { OperationName } from '../../contract/service/operation-name.ts';
import type { StoredEntry } from '../../journal/stored-entry.ts';
import { memoize } from '../../shared/memoize.ts';
import { gapMs } from './exchange-order.ts';
import { createdIds } from './exchange-results.ts';
import type { JournalIndex } from './journal-index.ts';

/** Whether a capture and those before it took more than was authorized. The service allows a little more. */
export function isCaptureBeyondAmount(journal: JournalIndex, entry: StoredEntry): boolean {
  return capturesBeyondAmount(journal).has(entry);
}

const capturesBeyondAmount = memoize((journal: JournalIndex): ReadonlySet<StoredEntry> => {
  const { captures, authorizations } = journal.records;
  const takenMinor = new Map<string, number>();
  const beyond = new Set<StoredEntry>();
  for (const entry of journal.of('auth.capture')) {
    for (const captureId of createdIds(entry)) {
      const capture = captures.get(captureId);
      const authorization = authorizations.get(capture?.authorizationId ?? '');
      if (capture === undefined || authorization === undefined) continue;
      const minor = (takenMinor.get(authorization.id) ?? 0) + capture.amount.minor;
      takenMinor.set(authorization.id, minor);
      if (minor > authorization.amount.minor) beyond.add(entry);
    }
  }
  return beyond;
});

const capturing: ReadonlySet<OperationName> = new Set(['auth.capture']);

/** The requests to capture an authorization, oldest first. */
export function capturesOf(journal: JournalIndex, authorizationId: string): readonly StoredEntry[] {
  return journal.about(authorizationId, capturing);
}

/** The requests to capture what a request authorized, oldest first. */
export function capturesOfRequest(
  journal: JournalIndex,
  request: StoredEntry,
): readonly StoredEntry[] {
  return createdIds(request).flatMap((id) =>
    capturesOf(journal, journal.records.payments.get(id)?.related.first?.id ?? ''),
  );
}

/** Whether the client asked to capture what a request authorized before it sent `next`. */
export function isCaptureSentBefore(
  journal: JournalIndex,
  request: StoredEntry,
  { seq }: StoredEntry,
): boolean {
  return capturesOfRequest(journal, request).some((capture) => capture.seq < seq);
}

/** Whether a request authorized money, for days or weeks, that was captured after `other` was sent. */
export function isCapturedAfter(
  journal: JournalIndex,
  request: StoredEntry,
  { seq }: StoredEntry,
): boolean {
  return capturesOfRequest(journal, request).some(
    (capture) => capture.committed && capture.seq > seq,
  );
}

/**
 * Whether the money of `other` was captured later than this after the money of `request`: each hold is for a part of its own,
 * such as a week of a stay.
 */
export function isCapturedLaterBy(
  journal: JournalIndex,
  apartMs: number,
  request: StoredEntry,
  other: StoredEntry,
): boolean {
  const [first, next] = [request, other].map((entry) =>
    capturesOfRequest(journal, entry).find(({ committed }) => committed),
  );
  return first !== undefined && next !== undefined && gapMs(first, next) > apartMs;
}
