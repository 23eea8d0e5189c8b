import { isDeepStrictEqual } from 'node:util';
import { serviceProblems } from '../../../contract/problems.ts';
import { dayMs } from '../../../domain/calendar.ts';
import type { StoredEntry } from '../../../journal/stored-entry.ts';
import { hideCardNumbers } from '../../../redaction/hide-card-numbers.ts';
import { redactText } from '../../../redaction/redact.ts';
import { memoize } from '../../../shared/memoize.ts';
import { memberAlong, stepsOf } from '../../../shared/unknown-value.ts';
import { requestIdRetentionDays } from '../../../world/idempotency.ts';
import { isReadBefore } from '../../client-knowledge/reads/reads-by-id.ts';
import { hasSameKey, idempotencyKeyOf } from '../../client-knowledge/idempotency-keys.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import { hasUnknownOutcome } from '../../evidence/exchange-results.ts';
import { withoutAttempt, withoutRun, withoutTimes } from '../../evidence/orders/attempt-marks.ts';
import { isMonthOfPlanInRun, orderNamesIn } from '../../evidence/orders/order-names.ts';
import { groupBy, groupRepeats } from '../../evidence/group-by.ts';
import { bySeq, gapMs, indexAfter, sentAtMsOf } from '../../evidence/exchange-order.ts';
import { recordIdIn } from '../../evidence/journal-index.ts';
import {
  intentOfAttempt,
  recordContentOf,
  paymentContentOf,
} from '../../evidence/request-content.ts';
import { amountOf, copyAndAmountOf, detailsOf, payerOf } from '../../evidence/request-fields.ts';
import { firstExamples, formatNumber, listWords } from '../../phrases.ts';
import type { Detection, FindingRule } from '../finding-rule.ts';
import { differingPaths } from '../json-leaves.ts';

/** Finds request ids that a client sent with two different bodies while the service still remembered the first. */
export const keyReusedForOtherIntent: FindingRule = {
  id: 'key-reused-for-other-intent',
  severity: 'high',
  about: 'One PayPal-Request-Id was sent with two different requests.',
  remedy: 'Create a new PayPal-Request-Id for each payment, refund and card.',
  find: findReusedKeys,
};

function* findReusedKeys(evidence: Evidence): Generator<Detection> {
  const answers = new Answers(evidence);
  for (const reuse of reusesOfKeys(evidence)) {
    const [holder, ...others] = reuse;
    const [first] = others;
    if (holder === undefined || first === undefined) continue;
    const count = new Set(reuse.map(({ request }) => request)).size;
    const isSame =
      isForTheSame(evidence, holder, first) && !isOtherPurchase(evidence, holder, first);
    const { uses, why, remedy } = isSame
      ? describeChangedBody(holder.operation, count)
      : describeOtherRequest(holder, count);
    const end = describeHarmlessEnd(evidence, holder, others, answers);
    yield {
      what: () =>
        [
          `The PayPal-Request-Id ${hideCardNumbers(redactText(holder.requestId ?? ''))} was sent with ${uses}`,
          describeDifferences(evidence, holder, others),
          why,
          end,
        ]
          .filter((text) => text !== undefined)
          .join(' '),
      remedy,
      ...(end !== undefined && { remedy: newIdForNewBody, severity: 'low' }),
      evidence: firstExamples(reuse),
    };
  }
}

/** For each key that was sent with another body: the request that used up its id, and the others, oldest first. */
function reusesOfKeys(evidence: Evidence): Iterable<readonly StoredEntry[]> {
  const holders = new Map<string, StoredEntry>();
  const reuses = new Map<string, StoredEntry[]>();
  const keyed = evidence.keyed.filter(
    ({ operation, method }) => method === 'POST' && operation !== undefined,
  );
  const shared = groupRepeats(keyed, 2, ({ requestId }) => requestId);
  for (const entry of [...shared.values()].flat().toSorted(bySeq)) {
    const name = idempotencyKeyOf(entry);
    const holder = holders.get(name);
    if (holder === undefined) {
      // A refused request does not use up its id.
      const usesId = entry.committed || hasUnknownOutcome(entry);
      if (usesId) holders.set(name, entry);
      continue;
    }
    if (!isOtherRequest(evidence, holder, entry)) continue;
    const reuse = reuses.get(name);
    if (reuse === undefined) reuses.set(name, [holder, entry]);
    else reuse.push(entry);
  }
  return reuses.values();
}

const newIdForNewBody =
  'Create a new PayPal-Request-Id as soon as the body changes, for example when the buyer takes another card. Keep an id for retries with the same body.';

/**
 * Says why no harm was done, if the service refused each other body and the client then found out what was true.
 */
