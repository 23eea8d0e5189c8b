/**
 * A random history of a merchant in which anything can be forced: requests, rules, scenarios and
 * clock changes, in any order.
 */
import fc from 'fast-check';
import type { OperationName } from '../../../src/contract/service/operation-name.ts';
import { catalogue } from '../../../src/outcomes/catalogue.ts';
import type { Outcome } from '../../../src/outcomes/outcome.ts';
import type { WorldDocument } from '../../../src/world/export/document.ts';
import { see, type Call, type Seen } from '../../behaviour/forcing/tolerant-client.ts';
import { operationsOf, quickParams } from '../../behaviour/forcing/catalogue/request-plans.ts';
import type { Shop } from '../../support/transports.ts';
import { dayMs, hourMs } from '../../support/purchases.ts';
import { cardBody, paymentBody } from '../../support/samples.ts';
import { hopByHop } from '../support/own-transport.ts';
import { decimal } from '../support/client-walk.ts';
import type { OutcomeId } from '../../../src/outcomes/outcome-id.ts';
import { worldDocumentOf } from '../../support/worlds/world-document.ts';

/** An outcome to force, and its trigger. */
interface Forced {
  readonly id: OutcomeId;
  readonly by: 'armed' | 'header';
}

interface Ask<N extends OperationName> {
  readonly ask: N;
  /** Selects a record, modulo the number of records. */
  readonly pick: number;
  readonly forced: Forced | undefined;
  readonly requestId: string | undefined;
}

/** One event of a history. */
export type HistoryEvent =
  | Ask<'card.create' | 'card.update' | 'card.delete' | 'card.get' | 'card.list'>
  | Ask<'payment.get' | 'payment.list' | 'sale.get' | 'auth.void' | 'token.create'>
  | (Ask<'payment.create'> & {
      readonly intent: 'sale' | 'authorize';
      readonly minor: number;
      readonly currency: 'USD' | 'EUR' | 'JPY';
    })
  | (Ask<'sale.refund' | 'capture.refund' | 'auth.capture'> & {
      /** Percentage of the full amount; absent for all of it. */
      readonly percent: number | undefined;
    })
  | { readonly ask: 'wait'; readonly ms: number }
  | { readonly ask: 'arm'; readonly rule: Parameters<Shop['merchant']['force']>[0] };

/**
 * Outcomes that cannot be repeated byte for byte: connections refused for everyone, connections
 * reused.
 */
const unrepeatable = new Set(['connect-refused', 'keepalive-race']);

/** Outcomes that are possible on an operation, without noticeable waits. */
function possibleOn(operation: OperationName): readonly Outcome[] {
  return catalogue.filter(
    (outcome) =>
      outcome.phase !== 'natural' &&
      !unrepeatable.has(outcome.id) &&
      operationsOf(outcome).includes(operation),
  );
}

/** Effects that change the result for money or cards. */
const aboutMoney = new Set(['payment', 'refund', 'later', 'card', 'twice']);

const pick = fc.nat({ max: 7 });
const requestId = fc.constantFrom(undefined, undefined, undefined, 'one', 'two');
const percent = fc.constantFrom(undefined, 10, 50, 100, 110);

function forcedOn(operation: OperationName): fc.Arbitrary<Forced | undefined> {
  const possible = possibleOn(operation);
  const ids = (outcomes: readonly Outcome[]) => outcomes.map(({ id }) => fc.constant(id));
  // Few outcomes are about money, so they are drawn more often.
  const money = possible.filter(({ effect }) => aboutMoney.has(effect.kind));
  const any = fc.oneof(...ids(possible));
  return fc.option(
    fc.record({
      id: money.length === 0 ? any : fc.oneof(any, fc.oneof(...ids(money))),
      by: fc.constantFrom('armed' as const, 'header' as const),
    }),
    { nil: undefined, freq: 2 },
  );
}

function asking<N extends HistoryEvent['ask'] & OperationName>(ask: N) {
  return { ask: fc.constant(ask), pick, forced: forcedOn(ask), requestId };
}

