import type { FindingRule, Detection } from '../finding-rule.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import { groupRepeats, groupBy } from '../../evidence/group-by.ts';
import { memberOf } from '../../../shared/unknown-value.ts';
import { firstExamples } from '../../phrases.ts';
import type { StoredEntry } from '../../../journal/stored-entry.ts';

/** Cards of different holders were stored under one customer id. */
export const sharedExternalCustomerId: FindingRule = {
  id: 'shared-external-customer-id',
  severity: 'medium',
  about: 'Cards of different holders were stored under one customer id.',
  remedy: 'Send an id of the customer as external_customer_id, another one for each.',
  find: sharedIds,
};

/** A family shares an account; more names than that share a mistake. */
const mostHolders = 2;

function* sharedIds(evidence: Evidence): Generator<Detection> {
  const committed = evidence.of('card.create').filter((entry) => entry.committed);
  const stored = [...groupRepeats(committed, mostHolders + 1, customerIn).values()]
    .flat()
    .map((entry) => {
      const body = evidence.bodyOf(entry);
      return { entry, id: memberOf(body, 'external_customer_id'), holder: holderOf(body) };
    })
    .filter(({ id, holder }) => typeof id === 'string' && id !== '' && holder !== undefined);
  for (const [, ofId] of groupBy(stored, ({ id }) => id)) {
    const byHolder = groupBy(ofId, ({ holder }) => holder);
    if (byHolder.size <= mostHolders) continue;
    const firsts = [...byHolder.values()].flatMap(([first]) => first?.entry ?? []);
    yield {
      what: `${byHolder.size} holders with different names have their cards under one external_customer_id.`,
      evidence: firstExamples(firsts),
      // A suite that stores many cards may have one customer in all its tests.
      confidence: 'possible',
    };
  }
}

/** As its text has it; what it is in the body is looked at where it comes often enough. */
function customerIn({ request }: StoredEntry): string | undefined {
  return request?.match(/"external_customer_id"\s*:\s*("(?:[^"\\]|\\.)*")/)?.[1];
}

function holderOf(card: unknown): string | undefined {
  const names = ['first_name', 'last_name'].map((key) => memberOf(card, key));
  return names.every((name) => typeof name === 'string' && name !== '')
    ? names.join(' ').toLowerCase()
    : undefined;
}
