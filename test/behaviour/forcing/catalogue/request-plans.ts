/** Requests that trigger an outcome: the operation, the trigger and fast parameters. */
import type { OperationName } from '../../../../src/contract/service/operation-name.ts';
import { operationNames, operations } from '../../../../src/contract/service/operations.ts';
import { catalogue, checkedCatalogue } from '../../../../src/outcomes/catalogue.ts';
import type { Outcome } from '../../../../src/outcomes/outcome.ts';
import { includesOperation } from '../../../../src/outcomes/rules/rule.ts';
import type { Shop } from '../../../support/transports.ts';
import { sell, storeCard } from '../../../support/purchases.ts';
import { cardBody, paymentBody } from '../../../support/samples.ts';
import {
  makeSubjects,
  unknownSubjects,
  validRequest,
  type Subjects,
} from '../../../support/requests/valid-requests.ts';
import type { Call } from '../tolerant-client.ts';

export type Trigger =
  | { readonly by: 'armed' | 'scenario' | 'header' }
  | { readonly by: 'name' | 'card' | 'amount'; readonly value: string };

/** Every outcome that can be forced. */
export const forcible = catalogue.filter(({ phase }) => phase !== 'natural');

/** Outcomes that only result from real state. The contract tests cover them. */
export const natural = catalogue.filter(({ phase }) => phase === 'natural');

/** Every pair of an outcome and a trigger in the catalogue. */
export function triggersOf({ triggers, names, cards, cents }: Outcome): Trigger[] {
  return triggers.flatMap((trigger): Trigger[] => {
    switch (trigger) {
      case 'armed':
      case 'scenario':
      case 'header':
        return [{ by: trigger }];
      case 'name':
        return (names ?? []).map((value) => ({ by: trigger, value }));
      case 'card':
        return (cards ?? []).map((value) => ({ by: trigger, value }));
      case 'amount':
        return (cents ?? []).map((value) => ({ by: trigger, value }));
      // Real state and the clock are not triggers.
      case 'natural':
      case 'time':
        return [];
    }
  });
}

export const writes = (name: OperationName): boolean => operations[name].method !== 'get';

/** Every operation that can have an outcome. */
export function operationsOf({ operations: patterns }: Outcome): OperationName[] {
  return operationNames.filter((name) =>
    patterns.some((pattern) => includesOperation(pattern, name, writes(name))),
  );
}

/** The operation that tests an outcome: a payment if possible. */
export function shownOn(outcome: Outcome): OperationName {
  const names = operationsOf(outcome);
  const [first] = names;
  if (first === undefined) throw new Error(`${outcome.id} can happen nowhere.`);
  return names.includes('payment.create') ? 'payment.create' : first;
}

/** Short waits of real time, so that tests are fast. */
const quick: Readonly<Record<string, string | number>> = {
  cap: '10ms',
  delay: '5ms',
  gap: '1ms',
  linger: '10ms',
  chunkBytes: 200,
  p50: '2ms',
  p99: '5ms',
  lasts: '40ms',
};

export function quickParams({ parameters }: Outcome): Record<string, string | number> {
  return Object.fromEntries(
    Object.entries(quick).filter(([name]) => Object.hasOwn(parameters, name)),
  );
}

/** The outcome that applies to one request: the first of a series, or the drawn one of a choice. */
export function broughtAbout(outcome: Outcome, said: string | null): Outcome {
  const { effect } = outcome;
  if (effect.kind === 'series') return checkedCatalogue.get(effect.of[0] ?? '');
  if (effect.kind !== 'choice') return outcome;
  const id = effect.of.find((member) => said?.startsWith(`${member};`));
  return checkedCatalogue.get(id ?? '');
}

export interface Plan {
  readonly operation: OperationName;
  readonly call: Call;
}

/** The header that limits a rule to the tested request. */
const forcedHeader = { 'X-Forced': 'yes' };
const match = { 'header:x-forced': 'yes' };

