/** The facts that rules can test, looked up in the merchant's world. */
import type { OperationName } from '../../contract/service/operation-name.ts';
import type { Authorization, Capture, Payment, Refund, Sale } from '../../domain/records.ts';
import { isChargedBack } from '../../domain/payment/sale.ts';
import { cardIdOf, countedCardOf, intentOf } from '../../journal/purchase-key.ts';
import type { ChangeKind } from '../../outcomes/outcome.ts';
import type { Facts } from '../../outcomes/rules/facts.ts';
import { memberOf } from '../../shared/unknown-value.ts';
import { isBodiless, type Transport } from '../../transport-port/transport.ts';
import type { World } from '../../world/world.ts';
import type { RequestContent } from '../context.ts';

/** The part of the request context that rules read. */
interface RequestSource {
  readonly world: World;
  readonly transport: Transport;
  readonly exchange: { readonly operation: OperationName };
  readonly writes: boolean;
  readonly params: Readonly<Record<string, string>>;
  readonly content: RequestContent;
}

/** Looks up each fact on demand, because most rules need few. */
export class RequestFacts implements Facts {
  readonly #request: RequestSource;

  constructor(request: RequestSource) {
    this.#request = request;
  }

  get operation(): OperationName {
    return this.#request.exchange.operation;
  }

  get writes(): boolean {
    return this.#request.writes;
  }

  get nowMs(): number {
    return this.#request.world.nowMs();
  }

  header(name: string): string | undefined {
    return this.#request.transport.header(name);
  }

  get params(): RequestSource['params'] {
    return this.#request.params;
  }

  get body(): unknown {
    return this.#request.content.body;
  }

  get intent(): string {
    return intentOf(this.operation, this.params, this.body);
  }

  get card(): Facts['card'] {
    const card = this.#request.world.cards.get(cardIdOf(this.params, this.body) ?? '');
    return card && { id: card.id, createdAtMs: card.createdAtMs, deletedAtMs: undefined };
  }

  get cardKey(): string {
    return countedCardOf(this.operation, this.params, this.body);
  }

  get recordAgeMs(): number | undefined {
    const { world } = this.#request;
    const createdAtMs = findRecord(world, this.params)?.createdAtMs ?? this.card?.createdAtMs;
    return createdAtMs === undefined ? undefined : world.nowMs() - createdAtMs;
  }

  sinceChangeMs(kind: ChangeKind): number | undefined {
    const { world } = this.#request;
    const listed = listedTables[this.operation];
    const ids = Object.values(this.params);
    const atMs = world.changeLog.lastMs(kind, ({ table, id }) =>
      listed === undefined ? ids.includes(id) : table === listed,
    );
    return atMs === undefined ? undefined : world.nowMs() - atMs;
  }

  get isLaterPage(): boolean {
    return isForLaterPage(this.#request.content.query);
  }

  get transaction(): string | undefined {
    const { params } = this;
    return (
      params['sale_id'] ?? params['capture_id'] ?? params['authorization_id'] ?? params['refund_id']
    );
  }

  get makesSale(): boolean {
    return this.operation === 'payment.create' && memberOf(this.body, 'intent') === 'sale';
  }

  get saleDisputed(): boolean {
    const sale = this.#request.world.sales.get(this.transaction ?? '');
    return sale !== undefined && isChargedBack(sale);
  }

  get sendsBody(): boolean {
    return !isBodiless(this.#request.transport);
  }

  get reusedConnection(): boolean {
    return this.#request.transport.reusedConnection === true;
  }
}

/** The tables behind the lists. */
const listedTables: Partial<Record<OperationName, string>> = {
  'card.list': 'cards',
  'payment.list': 'payments',
};

/** Whether a query requests a later page: by number, by cursor, or by start id or index. */
function isForLaterPage(query: unknown): boolean {
  // The members of all list queries that select a page. Each query is typed by its own operation.
  const {
    page = 1,
    after,
    start_id: startId,
    start_index: startIndex = 0,
  } = (query ?? {}) as {
    readonly page?: number;
    readonly after?: number;
    readonly start_id?: string;
    readonly start_index?: number;
  };
  return page > 1 || after !== undefined || startId !== undefined || startIndex > 0;
}

/** Finds the payment that a path names, or the part of one. */
export function findRecord(
  world: World,
  params: Readonly<Record<string, string>>,
): Payment | Sale | Capture | Authorization | Refund | undefined {
  return (
    world.payments.get(params['payment_id'] ?? '') ??
    world.sales.get(params['sale_id'] ?? '') ??
    world.captures.get(params['capture_id'] ?? '') ??
    world.authorizations.get(params['authorization_id'] ?? '') ??
    world.refunds.get(params['refund_id'] ?? '')
  );
}
