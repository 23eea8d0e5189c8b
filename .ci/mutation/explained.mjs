// Mutants that no story catches, each with the reason.

/** They choose what is looked at. What is decided looks at it again, so only the work changes. */
const saveWork = {
  'src/verdict/client-knowledge/repeat-purchase.ts': ["concludes !== 'OK'", 'outcomes.length > 0'],
  'src/verdict/evidence/group-by.ts': ['seen.add(key).size === size', 'least <= 2'],
  'src/verdict/evidence/journal-index.ts': ['operation === undefined'],
  'src/verdict/evidence/request-fields.ts': [
    'entry.requestSummary === undefined',
    'one.requestSummary === other?.requestSummary',
  ],
  'src/verdict/evidence/text-prefilter.ts': [
    'at < 0',
    "operation !== 'card.create'",
    "at < 0 || operation !== 'card.create'",
    "body.lastIndexOf('{', at) === body.indexOf('{')",
    'isOnTop',
    'operation !== this.#latestOperation',
  ],
  'src/verdict/findings/data/redacted-bodies.ts': ["operation !== 'card.create'"],
  'src/verdict/findings/money/amount-drift.ts': ['hasSameBody(entry, attempts[0])'],
  'src/verdict/purchases/attempts.ts': ['hasSameBody(entry, attempts[0])'],
  'src/verdict/purchases/charge.ts': ["kind === 'sale'"],
  'src/verdict/purchases/group-purchases.ts': ['hasSameBody(entry, first)'],
  'src/verdict/purchases/series.ts': ['requestId !== undefined'],
};

/** No story shows what they decide yet: most depend on real time, or on what only some transports know. */
const open = {
  'src/verdict/client-knowledge/overlap.ts': [
    'entry.openedRealMs >= this.#nextBreakMs',
    'later !== undefined && earlier !== undefined',
    'later !== undefined',
    'earlier !== undefined',
  ],
  'src/verdict/evidence/exchange-order.ts': ['later.openedRealMs < brokenAtMs(earlier)'],
  'src/verdict/evidence/exchange-results.ts': ['committed'],
  'src/verdict/evidence/request-fields.ts': ["typeof value === 'number'"],
  'src/verdict/findings/money/double-refund.ts': ['entry === refund'],
  'src/verdict/findings/money/duplicates.ts': ['twin !== undefined && counts(twin)'],
};

/** Conditions that came last. */
const later = {
  'src/verdict/evidence/exchange-order.ts': ['later !== undefined', 'earlier !== undefined'],
  'src/verdict/findings/data/stored-card-again.ts': [
    "miss.operation === 'payment.create'",
    'payment !== undefined',
    'payment.intent !== miss.intent',
  ],
  'src/verdict/findings/money/charge-after-hard-decline.ts': ['decline.requestId === undefined'],
  'src/verdict/findings/money/duplicates.ts': [
    'first.twin !== undefined',
    'second.twin !== undefined',
  ],
  'src/verdict/findings/retry/key-reused-for-other-intent.ts': ['sent !== undefined'],
  'src/verdict/purchases/repeated-batch.ts': [
    'one',
    "JSON.stringify(memberOf(journal.requestFieldsOf(one), 'amount'))",
    'undefined',
  ],
};

/** Why a mutant survives, if it is known. */
export function explain({ file, words }) {
  if (saveWork[file]?.includes(words) === true) {
    return 'It chooses what is looked at, and what is decided looks at it again.';
  }
  const isOpen = [open, later].some((list) => list[file]?.includes(words) === true);
  return isOpen ? 'open: no story shows it yet' : undefined;
}
