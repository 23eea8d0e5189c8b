/** The context of one request, and the parts of the sandbox that the pipeline uses. */
import type { Profile } from '../contract/profile.ts';
import type { CardGuard } from '../guard/card-guard.ts';
import type { StoredEntry } from '../journal/stored-entry.ts';
import type { Traffic } from '../metrics/traffic.ts';
import type { LinkBase } from '../transport-port/link-base.ts';
import type { RequestTarget } from '../transport-port/request-target.ts';
import type { Body, Transport } from '../transport-port/transport.ts';
import type { Bearer, BearerRefusal, Tokens } from '../world/identity/tokens.ts';
import type { World } from '../world/world.ts';
import type { Worlds } from '../world/worlds.ts';
import type { Exchange, ExchangeListener, Hooks } from './exchange.ts';
import type { ForcedDecision } from './steps/apply-outcome.ts';
import type { View } from './views/view.ts';

/** The parts of a sandbox that its `/v1` app needs. */
export interface ServiceSettings {
  readonly worlds: Worlds;
  readonly tokens: Tokens;
  readonly profile: Profile;
  /** The origin of links in the answer to a request. */
  readonly linkBase: LinkBase;
  readonly maxBodyBytes: number;
  /** Client secrets that the fixtures require, by client id. */
  readonly clientSecrets: ReadonlyMap<string, string>;
  readonly hooks: Hooks;
  readonly forcing: ForcingSettings;
  readonly guard: CardGuard;
  readonly onExchange: ExchangeListener | undefined;
  /** Counts requests and answers. */
  readonly traffic: Traffic;
  /** Debug ids and time for exchanges without a merchant. */
  readonly nextDebugId: () => string;
  readonly nowMs: () => number;
}

export interface ForcingSettings {
  /** Whether amounts in test data trigger outcomes. */
  readonly magicAmounts: boolean;
}

/** A request whose path was read, with the ids in it. */
export interface RoutedCall {
  readonly transport: Transport;
  readonly target: RequestTarget;
  readonly params: Readonly<Record<string, string>>;
}

export type ParsedBody =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly reason: string };

/** A body that was received. */
export interface ReceivedBody {
  readonly bytes: Body;
  /** The text for the journal; `undefined` if there was no body. */
  readonly journalText: string | undefined;
  readonly parsed: ParsedBody;
  /** The parsed value before any check; `undefined` if it cannot be parsed. */
  readonly uncheckedValue: unknown;
}

/** The query and body of a request. */
export interface RequestContent {
  readonly query?: unknown;
  /** Before step 4 it is the unchecked body, valid or not. */
  readonly body?: unknown;
}

/** One request on its way through the pipeline. */
export interface RequestContext {
  readonly service: ServiceSettings;
  readonly transport: Transport;
  readonly target: RequestTarget;
  readonly exchange: Exchange;
  /** Whether its operation can change anything. */
  readonly writes: boolean;
  /** Ids in the path. */
  readonly params: Readonly<Record<string, string>>;
  /** Start of the request, on the clock of the metrics. */
  readonly startedMs: number;
  /** The bearer token of the Authorization header. */
  readonly bearer: Bearer | BearerRefusal;
  /** World of the merchant that the request names. Absent if it names none, or if the sandbox is full. */
  readonly world: World | undefined;
  /** The query and body, as far as they were read. */
  content: RequestContent;
  /** The received body. It is dropped once the journal is written. */
  body: ReceivedBody | undefined;
  /** Whether nothing of the body may be kept, not even a hash. */
  isSecret: boolean;
  /** The forced outcomes, once they are decided. */
  decision: ForcedDecision | undefined;
  /** The open journal entry. Absent if the merchant's journal keeps none. */
  entry: StoredEntry | undefined;
}

/** An authenticated request: it may act for its merchant. */
export type AuthenticatedContext = RequestContext & {
  readonly world: World;
  /** What the views of its answers need. */
  readonly view: View;
};
