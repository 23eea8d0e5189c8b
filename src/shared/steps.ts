/**
 * Functions that read like async ones and wait only where there is something to wait for. They are generators with
 * `yield*` in place of `await`; without a promise on their way they end in one synchronous step.
 */

/** A run of such a function. It yields the promises that it waits for. */
export type Steps<T> = Generator<Promise<unknown>, T, unknown>;

/** Waits for a promise; returns any other value at once. */
export function* wait<T>(value: T | Promise<T>): Steps<T> {
  // `runSteps` resumes with what the promise resolved to.
  return value instanceof Promise ? ((yield value) as T) : value;
}

/** Runs steps to their end. Returns a promise only where one of them waited. */
export function runSteps<T>(steps: Steps<T>): T | Promise<T> {
  return resume(steps, steps.next());
}

function resume<T>(steps: Steps<T>, step: IteratorResult<Promise<unknown>, T>): T | Promise<T> {
  if (step.done === true) return step.value;
  return step.value.then(
    (value) => resume(steps, steps.next(value)),
    (failure: unknown) => resume(steps, steps.throw(failure)),
  );
}
