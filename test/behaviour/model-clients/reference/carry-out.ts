/** Carries out one operation once, however many requests it takes. */
import type { Service } from './service.ts';
import { attemptMs, maxTries, totalMs, waitAfter, type Surroundings } from './surroundings.ts';

/** What the client knows about an operation at the end. */
export type Belief<T> =
  | { readonly state: 'done'; readonly record: T }
  /** It is pending. A later read will show the result. */
  | { readonly state: 'pending'; readonly record: T }
  | { readonly state: 'not-done'; readonly why: string }
  /** A person or a nightly reconciliation must find out. */
  | { readonly state: 'unknown'; readonly why: string };

export interface Operation<T> {
  /** The intent of the buyer. It keeps the same request id forever. */
  readonly intent: string;
  readonly method: 'POST' | 'DELETE';
  readonly to: string;
  readonly body?: object;
  /** What an answer or record shows; `undefined` if it shows nothing. */
  readonly judge: (body: unknown) => Belief<T> | undefined;
  /** Searches for what an earlier attempt may have created. */
  readonly find: () => Promise<Belief<T> | undefined>;
  /** Whether a refusal shows that an earlier attempt succeeded. */
  readonly wasDone?: (status: number, name: string) => boolean;
}

/** Refusals that come before the request id is checked, so they reveal nothing about an earlier attempt. */
const refusedBeforeReading: readonly number[] = [401, 403, 404];

export async function carryOut<T>(
  surroundings: Surroundings,
  service: Service,
  operation: Operation<T>,
): Promise<Belief<T>> {
  const { clock, keys, newKey, random } = surroundings;
  const { intent, method, to, body, judge, find, wasDone } = operation;
  const untilMs = clock.nowMs() + totalMs;
  // Stored before the first attempt, because a process that continues after a crash needs the same id.
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
      return refusedBeforeReading.includes(status)
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
  if (!inDoubt) return { state: 'not-done', why: 'It was refused each time.' };
  return (await find()) ?? { state: 'unknown', why: 'No answer came that tells.' };
}
