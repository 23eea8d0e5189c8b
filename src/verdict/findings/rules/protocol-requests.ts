/** Findings about single requests: their path, their type, and what is made of an empty answer. */
import { problems } from '../../../contract/problems.ts';
import type { StoredEntry } from '../../../journal/stored-entry.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import { gapMs, overlaps } from '../../evidence/exchange-order.ts';
import { groupBy } from '../../evidence/group-by.ts';
import type { FindingRule, Notice } from '../finding-rule.ts';
import { firstExamples } from '../../phrases.ts';

export const requestRules: readonly FindingRule[] = [
  {
    id: 'mishandles-204',
    severity: 'medium',
    about: 'A card was deleted again right after its deletion had been answered with 204.',
    remedy: 'Take 204 without a body for success, and do not parse it.',
    find: repeatedDeletions,
  },
  {
    id: 'content-type-missing',
    severity: 'low',
    about: 'A body was sent without Content-Type: application/json.',
    remedy: 'Send Content-Type: application/json with every body.',
    find: missingTypes,
  },
  {
    id: 'unknown-path',
    severity: 'low',
    about: 'A request went to a path that the service does not have.',
    remedy: 'Compare the path with those listed at /docs.',
    find: unknownPaths,
  },
];

/** Whoever deletes a card once more later than this has another reason. */
const soonMs = 5_000;

function* repeatedDeletions(evidence: Evidence): Generator<Notice> {
  const last = new Map<string, StoredEntry>();
  for (const entry of evidence.of('card.delete')) {
    const { cardId = '', status, concludes, outcomes } = entry;
    const done = last.get(cardId);
    if (done !== undefined && !overlaps(done, entry) && gapMs(done, entry) <= soonMs) {
      yield {
        what: `Card ${cardId} was deleted again although the answer to its deletion, 204, had arrived.`,
        evidence: [done, entry],
        // A test may ask twice to see what comes.
        confidence: 'possible',
      };
      last.delete(cardId);
    }
    // An answer that was spoilt on its way may not have looked like one.
    if (status === 204 && concludes === 'OK' && outcomes.length === 0) last.set(cardId, entry);
  }
}

/** Bodies of reads and deletions mean nothing, whatever they are. */
const writing: ReadonlySet<string> = new Set(['POST', 'PATCH', 'PUT']);

function* missingTypes({ remarkable }: Evidence): Generator<Notice> {
  const untyped = remarkable.filter(
    ({ operation, method, signs, problem }) =>
      // A token request is a form, and taken without a type as well.
      operation !== undefined &&
      operation !== 'token.create' &&
      writing.has(method) &&
      (signs.includes('content-type-missing') ||
        problem === problems['unsupported-media-type'].name),
  );
  for (const [operation, ofOne] of groupBy(untyped, (entry) => entry.operation)) {
    yield {
      what: `${ofOne.length} ${ofOne.length === 1 ? 'body' : 'bodies'} of ${operation ?? ''} came without Content-Type: application/json.`,
      evidence: firstExamples(ofOne),
    };
  }
}

const longestPath = 80;

function* unknownPaths({ remarkable }: Evidence): Generator<Notice> {
  const lost = remarkable.filter(
    ({ operation, problem }) =>
      operation === undefined && problem === problems['unknown-path'].name,
  );
  // By what is next to it: a path with an id in it is another one each time.
  for (const [hint, ofOne] of groupBy(lost, ({ method, reason }) => `${method} ${reason ?? ''}`)) {
    const [first] = ofOne;
    if (first === undefined) continue;
    const [path = ''] = first.path.split('?');
    yield {
      what: `No operation has the path of ${first.method} ${path.slice(0, longestPath)}. ${hint.slice(first.method.length + 1)}.`,
      evidence: firstExamples(ofOne),
    };
  }
}
