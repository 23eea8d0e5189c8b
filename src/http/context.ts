/** What a request is on its way through the hall: at the door, past it, or turned away. */
import type { ProblemKind } from '../contract/problems.ts';
import type { StoredEntry } from '../journal/stored-entry.ts';
import type { Transport } from '../transport-port/transport.ts';
import type { World } from '../world/world.ts';
import type { Exchange } from './exchange.ts';
import type { RefusalDetail } from './reply.ts';
import type { View } from './views/view.ts';

/** A request at the door: nothing of it was judged yet. */
export interface Arrival {
  readonly transport: Transport;
  readonly exchange: Exchange;
  /** When it came, by the clock that counts. */
  readonly begunMs: number;
  /** The world of the merchant it names; absent when it names none, or there is no room for it. */
  readonly world: World | undefined;
  /** What the merchant's journal keeps of it. */
  readonly entry: StoredEntry | undefined;
  /** The body as it came, until it is in the journal. */
  body: string | undefined;
  /** Nothing of the body may be kept, be it folded. */
  secret: boolean;
}

/** A merchant's request past the door: whose world it is in, and how its answers are shown. */
export interface Visit {
  readonly world: World;
  readonly view: View;
}

/** A refusal on its way out of the hall: a row of the table of problems, and what fills it. */
export interface Turned {
  readonly kind: ProblemKind;
  readonly reason: string;
  readonly detail?: RefusalDetail;
}

export function isTurned(value: object): value is Turned {
  return 'kind' in value && 'reason' in value;
}
