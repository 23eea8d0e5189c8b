/** Jobs that ran twice: several payments or captures that were made again as a group. */
import type { StoredEntry } from '../../../../journal/stored-entry.ts';
import { hideCardNumbers } from '../../../../redaction/hide-card-numbers.ts';
import { redactText } from '../../../../redaction/redact.ts';
import type { Evidence } from '../../../evidence/evidence.ts';
import { gapMs } from '../../../evidence/exchange-order.ts';
import { isStillOpen } from '../../../evidence/holds.ts';
import { isMonthOfPlanInRun } from '../../../evidence/orders/order-names.ts';
import {
  firstExamples,
  formatCount,
  formatDuration,
  formatMoney,
  listWords,
} from '../../../phrases.ts';
import {
  findRepeatedCaptureBatches,
  findRepeatedPaymentBatches,
} from '../../../purchases/repeated-batch.ts';
import { mayBeOfBuyers, type Pair, type RepeatedBatch } from '../../../purchases/group-batches.ts';
import type { Detection } from '../../finding-rule.ts';
import { adviseOnSecondRun, nameNoRun } from '../duplicate-advice.ts';
import { weights } from '../duplicates.ts';
import { describeJob } from '../explain-duplicate.ts';
import { moneyOfBoth, takenOf, type HeldMoney } from './held-money.ts';
import { isKeptTwice, keptTwice } from './kept-money.ts';

/** Several orders that were paid again as a group, as by a billing job that ran twice. */
export function* findRepeatedPaymentRuns(evidence: Evidence): Generator<Detection> {
  for (const batch of findRepeatedPaymentBatches(evidence)) {
    const held = batch.flatMap(({ first, again, name }): PaidAgain[] => {
      const money = moneyOfBoth(evidence, first, again);
      return isKeptTwice(money.map(takenOf)) ? [{ first, again, name, money }] : [];
    });
    const [begin] = held;
    if (begin === undefined) continue;
    yield {
      what: () => describePaymentRun(evidence, held, batch, gapMs(begin.first, begin.again)),
      evidence: firstExamples(firstExamples(held).flatMap(({ first, again }) => [first, again])),
      purchase: evidence.purchaseLookup.byRequest(begin.again),
      ...weights[mayBeMeant(evidence, batch) ? 'possible' : 'likely'],
      remedy: adviseOnRun(batch, begin),
      // What is on hold is not kept.
      paidTwice: held.map(({ money }) =>
        money.map(({ charges }) => charges).filter(({ length }) => length > 0),
      ),
    };
  }
}

/** An order that was paid in both runs. */
interface PaidAgain {
  readonly first: StoredEntry;
  readonly again: StoredEntry;
  readonly name: string;
  /** The money of the first payment and of the second. */
  readonly money: readonly HeldMoney[];
}

function describePaymentRun(
  evidence: Evidence,
  held: readonly PaidAgain[],
  batch: RepeatedBatch,
  laterMs: number,
): string {
  const names = listNames(held);
  const amounts = listWords(
    held.flatMap(({ money: [, kept] }) => (kept && takenOf(kept)[0]) ?? []),
    ({ amount }) => formatMoney(amount),
  );
  const failed = describeFailed(batch);
  const hasSales = held.some(({ money }) =>
    money.some(({ charges }) => charges.some(({ isCapture }) => !isCapture)),
  );
  const holds = held.flatMap(({ money }) => money.flatMap((one) => one.holds));
  const done = hasSales ? 'charged' : 'authorized';
  const taken =
    holds.length > 0
      ? `, and money ${holds.some((hold) => isStillOpen(evidence, hold)) ? 'is still on hold' : 'stayed on hold until it expired'}`
      : hasSales
        ? ''
        : ', and each authorization was captured';
  return `${formatCount(held.length, 'purchase')} (${names}) ${held.length === 1 ? 'was' : 'were'} ${done} again ${formatDuration(laterMs)} later${taken}. ${describeWhatIsAlike(batch, names)} are the same: ${amounts}. ${failed}${describeJob(failed === '' ? held.length : batch.length)}${mayBeOfBuyers(batch) ? ', or like buyers who came back' : ''}.`;
}

