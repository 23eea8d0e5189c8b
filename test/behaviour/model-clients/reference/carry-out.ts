/** Carries one operation out once, however often it has to be asked for. */
import type { Service } from './service.ts';
import { attemptMs, maxTries, totalMs, waitAfter, type Surroundings } from './surroundings.ts';

/** What is known of an operation when its client is done. */
export type Belief<T> =
  | { readonly state: 'done'; readonly record: T }
  /** It is under way; reading again later will tell. */
  | { readonly state: 'pending'; readonly record: T }
  | { readonly state: 'not-done'; readonly why: string }
  /** For a person, or a nightly reconciliation. */
  | { readonly state: 'unknown'; readonly why: string };

export interface Operation<T> {
  /** Names what the buyer wants; the same intent has the same request id for ever. */
  readonly intent: string;
  readonly method: 'POST' | 'DELETE';
  readonly to: string;
  readonly body?: object;
  /** What an answer, or the record itself, says; `undefined` where it says nothing. */
  readonly judge: (body: unknown) => Belief<T> | undefined;
  /** Looks for what an earlier try may have made. */
  readonly find: () => Promise<Belief<T> | undefined>;
  /** Whether a refusal says that an earlier try did it. */
  readonly wasDone?: (status: number, name: string) => boolean;
}

/** These are said before anybody looks at the request id, so they say nothing of an earlier try. */
const saidAtTheDoor: readonly number[] = [401, 403, 404];

export async function carryOut<T>(
  surroundings: Surroundings,
  service: Service,
  operation: Operation<T>,
): Promise<Belief<T>> {
  const { clock, keys, newKey, random } = surroundings;
  const { intent, method, to, body, judge, find, wasDone } = operation;
  const untilMs = clock.nowMs() + totalMs;
  // Kept before the first try: whoever goes on after a crash must ask with the same id.
  const key = keys.get(intent) ?? newKey();
  keys.set(intent, key);

  let inDoubt = false;
  for (let tries = 0; tries < maxTries; tries++) {
    const withinMs = Math.min(attemptMs, untilMs - clock.nowMs());
    const answer = await service.ask({
      method,
      to,
      key,
      withinMs,
      ...(body === undefined ? {} : { body }),
    });
    if (answer.kind === 'refused') {
      const { status, name } = answer;
      const why = `It was refused: ${status} ${name}`;
      if (wasDone?.(status, name) === true) {
        return (
          (await find()) ?? { state: 'unknown', why: `${why}, yet what it speaks of is not found.` }
        );
      }
      if (!inDoubt) return { state: 'not-done', why };
      const found = await find();
      if (found !== undefined) return found;
      return saidAtTheDoor.includes(status)
        ? { state: 'unknown', why: `${why}, after a try whose answer was lost.` }
        : { state: 'not-done', why };
    }
    if (answer.kind === 'done') {
      const belief = judge(answer.body);
      if (belief !== undefined) return belief;
    }
    if (answer.kind !== 'later') inDoubt = true;
    const waitMs = waitAfter(tries, answer.kind === 'done' ? 0 : answer.waitMs, random);
    if (tries + 1 === maxTries || clock.nowMs() + waitMs >= untilMs) break;
    await clock.sleep(waitMs);
  }
  if (!inDoubt) return { state: 'not-done', why: 'It was turned away each time.' };
  return (await find()) ?? { state: 'unknown', why: 'No answer came that tells.' };
}
