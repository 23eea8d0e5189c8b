/** Reports an order that was paid by two different payments, if the merchant keeps the money of both. */
import type { StoredEntry } from '../../../../journal/stored-entry.ts';
import type { DuplicateConfidence } from '../../../client-knowledge/duplicate-confidence.ts';
import type { Evidence } from '../../../evidence/evidence.ts';
import { capitalize, describePurchase, listAmounts } from '../../../phrases.ts';
import type { Charge } from '../../../purchases/charge.ts';
import type { Detection } from '../../finding-rule.ts';
import { weights } from '../duplicates.ts';
import { amountsOf } from './describe-charges.ts';
import { keptTwice } from './kept-money.ts';

/** What to say about two payments for one order. */
interface PairReport {
  /** The exchanges that show it, oldest first. */
  readonly evidence: readonly StoredEntry[];
  /** Names the order. Default: the purchase of the first payment. */
  readonly name?: string;
  /** Default: `charged twice`. */
  readonly done?: string;
  /** Why both payments count as one, in sentences. */
  readonly why: () => string;
  readonly remedy: string;
  /** Default: `likely`. */
  readonly sureness?: DuplicateConfidence;
  /** The charges of the first payment that count. Default: all that its request led to. */
  readonly firstCharges?: readonly Charge[];
}

/** Reports two payments for one order. It reports nothing if the money of one of them was returned. */
export function reportPair(
  evidence: Evidence,
  first: StoredEntry,
  again: StoredEntry,
  report: PairReport,
): Detection[] {
  const { firstCharges = evidence.chargesFrom(first), sureness = 'likely' } = report;
  const purchase = evidence.purchaseLookup.byRequest(first);
  const charges = keptTwice(firstCharges, evidence.chargesFrom(again));
  if (purchase === undefined || charges === undefined) return [];
  const { name = capitalize(describePurchase(purchase)), done = 'charged twice' } = report;
  return [
    {
      what: () => `${name} was ${done}: ${listAmounts(amountsOf(charges))}. ${report.why()}`,
      evidence: report.evidence,
      purchase,
      ...weights[sureness],
      remedy: report.remedy,
      paidTwice: [charges],
    },
  ];
}