function describeHarmlessEnd(
  evidence: Evidence,
  holder: StoredEntry,
  others: readonly StoredEntry[],
  answers: Answers,
): string | undefined {
  if (!others.every(isRefusedForItsId)) return undefined;
  const hasFailed = evidence.chargesFrom(holder).some(({ state }) => state === 'denied');
  const bodies = groupBy(others, (entry) => bodyKeyOf(evidence, entry, hasFailed));
  let isSentAgain = false;
  for (const [refused] of bodies.values()) {
    if (refused === undefined) continue;
    const answer = answers.find(refused, hasFailed);
    if (!isOutcomeKnownBefore(evidence, holder, answer)) return undefined;
    if (answer !== undefined) {
      answers.take(answer);
      isSentAgain = true;
    } else if (hasFailed || !hasSameContent(evidence, holder, refused)) return undefined;
  }
  const why = isSentAgain
    ? 'The client then sent it with a new id and received an answer'
    : 'The first request had done what both ask for';
  return `The service refused the other body. ${why}, so no harm was done.`;
}

/** Whether the service itself refused a request because its id belongs to another body. */
function isRefusedForItsId({ problem, outcomes }: StoredEntry): boolean {
  return problem === serviceProblems['request-id-reused'].name && outcomes.length === 0;
}

/**
 * What a request asks for, as a key.
 *
 * @param isAnyCard Whether a buyer whose card was declined may take any other card for the same purchase.
 */
function bodyKeyOf(evidence: Evidence, entry: StoredEntry, isAnyCard: boolean): string {
  if (entry.operation !== 'payment.create') {
    return JSON.stringify([entry.operation, recordIdIn(entry), entry.request, entry.cardMark]);
  }
  const content = isAnyCard
    ? [amountOf(evidence, entry), detailsOf(evidence, entry), payerOf(evidence, entry)]
    : paymentContentOf(evidence, entry, copyAndAmountOf);
  return JSON.stringify([intentOfAttempt(evidence, entry), content]);
}

/** The requests with a definite answer. One answer belongs to one refused body. */
class Answers {
  readonly #evidence: Evidence;
  #lists: readonly AnswersByBody[] | undefined;

  constructor(evidence: Evidence) {
    this.#evidence = evidence;
  }

