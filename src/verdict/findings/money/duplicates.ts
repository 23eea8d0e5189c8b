import type { StoredEntry } from '../../../journal/stored-entry.ts';
import type { Detection } from '../finding-rule.ts';
import { requestIdRetentionDays } from '../../../world/idempotency.ts';
import type { DuplicateConfidence } from '../../client-knowledge/duplicate-confidence.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import { createdIds } from '../../evidence/exchange-results.ts';

/** Whoever sent the same id again did what there is to do, but for looking. */
export function remedyFor([first, second]: readonly StoredEntry[]): Pick<Detection, 'remedy'> {
  const id = first?.requestId;
  if (id === undefined || second === undefined || second.requestId !== id) return {};
  return {
    remedy: `The service forgets a PayPal-Request-Id after ${requestIdRetentionDays} days: look up what came of a request before it is repeated later than that.`,
  };
}

/** A single request does its work once, unless it was forced to do it twice. */
export function mayBeDoneTwice(attempts: readonly StoredEntry[]): boolean {
  return attempts.length > 1 || attempts[0]?.twin !== undefined;
}

export const weights: Readonly<
  Record<DuplicateConfidence, Pick<Detection, 'severity' | 'confidence'>>
> = {
  certain: {},
  'near-certain': { confidence: 'likely' },
  likely: { severity: 'high', confidence: 'likely' },
  // Without a name for it, and with every answer understood, somebody may have meant it twice.
  possible: { severity: 'medium', confidence: 'possible' },
};

/** Ids of the refunds that it made. One that failed gave nothing back, and may be made again. */
export function refundsBy({ records }: Evidence, entry: StoredEntry): string[] {
  return createdIds(entry).filter((id) => records.refunds.get(id)?.settlement !== 'failed');
}