/**
 * Whether both runs may have been meant: buyers may have come back, or the runs do other work in one period, as each delivery
 * of a week. The period of a plan is paid once.
 */
function mayBeMeant(evidence: Evidence, batch: RepeatedBatch): boolean {
  return (
    mayBeOfBuyers(batch) ||
    batch.some(({ first, runs }) => runs !== undefined && !isMonthOfPlanInRun(evidence, first))
  );
}

function describeWhatIsAlike(batch: RepeatedBatch, names: string): string {
  if (names === withoutName) return 'Cards and amounts';
  const runs = batch.find((order) => order.runs !== undefined)?.runs;
  return runs === undefined
    ? 'Names, cards and amounts'
    : `Apart from the ${runs === '' ? 'time' : 'run of the job'}, names, cards and amounts`;
}

const recordEach =
  'Record each order of a run as paid before the next run, and derive the PayPal-Request-Id from the order and its period, so that a second run repeats it.';

const repeatFailedOnly =
  'Record each order as paid when its answer arrives, and send again only those that failed. Derive the PayPal-Request-Id from the order, so that a second request repeats the first.';

function adviseOnRun(batch: RepeatedBatch, { first, again }: Pair): string {
  const advice = batch.some(({ hasFailed }) => hasFailed)
    ? repeatFailedOnly
    : adviseOnSecondRun(recordEach, first, again);
  const remedy = batch.some(({ runs }) => runs !== undefined) ? `${advice} ${nameNoRun}` : advice;
  return mayBeOfBuyers(batch) ? `${nameEach} If a job made both: ${remedy}` : remedy;
}

const nameEach = 'If buyers came back, give each purchase a `custom` or description of its own.';

const withoutName = 'without a name';

/** Names orders in the client's own words, which may hold a card number. Their name is empty if they have none. */
function listNames(orders: readonly { readonly name: string }[]): string {
  return listWords(new Set(orders.map(({ name }) => name)), (name) =>
    name === '' ? withoutName : `"${hideCardNumbers(redactText(name))}"`,
  );
}

/** Names the orders that failed in the first run, for which a job may have run again. */
function describeFailed(batch: RepeatedBatch): string {
  const failed = batch.filter(({ hasFailed }) => hasFailed);
  if (failed.length === 0) return '';
  return `The second run also sent what had failed in the first: ${listNames(failed)}. `;
}

/** Several authorizations that were captured again as a group, as by a shipping job that ran twice. */
export function* findRepeatedCaptureRuns(evidence: Evidence): Generator<Detection> {
  for (const batch of findRepeatedCaptureBatches(evidence)) {
    const kept = batch.flatMap(({ first, again, name }) => {
      const paid = keptTwice(evidence.chargesBy(first), evidence.chargesBy(again));
      return paid === undefined ? [] : [{ first, again, name, paid }];
    });
    const [begin] = kept;
    if (begin === undefined) continue;
    yield {
      what: () => {
        const captures = kept.flatMap(({ again }) => evidence.chargesBy(again));
        const amounts = listWords(captures, ({ amount }) => formatMoney(amount));
        return `${formatCount(kept.length, 'capture')} ${kept.length === 1 ? 'was' : 'were'} made again ${formatDuration(gapMs(begin.first, begin.again))} later, for the same authorizations and amounts: ${amounts}. ${describeJob(kept.length)}.`;
      },
      evidence: firstExamples(firstExamples(kept).flatMap(({ first, again }) => [first, again])),
      purchase: evidence.purchaseLookup.byRecord(begin.name),
      ...weights.likely,
      remedy: adviseOnSecondRun(
        'Give each part of an order an invoice_number of its own, and derive the PayPal-Request-Id from it, so that a second run repeats it. Or read the authorization before you capture again.',
        begin.first,
        begin.again,
      ),
      paidTwice: kept.map(({ paid }) => paid),
    };
  }
}
