import type { StoredEntry } from '../../../journal/stored-entry.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import type { Detection, FindingRule } from '../finding-rule.ts';
import {
  findChangedOrders,
  findOrdersInTwoCurrencies,
  findRenamedInvoices,
  findRenamedOrders,
  findRepricedOrders,
  findRewordedOrders,
} from './double-charge/changed-orders.ts';
import { findChargedAndAuthorized } from './double-charge/both-ways.ts';
import { findPaidInPlaceOfCapture } from './double-charge/lost-captures.ts';
import { findOrdersInOtherWords } from './double-charge/other-words.ts';
import { findDriftedCaptures, findRepeatedCaptures } from './double-charge/repeated-captures.ts';
import { findRepeatedHolds } from './double-charge/repeated-holds.ts';
import { findRepeatedPayments } from './double-charge/repeated-payments.ts';
import { findRepeatedCaptureRuns, findRepeatedPaymentRuns } from './double-charge/repeated-runs.ts';
import { oneIdPerOrder } from './duplicate-advice.ts';

/** Finds purchases for which the merchant keeps the money of more than one charge. */
export const doubleCharge: FindingRule = {
  id: 'double-charge',
  severity: 'critical',
  about:
    'One purchase was charged or put on hold more than once, and the extra money was not returned.',
  remedy: oneIdPerOrder,
  find: findDoubleCharges,
};

function* findDoubleCharges(evidence: Evidence): Generator<Detection> {
  yield* findRepeatedPaymentRuns(evidence);
  yield* findRepeatedCaptureRuns(evidence);
  yield* findRepeatedPayments(evidence);
  yield* findRepeatedHolds(evidence);
  yield* findChangedOrders(evidence);
  yield* findPaidInPlaceOfCapture(evidence);
  yield* findChargedAndAuthorized(evidence);
  const renamed = findRenamedInvoices(evidence);
  const changed = [
    ...renamed,
    ...findRenamedOrders(evidence, entriesOf(renamed)),
    ...findRepricedOrders(evidence),
  ];
  const reworded = findRewordedOrders(evidence, entriesOf(changed));
  yield* changed;
  yield* reworded;
  // The next two would report some of these orders again.
  const reported = entriesOf([...changed, ...reworded]);
  yield* findOrdersInTwoCurrencies(evidence, reported);
  yield* findOrdersInOtherWords(evidence, reported);
  yield* findRepeatedCaptures(evidence);
  yield* findDriftedCaptures(evidence);
}

function entriesOf(detections: readonly Detection[]): ReadonlySet<StoredEntry> {
  return new Set(detections.flatMap(({ evidence }) => evidence));
}
