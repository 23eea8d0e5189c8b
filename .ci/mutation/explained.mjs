// The conditions that no story can show, by file. A condition is written here as it stands in the source.

/**
 * They choose what is looked at, and what is decided looks at it again. Inverted, they cost time and change no verdict.
 */
const saveWork = {
  'src/verdict/client-knowledge/parallel/parallel-attempts.ts': [
    'last !== undefined && overlaps(last, entry)',
  ],
  'src/verdict/client-knowledge/changed-repeats/payment-chains.ts': [
    "concludes !== 'OK'",
    'outcomes.length > 0',
  ],
  'src/verdict/client-knowledge/disclosure.ts': ["kind === 'capture'"],
  'src/verdict/client-knowledge/changed-repeats/renamed-invoice.ts': [
    '(refused.has(entry) || mayBePending(entry)) && invoiceNumberIn(evidence, entry) !== undefined',
    'invoiceNumberIn(evidence, entry) !== undefined',
    'refused.has(entry) || mayBePending(entry)',
    'refused.has(entry)',
    'mayBePending(entry)',
    'suspicious.has(intent)',
    'outcomes.length > 0',
  ],
  'src/verdict/client-knowledge/changed-repeats/renamed-after-loss.ts': ["concludes === 'OK'"],
  'src/verdict/client-knowledge/changed-repeats/other-words.ts': [
    'textIn(name, one) !== undefined',
    'payments.some((one) => textIn(name, one) !== textIn(name, payments[0] ?? one))',
    'textIn(name, one) !== textIn(name, payments[0] ?? one)',
    'differing === undefined',
  ],
  'src/verdict/evidence/group-by.ts': ['least <= 2'],
  'src/verdict/evidence/journal-index.ts': ['operation === undefined'],
  'src/verdict/evidence/request-fields.ts': ['entry.requestSummary === undefined'],
  'src/verdict/evidence/request-content.ts': [
    'one.requestSummary === other?.requestSummary',
    'hasSameBody(entry, first) && entry.cardMark === first?.cardMark',
    'hasSameBody(entry, first)',
    'entry.cardMark === first?.cardMark',
  ],
  'src/verdict/findings/json-leaves.ts': ['part.includes(text)'],
  'src/verdict/evidence/indexes/text-prefilter.ts': [
    "operation === 'card.create'",
    "card !== body.indexOf('{')",
    "operation !== 'payment.create'",
    'operation !== this.#latestOperation',
  ],
  'src/verdict/findings/data/redacted-bodies.ts': ["operation !== 'card.create'"],
  'src/verdict/findings/money/amount-drift.ts': ['hasSameBody(entry, attempts[0])'],
  'src/verdict/purchases/attempts.ts': ['hasSameBody(entry, attempts[0])'],
  'src/verdict/purchases/charge.ts': ["kind === 'sale'"],
  'src/verdict/purchases/group-purchases.ts': ['hasSameBody(entry, first)'],
};

/** The stories of workers.test.ts show them. Its clients run in another process and are left out of the mutation run. */
const needAnotherProcess = {
  'src/verdict/client-knowledge/parallel/one-thing.ts': [
    'before.seq < entry.seq && isOnConnectionOf(before, entry)',
    'before.seq < entry.seq',
    'isOnConnectionOf(before, entry)',
  ],
};

const lists = [saveWork, needAnotherProcess];

/** Whether a mutant is listed here. */
export function isExplained({ file, words }) {
  return lists.some((list) => list[file]?.includes(words) === true);
}

/** What is listed here and is no condition of the sources any more. */
export function findObsolete(mutants) {
  return lists
    .flatMap(Object.entries)
    .flatMap(([file, conditions]) =>
      conditions
        .filter(
          (words) => !mutants.some((mutant) => mutant.file === file && mutant.words === words),
        )
        .map((words) => `${file}  ${words}`),
    );
}
