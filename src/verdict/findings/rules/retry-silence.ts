/** Findings about what a client did not do after an answer that told it nothing. */
import type { OperationName } from '../../../contract/service/operations.ts';
import type { StoredEntry } from '../../../journal/stored-entry.ts';
import { isKeyResentAfter } from '../../client-knowledge/idempotency-keys.ts';
import { ReconciliationReads } from '../../client-knowledge/reconciliation.ts';
import { findRepeatPurchases } from '../../client-knowledge/repeat-purchase.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import { hasUnknownOutcome } from '../../evidence/exchange-results.ts';
import { groupBy } from '../../evidence/group-by.ts';
import { recordIdIn } from '../../evidence/journal-index.ts';
import type { FindingRule, Notice } from '../finding-rule.ts';
import { capitalize, firstExamples, formatCount } from '../../phrases.ts';
import type { AttemptGroup } from '../../purchases/attempts.ts';

export const silenceRules: readonly FindingRule[] = [
  {
    id: 'no-read-after-unknown',
    severity: 'medium',
    about:
      'After an answer that was lost or unreadable, the client neither repeated the request nor looked.',
    remedy:
      'Repeat with the same PayPal-Request-Id or look the payment up, at once or in a nightly job.',
    needsWholeJournal: true,
    find: doubtsLeft,
  },
  {
    id: 'gives-up-at-once',
    severity: 'low',
    about: 'A read failed once in a way that passes, and was not tried again.',
    remedy: 'Try a read once more after 429, 503 or a connection that broke.',
    needsWholeJournal: true,
    find: readsGivenUp,
  },
];

function* doubtsLeft(evidence: Evidence): Generator<Notice> {
  // Whoever looked and was not answered has done what it could.
  const lookups = new ReconciliationReads(evidence, () => true);
  // Whoever pays for it with another card has asked again, and `double-charge` says so.
  const anew = new Set(
    findRepeatPurchases(evidence).flatMap(({ isOneOrder, attempts }) =>
      isOneOrder ? attempts : [],
    ),
  );
  for (const task of evidence.attemptGroups) {
    const { operation, attempts } = task;
    const doubt = doubtLeftBy(attempts);
    if (doubt === undefined || anew.has(doubt) || lookups.hasReadAfter(operation, doubt)) continue;
    // Whoever sent its id once more has asked again, be it with another body.
    if (isKeyResentAfter(evidence, doubt, doubt)) continue;
    yield leftInDoubt(doubt, task, operation === 'card.create');
  }
  for (const [id = '', attempts] of groupBy(evidence.of('auth.void'), recordIdIn)) {
    const doubt = doubtLeftBy(attempts);
    if (doubt === undefined || lookups.hasReadAfter('auth.void', doubt)) continue;
    const description = `the void of authorization ${id}`;
    yield leftInDoubt(doubt, { description, purchase: evidence.purchaseLookup.byRecord(id) }, true);
  }
}

/** What takes no money, and gives none back, is less of a loss. */
function leftInDoubt(
  doubt: StoredEntry,
  { description, purchase }: Pick<AttemptGroup, 'description' | 'purchase'>,
  isMoneyless: boolean,
): Notice {
  return {
    what: `Nobody could know whether ${description} had been carried out, and the client neither asked again nor looked.`,
    evidence: [doubt],
    purchase,
    confidence: 'likely',
    ...(isMoneyless && { severity: 'low' }),
  };
}

/** The only attempt, where it is over and told the client nothing. Repeats are judged by their request ids. */
function doubtLeftBy([only, ...others]: readonly StoredEntry[]): StoredEntry | undefined {
  if (only === undefined || others.length > 0) return undefined;
  return hasUnknownOutcome(only) && only.delivery.state !== 'open' ? only : undefined;
}

const reads: readonly OperationName[] = [
  'card.get',
  'card.list',
  'payment.get',
  'payment.list',
  'sale.get',
  'sale.refunds',
  'auth.get',
  'capture.get',
  'refund.get',
];

function* readsGivenUp(evidence: Evidence): Generator<Notice> {
  for (const name of reads) {
    const given: StoredEntry[] = [];
    if (!evidence.of(name).some(passes)) continue;
    for (const [, ofOne] of groupBy(evidence.of(name), recordIdIn)) {
      const last = ofOne.at(-1);
      const before = ofOne.at(-2);
      if (last === undefined || !passes(last) || (before !== undefined && passes(before))) continue;
      if (!isStillToWait(evidence, last)) given.push(last);
    }
    if (given.length === 0) continue;
    yield {
      what: `${capitalize(formatCount(given.length, 'read'))} (${name}) failed once in a way that passes, and ${given.length === 1 ? 'was' : 'were'} not tried again.`,
      evidence: firstExamples(given.toSorted((a, b) => a.seq - b.seq)),
      // A page that shows the error and lets the buyer try again does nothing wrong.
      confidence: 'possible',
    };
  }
}

function passes({ status, delivery }: StoredEntry): boolean {
  if (delivery.state === 'delivered') return status === 429 || status === 503;
  return delivery.state === 'lost' && !delivery.clientLeft;
}

function isStillToWait({ atMs }: Evidence, { retryAfter, atMs: answeredMs }: StoredEntry): boolean {
  if (retryAfter === undefined) return false;
  const untilMs = /^\d+$/.test(retryAfter)
    ? answeredMs + Number(retryAfter) * 1000
    : Date.parse(retryAfter);
  return atMs < untilMs;
}