  /** The first answer to a later request for the same with another id, unless it was taken. */
  find(refused: StoredEntry, isAnyCard: boolean): StoredEntry | undefined {
    const lists = (this.#lists ??= this.#group());
    const list = lists.find((each) => each.isAnyCard === isAnyCard)?.byBody;
    const answers = list?.get(bodyKeyOf(this.#evidence, refused, isAnyCard)) ?? [];
    for (let at = indexAfter(answers, refused.seq); at < answers.length; at++) {
      const answer = answers[at];
      if (answer !== undefined && !hasSameKey(answer, refused)) return answer;
    }
    return undefined;
  }

  take(answer: StoredEntry): void {
    for (const { isAnyCard, byBody } of this.#lists ?? []) {
      const answers = byBody.get(bodyKeyOf(this.#evidence, answer, isAnyCard)) ?? [];
      answers.splice(indexAfter(answers, answer.seq - 1), 1);
    }
  }

  #group(): AnswersByBody[] {
    const answered = this.#evidence.entries.filter(
      (entry) => entry.method === 'POST' && isDefinite(entry),
    );
    return [false, true].map((isAnyCard) => ({
      isAnyCard,
      byBody: groupBy(answered, (entry) => bodyKeyOf(this.#evidence, entry, isAnyCard)),
    }));
  }
}

/** Answered requests by what they ask for, each list oldest first. */
interface AnswersByBody {
  readonly isAnyCard: boolean;
  readonly byBody: ReadonlyMap<string, StoredEntry[]>;
}

/** Whether an answer says what becomes of a request. A refusal of its token, its pace or its id says nothing about it. */
function isDefinite(entry: StoredEntry): boolean {
  const { concludes, status } = entry;
  return (
    concludes === 'OK' || (concludes === 'FAIL' && status === 400 && !isRefusedForItsId(entry))
  );
}

/** The first replay of a success that arrived, by idempotency key. */
const firstReplays = memoize(
  (evidence: Evidence): ReadonlyMap<string, StoredEntry> =>
    new Map(
      evidence.keyed
        .filter(({ replayed, concludes }) => replayed && concludes === 'OK')
        .map((entry): [string, StoredEntry] => [idempotencyKeyOf(entry), entry])
        .toReversed(),
    ),
);

/** Whether the client had learned of a success before it sent `next`: by the answer, a replay of it, or a read. */
function isOutcomeKnownBefore(
  evidence: Evidence,
  holder: StoredEntry,
  next: StoredEntry | undefined,
): boolean {
  if (holder.concludes === 'OK') return true;
  const replay = firstReplays(evidence).get(idempotencyKeyOf(holder));
  if (replay !== undefined && replay.seq < (next?.seq ?? Infinity)) return true;
  return next !== undefined && isReadBefore(evidence, holder, next);
}

/** Whether two bodies ask for the same in every respect that counts. */
function hasSameContent(evidence: Evidence, holder: StoredEntry, entry: StoredEntry): boolean {
  return (
    isForTheSame(evidence, holder, entry) &&
    paymentContentOf(evidence, holder, copyAndAmountOf) ===
      paymentContentOf(evidence, entry, copyAndAmountOf)
  );
}

/** Whether the second request differs from the first. The order of JSON keys makes no difference. */
function isOtherRequest(evidence: Evidence, holder: StoredEntry, entry: StoredEntry): boolean {
  if (gapMs(holder, entry) >= requestIdRetentionDays * dayMs) return false;
  const invoice = invoiceOf(evidence, holder);
  // One invoice with another amount is the same purchase: `amount-drift` reports it.
  if (invoice !== undefined && invoice === invoiceOf(evidence, entry)) return false;
  // The service compares full bodies; the journal hides card data.
  if (isRefusedForItsId(entry)) return true;
  if (holder.request === entry.request) return false;
  const [held, sent] = [evidence.bodyOf(holder), evidence.bodyOf(entry)];
  return held !== undefined && sent !== undefined && !isDeepStrictEqual(held, sent);
}

/** Whether two different bodies mean the same purchase, refund or capture. */
function isForTheSame(evidence: Evidence, holder: StoredEntry, entry: StoredEntry): boolean {
  if (entry.operation !== 'payment.create') {
    return (
      recordIdIn(entry) !== undefined &&
      recordContentOf(evidence, holder) === recordContentOf(evidence, entry)
    );
  }
  return (
    (holder.intent === entry.intent || areForOneMonth(evidence, holder, entry)) &&
    copyAndAmountOf(evidence, holder) === copyAndAmountOf(evidence, entry)
  );
}

/** Whether two requests name one month of a plan, in two runs of a job that names each run. */
function areForOneMonth(evidence: Evidence, holder: StoredEntry, entry: StoredEntry): boolean {
  const both = [holder, entry];
  const names = both.map((one) =>
    withoutRun(orderNamesIn(evidence, one).custom ?? '', sentAtMsOf(one)),
  );
  return names[0] === names[1] && both.every((one) => isMonthOfPlanInRun(evidence, one));
}

/**
 * Whether the client pays for something else: it knew the result of the first request, and says other things about the second.
 * A time, or a number of the attempt, says nothing else.
 */
function isOtherPurchase(evidence: Evidence, holder: StoredEntry, entry: StoredEntry): boolean {
  if (entry.operation !== 'payment.create') return false;
  const [held, sent] = [holder, entry].map((one) =>
    withoutAttempt(withoutTimes(detailsOf(evidence, one))),
  );
  return held !== sent && isOutcomeKnownBefore(evidence, holder, entry);
}

/** Names the fields in which other bodies differ from the first, as a sentence. The journal hides those of raw cards. */
function describeDifferences(
  evidence: Evidence,
  holder: StoredEntry,
  others: readonly StoredEntry[],
): string | undefined {
  const held = evidence.bodyOf(holder);
  const paths = new Set(others.flatMap((other) => differingPaths(held, evidence.bodyOf(other))));
  return paths.size === 0 ? undefined : `They differ in ${listWords(paths)}.`;
}

/** How an id was used, why that is wrong, and what to do instead. */
interface Words {
  readonly uses: string;
  readonly why?: string;
  readonly remedy?: string;
}

/** @param count How many different texts the journal shows. It hides card numbers, so that two may look the same. */
function describeOtherRequest(holder: StoredEntry, count: number): Words {
  return {
    uses: `${formatNumber(Math.max(2, count))} different ${holder.operation ?? ''} requests.`,
    // With a new id, the second body could do the same work twice.
    ...(hasUnknownOutcome(holder) && {
      remedy:
        'First find out what became of the request whose answer was lost: retry it with its own body and PayPal-Request-Id, or look it up. Then send the other body with a new id.',
    }),
  };
}

function describeChangedBody(operation = '', count: number): Words {
  return {
    uses: `${formatNumber(Math.max(2, count))} ${operation} bodies that ask for the same thing.`,
    why: 'The service accepts a retry only with an unchanged body.',
    // A new id is no remedy here: it could do the same work twice.
    remedy:
      'Store the body together with its PayPal-Request-Id and send both unchanged with every retry, or look up the result of the first request.',
  };
}

const toInvoice = stepsOf('transactions[0].invoice_number');

function invoiceOf(evidence: Evidence, entry: StoredEntry): unknown {
  return memberAlong(evidence.requestFieldsOf(entry), toInvoice);
}
