/**
 * A random history of a merchant that uses everything a world contains: records, rules, a scenario,
 * request ids, test cards.
 */
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import type { OperationName } from '../../../src/contract/service/operation-name.ts';
import type { ForcedRule, Merchant, ScenarioDocument } from '../../../src/index.ts';
import { Shop, type TestTransport, type Reply, type Request } from '../../support/transports.ts';
import { writeResponse } from '../../properties/support/own-transport.ts';
import { paymentBody } from '../../support/samples.ts';
import { allKinds, Walker, walks, type Step } from '../../properties/support/client-walk.ts';
import { worldDocumentOf } from '../../support/worlds/world-document.ts';

/** A scenario with every kind of content. */
export const busyScenario: ScenarioDocument = {
  scenario: 'busy',
  version: 1,
  about: 'Calm, then a storm; sales are disputed; answers come in turns.',
  given: {
    cards: [{ ref: 'gold', number: '4417119669820331', type: 'visa', expire: '2031-05' }],
  },
  states: ['calm', 'storm'],
  timeline: [
    { at: '+P1D', goto: 'storm' },
    { at: '+P2D', event: 'chargeback-opened-won-lost', sale: 'every', with: { outcome: 'won' } },
    { at: '+P4D', event: 'sale-reversed-later', sale: 'every', card: 'gold' },
    { at: '+P40D', goto: 'calm' },
  ],
  rules: [
    {
      name: 'in turns',
      op: 'payment.create',
      per: 'merchant',
      then: ['ok', 'decline-insufficient-funds', 'sale-pending-then-completed', 'ok'],
      while: 'calm',
    },
    { name: 'by chance', op: 'payment.create', probability: 0.4, then: 'decline-generic' },
    { name: 'slow refunds', op: 'sale.refund', nth: 1, then: 'refund-pending-then-completed' },
    { name: 'not at once', op: 'card.get', per: 'card', times: 2, then: 'created-not-visible-yet' },
    {
      name: 'shuffled',
      op: 'card.*',
      while: 'storm',
      always: ['field-order-shuffled'],
      optional: true,
    },
  ],
};

/** Rules to arm during the history. */
const armed: readonly ForcedRule[] = [
  { op: 'payment.create', sequence: ['decline-do-not-honor', 'ok'], per: 'intent' },
  {
    op: 'card.create',
    outcome: 'error-500-after-commit',
    times: 2,
    ttlMs: 3_600_000,
    per: 'intent',
  },
  { op: 'payment.create', then: { oneOf: ['decline-generic', 'sale-pending-then-denied'] } },
  {
    name: 'dear',
    op: 'payment.create',
    match: { 'transactions[0].amount.total': { gt: '100' }, $attempt: { lte: 3 } },
    outcome: { outcome: 'sale-reversed-later', with: { after: 'P3D' } },
  },
];

/** What the client or the person who controls the sandbox does. */
export type HistoryStep =
  | { readonly act: 'step'; readonly step: Step }
  /** With a request id: one of a few, or a separate one for each body. */
  | { readonly act: 'keyed'; readonly step: Step; readonly key: string | undefined }
  | { readonly act: 'forced'; readonly step: Step; readonly outcome: string }
  | { readonly act: 'arm'; readonly rule: ForcedRule }
  /** Pays the next bill of the first card, which may be the scenario's own. */
  | { readonly act: 'bill'; readonly invoice: string }
  /** Lists the cards of a customer. */
  | { readonly act: 'find'; readonly customer: string }
  | { readonly act: 'deal' | 'read' }
  | { readonly act: 'wait'; readonly hours: number };

const oneStep = walks(1, allKinds).map((walk) => walk.at(-1) ?? { ask: 'list' as const });

const others: readonly {
  readonly weight: number;
  readonly arbitrary: fc.Arbitrary<HistoryStep>;
}[] = [
  { weight: 8, arbitrary: oneStep.map((step): HistoryStep => ({ act: 'step', step })) },
  {
    weight: 2,
    arbitrary: fc.record({
      act: fc.constant('forced' as const),
      step: oneStep,
      outcome: fc.constantFrom(
        'sale-pending-then-completed',
        'chargeback-opened-won-lost',
        'refund-failed-later',
      ),
    }),
  },
  {
    weight: 3,
    arbitrary: fc
      .constantFrom('A-1', 'A-2', 'A-3')
      .map((invoice): HistoryStep => ({ act: 'bill', invoice })),
  },
  {
    weight: 2,
    arbitrary: fc
      .constantFrom('ann', 'bob')
      .map((customer): HistoryStep => ({ act: 'find', customer })),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(...armed).map((rule): HistoryStep => ({ act: 'arm', rule })),
  },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom('deal' as const, 'read' as const)
      .map((act): HistoryStep => ({ act })),
  },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom(1, 24, 48, 240)
      .map((hours): HistoryStep => ({ act: 'wait', hours })),
  },
];

const keyed = (key: fc.Arbitrary<string | undefined>) => ({
  weight: 3,
  arbitrary: fc.record({ act: fc.constant('keyed' as const), step: oneStep, key }),
});

