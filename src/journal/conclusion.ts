/** What a client can conclude from what it received. The ledger shows what really happened. */
import { serviceProblems } from '../contract/problems.ts';
import type { Conclusion, Delivery } from './entry.ts';

/** How the body of a response reads to a client; `none` if there is no body. */
export type BodyForm = 'json' | 'none' | 'html' | 'broken';

export interface ReceivedResponse {
  readonly status: number;
  readonly problem: string | undefined;
  readonly form: BodyForm;
  readonly delivery: Pick<Delivery, 'state' | 'clientLeft'>;
}

const inProgress = serviceProblems['request-in-progress'];

/**
 * `OK` or `FAIL` only if the client knows that the operation was, or was not, carried out.
 *
 * `FAIL` includes 408, 425 and 429: nothing was done, and the client may retry.
 */
export function conclusionOf({ status, problem, form, delivery }: ReceivedResponse): Conclusion {
  const arrived = delivery.state === 'delivered' && !delivery.clientLeft;
  if (!arrived || form === 'html' || form === 'broken') return 'UNKNOWN';
  // A success without a body shows no id. Only 204 says that there is none.
  if (status >= 200 && status < 300) return form === 'json' || status === 204 ? 'OK' : 'UNKNOWN';
  return saysNotDone({ status, problem }) ? 'FAIL' : 'UNKNOWN';
}

/**
 * Whether a response says, by its status alone, that the operation was not carried out. A redirect comes before the
 * operation is executed, and so does every 4xx except one.
 */
export function saysNotDone({
  status,
  problem,
}: Pick<ReceivedResponse, 'status' | 'problem'>): boolean {
  if (status < 300 || status >= 500) return false;
  return status !== inProgress.status || problem !== inProgress.name;
}

/**
 * Reads a body as a client would. This costs a parse, so callers skip it for unchanged JSON of
 * their own.
 */
export function bodyFormOf(body: string | null): BodyForm {
  if (body === null || body === '') return 'none';
  try {
    JSON.parse(body);
    return 'json';
  } catch {
    return body.trimStart().startsWith('<') ? 'html' : 'broken';
  }
}
