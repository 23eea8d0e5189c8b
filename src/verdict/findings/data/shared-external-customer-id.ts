import type { StoredEntry } from '../../../journal/stored-entry.ts';
import { memberOf } from '../../../shared/unknown-value.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import { groupBy, groupRepeats } from '../../evidence/group-by.ts';
import { namedCustomerOf, textOf } from '../../evidence/request-fields.ts';
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

/** Two people may share an account. */
const maxHolders = 2;

/** A family may have two last names. */
const maxGroups = 2;

function* findSharedIds(evidence: Evidence): Generator<Detection> {
  const committed = evidence.of('card.create').filter((entry) => entry.committed);
  const stored = [...groupRepeats(committed, maxHolders + 1, customerIdText).values()]
    .flat()
    .map((entry) => {
      const body = evidence.bodyOf(entry);
      return { entry, id: namedCustomerOf(body), holder: holderOf(body), group: groupOf(body) };
    })
    .filter(({ id, holder }) => id !== undefined && holder !== undefined);
  for (const [, ofId] of groupBy(stored, ({ id }) => id)) {
    const byHolder = groupBy(ofId, ({ holder }) => holder);
    if (byHolder.size <= maxHolders) continue;
    const firsts = [...byHolder.values()].flatMap(([first]) => first?.entry ?? []);
    const isOneGroup = ['name', 'address'].some((key) => {
      const values = new Set(ofId.map(({ group }) => memberOf(group, key)));
      return values.size <= maxGroups && !values.has(undefined);
    });
    const text = ofId[0] && customerIdText(ofId[0].entry);
    const isOnlyId = committed.every((entry) => (customerIdText(entry) ?? text) === text);
    yield {
      what: `Cards of ${byHolder.size} holders with different names are stored under one external_customer_id.`,
      evidence: firstExamples(firsts),
      // A test suite may use one customer for all its cards. A family or a company has one account for several people.
      ...((isOneGroup || !isOnlyId) && { severity: 'low' }),
      confidence: 'possible',
    };
  }
}

/** The id as the request's text shows it. Only bodies with a repeated id are parsed. */
function customerIdText({ request }: StoredEntry): string | undefined {
  return request?.match(/"external_customer_id"\s*:\s*("(?:[^"\\]|\\.)*"|-?\d+)/)?.[1];
}

/** What people have in common who share an account: the last name in a family, the address in a company. */
function groupOf(card: unknown): Readonly<Record<'name' | 'address', string | undefined>> {
  const address = memberOf(card, 'billing_address');
  return {
    name: textOf(memberOf(card, 'last_name'))?.toLowerCase(),
    address: address === undefined ? undefined : JSON.stringify(address),
  };
}

function holderOf(card: unknown): string | undefined {
  const names = ['first_name', 'last_name'].map((key) => textOf(memberOf(card, key)));
  return names.every((name) => name !== undefined) ? names.join(' ').toLowerCase() : undefined;
}
