/** Requests that no operation takes: wrong method, a path near one that exists, or an address that is none. */
import type { Context } from 'hono';
import { operations } from '../contract/service/operations.ts';
import { nearestPath } from '../shared/did-you-mean.ts';
import { spellingsOf } from './bind.ts';
import type { Turned } from './context.ts';
import { bearerOf } from './steps/authenticate.ts';
import type { Hall } from './pipeline.ts';
import {
  unreadableReasonOf,
  transportOf,
  type TransportEnv,
} from '../transport-port/transport-env.ts';

interface Served {
  /** As documented, with `{names}`. */
  readonly path: string;
  readonly form: RegExp;
  readonly methods: readonly string[];
}

const served: readonly Served[] = servedPaths();

/**
 * Answers 405 with Allow where the path is known, else 404 with the nearest path that is; 400 where there is none.
 * Seed silent: an address that cannot be read is a malformed request like any other, so that its debug id tells why.
 */
export function turnLost(hall: Hall, c: Context<TransportEnv>): Response | Promise<Response> {
  const transport = transportOf(c);
  const { merchant } = bearerOf(hall, transport);
  const arrival = hall.open(transport, undefined, merchant);
  return hall.walk(arrival, () => {
    const unread = unreadableReasonOf(c);
    const turned = unread === undefined ? lost(c.req.path) : unreadable(unread);
    const reply = hall.turn(arrival.exchange, turned);
    return hall.leave(arrival, reply);
  });
}

function unreadable(why: string): Turned {
  return {
    kind: 'malformed-request',
    reason: `The path and the Host header make no address (${why}). Send a path that begins with / and has no backslash, and a Host such as localhost:3000.`,
  };
}

function lost(path: string): Turned {
  const known = served.find(({ form }) => form.test(path));
  if (known !== undefined) {
    const allow = known.methods.join(', ');
    return {
      kind: 'method-not-allowed',
      reason: `${known.path} is served with ${allow}.`,
      detail: { public: allow, headers: { Allow: allow } },
    };
  }
  // The client's path may hold anything, a card number too: only our own path is ever named.
  const near = nearestPath(path, served);
  const hint =
    near === undefined
      ? 'All are listed at /docs'
      : `The nearest is ${near.methods.join(', ')} ${near.path}; all are listed at /docs`;
  return { kind: 'unknown-path', reason: hint, detail: { public: hint } };
}

function servedPaths(): Served[] {
  const methods = new Map<string, string[]>();
  for (const { path, method } of Object.values(operations)) {
    for (const spelling of spellingsOf(path)) {
      const so = methods.get(spelling) ?? [];
      // Hono answers HEAD wherever it answers GET.
      so.push(method.toUpperCase(), ...(method === 'get' ? ['HEAD'] : []));
      methods.set(spelling, so);
    }
  }
  return [...methods].map(([path, allowed]) => ({
    path,
    // The app has taken one slash off the end; another makes it another path.
    form: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
    methods: allowed,
  }));
}
