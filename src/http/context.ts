/** What the pipeline knows of one request, and what it runs with. */
import type { HonoRequest } from 'hono';
import type { Profile } from '../contract/profile.ts';
import type { CardGuard } from '../guard/card-guard.ts';
import type { Traffic } from '../metrics/traffic.ts';
import type { Transport } from '../transport-port/transport.ts';
import type { Bearer, BearerRefusal, Tokens } from '../world/identity/tokens.ts';
import type { World } from '../world/world.ts';
import type { Worlds } from '../world/worlds.ts';
import type { ReceivedBody } from './body.ts';
import type { Exchange, ExchangeListener, Hooks } from './exchange.ts';
import type { ForcedDecision } from './steps/apply-outcome.ts';
import type { View } from './views/view.ts';

/** Everything of a sandbox that its `/v1` app needs. */
export interface ServiceSettings {
  readonly worlds: Worlds;
  readonly tokens: Tokens;
  readonly profile: Profile;
  /** Origin of links; by default the address that the client used. */
  readonly baseUrl: string | undefined;
  readonly maxBodyBytes: number;
  /** Secrets that fixtures pin, by client id. */
  readonly clientSecrets: ReadonlyMap<string, string>;
  readonly hooks: Hooks;
  readonly forcing: ForcingSettings;
  readonly guard: CardGuard;
  readonly onExchange: ExchangeListener | undefined;
  /** Counts requests and answers. */
  readonly traffic: Traffic;
  /** Debug ids and time for exchanges that belong to no merchant. */
  readonly nextDebugId: () => string;
  readonly nowMs: () => number;
}

export interface ForcingSettings {
  /** Whether amounts in test data trigger outcomes. */
  readonly magicAmounts: boolean;
}

/** What a request holds, once it is read. */
export interface RequestContent {
  readonly query?: unknown;
  /** Before step 4: as it was received, valid or not. */
  readonly body?: unknown;
}

/** One request on its way through the pipeline. */
export interface RequestContext {
  readonly service: ServiceSettings;
  readonly transport: Transport;
  readonly request: HonoRequest;
  readonly exchange: Exchange;
  /** Whether its operation can change anything. */
  readonly writes: boolean;
  /** Ids in the path. */
  readonly params: Readonly<Record<string, string>>;
  /** When the request began, by the clock of the metrics. */
  readonly startedMs: number;
  /** What the Authorization header says. */
  readonly bearer: Bearer | BearerRefusal;
  /** World of the merchant it names. Absent when it names none, or the sandbox is full. */
  readonly world: World | undefined;
  /** What was read of it so far. */
  content: RequestContent;
  /** The body, from when it is received until the journal is written. */
  body: ReceivedBody | undefined;
  /** Whether the body must leave no trace, not even a hash. */
  isSecret: boolean;
  /** What is forced on it, once that is decided. */
  decision: ForcedDecision | undefined;
}

/** A request that may act for its merchant. */
export type AuthenticatedContext = RequestContext & {
  readonly world: World;
  /** How its answers are written. */
  readonly view: View;
};
