import type { StoredEntry } from '../../../journal/stored-entry.ts';
import { memberOf } from '../../../shared/unknown-value.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import { groupBy, groupRepeats } from '../../evidence/group-by.ts';
import { textOf } from '../../evidence/request-fields.ts';
import { firstExamples } from '../../phrases.ts';
import type { Detection, FindingRule } from '../finding-rule.ts';

/** Finds customer ids under which cards of several people are stored. */
export const sharedExternalCustomerId: FindingRule = {
  id: 'shared-external-customer-id',
  severity: 'medium',
  about: 'Cards of different holders were stored under one customer id.',
  remedy: 'Send the id of the customer as external_customer_id, a different one for each customer.',
  find: findSharedIds,
};

/** A family may share an account. */
const maxHolders = 2;

function* findSharedIds(evidence: Evidence): Generator<Detection> {
  const committed = evidence.of('card.create').filter((entry) => entry.committed);
  const stored = [...groupRepeats(committed, maxHolders + 1, customerIdText).values()]
    .flat()
    .map((entry) => {
      const body = evidence.bodyOf(entry);
      return { entry, id: textOf(memberOf(body, 'external_customer_id')), holder: holderOf(body) };
    })
    .filter(({ id, holder }) => id !== undefined && holder !== undefined);
  for (const [, ofId] of groupBy(stored, ({ id }) => id)) {
    const byHolder = groupBy(ofId, ({ holder }) => holder);
    if (byHolder.size <= maxHolders) continue;
    const firsts = [...byHolder.values()].flatMap(([first]) => first?.entry ?? []);
    yield {
      what: `Cards of ${byHolder.size} holders with different names are stored under one external_customer_id.`,
      evidence: firstExamples(firsts),
      // A test suite may use one customer for all its cards.
      confidence: 'possible',
    };
  }
}

/** The id as the request's text shows it. Only bodies with a repeated id are parsed. */
function customerIdText({ request }: StoredEntry): string | undefined {
  return request?.match(/"external_customer_id"\s*:\s*("(?:[^"\\]|\\.)*"|-?\d+)/)?.[1];
}

function holderOf(card: unknown): string | undefined {
  const names = ['first_name', 'last_name'].map((key) => textOf(memberOf(card, key)));
  return names.every((name) => name !== undefined) ? names.join(' ').toLowerCase() : undefined;
}