/** Reads and cards, payments and their consequences, time, and lasting rules. */
const historyEvent: fc.Arbitrary<HistoryEvent> = fc.oneof(
  { weight: 2, arbitrary: fc.record(asking('card.create')) },
  { weight: 1, arbitrary: fc.record(asking('card.update')) },
  { weight: 1, arbitrary: fc.record(asking('card.delete')) },
  { weight: 1, arbitrary: fc.record(asking('card.get')) },
  { weight: 1, arbitrary: fc.record(asking('card.list')) },
  { weight: 1, arbitrary: fc.record(asking('payment.get')) },
  { weight: 1, arbitrary: fc.record(asking('payment.list')) },
  { weight: 1, arbitrary: fc.record(asking('sale.get')) },
  { weight: 1, arbitrary: fc.record(asking('token.create')) },
  { weight: 2, arbitrary: fc.record(asking('auth.void')) },
  {
    weight: 8,
    arbitrary: fc.record({
      ...asking('payment.create'),
      intent: fc.constantFrom('sale' as const, 'sale' as const, 'authorize' as const),
      minor: fc.integer({ min: 1, max: 40_000 }),
      currency: fc.constantFrom('USD' as const, 'EUR' as const, 'JPY' as const),
    }),
  },
  { weight: 5, arbitrary: fc.record({ ...asking('sale.refund'), percent }) },
  { weight: 2, arbitrary: fc.record({ ...asking('capture.refund'), percent }) },
  { weight: 3, arbitrary: fc.record({ ...asking('auth.capture'), percent }) },
  {
    weight: 4,
    arbitrary: fc.record({
      ask: fc.constant('wait' as const),
      ms: fc.constantFrom(1, 1500, hourMs, 2 * dayMs, 3 * dayMs, 20 * dayMs, 40 * dayMs),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      ask: fc.constant('arm' as const),
      rule: fc.record({
        op: fc.constant('payment.create' as const),
        outcome: fc.constantFrom('brownout', 'error-then-ok', 'decline-generic', 'sale-held'),
        per: fc.constantFrom('intent' as const, 'card' as const, 'merchant' as const),
        times: fc.integer({ min: 1, max: 4 }),
        probability: fc.constantFrom(0.3, 0.7, 1),
      }),
    }),
  },
);

/** The start of every history, so that later events have records to choose from. */
const beginning: readonly HistoryEvent[] = (['sale', 'authorize'] as const).flatMap((intent) => [
  { ask: 'card.create', pick: 0, forced: undefined, requestId: undefined },
  {
    ask: 'payment.create',
    pick: 0,
    forced: undefined,
    requestId: undefined,
    intent,
    minor: 10_000,
    currency: 'USD',
  },
]);

/** Histories with at most this many events. */
export function histories(maxLength: number): fc.Arbitrary<readonly HistoryEvent[]> {
  return fc
    .array(historyEvent, { maxLength, size: 'max' })
    .map((deeds) => [...beginning, ...deeds]);
}

/** Plays a history and records all that its client receives. */
export class ForcedHistory {
  readonly shop: Shop;
  readonly heard: string[] = [];

  constructor(shop: Shop) {
    this.shop = shop;
  }

  /** Everything observable about a merchant: responses, records and rules. */
  get all(): unknown {
    const { merchant } = this.shop;
    const { ruleBook, ...rest } = worldDocumentOf(merchant);
    // The remaining lifetime of an armed rule follows the machine's clock, which no test can
    // freeze.
    const rules = ruleBook.rules.map(({ leftMs: _leftMs, ...rule }) => rule);
    return [this.heard, { ...rest, ruleBook: { ...ruleBook, rules } }, merchant.clock.read()];
  }

  async live(deeds: readonly HistoryEvent[]): Promise<this> {
    for (const one of deeds) await this.do(one);
    return this;
  }

