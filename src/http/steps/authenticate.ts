/** Who a request speaks for. */
import type { Transport } from '../../transport-port/transport.ts';
import type { Bearer, BearerRefusal } from '../../world/identity/tokens.ts';
import type { Hall } from '../pipeline.ts';

export interface Speaker {
  /** What the Authorization header says: the only thing that lets anybody in. */
  readonly bearer: Bearer | BearerRefusal;
  /** Whose journal the request is written into; absent where nothing names a merchant. */
  readonly merchant: string | undefined;
}

/** Reads the Authorization header. A token in the address lets nobody in, but tells whose mistake it is. */
export function bearerOf({ settings: { tokens } }: Hall, transport: Transport): Speaker {
  const bearer = tokens.read(transport.header('authorization'));
  if (typeof bearer !== 'string') return { bearer, merchant: bearer.merchant };
  const { target } = transport;
  if (bearer !== 'absent' || !target.includes('access_token=')) {
    return { bearer, merchant: undefined };
  }
  const token = new URLSearchParams(target.slice(target.indexOf('?') + 1)).get('access_token');
  const named = tokens.read(`Bearer ${token ?? ''}`);
  return { bearer, merchant: typeof named === 'string' ? undefined : named.merchant };
}