/** Creates records to start with. */
const start: readonly HistoryStep[] = [
  { act: 'step', step: { ask: 'store', customer: undefined } },
  { act: 'step', step: { ask: 'store', customer: 'ann' } },
  {
    act: 'step',
    step: { ask: 'pay', card: 0, customer: 'own', intent: 'sale', minor: 9000, currency: 'USD' },
  },
  {
    act: 'step',
    step: {
      ask: 'pay',
      card: 1,
      customer: 'own',
      intent: 'authorize',
      minor: 700,
      currency: 'JPY',
    },
  },
];

const historiesWith = (
  key: fc.Arbitrary<string | undefined>,
): fc.Arbitrary<readonly HistoryStep[]> =>
  fc
    .array(fc.oneof(...others, keyed(key)), { maxLength: 25, size: 'max' })
    .map((acts) => [...start, ...acts]);

/** Histories in which a request id may be used with different bodies. */
export const histories = historiesWith(fc.constantFrom('one', 'two', undefined));

/** Histories in which each request id always has the same body. */
export const consistentHistories = historiesWith(fc.constant(undefined));

/** A client whose requests can have different headers each time. */
class HistoryClient extends Shop {
  headersFor: (name: OperationName, request: Request) => Readonly<Record<string, string>> =
    () => ({});

  override send(name: OperationName, request: Request = {}): Promise<Reply<unknown>> {
    return super.send(name, { ...request, headers: this.headersFor(name, request) });
  }
}

/** Plays a history and keeps every response byte for byte. */
export class MerchantHistory {
  readonly #shop: HistoryClient;
  readonly #walker: Walker;
  readonly #heard: string[] = [];

  constructor(transport: TestTransport, merchant: string) {
    this.#shop = new HistoryClient(transport, transport.sandbox.merchant(merchant));
    this.#walker = new Walker(this.#shop);
  }

  get merchant(): Merchant {
    return this.#shop.merchant;
  }

  /** The same client with its current knowledge, on another transport. */
  at(transport: TestTransport, merchant = this.merchant.id): MerchantHistory {
    const history = new MerchantHistory(transport, merchant);
    for (const list of ['cards', 'payments', 'held', 'taken', 'refunds'] as const) {
      // Both lists have the same type; indexing by a union loses that.
      (history.#walker[list] as unknown[]).push(...this.#walker[list]);
    }
    return history;
  }

  async live(acts: readonly HistoryStep[]): Promise<this> {
    for (const act of acts) await this.#act(act);
    return this;
  }

  /** All responses, and everything that the world reports at the end. */
  get transcript(): readonly unknown[] {
    return [...this.#walker.transcript, ...this.#heard, ...this.#read()];
  }

  async #act(of: HistoryStep): Promise<void> {
    switch (of.act) {
      case 'wait':
        this.merchant.clock.advance(of.hours * 3_600_000);
        break;
      case 'arm':
        // Names of rules are unique, so clear an earlier rule with this name.
        for (const { id, source } of this.merchant.rules()) {
          if (source === 'armed' && id === of.rule.name) this.merchant.clearRules(id);
        }
        this.#heard.push(...this.merchant.force(of.rule));
        break;
      case 'bill': {
        const [first] = worldDocumentOf(this.merchant).records.cards.rows;
        const cardId = first?.record.id ?? 'NOT-THERE';
        await this.#send('payment.create', {
          body: paymentBody({ cardId, transaction: { invoice_number: of.invoice } }),
        });
        break;
      }
      case 'find':
        await this.#send('card.list', { query: { external_customer_id: of.customer } });
        break;
      case 'deal':
        this.#heard.push(...this.merchant.generateCards({ count: 2 }).map(({ number }) => number));
        break;
      case 'read':
        this.#heard.push(...this.#read());
        break;
      case 'step':
        await this.#take(of.step, () => ({}));
        break;
      case 'forced':
        await this.#take(of.step, () => ({ 'Sandbox-Outcome': of.outcome }));
        break;
      case 'keyed':
        await this.#take(of.step, (name, request) => ({
          'PayPal-Request-Id': of.key ?? fold(name, request),
        }));
    }
  }

  async #send(name: OperationName, request: Request): Promise<void> {
    this.#shop.headersFor = () => ({});
    this.#heard.push(writeResponse(await this.#shop.send(name, request)));
  }

  async #take(step: Step, headersFor: HistoryClient['headersFor']): Promise<void> {
    this.#shop.headersFor = headersFor;
    await this.#walker.take(step);
  }

  #read(): string[] {
    const { merchant } = this;
    const { totals, ...ledger } = merchant.ledger();
    // Purchases are grouped by the journal, which snapshots do not contain.
    const { purchases: _purchases, ...ofBooks } = totals;
    // The real time at which a rule expires is the machine's.
    const [rules, unfired] = [merchant.rules(), merchant.unfired()].map((list) =>
      list.map(({ expiresAt: _expiresAt, ...rule }) => rule),
    );
    return [ledger, ofBooks, merchant.clock.read(), rules, unfired].map((reading) =>
      JSON.stringify(reading),
    );
  }
}

function fold(...parts: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 20);
}