  /** Plays one event. Skips it if there is no record for it. */
  async do(one: HistoryEvent): Promise<void> {
    const { merchant } = this.shop;
    if (one.ask === 'wait') merchant.clock.advance(one.ms);
    else if (one.ask === 'arm') merchant.force({ ...one.rule, optional: true });
    else {
      const call = callFor(one, worldDocumentOf(merchant).records);
      if (call !== undefined) this.heard.push(lineOf(one.ask, await this.#send(one, call)));
    }
  }

  async #send(one: Exclude<HistoryEvent, { ask: 'wait' | 'arm' }>, call: Call): Promise<Seen> {
    const { ask, forced, requestId: id } = one;
    const ours = id === undefined ? {} : { 'PayPal-Request-Id': id };
    if (forced === undefined) return see(this.shop, ask, { ...call, headers: ours });
    const outcome = possibleOn(ask).find((each) => each.id === forced.id);
    const params = outcome === undefined ? {} : quickParams(outcome);
    if (forced.by === 'header') {
      const words = [forced.id, ...Object.entries(params).map((pair) => pair.join('='))];
      return see(this.shop, ask, {
        ...call,
        headers: { ...ours, 'Sandbox-Outcome': words.join(';') },
      });
    }
    const step = { outcome: forced.id, with: params };
    const { merchant } = this.shop;
    const [rule = ''] = merchant.force({ op: ask, per: 'merchant', outcome: step, optional: true });
    const seen = await see(this.shop, ask, { ...call, headers: ours });
    merchant.clearRules(rule);
    return seen;
  }
}

function lineOf(operation: OperationName, { status, headers, text, broke }: Seen): string {
  const lines = [...headers].filter(([name]) => !hopByHop.has(name)).map((pair) => pair.join(': '));
  return [operation, status, ...lines, '', text, broke].join('\n');
}

function at<T>(of: readonly T[], place: number): T | undefined {
  return of[place % Math.max(1, of.length)];
}

/** The request, with the id of an existing record. */
function callFor(
  one: Exclude<HistoryEvent, { ask: 'wait' | 'arm' }>,
  records: WorldDocument['records'],
): Call | undefined {
  const card = at(records.cards.rows, one.pick)?.record.id;
  const payment = at(records.payments.rows, one.pick)?.record.id;
  const about = (folder: string, id: string | undefined, rest: object = {}): Call | undefined =>
    id === undefined ? undefined : { path: `/v1/${folder.replace('*', id)}`, ...rest };
  const share = (
    of: { readonly amount: { minor: number; currency: string } } | undefined,
    part: number | undefined,
  ) =>
    of === undefined || part === undefined
      ? {}
      : { amount: amountOf(Math.floor((of.amount.minor * part) / 100), of.amount.currency) };
  switch (one.ask) {
    case 'card.create':
      return { body: cardBody({ first_name: `Ada ${one.pick}` }) };
    case 'card.update':
      return about('vault/credit-cards/*', card, {
        body: [{ op: 'replace', path: '/first_name', value: `Grace ${one.pick}` }],
      });
    case 'card.delete':
    case 'card.get':
      return about('vault/credit-cards/*', card);
    case 'card.list':
    case 'payment.list':
      return {};
    case 'payment.get':
      return about('payments/payment/*', payment);
    case 'token.create':
      return { body: 'grant_type=client_credentials' };
    case 'payment.create':
      return card === undefined
        ? undefined
        : {
            body: paymentBody({
              cardId: card,
              intent: one.intent,
              ...amountOf(one.minor, one.currency),
            }),
          };
    case 'sale.get':
      return about('payments/sale/*', at(records.sales, one.pick)?.id);
    case 'sale.refund': {
      const sale = at(records.sales, one.pick);
      return about('payments/sale/*/refund', sale?.id, { body: share(sale, one.percent) });
    }
    case 'capture.refund': {
      const capture = at(records.captures, one.pick);
      return about('payments/capture/*/refund', capture?.id, { body: share(capture, one.percent) });
    }
    case 'auth.capture': {
      const held = at(records.authorizations, one.pick);
      return about('payments/authorization/*/capture', held?.id, {
        body: share(held, one.percent ?? 100),
      });
    }
    case 'auth.void':
      return about('payments/authorization/*/void', at(records.authorizations, one.pick)?.id, {
        body: {},
      });
  }
}

function amountOf(minor: number, currency: string): { total: string; currency: string } {
  return { total: decimal(minor, currency === 'JPY' ? 'JPY' : 'USD'), currency };
}
