/** What a client could conclude from what reached it. The ledger knows what really happened. */
import { problems } from '../contract/problems.ts';
import type { Conclusion, Delivery } from './entry.ts';

/** What a client finds when it reads the body of an answer: `none` where there is no body. */
export type BodyForm = 'json' | 'none' | 'html' | 'broken';

export interface Received {
  readonly status: number;
  readonly problem: string | undefined;
  readonly form: BodyForm;
  readonly delivery: Pick<Delivery, 'state' | 'clientLeft'>;
}

const inProgress = problems['request-in-progress'];

/**
 * `OK` and `FAIL` only where the client knows that the operation was, or was not, carried out. `FAIL` includes 408,
 * 425 and 429: nothing was done, and the request may be repeated.
 */
export function conclusionOf({ status, problem, form, delivery }: Received): Conclusion {
  const arrived = delivery.state === 'delivered' && !delivery.clientLeft;
  if (!arrived || form === 'html' || form === 'broken') return 'UNKNOWN';
  // An absent id is no success: a body must be there, but for the answer that says it has none.
  if (status >= 200 && status < 300) return form === 'json' || status === 204 ? 'OK' : 'UNKNOWN';
  // A redirect was answered before the operation was looked at, and so was every 4xx but one.
  if (status < 300 || status >= 500) return 'UNKNOWN';
  return status === inProgress.status && problem === inProgress.name ? 'UNKNOWN' : 'FAIL';
}

/** Reads a body as a client would. Costs a parse; whoever wrote the body as JSON and sent it unchanged need not ask. */
export function bodyFormOf(body: string | null): BodyForm {
  if (body === null || body === '') return 'none';
  try {
    JSON.parse(body);
    return 'json';
  } catch {
    return body.trimStart().startsWith('<') ? 'html' : 'broken';
  }
}