/** Prepares a shop, forces the outcome, and returns the request that gets it. */
export async function prepare(shop: Shop, outcome: Outcome, trigger: Trigger): Promise<Plan> {
  const operation = shownOn(outcome);
  const params = quickParams(outcome);
  switch (trigger.by) {
    case 'armed': {
      const call = await usual(shop, outcome, operation);
      shop.merchant.force({
        op: operation,
        match,
        outcome: { outcome: outcome.id, with: params },
      });
      return { operation, call: withHeaders(call, forcedHeader) };
    }
    case 'scenario': {
      shop.merchant.playScenario({
        scenario: 'one-rule',
        version: 1,
        about: 'One outcome on one request.',
        rules: [{ op: operation, match, then: { outcome: outcome.id, with: params } }],
      });
      return { operation, call: withHeaders(await usual(shop, outcome, operation), forcedHeader) };
    }
    case 'header': {
      const call = await usual(shop, outcome, operation);
      const words = [outcome.id, ...Object.entries(params).map((pair) => pair.join('='))];
      return { operation, call: withHeaders(call, { 'Sandbox-Outcome': words.join('; ') }) };
    }
    case 'name':
      return magic(shop, operation, { first_name: trigger.value });
    case 'card':
      return magic(shop, operation, { number: trigger.value });
    case 'amount':
      return magic(shop, operation, {}, `9000.${trigger.value}`);
  }
}

/** A card that triggers an outcome, and a payment with it or a refund of one. */
async function magic(
  shop: Shop,
  operation: OperationName,
  card: Readonly<Record<string, string>>,
  total = '30.11',
): Promise<Plan> {
  if (operation === 'card.create') return { operation, call: { body: cardBody(card) } };
  const cardId = await storeCard(shop, card);
  if (operation === 'payment.create') {
    return { operation, call: { body: paymentBody({ cardId, total }) } };
  }
  const { id } = await sell(shop, { cardId });
  return { operation, call: { path: `/v1/payments/sale/${id}/refund`, body: {} } };
}

/** A valid request that can get the outcome. */
async function usual(shop: Shop, outcome: Outcome, operation: OperationName): Promise<Call> {
  return leadUp(shop, outcome, operation, await subjectsFor(shop, operation));
}

/** Later pages with one record, of lists with one or more records. */
const laterPages: Partial<Record<OperationName, string>> = {
  'card.list': '?page=2&page_size=1',
  'payment.list': '?start_index=1&count=1',
};

/** Creates the state that an outcome needs, and returns the request that gets it. */
export async function leadUp(
  shop: Shop,
  { effect }: Outcome,
  operation: OperationName,
  of: Subjects,
): Promise<Call> {
  const call = requestFor(operation, of);
  switch (effect.kind) {
    case 'ignore-request-id': {
      const repeated = withHeaders(call, { 'PayPal-Request-Id': 'again' });
      await shop.send(operation, repeated);
      return repeated;
    }
    case 'stale-read': {
      const first = { changed: 'card.update', removed: 'card.delete', made: undefined } as const;
      const name = first[effect.of];
      if (name !== undefined) await shop.send(name, requestFor(name, of));
      return call;
    }
    case 'page-shift':
      return { ...call, path: `${call.path}${laterPages[operation]}` };
    default:
      return call;
  }
}

/** The records that the operation needs. Most rows are tested on one that only needs a card. */
async function subjectsFor(shop: Shop, operation: OperationName): Promise<Subjects> {
  return operation === 'payment.create'
    ? { ...unknownSubjects, cardId: await storeCard(shop) }
    : makeSubjects(shop);
}

/** A minimal request of an operation on these records. */
export function requestFor(operation: OperationName, of: Subjects): Call {
  const { path = operations[operation].path, body } = validRequest(operation, of);
  return { path, body };
}

export function withHeaders(call: Call, headers: Readonly<Record<string, string>>): Call {
  return { ...call, headers: { ...call.headers, ...headers } };
}
