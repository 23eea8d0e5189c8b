/** What rules can know of a request, looked up in its merchant's world. */
import type { OperationName } from '../../contract/service/operations.ts';
import type { Change } from '../../domain/ports.ts';
import { cardIdOf, countedCardOf, intentOf } from '../../journal/purchase-key.ts';
import { memberOf } from '../../shared/unknown-value.ts';
import type { Facts } from '../../outcomes/rules/facts.ts';
import type { ChangeKind } from '../../outcomes/outcome.ts';
import { isBodiless, type Transport } from '../../transport-port/transport.ts';
import type { World } from '../../world/world.ts';

/** What is known of a request when the hall asks. */
export interface Asked {
  readonly operation: OperationName;
  readonly writes: boolean;
  readonly params: Readonly<Record<string, string>>;
  /** As it was read; absent before that. */
  readonly query: object | undefined;
  readonly body: unknown;
  /** What would be done, for one that writes. */
  readonly change: Change | undefined;
}

/** Each thing is looked up when a rule asks for it: most ask for little. */
export class RequestFacts implements Facts {
  readonly #world: World;
  readonly #transport: Transport;
  readonly #asked: Asked;

  constructor(world: World, transport: Transport, asked: Asked) {
    this.#world = world;
    this.#transport = transport;
    this.#asked = asked;
  }

  get operation(): OperationName {
    return this.#asked.operation;
  }

  get writes(): boolean {
    return this.#asked.writes;
  }

  get nowMs(): number {
    return this.#world.nowMs();
  }

  header(name: string): string | undefined {
    return this.#transport.header(name);
  }

  get params(): Asked['params'] {
    return this.#asked.params;
  }

  get body(): unknown {
    return this.#asked.body;
  }

  get intent(): string {
    const { operation, params, body } = this.#asked;
    return intentOf(operation, params, body);
  }

  get card(): Facts['card'] {
    const card = this.#world.cards.get(cardIdOf(this.params, this.body) ?? '');
    return card && { id: card.id, createdAtMs: card.createdAtMs, deletedAtMs: undefined };
  }

  get cardKey(): string {
    const { operation, params, body } = this.#asked;
    return countedCardOf(operation, params, body);
  }

  get recordAgeMs(): number | undefined {
    return recordAgeMs(this.#world, this.params, this.card?.createdAtMs);
  }

  sinceChangeMs(kind: ChangeKind): number | undefined {
    return befellMs(this.#world, this.operation, this.params, kind);
  }

  get isLaterPage(): boolean {
    return isLaterPage(this.#asked.query);
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
    const dispute = this.#world.sales.get(this.transaction ?? '')?.dispute;
    return dispute === 'open' || dispute === 'lost';
  }

  get sendsBody(): boolean {
    return !isBodiless(this.#transport);
  }

  get reusedConnection(): boolean {
    return this.#transport.reusedConnection === true;
  }
}

/** The tables that lists are cut from. */
const listedTables: Partial<Record<OperationName, string>> = {
  'card.list': 'cards',
  'payment.list': 'payments',
};

/** How long ago something of a kind last befell what is read, on the merchant's clock. */
function befellMs(
  world: World,
  operation: OperationName,
  params: Readonly<Record<string, string>>,
  kind: ChangeKind,
): number | undefined {
  const listed = listedTables[operation];
  const ids = Object.values(params);
  const atMs = world.changeLog.lastMs(kind, ({ table, id }) =>
    listed === undefined ? ids.includes(id) : table === listed,
  );
  return atMs === undefined ? undefined : world.nowMs() - atMs;
}

/** Whether a list's query goes on from somewhere: by a page's number, its cursor, or the place it begins with. */
function isLaterPage(query: object | undefined): boolean {
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
  }; // Queries are typed by their operation; of all lists these are the members that move a page.
  return page > 1 || after !== undefined || startId !== undefined || startIndex > 0;
}

/** How old the record is that a request names, on the merchant's clock. */
function recordAgeMs(
  world: World,
  params: Readonly<Record<string, string>>,
  cardCreatedAtMs: number | undefined,
): number | undefined {
  const record =
    world.payments.get(params['payment_id'] ?? '') ??
    world.sales.get(params['sale_id'] ?? '') ??
    world.captures.get(params['capture_id'] ?? '') ??
    world.authorizations.get(params['authorization_id'] ?? '') ??
    world.refunds.get(params['refund_id'] ?? '');
  const createdAtMs = record?.createdAtMs ?? cardCreatedAtMs;
  return createdAtMs === undefined ? undefined : world.nowMs() - createdAtMs;
}
